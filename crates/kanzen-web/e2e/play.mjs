// Play: the record with marks and review, opponents and stepwise hints.

import { accessible, equal, json, ok, on, shot, shown, test, until } from "./harness.mjs";

/** Finds a first move that loses value, and the best move. */
async function slipOf(address, id) {
  const { moves, value } = await json(address, `/api/${id}/probe`);
  return {
    bad: moves.find((move) => move.value !== value).move,
    best: moves[0],
    safe: moves.filter((move) => move.value === value).length,
    all: moves.length,
  };
}

export async function testPlay(address) {
  await test("the record marks mistakes, shows the better move on demand, and allows a retry", async () => {
    const { bad, best, safe, all } = await slipOf(address, "nocca-3x4");
    await on(`${address}#/nocca-3x4?moves=${bad}`, {}, async (page) => {
      await page.waitForSelector(".record-list .slip .mark");
      ok(!(await page.isVisible(".slip details p")), "the better move is visible too early");
      equal(
        await page.textContent(".slip summary"),
        safe === 1 ? `One safe move of ${all} here` : `${safe} safe moves of ${all} here`,
      );
      await page.click(".slip summary");
      ok((await page.textContent(".slip details p")).includes(best.move), "the better move");
      await accessible(page);
      await shot(page, "record");
      await page.click('[data-act="retry-1"]');
      equal(await shown(page), "b,b,b,b/.,.,.,./w,w,w,w w");
    });
  });

  await test("a whole game can be copied and pasted", () =>
    on(`${address}#/tictactoe?moves=b2+a1+c3`, { permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      await page.click('[data-tool="copy-game"]');
      const text = () => page.evaluate(() => navigator.clipboard.readText());
      await until("the copy", async () => (await text()) === "b2 a1 c3");
      await page.click('[data-tool="restart"]');
      await until("a new game", async () => (await shown(page)) === ".../.../... X");
      await page.click('[data-tool="paste"]');
      await until("the game", async () => (await page.$$(".record-list .step")).length === 3);
      await page.fill("#position", "1. b2 2. c1 zz");
      await page.press("#position", "Enter");
      await until("a refusal", async () => (await page.textContent(".notation .problem")) !== "");
      await page.fill("#position", "[X../.../... O] b2 b2");
      await page.press("#position", "Enter");
      await until("the moves that are some", async () => (await shown(page)) === "X../.O./... X");
      ok((await page.textContent("#toast")).startsWith("b2 is not a legal move"), "the wrong move");
    }));

  await test("with hidden values the record shows no marks until the end, then a review", () =>
    on(`${address}#/tictactoe?moves=a1+b1+a2+b2`, {}, async (page) => {
      await page.click('[data-tool="hints"]');
      equal((await page.$$(".record .badge, .record .mark, .review")).length, 0, "values before the end");
      await page.click('.move[data-move="a3"]');
      await page.waitForSelector(".review");
      ok((await page.textContent(".review")).startsWith("Moves that lost value:"), "the review");
      ok((await page.$$(".record .slip")).length > 0, "marks");
      equal(await page.textContent(".result"), "Crosses wins");
    }));

  await test("opponents have a name and a description, and play as selected", () =>
    on(`${address}#/nocca-3x3?you=2`, {}, async (page) => {
      const queries = [];
      page.on("request", (request) => request.url().includes("/reply") && queries.push(new URL(request.url()).search));
      const styles = await page.$$eval("#style option", (all) => all.map((one) => one.value));
      equal(styles.length, 12);
      const words = new Set();
      for (const style of styles) {
        await page.selectOption("#style", style);
        words.add(await page.textContent("#style-words"));
      }
      equal(words.size, 12, "sentences");
      await page.selectOption("#style", "trap");
      await page.click('[data-tool="restart"]');
      await until("a move of the trapper's", () => queries.some((query) => query.includes("style=trap")));
      await page.selectOption("#style", "level-2");
      await page.click('[data-tool="restart"]');
      await until("a move of level 2", () => queries.some((query) => query.includes("level=2")));
      await accessible(page);
      await shot(page, "opponent");
    }));

  await test("a hint has steps: value, piece, move", () =>
    on(`${address}#/nocca-3x4`, {}, async (page) => {
      const { moves } = await json(address, "/api/nocca-3x4/probe");
      const [from] = moves[0].move.split("-");
      await page.click('[data-tool="hints"]');
      const hint = async () => {
        await page.click('[data-tool="hint"]');
        return [
          await page.textContent(".hint-words").catch(() => ""),
          await page.$$eval(".hinted", (all) => all.map((one) => one.dataset.key)),
        ];
      };
      equal(await hint(), ["Hint: this is a win in 13.", []]);
      equal(await hint(), ["Hint: begin with the marked place.", [from]]);
      equal(await hint(), [`Hint: ${moves[0].move}.`, moves[0].move.split("-")]);
      await page.click('[data-tool="hint"]');
      equal(await page.$(".hint-words"), null, "the hint does not end");
    }));
}
