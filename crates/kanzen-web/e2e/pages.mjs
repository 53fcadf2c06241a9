// Home page, statistics and unsolved games, including accessibility.

import { accessible, equal, json, ok, on, shot, test, until } from "./harness.mjs";

/** Checks the board and the editor of a game in each mode, once `shown` is present. */
async function everywhereAccessible(address, shown) {
  for (const options of [{}, { colorScheme: "dark" }, { locale: "ja-JP", viewport: { width: 360, height: 740 } }]) {
    await on(address, options, async (page) => {
      await page.waitForSelector(shown);
      await accessible(page);
      await page.click('[data-tool="edit"]');
      await accessible(page);
    });
  }
}

/** Returns the rows of the distance table; positions without a distance come last. */
function expectedRows({ histogram, untimed, draws }) {
  const rows = histogram.map((bar) => [bar.distance, bar.wins, bar.losses, ""].map(String));
  const { wins, losses } = untimed ?? { wins: 0, losses: 0 };
  return histogram.length && wins + losses + draws ? [...rows, ["no distance", wins, losses, draws].map(String)] : rows;
}

export async function testPages(address, solved, played, unsolved) {
  for (const id of solved) {
    await test(`${id}: statistics equal the API, with links to boards`, () =>
      on(`${address}#/${id}/statistics`, {}, async (page) => {
        const [stats, far] = [await json(address, `/api/${id}/stats`), await json(address, `/api/${id}/longest`)];
        const numbers = await page.$$eval(".totals td:nth-child(2)", (all) =>
          all.map((cell) => Number(cell.textContent.replace(/\D/g, ""))),
        );
        equal(numbers, [stats.wins, stats.losses, stats.draws, stats.positions], "the census");
        const rows = await page.$$eval(".distances tbody tr", (all) =>
          all.map((row) => [...row.children].map((cell) => cell.textContent.replace(/[^\da-z ]/g, ""))),
        );
        equal(rows, expectedRows(stats), "the distances");
        // Games with scores have no distances, hence no chart and no longest wins.
        const timed = stats.histogram.length > 0;
        if (timed) {
          const heights = () => page.$$eval(".bar", (all) => all.map((bar) => bar.getAttribute("height")).join());
          const linear = await heights();
          await page.click('label[for="scale-logarithmic"]');
          ok(linear !== (await heights()), "the scale does not change");
          await page.waitForSelector(".example");
        }
        await accessible(page);
        await shot(page, `${id}-statistics`);
        const links = await page.$$eval(".downloads a", (all) => all.map((link) => link.href));
        const csv = await (await fetch(links[0])).text();
        ok(csv.includes(",") && csv.includes("\n"), "not a CSV");
        equal(await (await fetch(links.at(-1))).json(), stats, "the JSON");
        if (!timed) return;
        await page.locator(".example").first().click();
        await page.waitForSelector(".verdict");
        const position = encodeURIComponent(await page.inputValue("#position"));
        const probe = await json(address, `/api/${id}/probe?position=${position}`);
        const expected = far.wins ? ["win", far.wins.distance] : ["loss", far.losses.distance];
        equal([probe.value, probe.distance], expected, "the position furthest from the end");
      }));

    await test(`${id}: axe finds no serious issue, light and dark, editor and Japanese`, () =>
      everywhereAccessible(`${address}#/${id}`, ".line-list li"));
  }

  for (const id of played) {
    await test(`${id}: not solved, axe finds no serious issue, light and dark, editor and Japanese`, () =>
      everywhereAccessible(`${address}#/${id}`, ".unsolved"));
  }

  if (!unsolved) return;
  await test(`${unsolved.id}: an unsolved game can be solved from the page`, () =>
    on(`${address}#/${unsolved.id}`, {}, async (page) => {
      await page.waitForSelector("[data-solve]");
      await accessible(page);
      await shot(page, "unsolved");
      await page.click("[data-solve]");
      await page.click("[data-confirm]");
      await until("the solved board", () => page.$(".verdict"), 60_000);
      equal((await json(address, `/api/${unsolved.id}/solve`)).state, "solved");
    }));

  await test("a game that declares no board is shown as text and played by buttons", async () => {
    // A minimal game declares only the names of the two players.
    const known = await json(address, "/api/tictactoe/view");
    const bare = { ...known.view, ground: "text", places: [], labels: [], pieces: [], flips: false, japanese: null };
    bare.notation = { ...bare.notation, rows: [] };
    bare.sides = bare.sides.map((side, at) => ({ ...side, letter: "", name: ["First player", "Second player"][at] }));
    await on("about:blank", {}, async (page) => {
      await page.route("**/api/tictactoe/view", (route) => route.fulfill({ json: { ...known, view: bare } }));
      await page.goto(`${address}#/tictactoe`);
      await page.waitForSelector(".text-board");
      equal(await page.textContent(".text-board"), "...\n...\n...\n\nX");
      await page.click('.move[data-move="b2"]');
      await until("the move", async () => (await page.textContent(".text-board")) === "...\n.X.\n...\n\nO");
      ok((await page.textContent(".status")).startsWith("Second player to move"), "whose turn it is");
      await page.waitForSelector(".line-list .step");
      await accessible(page);
    });
  });

  await test("an unknown game shows an error", () =>
    on(`${address}#/chess`, {}, async (page) => {
      equal(await page.textContent('.lost [role="alert"]'), "There is no such game here.");
    }));

  await test("a URL with an illegal position starts from the initial one", () =>
    on(`${address}#/tictactoe?position=nonsense`, {}, async (page) => {
      equal(await page.inputValue("#position"), ".../.../... X");
      ok((await page.textContent("#toast")).includes("expected three rows"), "no message");
    }));
}

/** Tests a server without --allow-solve. */
export async function testWithoutLeave(address, unsolved) {
  await test("without --allow-solve the page shows the command instead", () =>
    on(`${address}#/${unsolved.id}`, {}, async (page) => {
      equal(await page.textContent(".command"), `kanzen solve ${unsolved.id}`);
      equal(await page.$("[data-solve]"), null);
      const status = await page.evaluate(
        async (id) => (await fetch(`/api/${id}/solve`, { method: "POST" })).status,
        unsolved.id,
      );
      equal(status, 403);
    }));
}
