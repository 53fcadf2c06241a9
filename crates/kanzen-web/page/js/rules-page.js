// The rules page: the rules of a game with pictures, drawn by the same renderer as every board.

import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { familyOf } from "./families.js";
import { drawMove } from "./hints.js";
import { read, sideOf, steps } from "./notation.js";
import { draw } from "./picture.js";
import { figures } from "./rules-figures.js";
import { gameWords, language, sideName, t } from "./words.js";

/** Creates the rules page. Families with similar boards share the pictures of one board. */
export async function rulesPage(card) {
  const known = await api.view(card.id);
  const all = figures[card.id] ?? figures[familyOf(card.id)] ?? [{ en: "", ja: "" }];
  const views = new Map([[card.id, known]]);
  const wanted = [...new Set(all.map((figure) => figure.game ?? card.id))];
  await Promise.all(wanted.map(async (game) => views.set(game, await api.view(game).catch(() => known))));
  const page = { element: h("div", { class: "rules-page" }), leave() {} };
  page.reword = () => {
    const { title, rules } = gameWords({ ...card, view: known.view });
    document.title = `${title} · ${t("rules")} · Kanzen`;
    renew(
      page.element,
      h("div", { class: "heading" }, h("h1", {}, title), h("code", { class: "id" }, card.id)),
      h("p", { class: "lead" }, rules),
      h(
        "div",
        { class: "figures" },
        all.map((figure) => drawn(figure, views.get(figure.game ?? card.id))),
      ),
      h("p", { class: "quiet" }, t("help")),
    );
  };
  page.reword();
  return page;
}

/** Creates a picture: a position, a move and a caption. */
function drawn({ position, move, en, ja }, { view, initial }) {
  const words = language() === "ja" ? ja : en;
  if (view.ground === "text") return h("p", {}, words);
  const text = position ?? initial;
  const mover = sideOf(view, read(view, text).turn) ?? 0;
  const label = [move && `${sideName(view.sides[mover])} ${move}`, words].filter(Boolean).join(": ");
  const picture = draw(view, text, { initial, mover, label });
  if (move) drawMove(picture, steps(view, mover, move, text) ?? [], mover);
  return h("figure", { "data-move": move, "data-position": text }, picture.svg, h("figcaption", {}, words));
}
