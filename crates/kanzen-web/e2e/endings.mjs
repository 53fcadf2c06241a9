// Ends of games: repetition rules, results with reasons, and forbidden moves.

import { equal, json, ok, on, shot, test, until } from "./harness.mjs";

export async function testEndings(address) {
  await test("a repeated position of Sixteen Musashi is shown as a win for black", () =>
    on(`${address}#/musashi-25?moves=a3-b3+c3-c4+b3-a3`, {}, async (page) => {
      equal(await page.$(".status.over"), null);
      await page.click('.move[data-move="c4-c3"]');
      await page.waitForSelector(".status.over");
      equal(await page.textContent(".result"), "Black wins");
      equal(await page.textContent(".reason"), "the position is repeated");
      ok(await page.$eval(".move", (move) => move.disabled), "moves are still enabled");
      await shot(page, "repetition");
    }));

  const circle = "c1-c2+a3-a2+c2-c1+a2-a3";
  await test("in other games a third repetition offers a draw", () =>
    on(`${address}#/nocca-3x3?moves=${circle}+${circle.split("+").slice(0, 3).join("+")}`, {}, async (page) => {
      equal(await page.$('[data-act="draw"]'), null, "before it");
      await page.click('.move[data-move="a2-a3"]');
      await page.waitForSelector('[data-act="draw"]');
      equal(await page.$(".status.over"), null, "it is only offered");
      await page.focus('[data-act="draw"]');
      await page.keyboard.press("Enter");
      await page.waitForSelector(".status.over");
      const focus = () => page.evaluate(() => document.activeElement.matches(".status button, .target"));
      ok(await focus(), "the focus is lost");
      equal(
        [await page.textContent(".result"), await page.textContent(".reason")],
        ["A draw", "agreed after a repetition"],
      );
    }));

  await test("the move that Ostle forbids is drawn and named", () =>
    on(`${address}#/ostle?moves=c3-c2`, { colorScheme: "dark" }, async (page) => {
      await page.waitForSelector('.ban[data-move="c2-c3"]');
      ok((await page.textContent(".banned")).includes("c2-c3"), "the forbidden move is missing");
      const { position } = (await json(address, "/api/ostle/moves")).moves.find(({ move }) => move === "c3-c2");
      const { moves } = await json(address, `/api/ostle/moves?position=${encodeURIComponent(position)}`);
      ok(!moves.some(({ move }) => move === "c2-c3"), "the forbidden move is listed");
      await shot(page, "ostle-ban");
    }));

  await test("a finished game has its result, score and reason, and a rematch with sides exchanged", async () => {
    const { line } = await json(address, "/api/othello-4x4/line");
    const moves = line.map(({ move }) => move).join("+");
    await on(`${address}#/othello-4x4?moves=${moves}&you=1`, {}, async (page) => {
      const { score } = await json(address, "/api/othello-4x4/probe");
      equal(await page.textContent(".result"), score < 0 ? "White wins" : "Black wins");
      ok((await page.textContent(".reason")).startsWith(`by ${Math.abs(score)} points`), "the score");
      await page.focus('[data-act="rematch"]');
      await page.keyboard.press("Enter");
      await until("the other side", () => page.isChecked("#human-1"));
      await until("Kanzen's first move", async () => (await page.$$(".record-list .step")).length === 1);
      ok(await page.evaluate(() => document.activeElement.matches(".target")), "the focus is not on the board");
    });
  });
}
