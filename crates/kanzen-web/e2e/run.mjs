// Runs the end-to-end tests of the explorer in Chromium, for every family of games of the catalogue.
//
// Solves and fully tests the smallest game of each family, and tests some others briefly. The largest one stays unsolved;
// its board must work without values. Name games to test only those:
//
//     node run.mjs musashi-25 ostle
//
// SPECS selects game-independent tests: SPECS=keyboard,history node run.mjs. For development, PAGE is a folder whose files
// replace the embedded page.
//
// Needs Chromium (CHROMIUM, else /usr/bin/chromium) and the command (KANZEN, else target/debug/kanzen). DATA is an optional
// data folder: games solved there are fully tested, regardless of size.

import { finish, kanzen, serve, solvedBefore, test } from "./harness.mjs";
import { testGame } from "./game.mjs";
import { testEmbed } from "./embed.mjs";
import { testEndings } from "./endings.mjs";
import { testEverywhere } from "./everywhere.mjs";
import { testHistory } from "./history.mjs";
import { testKeyboard } from "./keyboard.mjs";
import { testLists } from "./lists.mjs";
import { testLook } from "./look.mjs";
import { testNames } from "./names.mjs";
import { testPages, testWithoutLeave } from "./pages.mjs";
import { testPhrases } from "./phrases.mjs";
import { testPlay } from "./play.mjs";
import { testSolving } from "./solving.mjs";
import { testTrouble } from "./trouble.mjs";

/** Maximum forecast, in seconds, of a game that the tests solve. */
const SMALL = 2;
/** Number of games per family to solve; the first one is fully tested. */
const SOLVED = 3;

const familyOf = ({ id }) => id.split("-")[0];

/** Selects the games to solve and those to leave unsolved. */
function choose(games) {
  const names = [...new Set(games.map(familyOf))];
  const families = names.map((name) => games.filter((game) => familyOf(game) === name));
  const small = (game) => game.forecast.seconds <= SMALL;
  const solved = families.flatMap((family) => family.filter(small).slice(0, SOLVED));
  const unsolved = families.map((family) => family.filter((game) => !small(game)).at(-1)).filter(Boolean);
  return { solved, unsolved };
}

/** Solved games that the other specs need; the last two are played without values. */
const NEEDED = [
  "tictactoe",
  "stones-21",
  "nocca-3x3",
  "nocca-3x4",
  "morris-3",
  "morris-5",
  "musashi-25",
  "othello-4x4",
];
const UNSOLVED = ["ostle", "dobutsu"];

/** Tests that do not depend on the game. */
async function testRest(address, names) {
  const keyed = NEEDED.filter((id) => !["nocca-3x4", "morris-5"].includes(id)).map((id) => ({ id, solved: true }));
  const all = {
    keyboard: () => testKeyboard(address, [...keyed, ...UNSOLVED.map((id) => ({ id, solved: false }))]),
    history: () => testHistory(address),
    embed: () => testEmbed(address),
    endings: () => testEndings(address),
    trouble: () => testTrouble(address),
    solving: () => testSolving(address, solvedBefore ? undefined : "stones-33"),
    look: () => testLook(address),
    play: () => testPlay(address),
    lists: () => testLists(address),
    everywhere: () => testEverywhere(address),
    names: () => testNames(address),
    phrases: () => testPhrases(),
  };
  for (const name of names ?? Object.keys(all)) await all[name]();
}

try {
  const named = process.argv.slice(2);
  const all = JSON.parse(kanzen("games", "--json"));
  const games = named.length ? all.filter((game) => named.includes(game.id)) : all;
  const { solved, unsolved } = solvedBefore
    ? { solved: games.filter((game) => game.solved), unsolved: [] }
    : choose(games);
  const specs = process.env.SPECS?.split(",");
  for (const { id } of specs ? [] : solved) kanzen("solve", id);
  // The game-independent tests always need these.
  const rest = specs || !named.length;
  if (rest && !solvedBefore) for (const id of NEEDED) kanzen("solve", id);
  const address = await serve("--allow-solve");
  if (rest) await testRest(address, specs);
  const full = [];
  const played = [];
  const seen = new Set();
  for (const game of specs ? [] : [...solved, ...unsolved]) {
    const isSolved = solved.includes(game);
    const quick = seen.has(familyOf(game)) && !solvedBefore;
    seen.add(familyOf(game));
    if (!quick) (isSolved ? full : played).push(game.id);
    await testGame(address, { id: game.id, solved: isSolved }, quick);
  }
  // Leaves a small game for the page to solve.
  const left = all.find(
    (game) => game.forecast.seconds <= SMALL && !solved.includes(game) && !NEEDED.includes(game.id),
  );
  if (!solvedBefore && !specs) await testWithoutLeave(await serve(), left);
  if (!specs) await testPages(address, full, played, solvedBefore ? undefined : left);
} catch (error) {
  await test("the test runner does not fail", () => Promise.reject(error));
} finally {
  await finish();
}
