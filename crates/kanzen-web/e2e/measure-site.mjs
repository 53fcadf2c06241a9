// How quick a site is: bytes of the page and of the first position, and how long a move takes until the values of the next
// position are on the board.
//
//     node measure-site.mjs SITE GAME [MOVES]
//
// The file server is on this machine. One line of JSON.

import { gzipSync } from "node:zlib";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { serveFolder } from "./file-server.mjs";

const [folder, game, moves = "60"] = process.argv.slice(2);

/** Files of the page and its reader, gzipped one by one. */
function gzipped(path, inside = "") {
  let bytes = 0;
  for (const name of readdirSync(join(path, inside))) {
    if (inside === "" && name === "data") continue;
    const file = join(inside, name);
    if (statSync(join(path, file)).isDirectory()) bytes += gzipped(path, file);
    else bytes += gzipSync(readFileSync(join(path, file)), { level: 9 }).length;
  }
  return bytes;
}

/** Plays a move and waits for the next position, with its values, to be painted. */
const play = (page, lot) =>
  page.evaluate(async (chance) => {
    // The field may be made anew with the position.
    const shown = () => document.querySelector("#position").value;
    const over = performance.now() + 10_000;
    const buttons = [...document.querySelectorAll(".move-list .move:not([disabled])")];
    if (!buttons.length) return undefined;
    const before = shown();
    const start = performance.now();
    buttons[Math.floor(chance * buttons.length)].click();
    while (shown() === before && performance.now() < over)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;
  }, lot);

const { address, seen, close } = await serveFolder(folder);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const times = [];
const bytes = [];
const requests = [];
let first;
let lots = 12345;
const lot = () => ((lots = (lots * 1103515245 + 12345) % 2147483648) / 2147483648);
while (times.length < Number(moves)) {
  const page = await (await browser.newContext()).newPage();
  const before = seen.data;
  await page.goto(`${address}#/${game}`);
  await page.waitForSelector('body[data-ready="yes"]');
  await page.waitForSelector(".move-list .move");
  first ??= seen.data - before;
  for (let ply = 0; ply < 20; ply += 1) {
    const [was, asked] = [seen.data, seen.ranges];
    const time = await play(page, lot());
    if (time === undefined) break;
    times.push(time);
    bytes.push(seen.data - was);
    requests.push(seen.ranges - asked);
  }
  await page.context().close();
}
await browser.close();
close();
const told = (all) => {
  const sorted = [...all].sort((one, other) => one - other);
  const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] * 10) / 10;
  return { median: at(0.5), p90: at(0.9), most: at(1) };
};
console.log(
  JSON.stringify({
    game,
    page_gzipped_bytes: gzipped(folder),
    first_position_bytes: first,
    moves: times.length,
    milliseconds: told(times),
    bytes: told(bytes),
    requests: told(requests),
  }),
);
