// End-to-end tests that every game must pass.

import { equal, json as ask, ok, on, shot, shown, test, until } from "./harness.mjs";

const key = (name) => `[data-key="${name}"]`;

/** Fetches a position and its moves, with values if the game is solved. */
const fetchPosition = (address, { id, solved }, position) => {
  const query = position === undefined ? "" : `?position=${encodeURIComponent(position)}`;
  return ask(address, `/api/${id}/${solved ? "probe" : "moves"}${query}`);
};

/** Formats a value as `+13`, `−8`, `=`, from the API response alone. */
function written({ value, distance, score }) {
  if (value === "draw") return "=";
  const number = score ?? distance;
  return (value === "win" ? "+" : "−") + (number === null ? "" : Math.abs(number));
}

/** Derives the clicks of a move from its text: `a1-b2`, `d3`, `a1-a4xd7`, `a6-off`, or stones to take. */
export function clicks(view, position, move) {
  if (view.ground === "pile") return [`stone${position - move}`];
  const [piece, drop] = move.split("@");
  if (drop) return [`hand-${view.sides.findIndex((side) => side.letter === position.split(" ")[1])}-${piece}`, drop];
  const [main, taken] = move.split("x");
  const dash = main.indexOf("-");
  const from = dash < 0 ? main : main.slice(0, dash);
  const names = new Set(view.places.map((place) => place.name));
  if (!names.has(from)) return [];
  const all = [from];
  if (dash >= 0) {
    const to = main.slice(dash + 1);
    all.push(names.has(to) ? to : `${from}>${to}`);
  }
  return taken ? [...all, taken] : all;
}

async function click(page, name) {
  await page.locator(`.target${key(name)}`).click({ force: true });
}

async function play(page, view, position, move) {
  const all = clicks(view, position, move);
  if (!all.length) await page.click(`.move[data-move="${move}"]`);
  for (const name of all) await click(page, name);
}

/** Expected badges on the next clicks: the best move of each. An unsolved game has none. */
async function badgesEqual(page, probe, view, chosen) {
  const best = new Map();
  for (const choice of probe.value === undefined ? [] : probe.moves) {
    const all = clicks(view, probe.position, choice.move);
    if (all.length > chosen.length && chosen.every((name, at) => all[at] === name)) {
      if (!best.has(all[chosen.length])) best.set(all[chosen.length], written(choice));
    }
  }
  const found = await page.$$eval(".hints .badge", (all) =>
    all.map((badge) => [badge.dataset.key, badge.dataset.value]),
  );
  equal(Object.fromEntries(found.sort()), Object.fromEntries([...best].sort()), "badges on the board");
}

/** Tests one game, solved or not. */
export async function testGame(address, game, quick) {
  const { id, solved } = game;
  const known = await ask(address, `/api/${id}/view`);
  const { view, initial } = known;
  const home = `${address}#/${id}`;
  const probe = await fetchPosition(address, game);
  const pictured = view.ground !== "text";

  await test(`${id}: the page shows the board, and ${solved ? "values" : "moves"} as the API has them`, () =>
    on(home, {}, async (page) => {
      equal(await page.textContent("h1"), known.title);
      equal(await shown(page), initial);
      equal(await page.inputValue("#game"), id);
      const rows = await page.$$eval(".move", (all) =>
        all.map((row) => [row.dataset.move, row.querySelector(".badge")?.dataset.value ?? ""]),
      );
      const expected = probe.moves.map((choice) => [choice.move, solved ? written(choice) : ""]);
      equal(solved ? rows : rows.sort(), solved ? expected : expected.sort(), "the list of moves");
      equal((await page.$$(".unsolved .command, .unsolved [data-solve]")).length, solved ? 0 : 1, "the offer to solve");
      if (pictured) await badgesEqual(page, probe, view, []);
      await shot(page, `${id}-board`);
    }));

  await test(`${id}: a click plays a move, updates the URL, and the link restores it`, () =>
    on(home, {}, async (page) => {
      const choice = probe.moves.at(-1);
      const all = clicks(view, initial, choice.move);
      for (const [at, name] of all.entries()) {
        await click(page, name);
        if (at + 1 < all.length) await badgesEqual(page, probe, view, all.slice(0, at + 1));
      }
      if (!all.length) await page.click(`.move[data-move="${choice.move}"]`);
      await until("the position after the move", async () => (await shown(page)) === choice.position);
      const link = page.url();
      ok(link !== home && link.startsWith(home), `the address is ${link}`);
      const after = await fetchPosition(address, game, choice.position);
      if (pictured) await badgesEqual(page, after, view, []);
      const board = (other) =>
        pictured
          ? other.$eval(".board", (svg) =>
              svg.innerHTML.replace(/<g class="marks">.*?<\/g>/, "").replace(/tabindex="[-0-9]+"/g, ""),
            )
          : other.textContent(".text-board");
      const [status, picture] = [await page.textContent(".status"), await board(page)];
      await on(link, {}, async (other) => {
        equal(await shown(other), choice.position, "the position of the link");
        equal(await other.textContent(".status"), status, "the status of the link");
        equal(await board(other), picture, "the board of the link");
      });
      await page.click('[data-tool="undo"]');
      equal(await shown(page), initial, "undo");
      await page.click('[data-tool="redo"]');
      equal(await shown(page), choice.position, "redo");
    }));
  if (quick) return;
  if (solved) await testValues(address, game, known, probe);
  else await testRulesAlone(address, game, known);
  await testEverywhere(address, game, known, probe);
}

