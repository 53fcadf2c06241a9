// Families of games: the same rules on boards of several sizes.

import { t } from "./words.js";

/** Groups games by the first part of their ids, in list order. */
export function families(games) {
  const all = new Map();
  for (const game of games) {
    const name = familyOf(game.id);
    if (!all.has(name)) all.set(name, []);
    all.get(name).push(game);
  }
  return [...all].map(([name, members]) => ({ name, members }));
}

export const familyOf = (id) => id.split("-")[0];

/** Returns the title of a family: its common name, or that of its only game. */
export function familyTitle(name, members, titleOf) {
  const known = t(`family-${name}`);
  return known !== `family-${name}` ? known : titleOf(members[0]);
}

/** Parses rows and columns from a game id such as `nocca-4x3`. */
export function sizeOf(id) {
  const [, rows, columns] = /-(\d+)x(\d+)$/.exec(id) ?? [];
  return rows && { rows: Number(rows), columns: Number(columns) };
}
