// Compares two variants of a rule: finds positions whose value or distance differs.

import * as address from "./address.js";
import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { panel } from "./panels.js";
import { draw } from "./picture.js";
import { long, same } from "./values.js";
import { count, refusalWords, t } from "./words.js";

/** Positions compared per click, far from the end of the game, where the variants differ most. */
const PAGE = 500;
const FAR = "distance > 8";
const SHOWN = 12;

/** Returns a panel for each board that is solved under both variants. Compares on request. */
export function differencePanels(members, known) {
  const other = (game) => members.find(({ id }) => id === `${game.id}-symmetric`);
  const pairs = members.filter((game) => game.solved && other(game)?.solved);
  return pairs.map((game) => differencePanel(game, other(game), known));
}

function differencePanel(game, other, { view }) {
  const found = [];
  let [cursor, compared] = [undefined, 0];
  const box = h("div", { class: "differences", "data-game": game.id });
  const look = async () => {
    try {
      const { rows, cursor: next } = await api.find(game.id, { where: FAR, limit: PAGE, cursor });
      const theirs = await api.probeMany(
        other.id,
        rows.map(({ position }) => position),
      );
      rows.forEach((row, at) => theirs[at].error || same(row, theirs[at]) || found.push({ row, theirs: theirs[at] }));
      compared += rows.length;
      cursor = next;
      render(next === null);
    } catch (refusal) {
      render(false, refusal);
    }
  };
  const example = ({ row, theirs }) =>
    h(
      "a",
      { class: "example", href: address.write({ game: game.id, position: row.position }) },
      draw(view, row.position, { bare: true }).svg,
      h("span", { class: "quiet" }, `${long(row)} / ${long(theirs)}`),
    );
  const render = (all, refusal) =>
    renew(
      box,
      compared > 0 && h("p", { role: "status" }, t("differ", { found: count(found.length), all: count(compared) })),
      h("div", { class: "examples" }, found.slice(0, SHOWN).map(example)),
      refusal && h("p", { class: "problem", role: "alert" }, refusalWords(refusal)),
      !all &&
        h("button", { type: "button", "data-act": "compare", onclick: look }, t(compared ? "compareOn" : "compare")),
    );
  render(false);
  return panel(t("differTitle", { game: game.id }), "difference-panel", box);
}
