// The rules of a game with pictures, each drawn from a position by the code that draws every board.

import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { familyOf } from "./families.js";
import { drawMove } from "./hints.js";
import { read, sideOf, steps } from "./notation.js";
import { draw } from "./picture.js";
import { figures } from "./rules-figures.js";
import { gameWords, language, sideName, t } from "./words.js";

/** The rules page of a game. Where all boards of a family are alike, its pictures are of one of them. */
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

/** One picture: a position, a move in it, and what is to be seen. */
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
