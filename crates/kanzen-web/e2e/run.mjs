// The explorer in a real browser, on a temporary data folder: every small game of the catalogue.
//
// Needs Chromium (CHROMIUM, else /usr/bin/chromium) and the command (KANZEN, else target/debug/kanzen).

import { finish, kanzen, serve, test } from "./harness.mjs";
import { testGame } from "./game.mjs";
import { testPages, testWithoutLeave } from "./pages.mjs";

/** Forecast seconds up to which a game takes part. */
const SMALL = 0.7;
/** Games of a family that are tested in full; the others of it more quickly. */
const IN_FULL = 1;
/** Games of a family that take part at all. */
const AT_ALL = 4;

// The families whose pages these tests have been run on; others join when they have.
const FAMILIES = ["tictactoe", "stones", "nocca"];

try {
  const small = JSON.parse(kanzen("games", "--json")).filter(
    (game) => game.forecast.seconds <= SMALL && FAMILIES.includes(game.id.split("-")[0]),
  );
  // One small game is left for the page to solve.
  const left = small.filter((game) => game.id.startsWith("nocca")).at(-1) ?? small.at(-1);
  const games = small.filter((game) => game !== left);
  for (const game of games) kanzen("solve", game.id);
  const address = await serve("--allow-solve");
  await testWithoutLeave(await serve(), left);
  const seen = new Map();
  const full = [];
  for (const game of games) {
    const family = game.id.split("-")[0];
    seen.set(family, (seen.get(family) ?? 0) + 1);
    if (seen.get(family) > AT_ALL) continue;
    const quick = seen.get(family) > IN_FULL;
    if (!quick) full.push(game.id);
    const known = await (await fetch(new URL(`/api/${game.id}/view`, address))).json();
    await testGame(address, game.id, known, quick);
  }
  await testPages(address, full, left);
} catch (error) {
  await test("the tests themselves run", () => Promise.reject(error));
} finally {
  await finish();
}
