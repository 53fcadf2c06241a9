// Error handling: a server that is offline, slow or returns errors.

import { equal, json, ok, on, shown, test, until, visit } from "./harness.mjs";

export async function testTrouble(address) {
  await test("an offline server shows a message, automatic retries and a retry button", () =>
    on(`${address}#/tictactoe`, {}, async (page) => {
      let tries = 0;
      await page.route("**/api/**", (route) => ((tries += 1), route.abort()));
      await page.click('.move[data-move="b2"]');
      await page.waitForSelector('.trouble [data-act="retry"]');
      const words = await page.textContent(".trouble p");
      ok(words.startsWith("The server does not answer."), words);
      const before = tries;
      ok(before >= 2, "no retry");
      await until("another try by itself", () => tries > before, 6000);
      await page.unroute("**/api/**");
      await page.click('[data-act="retry"]');
      await until("the move", async () => (await shown(page)) === ".../.X./... O");
      equal(await page.isHidden(".trouble"), true, "trouble that is over");
    }));

  await test("a page opened offline loads once the server is back, and the home link works", () =>
    on("about:blank", {}, async (page) => {
      await page.route("**/api/**", (route) => route.abort());
      await page.goto(`${address}#/`);
      await page.waitForSelector('.lost [data-act="retry"]');
      ok(!(await page.textContent("main")).includes("offline"), "a raw phrase key");
      await page.unroute("**/api/**");
      await page.click(".lost a");
      await page.waitForSelector(".card");
    }));

  await test("a search timeout shows a message and a retry button", () =>
    on(`${address}#/tictactoe`, {}, async (page) => {
      const error = "the search for this score takes too long: query a position closer to the end of the game";
      await page.route("**/probe?**", (route) =>
        route.fulfill({ status: 503, headers: { "retry-after": "10" }, json: { error } }),
      );
      await page.click('.move[data-move="b2"]');
      await page.waitForSelector(".trouble p");
      ok((await page.textContent(".trouble p")).includes("takes too long"), "the reason");
      await page.unroute("**/probe?**");
      await page.click('[data-act="retry"]');
      await until("the move", async () => (await shown(page)) === ".../.X./... O");
    }));

  await test("a misspelt parameter is an error, and a bad position does not fail a batch", async () => {
    equal((await fetch(new URL("/api/tictactoe/probe?positon=x", address))).status, 400);
    const body = JSON.stringify([".../.../... X", "nonsense"]);
    const answers = await (await fetch(new URL("/api/tictactoe/probe", address), { method: "POST", body })).json();
    equal([answers[0].value, answers[1].position, typeof answers[1].error], ["draw", "nonsense", "string"]);
  });

  await test("errors are in Japanese, and Japanese rules are complete", () =>
    on(`${address}#/tictactoe`, { locale: "ja-JP" }, async (page) => {
      await page.fill("#position", "nonsense");
      await page.press("#position", "Enter");
      await until("the refusal", async () => (await page.textContent(".notation .problem")).startsWith("読み取れない"));
      ok(!/[A-Za-z]/.test(await page.textContent(".notation .problem")), "a sentence in English");
      await visit(page, "#/musashi-25");
      ok((await page.textContent(".status")).startsWith("茶色の番"), await page.textContent(".status"));
      const rules = async (id) => (await json(address, `/api/${id}/view`)).view.japanese.rules;
      const complete = {
        "morris-9": "飛べます",
        "morris-5": "引き分け",
        dobutsu: "にわとり",
        "othello-4x4": "空いたマス",
        "nocca-3x3": "引き分け",
      };
      for (const [id, words] of Object.entries(complete)) ok((await rules(id)).includes(words), `${id} lacks ${words}`);
      ok(!(await rules("morris-5")).includes("飛べ"), "there is no flying in morris-5");
    }));
}
