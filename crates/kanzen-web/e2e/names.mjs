// The search for games by other names, other spellings and in Japanese.

import { fits } from "../page/js/search.js";
import { equal, json, on, test, until } from "./harness.mjs";

/** What is typed, and a game that must be found or, after `!`, must not. */
const SEARCHES = [
  ["tic tac toe", "tictactoe"],
  ["Tic-Tac", "tictactoe"],
  ["nine mens morris", "morris-9"],
  ["Nine Men's Morris", "morris-9"],
  ["mill", "morris-5"],
  ["4×4", "nocca-4x4"],
  ["４", "nocca-4x4"],
  ["nocca-4x4", "nocca-4x4"],
  ["reversi", "othello-4x4"],
  ["リバーシ", "othello-4x4"],
  ["十六", "musashi-25"],
  ["むさし", "musashi-25"],
  ["のっか", "nocca-3x3"],
  ["ナイン", "morris-9"],
  ["ないん", "morris-9"],
  ["ナイン", "!morris-7"],
  ["nim", "stones-21"],
  ["nim", "!dobutsu"],
  ["animal", "dobutsu"],
  ["5x5", "!nocca-4x4"],
];

export async function testNames(address) {
  await test("games are found by other names, spellings and in Japanese", async () => {
    const games = await json(address, "/api/games");
    const wrong = SEARCHES.filter(([typed, wanted]) => {
      const game = games.find(({ id }) => id === wanted.replace("!", ""));
      return fits(typed, game.id, [game.title]) === wanted.startsWith("!");
    });
    equal(wrong, []);
  });

  await test("the search field finds games by names of another language", () =>
    on(address, {}, async (page) => {
      await page.waitForSelector(".card");
      await page.fill("#search", "十六むさし");
      await until("the cards", async () => (await page.$$('.card[href^="#/musashi"]')).length === 3);
      equal((await page.$$(".card")).length, 3);
      await page.fill("#search", "reversi 4×4");
      await until("one board", async () => (await page.$('.card[href="#/othello-4x4"]')) !== null);
    }));
}
