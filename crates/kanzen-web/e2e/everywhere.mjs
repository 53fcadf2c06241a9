// Every kind of page, and what can open on it, for every kind of visitor: light and dark, both languages, desk and phone.

import { accessible, ok, on, shot, test, visit } from "./harness.mjs";

/** A page of each kind, by the name of its picture. */
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
  // Over, with its result and the review of the game.
  over: "#/tictactoe?moves=a1+b1+a2+c3+a3",
  // Against Kanzen, with the choice of how it plays.
  opponent: "#/nocca-3x4?you=1&style=level-3",
};

/** What is opened by somebody on a page: where, how, and how it is closed again. */
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
const SIZES = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** What must hold of a page as it stands. */
async function check(page, name, mode) {
  await accessible(page).catch((error) => Promise.reject(new Error(`${name}: ${error.message}`)));
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  ok(over <= 0, `${name} is ${over} pixels too wide`);
  const heights = await page.$$eval(".totals tbody th", (all) => all.map((one) => one.clientHeight));
  ok(Math.max(0, ...heights) < 50, `${name} breaks the words of its census: ${heights}`);
  await shot(page, `every-${name}-${mode}`);
}

/** Every two settings meet in one of these; what only three of them together break would not be found. */
const MODES = [
  ["desk", "light", "en-GB"],
  ["desk", "dark", "ja-JP"],
  ["phone", "light", "ja-JP"],
  ["phone", "dark", "en-GB"],
];
/** With EVERY_MODE=yes: all of them, twice as many. */
const ALL_MODES = Object.keys(SIZES).flatMap((size) =>
  ["light", "dark"].flatMap((scheme) => ["en-GB", "ja-JP"].map((locale) => [size, scheme, locale])),
);

export async function testEverywhere(address) {
  for (const [size, colorScheme, locale] of process.env.EVERY_MODE ? ALL_MODES : MODES) {
    const mode = `${size}-${colorScheme}-${locale.slice(0, 2)}`;
    await test(`axe finds nothing serious on any kind of page, and nothing sticks out: ${mode}`, () =>
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
