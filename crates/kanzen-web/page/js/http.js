// API client for a server; /api/openapi.json describes the API.

import { Refusal } from "./refusal.js";

/** Retry delays, in milliseconds. */
const PAUSES = [300, 900];
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function get(path, options) {
  for (let tried = 0; ; tried += 1) {
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      // Retries GET only: the server may already have executed a POST or DELETE.
      if (options?.method || tried === PAUSES.length) throw new Refusal(0, "the server does not answer");
      await pause(PAUSES[tried]);
      continue;
    }
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body;
    const wait = Number(response.headers.get("retry-after")) || undefined;
    throw new Refusal(response.status, body.error ?? response.statusText, { wait, code: body.code });
  }
}

/** Returns the URL of a query about a game. */
export function address(game, question, parameters = {}) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined));
  return `/api/${encodeURIComponent(game)}/${question}${query.size ? `?${query}` : ""}`;
}

export const games = () => get("/api/games");
export const ask = (game, question, parameters) => get(address(game, question, parameters));
export const order = (game, question, method, body) => get(address(game, question), { method, body });
