// Questions without a server: rules and look-ups in a worker, which fetches what it lacks from the files beside the page;
// what was worked out when the site was written is read as it is.

import { Refusal } from "./refusal.js";

/** The folder of the site: everything is found from here, wherever that is. */
const ROOT = new URL("../", import.meta.url);

/** Questions whose answers are files, and which. */
const WRITTEN = { stats: "stats.json", longest: "longest.json", provenance: "provenance.json" };
const TABLES = { plain: "stats.csv", published: "published.csv" };

const kept = new Map();

/** A file of JSON, read once. */
function read(path) {
  if (!kept.has(path)) {
    const asked = fetched(path);
    asked.catch(() => kept.delete(path));
    kept.set(path, asked);
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
let asked = 0;
const waiting = new Map();

/** The worker, started with the first question to it. */
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
    // It could not even be loaded: the next question tries again.
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
    const id = (asked += 1);
    waiting.set(id, { resolve, reject });
    started().postMessage({ id, question });
  });
}

const folder = (game) => `data/${encodeURIComponent(game)}`;

/** Where the table of a census is. */
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
  // Only games that are solved are here.
  if (question === "solve") throw new Refusal(404, `there is no ${game} here`);
  return work({ ask: question, game, ...parameters });
}

export const order = (game, question) =>
  Promise.reject(new Refusal(404, `${question} of ${game} takes a server`));
