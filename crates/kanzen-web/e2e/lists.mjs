// Puzzles, families, illustrated rules and sharing.

import { readFileSync } from "node:fs";
import { clicks } from "./game.mjs";
import { accessible, equal, json, ok, on, shot, shown, test, until, visit } from "./harness.mjs";

const PHONE = { viewport: { width: 360, height: 740 }, locale: "ja-JP", colorScheme: "dark" };

export async function testLists(address) {
  await test("today's puzzle follows the date, is solved move by move, and extends the streak", () =>
    on(`${address}#/nocca-3x4/puzzles`, {}, async (page) => {
      const seed = await page.evaluate(() => {
        const [now, two] = [new Date(), (number) => String(number).padStart(2, "0")];
        return `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`;
      });
      const puzzle = await json(address, `/api/nocca-3x4/puzzle?seed=${seed}`);
      const { view } = await json(address, "/api/nocca-3x4/view");
      equal(Number(await page.getAttribute(".difficulty", "data-difficulty")), puzzle.difficulty);
      equal(await page.getAttribute(".streak", "data-streak"), "0");
      equal((await page.$$(".badge")).length, 0, "values");
      await accessible(page);
      await page.click(".puzzle-moves summary");
      const { moves } = await json(address, `/api/nocca-3x4/probe?position=${encodeURIComponent(puzzle.position)}`);
      const wrong = moves.find((move) => move.value !== puzzle.value).move;
      await page.click(`[data-move="${wrong}"]`);
      ok((await page.textContent(".status .problem")).startsWith(`${wrong} is not it`), "a wrong move");
      for (let at = 0; at < puzzle.solution.length; at += 2) {
        await until("the turn", async () => page.$(`[data-move="${puzzle.solution[at]}"]`));
        const keys = clicks(view, puzzle.position, puzzle.solution[at]);
        for (const key of keys) await page.click(`.target[data-key="${key}"]`, { force: true });
      }
      await page.waitForSelector(".status .solved");
      equal(await page.getAttribute(".streak", "data-streak"), "1");
      await shot(page, "puzzle");
      await page.reload();
      await page.waitForSelector(".streak");
      equal(await page.getAttribute(".streak", "data-streak"), "1", "kept in the browser");
      await page.click('[data-act="reveal"]');
      await until("the solution", async () => (await page.textContent(".status")) === "This was the solution.");
      await page.click('[data-act="another"]');
      await page.waitForSelector('[data-act="today"]');
    }));

  await test("a double click in a puzzle plays one move", async () => {
    let [seed, puzzle] = [0, { solution: [] }];
    while (puzzle.solution.length < 3) puzzle = await json(address, `/api/nocca-3x4/puzzle?seed=${++seed}`);
    await on(`${address}#/nocca-3x4/puzzles?seed=${seed}`, { reducedMotion: "no-preference" }, async (page) => {
      await page.click(".puzzle-moves summary");
      await page.dblclick(`[data-move="${puzzle.solution[0]}"]`);
      await page.waitForSelector(".puzzle-moves summary");
      // Waits longer than the reply takes: the second click must not play the next move.
      await page.waitForTimeout(1200);
      equal(await page.$(".status .solved"), null, "an extra move was played");
      await page.click(".puzzle-moves summary");
      ok(await page.$(`[data-move="${puzzle.solution[2]}"]`), "the next move is still to be found");
    });
  });

  await test("puzzles on a phone, dark and in Japanese", () =>
    on(`${address}#/morris-5/puzzles`, PHONE, async (page) => {
      await page.waitForSelector(".difficulty");
      equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
      await accessible(page);
      await shot(page, "puzzle-phone");
    }));

  await test("all games are listed by family and searchable", () =>
    on(address, {}, async (page) => {
      const games = await json(address, "/api/games");
      const families = new Map();
      for (const { id } of games) families.set(id.split("-")[0], [...(families.get(id.split("-")[0]) ?? []), id]);
      const expected = [...families].map(([name, members]) =>
        members.length > 1 ? `#/family/${name}` : `#/${members[0]}`,
      );
      const links = () => page.$$eval(".card", (all) => all.map((card) => card.getAttribute("href")));
      equal((await links()).sort(), expected.sort());
      await page.waitForSelector(".thumb svg");
      await accessible(page);
      await shot(page, "home");
      await page.fill("#search", "othello");
      equal(
        (await links()).sort(),
        games
          .filter(({ id }) => id.startsWith("othello"))
          .map(({ id }) => `#/${id}`)
          .sort(),
      );
      await page.fill("#search", "no such game");
      ok((await page.textContent(".found")).startsWith("No game"), "nothing found");
    }));

  await test("a family has a table of its boards with values, phone and Japanese too", async () => {
    await on(`${address}#/family/nocca`, {}, async (page) => {
      const games = (await json(address, "/api/games")).filter(({ id }) => id.startsWith("nocca-"));
      equal((await page.$$(".sizes [data-game]")).length, games.length);
      const { value, distance } = await json(address, "/api/nocca-3x4/probe");
      await until("the value", async () =>
        (await page.textContent('[data-game="nocca-3x4"]')).includes(`${value} in ${distance}`),
      );
      await accessible(page);
      await shot(page, "family");
      await page.click('[data-game="nocca-3x4"]');
      await page.waitForSelector(".verdict");
    });
    await on(`${address}#/family/ostle`, PHONE, async (page) => {
      for (const name of ["ostle", "morris", "othello", "musashi"]) {
        await visit(page, `#/family/${name}`);
        equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, name);
        if (name === "ostle") equal((await page.$$("tbody tr")).length, 3, "two rules side by side");
        await accessible(page);
        await shot(page, `family-${name}-phone`);
      }
    });
  });

  await test("positions where the two rules of Ostle differ are found by comparing both databases", () =>
    on("about:blank", {}, async (page) => {
      // Both games take minutes to solve: uses mock responses.
      const start = "11011-00000-00300-00000-22022";
      const games = (await json(address, "/api/games")).map((game) => ({
        ...game,
        solved: game.id.startsWith("ostle-8"),
      }));
      await page.route("**/api/games", (route) => route.fulfill({ json: games }));
      await page.route(/ostle-8.*\/probe$/, async (route) => {
        if (route.request().method() === "GET")
          return route.fulfill({ json: { value: "draw", distance: null, moves: [] } });
        const positions = route.request().postDataJSON();
        return route.fulfill({
          json: positions.map((position, at) => ({ position, value: "win", distance: at ? 11 : 9 })),
        });
      });
      const rows = [9, 9].map((distance) => ({ position: start, value: "win", distance }));
      await page.route("**/api/ostle-8/find?**", (route) => route.fulfill({ json: { rows, cursor: null } }));
      await page.goto(`${address}#/family/ostle`);
      await page.click('[data-act="compare"]');
      await page.waitForSelector(".difference-panel .example");
      equal(await page.$$eval(".difference-panel .example", (all) => all.map((one) => one.textContent)), [
        "win in 9 / win in 11",
      ]);
      ok((await page.textContent(".difference-panel")).includes("1 of the 2 positions"), "the count");
      await accessible(page);
    }));

  await test("the illustrated rules use legal positions and moves", async () => {
    const { figures } = await import("../page/js/rules-figures.js");
    const names = { tictactoe: "tictactoe", stones: "stones-21", dobutsu: "dobutsu" };
    for (const [family, all] of Object.entries(figures)) {
      for (const figure of all) {
        const id = figure.game ?? names[family];
        const query = figure.position ? `?position=${encodeURIComponent(figure.position)}` : "";
        const { moves, error } = await json(address, `/api/${id}/moves${query}`);
        equal(error, undefined, `${id} ${figure.position}`);
        ok(
          figure.move ? moves.some(({ move }) => move === figure.move) : !moves.length,
          `${id}: ${figure.move} in ${figure.position}`,
        );
      }
    }
    const morris = (await json(address, "/api/games")).filter(({ id }) => id.startsWith("morris-"));
    equal(morris.length, 7);
    for (const { id } of morris) ok(figures[id]?.every(({ game }) => game === id), `${id} shows its own board`);
    const pages = Object.entries(figures).map(([family, all]) => [family, all, names[family] ?? all[0].game]);
    for (const [options, half] of [
      [PHONE, pages.slice(0, 4)],
      [{}, pages.slice(4)],
    ])
      await on(address, options, async (page) => {
        for (const [family, all, id] of half) {
          await visit(page, `#/${id}/rules`);
          equal((await page.$$("figure svg")).length, all.length);
          const words = all.map((one) => (options === PHONE ? one.ja : one.en));
          equal(await page.$$eval("figcaption", (list) => list.map((one) => one.textContent)), words);
          await accessible(page);
          await shot(page, `rules-${family}`);
        }
      });
  });

  await test("a board can be shared as pictures, animation, frame and citation", () =>
    on(`${address}#/nocca-3x4?moves=a1-b2`, { acceptDownloads: true }, async (page) => {
      await page.click('[data-tool="share"]');
      await page.waitForSelector("#cite");
      const saved = async (name) => {
        const [download] = await Promise.all([page.waitForEvent("download"), page.click(`[data-act="${name}"]`)]);
        return [download.suggestedFilename(), readFileSync(await download.path())];
      };
      const [name, svg] = await saved("svg");
      equal(name, "nocca-3x4.svg");
      const text = svg.toString();
      ok(
        text.startsWith("<svg") && (text.includes("+11") || text.includes("−12")) && !text.includes("class="),
        "the picture with values",
      );
      const [, png] = await saved("png");
      equal([...png.subarray(1, 4)].map((code) => String.fromCharCode(code)).join(""), "PNG");
      ok(png.length > 5000, "an empty picture");
      const [, film] = await saved("film-best");
      const { line } = await json(address, `/api/nocca-3x4/line?position=${encodeURIComponent(await shown(page))}`);
      equal(film.toString().split("<animate").length - 1, line.length + 1, "pictures of the line");
      const { sha256, version, run } = await json(address, "/api/nocca-3x4/provenance");
      const cite = await page.inputValue("#cite");
      ok(cite.includes(sha256) && cite.includes(`Kanzen ${version}`), cite);
      equal(run.record, "results/nocca-3x4.json");
      ok([run.record, run.date, run.commit.slice(0, 12), run.machine].every((fact) => cite.includes(fact)), cite);
      await accessible(page);
      await shot(page, "share", false);
      const frame = await page.inputValue("#embed");
      await page.keyboard.press("Escape");
      const source = /src="([^"]*)"/.exec(frame)[1].replace(/&amp;/g, "&");
      await page.goto(source);
      await page.waitForSelector('body[data-ready="yes"] .board');
      await page.click('[data-tool="undo"]');
      ok((await page.textContent(".status")).startsWith("White to move"), "the board to embed");
      await accessible(page);
      await shot(page, "embed", false);
    }));

  // Compressed, as the program sends them.
  if (process.env.PAGE) return;
  await test("the board page is under 120 kB, including its API responses", () =>
    on(`${address}#/nocca-3x4`, {}, async (page) => {
      await page.waitForSelector(".line-list .step");
      const sizes = await page.evaluate(() =>
        performance
          .getEntries()
          .map(({ encodedBodySize = 0, decodedBodySize = 0 }) => [encodedBodySize, decodedBodySize]),
      );
      const [sent, plain] = [0, 1].map((which) => sizes.reduce((sum, size) => sum + size[which], 0));
      ok(sent > 20_000 && sent < 120_000, `${sent} bytes are sent, ${plain} unpacked`);
      console.log(`      ${sent} bytes are sent, ${plain} unpacked`);
    }));
}
