// API client for static sites: a worker runs rules and look-ups and fetches missing bytes from the files of the site.
// Precomputed answers are plain JSON files.

import { Refusal } from "./refusal.js";

/** The root folder of the site. */
const ROOT = new URL("../", import.meta.url);

/** Files with precomputed answers, by question. */
const WRITTEN = { stats: "stats.json", longest: "longest.json", provenance: "provenance.json" };
const TABLES = { plain: "stats.csv", published: "published.csv" };

const kept = new Map();

/** Fetches a JSON file, once. */
function read(path) {
  if (!kept.has(path)) {
    const request = fetched(path);
    request.catch(() => kept.delete(path));
    kept.set(path, request);
  }
  return kept.get(path);
}

async function fetched(path) {
  let response;
  try {
    response = await fetch(new URL(path, ROOT));
  } catch {
    throw new Refusal(0, "the host does not answer", { words: "hostOffline" });
  }
  if (!response.ok) throw new Refusal(response.status, `${path}: ${response.status} ${response.statusText}`);
  return response.json();
}

let worker;
let lastId = 0;
const waiting = new Map();

/** Returns the worker, started on first use. */
function started() {
  if (worker) return worker;
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data: { id, answer, refusal } }) => {
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (refusal) reject?.(new Refusal(refusal.status, refusal.text, refusal));
    else resolve?.(answer);
  };
  worker.onerror = () => {
    // The worker failed to load: the next question retries.
    for (const { reject } of waiting.values())
      reject(new Refusal(0, "the reader could not be loaded", { words: "hostOffline" }));
    waiting.clear();
    worker.terminate();
    worker = undefined;
  };
  return worker;
}

function work(question) {
  return new Promise((resolve, reject) => {
    const id = (lastId += 1);
    waiting.set(id, { resolve, reject });
    started().postMessage({ id, question });
  });
}

const folder = (game) => `data/${encodeURIComponent(game)}`;

/** Returns the URL of a census table. */
export function address(game, question, { layout = "plain" } = {}) {
  const file = question === "stats.csv" ? TABLES[layout] : WRITTEN[question];
  return new URL(`${folder(game)}/${file}`, ROOT).href;
}

export const games = () => read("games.json");

async function puzzle(game, seed) {
  const puzzles = await read(`${folder(game)}/puzzles.json`);
  if (!puzzles.length) throw new Refusal(404, `${game} has no puzzle`);
  return puzzles[seed % puzzles.length];
}

export async function ask(game, question, parameters = {}) {
  if (WRITTEN[question]) return read(`${folder(game)}/${WRITTEN[question]}`);
  if (question === "puzzle") return puzzle(game, parameters.seed ?? 0);
  // A static site contains solved games only.
  if (question === "solve") throw new Refusal(404, `there is no ${game} here`);
  return work({ ask: question, game, ...parameters });
}

export const order = (game, question) =>
  Promise.reject(new Refusal(404, `${question} of ${game} takes a server`));
