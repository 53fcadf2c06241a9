// Boards in frames of another site, and games that load in one request.

import { createServer } from "node:http";
import { equal, json, ok, on, shot, shown, test, until } from "./harness.mjs";

/** Serves a page of another site with two boards, until `close` is called. */
async function otherSite(frames) {
  const body = `<!doctype html><title>Other site</title>${frames
    .map((src) => `<iframe src="${src}" width="420" height="520" title="board"></iframe>`)
    .join("")}`;
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end(body));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Waits for the boards of all frames and returns the frames. */
async function boards(page, number) {
  await until("the frames", () => page.frames().length === number + 1);
  const frames = page.frames().slice(1);
  for (const frame of frames) await frame.waitForSelector('body[data-ready="yes"] .board');
  return frames;
}

export async function testEmbed(address) {
  await test("two boards on a page of another site are there at each visit", async () => {
    const site = await otherSite([`${address}embed.html#/nocca-3x4`, `${address}embed.html#/tictactoe?moves=b2`]);
    await on("about:blank", {}, async (page) => {
      await page.goto(site.address);
      await boards(page, 2);
      await page.reload();
      const [first] = await boards(page, 2);
      await shot(page, "embed-two", false);
      // The board fills what the words and the buttons leave.
      const [board, frame, tools] = await first.evaluate(() => [
        document.querySelector(".board").getBoundingClientRect().height,
        document.documentElement.scrollHeight,
        document.querySelector(".toolbar").getBoundingClientRect().bottom,
      ]);
      ok(board > 340 && tools > 495 && frame === 520, `board ${board}, buttons end at ${tools}, page ${frame}`);
    });
    site.close();
  });

  await test("an embedded board can be turned and follows a changed address", async () => {
    const site = await otherSite([`${address}embed.html#/nocca-3x4?moves=a1-b2`]);
    await on("about:blank", {}, async (page) => {
      await page.goto(site.address);
      const [frame] = await boards(page, 1);
      const place = () => frame.$eval('.target[data-key="a1"]', (one) => Number(one.getAttribute("y")));
      const before = await place();
      await frame.click('[data-tool="flip"]');
      ok((await place()) < before, "a1 is not at the top");
      await page.$eval("iframe", (one, src) => (one.src = src), `${address}embed.html#/tictactoe?moves=b2+a1`);
      await until("the other game", async () => (await frame.title()).startsWith("Tic-tac-toe"));
      await frame.waitForSelector('body[data-ready="yes"] .board');
      await frame.click('[data-tool="undo"]');
      ok((await frame.textContent(".status")).startsWith("Noughts to move"), await frame.textContent(".status"));
    });
    site.close();
  });

  await test("a shared game of 120 plies is one request, and loads in a few round trips of 150 ms", async () => {
    const moves = [];
    let now = await json(address, "/api/nocca-3x4/probe");
    for (let at = 0; at < 120; at += 1) {
      for (const choice of now.moves) {
        const next = await json(address, `/api/nocca-3x4/probe?position=${encodeURIComponent(choice.position)}`);
        if (!next.moves.length) continue;
        moves.push(choice.move);
        now = next;
        break;
      }
    }
    await on(`${address}#/nocca-3x4`, {}, async (page) => {
      let asked = 0;
      page.on("request", (request) => (asked += /\/(probe|game)\b/.test(new URL(request.url()).pathname)));
      const client = await page.context().newCDPSession(page);
      const slow = { offline: false, latency: 150, downloadThroughput: -1, uploadThroughput: -1 };
      await client.send("Network.emulateNetworkConditions", slow);
      const begun = Date.now();
      await page.evaluate((hash) => (location.hash = hash), `#/nocca-3x4?moves=${moves.join("+")}`);
      await until("the game", async () => (await page.$$(".record-list .step")).length === 120);
      const time = Date.now() - begun;
      equal([await shown(page), asked], [now.position, 1]);
      console.log(`      ${time} ms`);
      ok(time < 3000, `${time} ms`);
    });
  });

  await test("a move that is none stops a shared game before it", () =>
    on(`${address}#/tictactoe?moves=b2+a1+b2+c3`, {}, async (page) => {
      equal(await page.$$eval(".record-list .step .name", (all) => all.length), 2);
      ok((await page.textContent("#toast")).startsWith("b2 is not a legal move"), "the wrong move");
    }));
}
