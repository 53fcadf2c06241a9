// The explorer without a server: a site written by the command, on a plain file server, and on hosts that are not as they
// should be.
//
//     WASM=target/wasm/kanzen.wasm node site.mjs
//
// With PROBES, so many positions of each game are compared with the command's answers; with GAMES, of these games, which
// are then played as well, each by the tests that a game on a server has to pass. Pages and bad hosts have their own games.

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

/** Answers of the command for positions, one JSON object a line. */
function commandProbes(game, positions) {
  const input = positions.join("\n") + "\n";
  const words = ["probe", game, "-", "--json", "--data", data, "--quiet"];
  const told = execFileSync(KANZEN, words, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  return told.trim().split("\n").map((line) => JSON.parse(line));
}

/** Positions of the whole database, by lot. */
function sampled(game, count) {
  const words = ["find", game, "--sample", String(Math.max(1000, 4 * count)), "--seed", "7", "--columns", "position", "--where", "value IN ('win', 'loss', 'draw')"];
  const rows = kanzen(...words, "--limit", String(count), "--json").trim().split("\n");
  return rows.map((row) => JSON.parse(row).position);
}

/** Asks the page's own questions. */
const asked = (page, question, ...words) =>
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
      // The start may come with the pack, worked out before.
      equal(await asked(page, "probe", game), JSON.parse(kanzen("probe", game, "--json")), "the start");
      const expected = commandProbes(game, positions);
      for (const [at, position] of positions.entries())
        equal(await asked(page, "probe", game, position), expected[at], position);
    }));
}

async function otherAnswersAreTheServers(address, server, game) {
  await test(`${game}: line, replies, moves, view and what is written are as the server tells them`, () =>
    on(`${address}#/${game}`, {}, async (page) => {
      const [position] = sampled(game, 1);
      const api = async (path) => (await fetch(new URL(`/api/${game}/${path}`, server))).json();
      const at = `position=${encodeURIComponent(position)}`;
      equal(await asked(page, "line", game, position), await api(`line?${at}`), "line");
      equal(await asked(page, "moves", game, position), await api(`moves?${at}`), "moves");
      equal(await asked(page, "view", game), await api("view"), "view");
      for (const question of ["stats", "longest", "provenance"])
        equal(await asked(page, question, game), await api(question), question);
      const players = ["solid", "uniform", "trap", "patient"].map((style) => ({ style, seed: 5 }));
      for (let level = 1; level <= 8; level += 1) players.push({ level: String(level), seed: 5 });
      for (const player of players)
        equal(
          await asked(page, "reply", game, position, player),
          await api(`reply?${at}&${new URLSearchParams(player)}`),
          JSON.stringify(player),
        );
      const bad = await asked(page, "probe", game, "nonsense");
      equal([bad.status, (await api("probe?position=nonsense")).error], [400, bad.error], "a position that is none");
    }));
}

async function testBadHosts({ address, host }) {
  const told = (page) => page.textContent(".trouble p, .lost [role=alert]");
  const GAME = "musashi-25";
  const trial = (name, wrong, sentence, work = async () => {}) =>
    test(name, () =>
      on(`${address}#/${GAME}`, {}, async (page, context) => {
        let before;
        Object.assign(host, wrong);
        try {
          // What the first moves take may be there already: a move whose values are not ends the way.
          for (let ply = 0; ply < 12 && !(await page.isVisible(".trouble p")); ply += 1) {
            before = await shown(page);
            await page.locator(".move-list .move").last().click();
            const stopped = async () => (await page.isVisible(".trouble p")) || (await shown(page)) !== before;
            await until("a move or a word", stopped);
          }
          await page.waitForSelector(".trouble p");
          const words = await told(page);
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
  await trial("a host without ranges is told to be one", { ranges: false }, "sends whole files only");
  await trial("a file that is cut short is told to be", { cut: ".plane" }, "is shorter on this host");
  await trial("a flipped byte shows no value and is told", { flip: ".plane" }, "is not what was written");
  await trial("an offline moment is told, and over when it is over", { down: true }, "does not answer");
  await trial("a busy host is told to be one", { busy: true }, "is busy");

  await test("a host that knows one range at a time is asked for each, and the values are the same", () =>
    on(`${address}#/`, {}, async (page) => {
      const positions = sampled(GAME, 8);
      const expected = commandProbes(GAME, positions);
      host.several = false;
      try {
        for (const [at, position] of positions.entries())
          equal(await asked(page, "probe", GAME, position), expected[at], position);
      } finally {
        host.several = true;
      }
    }));

  await test("a flipped byte in the pack, or a pack that is not there, is told at the start", () =>
    on(`${address}#/`, {}, async (page) => {
      host.flip = "open.pack";
      try {
        equal((await asked(page, "probe", "morris-5")).status, 500);
      } finally {
        host.flip = undefined;
      }
      equal((await asked(page, "probe", "morris-5")).value, "draw");
    }));

  await test("gone at the start, the page comes when the host does", () =>
    on("about:blank", {}, async (page) => {
      await page.route("**/games.json", (route) => route.abort());
      await page.goto(`${address}#/`);
      await page.waitForSelector('.lost [data-act="retry"]');
      ok((await told(page)).includes("does not answer"), await told(page));
      await page.unroute("**/games.json");
      await page.click('.lost [data-act="retry"]');
      await page.waitForSelector(".card");
    }));
}

async function testPages(address) {
  await test("all pages of the site work, and nothing that takes a server is offered", () =>
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
  await test("the tests themselves run", () => Promise.reject(error));
} finally {
  files?.close();
  rmSync(out, { recursive: true, force: true });
  await finish();
}
