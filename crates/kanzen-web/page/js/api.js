// Questions to the server, as INTERFACE.md and /api/openapi.json describe them.

/** A refusal of the server in its own words; status 0 if it did not answer at all. */
export class Refusal extends Error {
  constructor(status, text, wait) {
    super(text);
    this.status = status;
    /** Seconds after which it makes sense to ask again. */
    this.wait = wait;
  }

  /** Whether the same question may be answered later. */
  get passing() {
    return this.status === 0 || this.status === 503;
  }
}

/** A server that does not answer is asked again after these pauses, in milliseconds. */
const PAUSES = [300, 900];
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function ask(path, options) {
  for (let tried = 0; ; tried += 1) {
    let response;
    try {
      response = await fetch(path, options);
    } catch {
      // Only questions are asked twice: an order may have been heard.
      if (options?.method || tried === PAUSES.length) throw new Refusal(0, "the server does not answer");
      await pause(PAUSES[tried]);
      continue;
    }
    const body = await response.json().catch(() => ({}));
    if (response.ok) return body;
    throw new Refusal(
      response.status,
      body.error ?? response.statusText,
      Number(response.headers.get("retry-after")) || undefined,
    );
  }
}

const at = (game, question, parameters = {}) => {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== undefined));
  return `/api/${encodeURIComponent(game)}/${question}${query.size ? `?${query}` : ""}`;
};

const views = new Map();

export const games = () => ask("/api/games");
export const moves = (game, position) => ask(at(game, "moves", { position }));
export const probe = (game, position) => ask(at(game, "probe", { position }));
export const reply = (game, position, player) => ask(at(game, "reply", { position, ...player }));
export const line = (game, position) => ask(at(game, "line", { position }));
export const puzzle = (game, seed) => ask(at(game, "puzzle", { seed }));
export const find = (game, parameters) => ask(at(game, "find", parameters));
export const probeMany = (game, positions) =>
  ask(at(game, "probe"), { method: "POST", body: JSON.stringify(positions) });
export const stats = (game) => ask(at(game, "stats"));
export const longest = (game) => ask(at(game, "longest"));
export const provenance = (game) => ask(at(game, "provenance"));
export const progress = (game) => ask(at(game, "solve"));
export const solve = (game) => ask(at(game, "solve"), { method: "POST" });
export const cancel = (game) => ask(at(game, "solve"), { method: "DELETE" });
export const address = at;

/** The view of a game, asked for once. */
export function view(game) {
  if (!views.has(game)) {
    const asked = ask(at(game, "view"));
    asked.catch(() => views.delete(game));
    views.set(game, asked);
  }
  return views.get(game);
}
