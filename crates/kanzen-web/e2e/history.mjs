// The game survives reloads, navigation and late responses.

import { equal, ok, on, shown, test, until } from "./harness.mjs";

const record = (page) =>
  page.$$eval(".record-list .step .name", (all) => all.map((one) => one.textContent.trim().replace(" ?", "")));

/** Delays the responses to a query until `release` is called. */
async function held(page, pattern) {
  let release;
  const gate = new Promise((resolve) => (release = resolve));
  let requests = 0;
  await page.route(pattern, async (route) => {
    requests += 1;
    await gate;
    await route.fallback().catch(() => {});
  });
  return { release, requests: () => requests };
}

export async function testHistory(address) {
  const game = `${address}#/nocca-3x4?moves=a1-b2+d3-c2&you=2&style=level-4`;

  await test("refresh, Back, Forward and other pages keep position, history and opponent", () =>
    on(game, {}, async (page) => {
      const whole = async () => {
        await page.waitForSelector(".record-list .step");
        // Kanzen is to move.
        await until("Kanzen's move", async () => (await record(page)).length === 3);
        return [
          await record(page),
          await page.isChecked("#human-1"),
          await page.inputValue("#style"),
          await shown(page),
        ];
      };
      const before = await whole();
      equal([before[0].slice(0, 2), before[1], before[2]], [["a1-b2", "d3-c2"], true, "level-4"]);
      await page.reload();
      equal(await whole(), before, "after a refresh");
      await page.click('[data-nav="statistics"]');
      await page.waitForSelector(".totals");
      await page.click('[data-nav="board"]');
      equal(await whole(), before, "statistics and back");
      await page.goBack();
      await page.waitForSelector(".totals");
      await page.goForward();
      equal(await whole(), before, "Back and Forward");
      await page.click('[data-tool="first"]');
      await page.reload();
      await page.waitForSelector(".record-list .step");
      equal([(await record(page)).length, await shown(page)], [3, "b,b,b,b/.,.,.,./w,w,w,w w"], "the ply shown");
    }));

  await test("opening a game scrolls to the top", () =>
    on(address, { viewport: { width: 800, height: 400 } }, async (page) => {
      await page.evaluate(() => scrollTo(0, 10_000));
      await page.waitForSelector('.card[href="#/dobutsu"] svg');
      ok((await page.evaluate(() => scrollY)) > 0, "the list is too short for this test");
      await page.locator('.card[href="#/dobutsu"]').click();
      await page.waitForSelector(".status");
      await until("the top", async () => (await page.evaluate(() => scrollY)) === 0);
    }));

  await test("an unchanged position keeps its history", () =>
    on(`${address}#/tictactoe?moves=b2+a1`, {}, async (page) => {
      await page.press("#position", "Enter");
      equal(await record(page), ["b2", "a1"], "after Enter");
      await page.click('[data-tool="edit"]');
      await page.click('[data-edit="done"]');
      await page.waitForSelector(".record-list");
      equal(await record(page), ["b2", "a1"], "after Edit and Done");
    }));

  await test("a move that arrives after New game is dropped", () =>
    on(`${address}#/tictactoe`, {}, async (page) => {
      const late = await held(page, /probe\?position=.*X\./);
      await page.click('.target[data-key="a3"]', { force: true });
      await until("the question", () => late.requests() > 0);
      await page.click('[data-tool="restart"]');
      late.release();
      await page.waitForTimeout(300);
      equal([await shown(page), await record(page)], [".../.../... X", []]);
    }));

  await test("a click while a move is pending shows a message", () =>
    on(`${address}#/tictactoe`, {}, async (page) => {
      const late = await held(page, /probe\?position/);
      await page.click('.target[data-key="a3"]', { force: true });
      await until("the question", () => late.requests() > 0);
      ok(await page.$(".board-frame.busy"), "the board is not marked as busy");
      equal(await page.getAttribute(".play", "aria-busy"), "true");
      await page.click('.target[data-key="b2"]', { force: true });
      ok((await page.textContent("#toast")).startsWith("One move at a time"), "no message");
      late.release();
      await until("the first move", async () => (await shown(page)) === "X../.../... O");
      equal([await page.$(".board-frame.busy"), await page.getAttribute(".play", "aria-busy")], [null, "false"]);
    }));

  await test("a slow start shows a loading message", () =>
    on("about:blank", {}, async (page) => {
      const late = await held(page, /api\/games/);
      await page.goto(`${address}#/tictactoe`);
      await page.waitForSelector(".loading");
      late.release();
      await page.waitForSelector(".verdict");
    }));
}
