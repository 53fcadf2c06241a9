// Solving from the page, cost forecasts, and weakly solved games.

import { accessible, equal, json, ok, on, shot, test, until } from "./harness.mjs";

const running = {
  state: "running",
  stage: "layer 3",
  level: 7,
  done: 5,
  total: 10,
  share: 0.4,
  seconds: 8,
  left: 12,
  error: null,
};

export async function testSolving(address, fresh) {
  await test("an unlisted board shows the program's forecast", () =>
    on(`${address}#/stones-4000`, {}, async (page) => {
      const { forecast } = await json(address, "/api/stones-4000/solve");
      const words = await page.textContent(".cost");
      const memory = `${(forecast.memory_bytes / 1e6).toFixed(1)} MB`;
      ok(words.includes(memory), `${words} lacks ${memory}`);
      ok(!words.includes("0 B"), words);
    }));

  await test("a solve needs confirmation, shows one bar with the time left, and can be stopped", () =>
    on("about:blank", {}, async (page) => {
      const known = await json(address, "/api/stones-4000/solve");
      let [state, stopped] = ["unsolved", false];
      await page.route("**/api/stones-4000/solve", (route) => {
        const method = route.request().method();
        if (method === "POST") state = "running";
        if (method === "DELETE") [state, stopped] = ["unsolved", true];
        return route.fulfill({ json: state === "running" ? { ...known, ...running } : { ...known, state } });
      });
      await page.goto(`${address}#/stones-4000`);
      await page.click("[data-solve]");
      equal(state, "unsolved", "one click starts nothing");
      await page.click('[data-act="cancel"]');
      await page.click("[data-solve]");
      await accessible(page);
      await page.click("[data-confirm]");
      await page.waitForSelector(".solving progress");
      equal(await page.$eval(".solving progress", (bar) => bar.value / bar.max), 0.4);
      const words = await page.textContent(".solving .quiet");
      ok(words.startsWith("40% · 12 s left"), words);
      await accessible(page);
      await page.click('button[lang="ja"]');
      const japanese = await page.textContent(".solving .quiet");
      ok(japanese.includes("層 3") && japanese.includes("残り12秒"), japanese);
      await page.click('[data-act="stop"]');
      await page.waitForSelector("[data-solve]");
      ok(stopped, "no stop request was sent");
    }));

  if (fresh)
    await test("another window shows the progress of a solve", () =>
      on(`${address}#/${fresh}`, {}, async (other) => {
        await other.waitForSelector("[data-solve]");
        await on(`${address}#/${fresh}`, {}, async (page) => {
          await page.click("[data-solve]");
          await page.click("[data-confirm]");
          await until("the solved board", () => page.$(".verdict"));
        });
        await until("the other window", () => other.$(".verdict"), 8000);
      }));

  await test("a game solved by search has an explanation instead of a census", () =>
    on("about:blank", {}, async (page) => {
      const stats = await json(address, "/api/tictactoe/stats");
      const weak = { ...stats, positions: 28, histogram: [], weak: { line: 27 } };
      await page.route("**/api/tictactoe/stats", (route) => route.fulfill({ json: weak }));
      await page.goto(`${address}#/tictactoe/statistics`);
      await page.waitForSelector(".weak");
      equal(await page.textContent(".weak h2"), "Solved from the start");
      ok((await page.textContent(".weak p")).includes("27 plies"), "the line");
      equal(await page.$(".totals"), null, "a census of 28 positions");
    }));

  await test("both counts are labelled, values without a distance are shown, and CSV has one schema", () =>
    on(`${address}#/nocca-3x4/statistics`, {}, async (page) => {
      const { positions, all_positions: all } = await json(address, "/api/nocca-3x4/stats");
      equal(await page.$$eval(".totals thead th", (cells) => cells.map((cell) => cell.textContent)), [
        "value",
        "up to symmetry",
        "share",
        "all positions",
      ]);
      const last = await page.$$eval(".totals tbody tr:last-child td", (cells) =>
        cells.map((cell) => cell.textContent.replace(/\D/g, "")),
      );
      equal(last, [String(positions), "", String(all.positions)]);
      ok(await page.$(".histogram .timeless .bar.draw"), "draws are not in the chart");
      const header = async (game, query) =>
        (await (await fetch(new URL(`/api/${game}/stats.csv${query}`, address))).text()).split("\n")[0];
      equal(
        [await header("nocca-3x4", ""), await header("morris-3", ""), await header("musashi-25", "")],
        Array(3).fill("class,distance,wins,losses,draws"),
      );
      ok((await header("morris-3", "?layout=published")) !== "class,distance,wins,losses,draws", "the paper's layout");
      equal((await page.$$(".downloads a")).length, 3, "downloads");
      await page.goto(`${address}#/musashi-25/statistics`);
      await until("wins without a distance", async () =>
        (await page.textContent(".totals")).includes("Without a distance"),
      );
      await page.click('button[lang="ja"]');
      ok((await page.textContent(".classes tbody th")).startsWith("茶色 "), "classes in Japanese");
      await shot(page, "statistics-japanese");
    }));
}
