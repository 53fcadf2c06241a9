// The explorer in a real browser, on a temporary data folder: every family of games of the catalogue.
//
// The smallest game of each family is solved and tested in full, some of its others more quickly; the largest one stays
// unsolved, as most are for a newcomer, and its board must work by the rules alone. Name games to test those only:
//
//     node run.mjs musashi-25 ostle
//
// Needs Chromium (CHROMIUM, else /usr/bin/chromium) and the command (KANZEN, else target/debug/kanzen). With DATA, a
// data folder, games that are solved there are tested in full, however large they are.

import { finish, kanzen, serve, solvedBefore, test } from "./harness.mjs";
import { testGame } from "./game.mjs";
import { testPages, testWithoutLeave } from "./pages.mjs";

/** Forecast seconds up to which a game is solved for the tests. */
const SMALL = 2;
/** Games of a family that are solved, the first of them tested in full. */
const SOLVED = 3;

const familyOf = ({ id }) => id.split("-")[0];

/** Which games to solve, and which to leave as they are. */
function choose(games) {
  const names = [...new Set(games.map(familyOf))];
  const families = names.map((name) => games.filter((game) => familyOf(game) === name));
  const small = (game) => game.forecast.seconds <= SMALL;
  const solved = families.flatMap((family) => family.filter(small).slice(0, SOLVED));
  const unsolved = families.map((family) => family.filter((game) => !small(game)).at(-1)).filter(Boolean);
  return { solved, unsolved };
}

try {
  const named = process.argv.slice(2);
  const all = JSON.parse(kanzen("games", "--json"));
  const games = named.length ? all.filter((game) => named.includes(game.id)) : all;
  const { solved, unsolved } = solvedBefore
    ? { solved: games.filter((game) => game.solved), unsolved: [] }
    : choose(games);
  for (const game of solved) kanzen("solve", game.id);
  const address = await serve("--allow-solve");
  const full = [];
  const played = [];
  const seen = new Set();
  for (const game of [...solved, ...unsolved]) {
    const isSolved = solved.includes(game);
    const quick = seen.has(familyOf(game)) && !solvedBefore;
    seen.add(familyOf(game));
    if (!quick) (isSolved ? full : played).push(game.id);
    await testGame(address, { id: game.id, solved: isSolved }, quick);
  }
  // A small game is left for the page to solve.
  const left = all.find((game) => game.forecast.seconds <= SMALL && !solved.includes(game));
  if (!solvedBefore) await testWithoutLeave(await serve(), left);
  await testPages(address, full, played, solvedBefore ? undefined : left);
} catch (error) {
  await test("the tests themselves run", () => Promise.reject(error));
} finally {
  await finish();
}
