// Games that belong together: the same rules on boards of several sizes.

import { t } from "./words.js";

/** Families by the first part of the names of their games, in the order of the list. */
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

/** What a family is called: by players, or as its only member. */
export function familyTitle(name, members, titleOf) {
  const known = t(`family-${name}`);
  return known !== `family-${name}` ? known : titleOf(members[0]);
}

/** Rows and columns of a board that its name tells: `nocca-4x3`. */
export function sizeOf(id) {
  const [, rows, columns] = /-(\d+)x(\d+)$/.exec(id) ?? [];
  return rows && { rows: Number(rows), columns: Number(columns) };
}
