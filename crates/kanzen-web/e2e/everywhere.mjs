// Every kind of page for every kind of visitor: light and dark, both languages, desk and phone.

import { accessible, ok, on, shot, test, visit } from "./harness.mjs";

/** A page of each kind, by the name of its picture. */
const PAGES = {
  home: "#/",
  family: "#/family/nocca",
  rules: "#/morris-5/rules",
  board: "#/nocca-3x4?moves=a1-b2",
  statistics: "#/nocca-3x4/statistics",
  puzzles: "#/nocca-3x4/puzzles",
  "two-rules": "#/family/ostle",
  "without-values": "#/dobutsu",
  nowhere: "#/chess",
};
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

export async function testEverywhere(address) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      for (const locale of ["en-GB", "ja-JP"]) {
        const mode = `${size}-${colorScheme}-${locale.slice(0, 2)}`;
        await test(`axe finds nothing serious on any kind of page, and nothing sticks out: ${mode}`, () =>
          on(address, { viewport, colorScheme, locale }, async (page) => {
            for (const [name, hash] of Object.entries(PAGES)) {
              await visit(page, hash);
              await accessible(page).catch((error) => Promise.reject(new Error(`${name}: ${error.message}`)));
              const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
              ok(over <= 0, `${name} is ${over} pixels too wide`);
              const heights = await page.$$eval(".totals tbody th", (all) => all.map((one) => one.clientHeight));
              ok(Math.max(0, ...heights) < 50, `${name} breaks the words of its census: ${heights}`);
              await shot(page, `every-${name}-${mode}`);
            }
          }));
      }
    }
  }
}
