// Measures a static site: bytes of the page and of the first position, and the time of a move until the values of the next
// position are shown.
//
//     node measure-site.mjs SITE GAME [MOVES]
//
// The file server is local. Prints one line of JSON.

import { gzipSync } from "node:zlib";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { serveFolder } from "./file-server.mjs";

const [folder, game, moves = "60"] = process.argv.slice(2);

/** Files of the page and the reader, gzipped individually. */
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

/** Plays a move and waits until the next position and its values are painted. */
const play = (page, random) =>
  page.evaluate(async (chance) => {
    // The field may be re-created with the position.
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
  }, random);

const { address, seen, close } = await serveFolder(folder);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const times = [];
const bytes = [];
const requests = [];
let first;
let seed = 12345;
const random = () => ((seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648);
while (times.length < Number(moves)) {
  const page = await (await browser.newContext()).newPage();
  const before = seen.data;
  await page.goto(`${address}#/${game}`);
  await page.waitForSelector('body[data-ready="yes"]');
  await page.waitForSelector(".move-list .move");
  first ??= seen.data - before;
  for (let ply = 0; ply < 20; ply += 1) {
    const [bytesBefore, rangesBefore] = [seen.data, seen.ranges];
    const time = await play(page, random());
    if (time === undefined) break;
    times.push(time);
    bytes.push(seen.data - bytesBefore);
    requests.push(seen.ranges - rangesBefore);
  }
  await page.context().close();
}
await browser.close();
close();
const summary = (all) => {
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
    milliseconds: summary(times),
    bytes: summary(bytes),
    requests: summary(requests),
  }),
);
