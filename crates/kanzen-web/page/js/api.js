// Questions of the page: to a server, or to the files beside it where a site was written without one.

import * as files from "./files.js";
import * as http from "./http.js";

export { Refusal } from "./refusal.js";

/** Whether there is a server: without one nothing is solved, and whole databases are not searched. */
export const served = !document.querySelector('meta[name="kanzen"][content="files"]');

const { games: listed, ask, order, address } = served ? http : files;
const views = new Map();

/** Bytes of a database up to which best play is looked up unasked where each ply has to be fetched. */
const SMALL = 1_000_000;
const sizes = new Map();

/** The games there are. */
export async function games() {
  const all = await listed();
  for (const { id, data_bytes } of all) sizes.set(id, data_bytes);
  return all;
}

/** Whether best play takes one question, and not one for each ply. */
export const lineIsCheap = (game) => served || (sizes.get(game) ?? Infinity) <= SMALL;


export { address };
export const moves = (game, position) => ask(game, "moves", { position });
export const probe = (game, position) => ask(game, "probe", { position });
export const reply = (game, position, player) => ask(game, "reply", { position, ...player });
export const line = (game, position) => ask(game, "line", { position });
export const puzzle = (game, seed) => ask(game, "puzzle", { seed });
export const find = (game, parameters) => ask(game, "find", parameters);
export const probeMany = (game, positions) => order(game, "probe", "POST", JSON.stringify(positions));
export const stats = (game) => ask(game, "stats");
export const longest = (game) => ask(game, "longest");
export const provenance = (game) => ask(game, "provenance");
export const progress = (game) => ask(game, "solve");
export const solve = (game) => order(game, "solve", "POST");
export const cancel = (game) => order(game, "solve", "DELETE");

/** The view of a game, asked for once. */
export function view(game) {
  if (!views.has(game)) {
    const asked = ask(game, "view");
    asked.catch(() => views.delete(game));
    views.set(game, asked);
  }
  return views.get(game);
}