/** Features of a solved game: an opponent and best play. */
async function testValues(address, game, { view, initial }, probe) {
  const { id } = game;
  const home = `${address}#/${id}`;

  await test(`${id}: played to the end against the computer`, () =>
    on(home, {}, async (page) => {
      await page.click('label[for="human-1"]');
      for (let turn = 0; turn < 150; turn += 1) {
        await until(
          "no side to move",
          async () => (await page.$(".status.over")) || (await page.$(".move:not(:disabled)")),
        );
        if (await page.$(".status.over")) break;
        // The worst move is the last in the list.
        const before = await shown(page);
        const move = await page.locator(".move").last().getAttribute("data-move");
        await play(page, view, before, move);
        await until("the move", async () => (await shown(page)) !== before);
      }
      ok(await page.$(".status.over"), "the game does not end");
      const end = await fetchPosition(address, game, await shown(page));
      equal(end.moves, [], "moves at the end");
      const points = await page.$$(".graph .point");
      ok(points.length > 1, "the course of the game has no points");
      await shot(page, `${id}-end`);
    }));

  await test(`${id}: best play can be stepped through and copied`, () =>
    on(home, { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      const { line } = await ask(address, `/api/${id}/line`);
      // A site with a large database asks before it fetches best play.
      await page.waitForSelector(".line-list button");
      const offer = await page.$('[data-act="line-ask"]');
      await offer?.click();
      await page.waitForSelector(".line-list .step");
      await page.click('.line button[aria-label="Copy"]');
      const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
      await until("the copy", async () => (await clipboard()) === line.map((step) => step.move).join(" "));
      await page.click('.line button[aria-label="One step on"]');
      await until("one step", async () => (await shown(page)) === line[0].position);
      await page.click('.line button[aria-label="One step back"]');
      equal(await shown(page), initial);
      await page
        .locator(".line-list .step")
        .nth(line.length - 1)
        .click();
      await until("the end of the line", async () => (await shown(page)) === line.at(-1).position);
      await page.click('[data-tool="copy"]');
      await until("the position's copy", async () => (await clipboard()) === line.at(-1).position);
      await page.locator('.graph .point[data-ply="0"]').click();
      equal(await shown(page), initial, "a click on the course of the game");
      await page.click('[data-tool="paste"]');
      await until("the pasted position", async () => (await shown(page)) === line.at(-1).position);
    }));

  await test(`${id}: hidden values appear nowhere`, () =>
    on(home, {}, async (page) => {
      await page.click('[data-tool="hints"]');
      equal(
        [
          await page.$$eval(".badge", (all) => all.length),
          await page.$$eval(".verdict, .panel.line, .graph", (all) => all.length),
        ],
        [0, 0],
        "values that show",
      );
      equal(await page.$$eval(".move", (all) => all.length), probe.moves.length, "moves to choose from");
    }));
}

/** An unsolved game can be played to its end by both sides. */
async function testRulesAlone(address, game, { view }) {
  const { id } = game;
  const played = await someGame(address, game);
  await test(`${id}: unsolved, both sides can play to the end`, async () => {
    const from = played.slice(-7)[0];
    const side = from.ply % 2 ? "&side=2" : "";
    await on(`${address}#/${id}?position=${encodeURIComponent(from.position)}${side}`, {}, async (page) => {
      for (const { position, move, next } of played.slice(-7)) {
        equal(await shown(page), position);
        await play(page, view, position, move);
        await until(`${move} leads to ${next}`, async () => (await shown(page)) === next);
      }
      ok(await page.$(".status.over"), "the game is not over");
      await shot(page, `${id}-end`);
    });
  });
}

/** Returns a random legal game to its end. */
async function someGame(address, game) {
  let dice = 1;
  for (;;) {
    const played = [];
    let now = await fetchPosition(address, game);
    while (now.moves.length && played.length < 600) {
      dice = (dice * 48_271) % 2_147_483_647;
      const { move, position } = now.moves[dice % now.moves.length];
      played.push({ ply: played.length, position: now.position, move, next: position });
      now = await fetchPosition(address, game, position);
    }
    if (!now.moves.length) return played;
  }
}

