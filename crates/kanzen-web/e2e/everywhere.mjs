// Accessibility and layout of every page and dialog in every mode: light and dark, both languages, desktop and phone.

import { accessible, ok, on, shot, test, visit } from "./harness.mjs";

/** One page of each kind, by screenshot name. */
const PAGES = {
  home: "#/",
  family: "#/family/nocca",
  "family-list": "#/family/othello",
  rules: "#/morris-5/rules",
  board: "#/nocca-3x4?moves=a1-b2",
  statistics: "#/nocca-3x4/statistics",
  puzzles: "#/nocca-3x4/puzzles",
  "two-rules": "#/family/ostle",
  "without-values": "#/dobutsu",
  nowhere: "#/chess",
  // A finished game with result and review.
  over: "#/tictactoe?moves=a1+b1+a2+c3+a3",
  // Against Kanzen, with the style selection.
  opponent: "#/nocca-3x4?you=1&style=level-3",
};

/** Dialogs and panels: where they are, how they open and how they close. */
const OPENED = {
  editor: ["#/morris-5", (page) => page.click('[data-tool="edit"]'), (page) => page.click('[data-tool="edit"]')],
  share: [
    "#/nocca-3x4?moves=a1-b2",
    async (page) => {
      await page.click('[data-tool="share"]');
      await page.waitForSelector("#cite");
    },
    (page) => page.keyboard.press("Escape"),
  ],
  confirm: [
    "#/stones-40",
    async (page) => {
      await page.click("[data-solve]");
      await page.waitForSelector("[data-confirm]");
    },
    (page) => page.click('[data-act="cancel"]'),
  ],
  trouble: [
    "#/tictactoe",
    async (page) => {
      await page.route("**/api/**", (route) => route.abort());
      await page.click('.move[data-move="b2"]');
      await page.waitForSelector('.trouble [data-act="retry"]');
    },
    (page) => page.unroute("**/api/**"),
  ],
};
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** Checks the current state of a page. */
async function check(page, name, mode) {
  await accessible(page).catch((error) => Promise.reject(new Error(`${name}: ${error.message}`)));
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  ok(over <= 0, `${name} is ${over} pixels too wide`);
  const heights = await page.$$eval(".totals tbody th", (all) => all.map((one) => one.clientHeight));
  ok(Math.max(0, ...heights) < 50, `${name} breaks the words of its census: ${heights}`);
  await shot(page, `every-${name}-${mode}`);
}

/** Pairwise combinations of settings. */
const MODES = [
  ["desktop", "light", "en-GB"],
  ["desktop", "dark", "ja-JP"],
  ["phone", "light", "ja-JP"],
  ["phone", "dark", "en-GB"],
];
/** With EVERY_MODE=yes: all combinations, twice as many. */
const ALL_MODES = Object.keys(SIZES).flatMap((size) =>
  ["light", "dark"].flatMap((scheme) => ["en-GB", "ja-JP"].map((locale) => [size, scheme, locale])),
);

export async function testEverywhere(address) {
  for (const [size, colorScheme, locale] of process.env.EVERY_MODE ? ALL_MODES : MODES) {
    const mode = `${size}-${colorScheme}-${locale.slice(0, 2)}`;
    await test(`axe finds no serious issue on any page, and nothing overflows: ${mode}`, () =>
      on(address, { viewport: SIZES[size], colorScheme, locale }, async (page) => {
        for (const [name, hash] of Object.entries(PAGES)) {
          await visit(page, hash);
          await check(page, name, mode);
        }
        for (const [name, [hash, open, close]] of Object.entries(OPENED)) {
          await visit(page, hash);
          await open(page);
          await check(page, name, mode);
          await close(page);
        }
        await page.goto(`${address}embed.html#/nocca-3x4?moves=a1-b2`);
        await page.waitForSelector('body[data-ready="yes"] .board');
        await check(page, "embed", mode);
      }));
  }
}
