// Tests of the static site written by the command: on a plain file server, and with simulated host failures.
//
//     WASM=target/wasm/kanzen.wasm node site.mjs
//
// PROBES is the number of positions per game to compare with the command. GAMES lists the games to compare and to play with
// the tests of a game on a server. Tests of pages and host failures use their own games.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveFolder } from "./file-server.mjs";
import { testGame } from "./game.mjs";
import { KANZEN, accessible, answersOf, equal, finish, kanzen, ok, on, serve, shot, shown, test, until } from "./harness.mjs";
import { data } from "./harness.mjs";

const WASM = process.env.WASM;
const GAMES = process.env.GAMES?.split(",") ?? ["tictactoe", "nocca-3x3", "morris-5", "musashi-25", "othello-4x4"];
const PROBES = Number(process.env.PROBES ?? 60);
const PLAYED = process.env.GAMES ? GAMES : ["tictactoe", "nocca-3x3"];

/** Runs the command and returns its JSON lines. */
function commandProbes(game, positions) {
  const input = positions.join("\n") + "\n";
  const words = ["probe", game, "-", "--json", "--data", data, "--quiet"];
  const output = execFileSync(KANZEN, words, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  return output.trim().split("\n").map((line) => JSON.parse(line));
}

/** Returns random positions of the database. */
function sampled(game, count) {
  const words = ["find", game, "--sample", String(Math.max(1000, 4 * count)), "--seed", "7", "--columns", "position", "--where", "value IN ('win', 'loss', 'draw')"];
  const rows = kanzen(...words, "--limit", String(count), "--json").trim().split("\n");
  return rows.map((row) => JSON.parse(row).position);
}

/** Calls the page's own API client. */
const query = (page, question, ...words) =>
  page.evaluate(
    async ([name, rest]) => {
      const api = await import(new URL("js/api.js", location.href).href);
      return api[name](...rest).catch(({ status, message }) => ({ status, error: message }));
    },
    [question, words],
  );

async function probesAreTheCommands(address, game) {
  await test(`${game}: ${PROBES} positions have the command's answers in all fields`, () =>
    on(`${address}#/${game}`, {}, async (page) => {
      const positions = sampled(game, PROBES);
      ok(positions.length > 0, "no positions");
      // The pack may contain the probe of the initial position.
      equal(await query(page, "probe", game), JSON.parse(kanzen("probe", game, "--json")), "the start");
      const expected = commandProbes(game, positions);
      for (const [at, position] of positions.entries())
        equal(await query(page, "probe", game, position), expected[at], position);
    }));
}

async function otherAnswersAreTheServers(address, server, game) {
  await test(`${game}: line, replies, moves, view and precomputed answers equal those of the server`, () =>
    on(`${address}#/${game}`, {}, async (page) => {
      const [position] = sampled(game, 1);
      const api = async (path) => (await fetch(new URL(`/api/${game}/${path}`, server))).json();
      const at = `position=${encodeURIComponent(position)}`;
      equal(await query(page, "line", game, position), await api(`line?${at}`), "line");
      equal(await query(page, "moves", game, position), await api(`moves?${at}`), "moves");
      equal(await query(page, "view", game), await api("view"), "view");
      for (const question of ["stats", "longest", "provenance"])
        equal(await query(page, question, game), await api(question), question);
      const players = ["solid", "uniform", "trap", "patient"].map((style) => ({ style, seed: 5 }));
      for (let level = 1; level <= 8; level += 1) players.push({ level: String(level), seed: 5 });
      for (const player of players)
        equal(
          await query(page, "reply", game, position, player),
          await api(`reply?${at}&${new URLSearchParams(player)}`),
          JSON.stringify(player),
        );
      const bad = await query(page, "probe", game, "nonsense");
      equal([bad.status, (await api("probe?position=nonsense")).error], [400, bad.error], "a position that is none");
    }));
}

async function testBadHosts({ address, host }) {
  const message = (page) => page.textContent(".trouble p, .lost [role=alert]");
  const GAME = "musashi-25";
  const trial = (name, wrong, sentence, work = async () => {}) =>
    test(name, () =>
      on(`${address}#/${GAME}`, {}, async (page, context) => {
        let before;
        Object.assign(host, wrong);
        try {
          // The first moves may be cached: plays until a move needs a fetch.
          for (let ply = 0; ply < 12 && !(await page.isVisible(".trouble p")); ply += 1) {
            before = await shown(page);
            await page.locator(".move-list .move").last().click();
            const stopped = async () => (await page.isVisible(".trouble p")) || (await shown(page)) !== before;
            await until("a move or a word", stopped);
          }
          await page.waitForSelector(".trouble p");
          const words = await message(page);
          ok(words.includes(sentence), words);
          equal(await shown(page), before, "the position stays");
          await work(page, context);
        } finally {
          Object.assign(host, { ranges: true, several: true, cut: undefined, flip: undefined, down: false, busy: false });
        }
        await page.click('[data-act="retry"]');
        await until("the move, once the host is as it should be", async () => (await shown(page)) !== before);
      }),
    );
  await trial("a host without range requests is reported", { ranges: false }, "sends whole files only");
  await trial("a truncated file is reported", { cut: ".plane" }, "is shorter on this host");
  await trial("a flipped byte is reported and shows no value", { flip: ".plane" }, "is damaged");
  await trial("an offline period is reported and recovers", { down: true }, "does not answer");
  await trial("a busy host is reported", { busy: true }, "is busy");

  await test("a host without multi-range support gets single requests, with the same values", () =>
    on(`${address}#/`, {}, async (page) => {
      const positions = sampled(GAME, 8);
      const expected = commandProbes(GAME, positions);
      host.several = false;
      try {
        for (const [at, position] of positions.entries())
          equal(await query(page, "probe", GAME, position), expected[at], position);
      } finally {
        host.several = true;
      }
    }));

  await test("a damaged or missing pack is reported at the start", () =>
    on(`${address}#/`, {}, async (page) => {
      host.flip = "open.pack";
      try {
        equal((await query(page, "probe", "morris-5")).status, 500);
      } finally {
        host.flip = undefined;
      }
      equal((await query(page, "probe", "morris-5")).value, "draw");
    }));

  await test("a page opened offline loads once the host is back", () =>
    on("about:blank", {}, async (page) => {
      await page.route("**/games.json", (route) => route.abort());
      await page.goto(`${address}#/`);
      await page.waitForSelector('.lost [data-act="retry"]');
      ok((await message(page)).includes("does not answer"), await message(page));
      await page.unroute("**/games.json");
      await page.click('.lost [data-act="retry"]');
      await page.waitForSelector(".card");
    }));
}

async function testPages(address) {
  await test("all pages of the site work, and features that need a server are hidden", () =>
    on(address, {}, async (page) => {
      await shot(page, "site-home");
      equal(await page.$$eval("[data-solve]", (all) => all.length), 0, "offers to solve");
      for (const place of ["#/musashi-25", "#/musashi-25/statistics", "#/musashi-25/puzzles", "#/musashi-25/rules"]) {
        await page.goto(`${address}${place}`);
        await page.waitForSelector('body[data-ready="yes"]');
        await page.waitForSelector("main h1");
        await accessible(page);
        await shot(page, `site-${place.split("/").slice(1).join("-")}`);
      }
    }));
  await test("an embedded board works without a server", () =>
    on(`${address}embed.html#/nocca-3x3`, {}, async (page) => {
      await page.waitForSelector("main svg");
      equal(await page.$$eval("[role=alert]", (all) => all.length), 0, "complaints");
    }));
}

const out = mkdtempSync(join(tmpdir(), "kanzen-site-"));
let files;
try {
  for (const game of GAMES) kanzen("solve", game);
  kanzen("site", join(out, "site"), "--games", GAMES.join(","), "--wasm", WASM, "--puzzles", "5");
  kanzen("site", join(out, "parts"), "--games", "nocca-3x4", "--wasm", WASM, "--puzzles", "1", "--split", "100000");
  files = await serveFolder(join(out, "site"));
  const server = await serve();
  answersOf(files.address, server);
  for (const game of GAMES) await probesAreTheCommands(files.address, game);
  for (const game of GAMES) await otherAnswersAreTheServers(files.address, server, game);
  for (const id of PLAYED) await testGame(files.address, { id, solved: true }, false);
  if (!process.env.GAMES) {
    await testPages(files.address);
    await testBadHosts(files);
    const parts = await serveFolder(join(out, "parts"));
    await probesAreTheCommands(parts.address, "nocca-3x4");
    parts.close();
  }
} catch (error) {
  await test("the test runner does not fail", () => Promise.reject(error));
} finally {
  files?.close();
  rmSync(out, { recursive: true, force: true });
  await finish();
}