/** Features of every game, solved or not. */
async function testEverywhere(address, game, known, probe) {
  const { view, initial } = known;
  const { id } = game;
  const home = `${address}#/${id}`;
  const pictured = view.ground !== "text";

  await test(`${id}: positions can be edited and pasted, and illegal ones are rejected`, () =>
    on(home, {}, async (page) => {
      const { position } = (await fetchPosition(address, game, probe.moves[0].position)).moves.at(-1) ?? probe.moves[0];
      if (pictured) {
        await page.click('[data-tool="edit"]');
        await setUp(page, view, position);
        await page.click('[data-edit="done"]');
        const same = (text) => (view.notation.history ? text.split(view.notation.history)[0] : text);
        await until(
          "the edited position",
          async () => same(await page.inputValue("#position").catch(() => "")) === same(position),
        );
      }
      await page.fill("#position", "no position at all");
      await page.press("#position", "Enter");
      const { error } = await fetchPosition(address, game, "no position at all");
      await until("the refusal", async () => (await page.textContent(".notation .problem")) === error);
      await page.fill("#position", initial);
      await page.press("#position", "Enter");
      await until("the pasted position", async () => (await shown(page)) === initial);
    }));

  await test(`${id}: Japanese by browser setting and by switch`, () =>
    on(home, { locale: "ja-JP" }, async (page) => {
      equal(await page.getAttribute("html", "lang"), "ja");
      equal(await page.textContent("h1"), view.japanese?.title ?? known.title);
      await shot(page, `${id}-japanese`);
      await page.click('button[lang="en"]');
      equal([await page.getAttribute("html", "lang"), await page.textContent("h1")], ["en", known.title]);
    }));

  await test(`${id}: on a phone nothing is clipped and tap targets are large enough`, () =>
    on(home, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, async (page) => {
      equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, "the width of the page");
      if (pictured) {
        const least = await page.$$eval(".target", (all) =>
          Math.min(...all.map((target) => target.getBoundingClientRect().width)),
        );
        ok(least >= 24, `a place is ${least} pixels wide`);
        const move = probe.moves[0];
        for (const name of clicks(view, initial, move.move))
          await page.locator(`.target${key(name)}`).tap({ force: true });
        await until("the move by tap", async () => (await shown(page)) === move.position);
      }
      await shot(page, `${id}-phone`);
    }));

  await test(`${id}: keyboard play and board rotation`, () =>
    on(home, {}, async (page) => {
      if (pictured) {
        await page.focus('.target[tabindex="0"]');
        for (let step = 0; step < 4 && (await shown(page)) === initial; step += 1) {
          const goal = await page.$$eval(".target.live:not(.chosen)", (all) => all[0].dataset.key);
          await page.focus(key(goal));
          await page.keyboard.press("Enter");
          await page.waitForTimeout(150);
        }
        ok((await shown(page)) !== initial, "Enter plays no move");
        const before = await page.$eval('.target[tabindex="0"]', (target) => target.dataset.key);
        ok(
          await page.evaluate(() => document.activeElement.matches('.target[tabindex="0"]')),
          "the focus left the board",
        );
        const walked = async (name) => {
          await page.keyboard.press(name);
          return (await page.$eval('.target[tabindex="0"]', (target) => target.dataset.key)) !== before;
        };
        ok(
          (await walked("ArrowLeft")) ||
            (await walked("ArrowUp")) ||
            (await walked("ArrowRight")) ||
            (await walked("ArrowDown")),
          "arrows do not walk",
        );
      }
      if (view.flips) {
        const at = () => page.$eval(".target", (target) => target.getAttribute("y"));
        const before = await at();
        await page.click('[data-tool="flip"]');
        ok(before !== (await at()), "the board is not rotated");
      }
    }));
}

/** Sets up a position with the editor. */
async function setUp(page, view, text) {
  if (view.ground === "pile") {
    await page.fill("#stones", text);
    await page.press("#stones", "Tab");
    return;
  }
  await page.click('[data-edit="clear"]');
  const { notation } = view;
  const [board, turn, hands] = (notation.history ? text.split(notation.history)[0] : text).split(" ");
  const cells = board
    .split(notation.row_joint)
    .flatMap((row) => (notation.cell_joint ? row.split(notation.cell_joint) : [...row]));
  for (const [at, cell] of cells.entries()) {
    for (const letter of cell === notation.empty ? "" : cell) {
      await page.click(`[data-brush="${letter}"]`);
      await click(page, view.places[at].name);
    }
  }
  if (notation.turn === "letter")
    await page.click(`label[for="turn-${view.sides.findIndex((side) => side.letter === turn)}"]`);
  if (notation.hands === "letters") await page.fill("#held", hands);
  for (const [side, number] of notation.hands === "counts" ? hands.split("-").entries() : [])
    await page.fill(`#hand-${side}`, number);
}
