// A few lines of test harness: named tests, one browser, one server, a line for each failure.

import { spawn, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");
export const KANZEN = process.env.KANZEN ?? join(ROOT, "target/debug/kanzen");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
/** Milliseconds that a test waits for what must come. */
const TIMEOUT = Number(process.env.TIMEOUT ?? 30_000);
export const OUTPUT = join(ROOT, "test-output");

/** Whether the data folder was there before, with what is solved in it. */
export const solvedBefore = process.env.DATA !== undefined;
export const data = process.env.DATA ?? mkdtempSync(join(tmpdir(), "kanzen-explorer-"));
mkdirSync(OUTPUT, { recursive: true });

/** Runs the command on the temporary data folder. */
export function kanzen(...words) {
  return execFileSync(KANZEN, [...words, "--data", data, "--quiet"], { encoding: "utf8", maxBuffer: 1 << 26 });
}

const servers = [];

/** Starts a server and tells its address. */
export function serve(...options) {
  const server = spawn(KANZEN, ["serve", "--json", "--addr", "127.0.0.1:0", "--data", data, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(server);
  return new Promise((resolve, reject) => {
    let told = "";
    server.stdout.on("data", (text) => {
      told += text;
      if (told.includes("\n")) resolve(JSON.parse(told).address);
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

// As root, and on a machine without network: Chromium must not look for either.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
export const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });

// While the page is being written: PAGE, a folder, has its files instead of those in the program.
const PAGE = process.env.PAGE;
const KINDS = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml" };

async function fromFolder(route) {
  const path = new URL(route.request().url()).pathname.replace(/^\/$/, "/index.html");
  const file = join(PAGE, path);
  if (path.startsWith("/api/") || !existsSync(file)) return route.fallback();
  return route.fulfill({ body: readFileSync(file), contentType: KINDS[file.split(".").at(-1)] });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** No serious finding of axe on the page as it stands. */
export async function accessible(page) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  equal(
    serious.map(({ id, nodes }) => `${id}: ${nodes[0].html}`),
    [],
    "findings of axe",
  );
}

/** Goes to another page of the explorer, as a link does. */
export async function visit(page, hash) {
  await page.evaluate((next) => {
    if (location.hash === next) return;
    document.body.dataset.ready = "no";
    location.hash = next;
  }, hash);
  await page.waitForSelector('body[data-ready="yes"]');
}

/** A picture of the page for people to look at. */
export const shot = (page, name, fullPage = true) => page.screenshot({ path: `${OUTPUT}/${name}.png`, fullPage });

/** Who answers the API for a page that has no server of its own, by the address of the page. */
const answering = new Map();
export const answersOf = (address, server) => answering.set(address, server);

/** An answer of the API. */
export const json = async (address, path) => (await fetch(new URL(path, answering.get(address) ?? address))).json();

/** The text of the position that is shown. */
export const shown = (page) => page.inputValue("#position");

/** A page of its own in a browser of some kind; anything on its console is a failure. */
export async function open(address, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1240, height: 900 },
    reducedMotion: "reduce",
    locale: "en-GB",
    ...options,
  });
  if (PAGE) await context.route("**/*", fromFolder);
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT);
  const complaints = [];
  page.on("console", (message) => {
    // The browser itself notes refused questions, which some tests ask on purpose.
    const asked = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !asked) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  if (address !== "about:blank") await page.waitForSelector('body[data-ready="yes"]');
  return { page, context, complaints };
}

/** Opens a page for a piece of work, and closes it; complaints of the console fail. */
export async function on(address, options, work) {
  const { page, context, complaints } = await open(address, options);
  try {
    const result = await work(page, context);
    equal(complaints, [], "the console");
    return result;
  } finally {
    await context.close();
  }
}

const counts = { passed: 0, failed: 0 };

/** A test: a sentence, and work that throws if it is not true. */
export async function test(name, work) {
  const start = Date.now();
  try {
    await work();
    counts.passed += 1;
    console.log(`ok    ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    counts.failed += 1;
    console.log(
      `FAIL  ${name}\n      ${String(error?.stack ?? error)
        .split("\n")
        .slice(0, 8)
        .join("\n      ")}`,
    );
  }
}

export function equal(found, expected, what = "") {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what}: found ${one}, expected ${other}`);
}

export function ok(holds, what) {
  if (!holds) throw new Error(what);
}

/** Waits until something holds. */
export async function until(what, holds, timeout = TIMEOUT) {
  const end = Date.now() + timeout;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Ends everything and tells the count. */
export async function finish() {
  await browser.close();
  for (const server of servers) {
    server.removeAllListeners("exit");
    server.kill("SIGTERM");
  }
  if (!solvedBefore) rmSync(data, { recursive: true, force: true });
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = counts.failed || !counts.passed ? 1 : 0;
}
