// Questions to the server, as INTERFACE.md and /api/openapi.json describe them.

/** A refusal of the server, in its own words. */
export class Refusal extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

async function ask(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refusal(0, "offline");
  }
  const body = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, body.error ?? response.statusText);
  return body;
}

const at = (game, question, position) => {
  const query = position === undefined ? "" : `?position=${encodeURIComponent(position)}`;
  return `/api/${encodeURIComponent(game)}/${question}${query}`;
};

const views = new Map();

export const games = () => ask("/api/games");
export const moves = (game, position) => ask(at(game, "moves", position));
export const probe = (game, position) => ask(at(game, "probe", position));
export const line = (game, position) => ask(at(game, "line", position));
export const stats = (game) => ask(at(game, "stats"));
export const longest = (game) => ask(at(game, "longest"));
export const progress = (game) => ask(at(game, "solve"));
export const solve = (game) => ask(at(game, "solve"), { method: "POST" });
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
