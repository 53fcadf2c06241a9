// API client of the page: queries a server, or the files of a static site.

import * as files from "./files.js";
import * as http from "./http.js";

export { Refusal } from "./refusal.js";

/** Whether there is a server. Without one, the page can neither solve games nor scan databases. */
export const served = !document.querySelector('meta[name="kanzen"][content="files"]');

const { games: listed, ask, order, address } = served ? http : files;
const views = new Map();

/** Maximum database size for which a static site fetches best play automatically, ply by ply. */
const SMALL = 1_000_000;
const sizes = new Map();

/** Fetches the list of games. */
export async function games() {
  const all = await listed();
  for (const { id, data_bytes } of all) sizes.set(id, data_bytes);
  return all;
}

/** Whether best play takes a single request instead of one per ply. */
export const lineIsCheap = (game) => served || (sizes.get(game) ?? Infinity) <= SMALL;

export { address };
export const moves = (game, position) => ask(game, "moves", { position });
export const probe = (game, position) => ask(game, "probe", { position });
export const reply = (game, position, player) => ask(game, "reply", { position, ...player });
export const line = (game, position) => ask(game, "line", { position });
export const puzzle = (game, seed) => ask(game, "puzzle", { seed });
export const find = (game, parameters) => ask(game, "find", parameters);
export const probeMany = (game, positions) => order(game, "probe", "POST", JSON.stringify(positions));
export const played = (game, record) => order(game, "game", "POST", JSON.stringify(record));
export const stats = (game) => ask(game, "stats");
export const longest = (game) => ask(game, "longest");
export const provenance = (game) => ask(game, "provenance");
export const progress = (game) => ask(game, "solve");
export const solve = (game) => order(game, "solve", "POST");
export const cancel = (game) => order(game, "solve", "DELETE");

/** Fetches the view of a game, once. */
export function view(game) {
  if (!views.has(game)) {
    const request = ask(game, "view");
    request.catch(() => views.delete(game));
    views.set(game, request);
  }
  return views.get(game);
}
