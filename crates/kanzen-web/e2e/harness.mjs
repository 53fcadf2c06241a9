// The test harness: named tests, one browser, one server, one line per failure.

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
/** Timeout of `until`, in milliseconds. */
const TIMEOUT = Number(process.env.TIMEOUT ?? 30_000);
export const OUTPUT = join(ROOT, "test-output");

/** Whether the data folder was given, with its solved games. */
export const solvedBefore = process.env.DATA !== undefined;
export const data = process.env.DATA ?? mkdtempSync(join(tmpdir(), "kanzen-explorer-"));
mkdirSync(OUTPUT, { recursive: true });

/** Runs the command with the data folder. */
export function kanzen(...words) {
  return execFileSync(KANZEN, [...words, "--data", data, "--quiet"], { encoding: "utf8", maxBuffer: 1 << 26 });
}

const servers = [];

/** Starts a server and returns its address. */
export function serve(...options) {
  const server = spawn(KANZEN, ["serve", "--json", "--addr", "127.0.0.1:0", "--data", data, ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  servers.push(server);
  return new Promise((resolve, reject) => {
    let output = "";
    server.stdout.on("data", (text) => {
      output += text;
      if (output.includes("\n")) resolve(JSON.parse(output).address);
    });
    server.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

// Flags for running as root and without a network.
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

// For development: PAGE is a folder whose files replace the embedded ones.
const PAGE = process.env.PAGE;
const KINDS = { html: "text/html", css: "text/css", js: "text/javascript", svg: "image/svg+xml" };

async function fromFolder(route) {
  const path = new URL(route.request().url()).pathname.replace(/^\/$/, "/index.html");
  const file = join(PAGE, path);
  if (path.startsWith("/api/") || !existsSync(file)) return route.fallback();
  return route.fulfill({ body: readFileSync(file), contentType: KINDS[file.split(".").at(-1)] });
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Asserts that axe finds no serious issue on the page. */
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

/** Navigates to another page of the explorer. */
export async function visit(page, hash) {
  await page.evaluate((next) => {
    if (location.hash === next) return;
    document.body.dataset.ready = "no";
    location.hash = next;
  }, hash);
  await page.waitForSelector('body[data-ready="yes"]');
}

/** Saves a screenshot for manual review. */
export const shot = (page, name, fullPage = true) => page.screenshot({ path: `${OUTPUT}/${name}.png`, fullPage });

/** The API server of a page without its own server, by page address. */
const answering = new Map();
export const answersOf = (address, server) => answering.set(address, server);

/** Fetches a JSON response of the API. */
export const json = async (address, path) => (await fetch(new URL(path, answering.get(address) ?? address))).json();

/** Returns the position shown. */
export const shown = (page) => page.inputValue("#position");

/** Opens a page in a fresh browser context. Any console message is a failure. */
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
    // Ignores the browser's own log of failed requests, which some tests provoke.
    const failedRequest = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !failedRequest) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.goto(address);
  if (address !== "about:blank") await page.waitForSelector('body[data-ready="yes"]');
  return { page, context, complaints };
}

/** Runs a function on a new page and closes it. Console messages fail the test. */
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

/** Runs a named test, which throws on failure. */
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

/** Waits until a condition holds. */
export async function until(what, holds, timeout = TIMEOUT) {
  const end = Date.now() + timeout;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Stops everything and prints the counts. */
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
