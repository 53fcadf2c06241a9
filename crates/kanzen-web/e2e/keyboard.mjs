// Keyboard access: the focus is never lost, and whole games can be played without a mouse.

import { equal, json, ok, on, shown, test, until } from "./harness.mjs";
import { clicks } from "./game.mjs";

const focused = (page) =>
  page.evaluate(() => {
    const { dataset, tagName, id, className } = document.activeElement;
    return { tag: tagName, id, kind: className.baseVal ?? className, ...dataset };
  });

/** Moves between targets with the arrow keys, along the longer axis first. */
async function walkTo(page, goal) {
  for (let step = 0; step < 60; step += 1) {
    const keys = await page.evaluate((wanted) => {
      const at = document.activeElement;
      if (at.dataset.key === wanted) return [];
      const centre = (element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width / 2, y + height / 2];
      };
      const [x, y] = centre(at);
      const [goalX, goalY] = centre(document.querySelector(`.target[data-key="${wanted}"]`));
      const across = goalX > x ? "ArrowRight" : "ArrowLeft";
      const down = goalY > y ? "ArrowDown" : "ArrowUp";
      const [dx, dy] = [Math.abs(goalX - x), Math.abs(goalY - y)];
      return [dx >= dy ? across : down, dx >= dy ? down : across].filter(
        (_, which) => which === 0 || Math.min(dx, dy) > 2,
      );
    }, goal);
    if (!keys.length) return;
    const before = (await focused(page)).key;
    for (const key of keys) {
      await page.keyboard.press(key);
      if ((await focused(page)).key !== before) break;
    }
  }
  throw new Error(`arrows do not lead to ${goal}`);
}

/** Plays a move by keyboard. The board has the focus. */
async function playByKeys(page, view, position, move) {
  const all = clicks(view, position, move);
  if (!all.length) {
    // A pass has no place on the board: use the list of moves.
    await page.focus(`.move[data-move="${move}"]`);
    await page.keyboard.press("Enter");
    return false;
  }
  for (const goal of all) {
    await walkTo(page, goal);
    await page.keyboard.press("Enter");
  }
  return true;
}

/** Returns a short game: best play if the game is solved, otherwise random moves. */
async function gameOf(address, id, solved) {
  if (solved) {
    const { line, position } = await json(address, `/api/${id}/line`);
    return line.map((step, at) => ({
      position: at ? line[at - 1].position : position,
      move: step.move,
      next: step.position,
    }));
  }
  let dice = 7;
  for (;;) {
    const played = [];
    let now = await json(address, `/api/${id}/moves`);
    while (now.moves.length && played.length < 40) {
      dice = (dice * 48_271) % 2_147_483_647;
      // In Ostle, prefers moves that push a piece out, for a short game.
      const left = (text) => text.split("/")[0].split("1").length;
      const fewest = Math.min(...now.moves.map((choice) => left(choice.position)));
      const best = now.moves.filter((choice) => left(choice.position) === fewest);
      const { move, position } = best[dice % best.length];
      played.push({ position: now.position, move, next: position });
      now = await json(address, `/api/${id}/moves?position=${encodeURIComponent(position)}`);
    }
    if (!now.moves.length) return played;
  }
}

export async function testKeyboard(address, games) {
  await test("after a keyboard move the board keeps the focus, and an arrow key undoes nothing", () =>
    on(`${address}#/tictactoe`, {}, async (page) => {
      await page.focus('.target[data-key="b2"]');
      const live = await page.evaluate(() => (window.before = document.querySelector(".status")).getAttribute("role"));
      equal(live, "status");
      await page.keyboard.press("Enter");
      await until("the move", async () => (await shown(page)) === ".../.X./... O");
      equal((await focused(page)).key, "b2", "the focus");
      await page.keyboard.press("ArrowLeft");
      equal([(await focused(page)).key, await shown(page)], ["a2", ".../.X./... O"], "after an arrow");
      ok(
        await page.evaluate(() => window.before === document.querySelector(".status")),
        "the status is another element",
      );
      equal(await page.$$eval('[role="status"]:not(#toast)', (all) => all.length), 1, "live elements");
    }));

  await test("the focus survives list moves, tools, language and page changes", () =>
    on(`${address}#/tictactoe`, {}, async (page) => {
      await page.focus('.move[data-move="b2"]');
      await page.keyboard.press("Enter");
      await until("the move", async () => (await shown(page)) === ".../.X./... O");
      equal((await focused(page)).home, "moves", "after a move of the list");
      await page.focus('[data-tool="undo"]');
      await page.keyboard.press("Enter");
      equal(
        [(await focused(page)).tool, await shown(page)],
        ["undo", ".../.../... X"],
        "after undo, which has nothing more to do",
      );
      await page.keyboard.press("Enter");
      equal(await shown(page), ".../.../... X");
      for (const name of ["ja", "en"]) {
        await page.focus(`button[lang="${name}"]`);
        await page.keyboard.press("Enter");
        equal((await focused(page)).nav, name, "after a switch of language");
      }
      await page.focus('[data-nav="statistics"]');
      await page.keyboard.press("Enter");
      await page.waitForSelector(".totals");
      await until("the header", async () => (await focused(page)).nav === "statistics");
      await page.focus(".example");
      await page.keyboard.press("Enter");
      await page.waitForSelector(".verdict");
      equal((await focused(page)).id, "main", "after a page was left");
    }));

  await test("the evaluation graph is one tab stop, with arrow keys from ply to ply", () =>
    on(`${address}#/tictactoe?moves=b2+a1+c3`, {}, async (page) => {
      equal(await page.$$eval('.graph [tabindex="0"]', (all) => all.map((one) => one.dataset.ply)), ["3"], "tab stops");
      await page.focus('.graph [tabindex="0"]');
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      equal([await shown(page), (await focused(page)).ply], [".../.X./... O", "1"]);
    }));

  for (const { id, solved } of games) {
    const { view } = await json(address, `/api/${id}/view`);
    const played = await gameOf(address, id, solved);
    await test(`${id}: a whole game by keyboard alone`, () =>
      on(`${address}#/${id}`, {}, async (page) => {
        // Tabs from the header to the board.
        for (let stop = 0; (await focused(page)).key === undefined; stop += 1) {
          ok(stop < 20, "the tab key does not reach the board");
          await page.keyboard.press("Tab");
        }
        for (const { position, move, next } of played) {
          const byBoard = await playByKeys(page, view, position, move);
          await until(`${move} leads to ${next}`, async () => (await shown(page)) === next, 5000);
          if (!byBoard) await page.focus('.target[tabindex="0"]');
          ok((await focused(page)).key !== undefined, `the focus left the board after ${move}`);
        }
        ok(await page.$(".status.over"), "the game is not over");
      }));
  }
}
