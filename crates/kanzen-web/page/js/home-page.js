// All games, with their boards and what is solved.

import * as address from "./address.js";
import * as api from "./api.js";
import { h } from "./dom.js";
import { draw } from "./picture.js";
import { bytes, count, gameWords, t, time } from "./words.js";

/** The list of games. */
export async function homePage(games) {
  const element = h("div", { class: "home" });
  const cards = games.map((game) => ({
    game,
    element: h("a", { class: "card", href: address.write({ game: game.id }) }),
  }));
  const known = new Map();
  const words = () => {
    document.title = `Kanzen · ${t("tagline")}`;
    cards.forEach((card) => fill(card, known.get(card.game.id)));
    const part = (title, solved) => {
      const chosen = cards.filter((card) => card.game.solved === solved);
      return chosen.length
        ? [
            h("h2", {}, title),
            h(
              "div",
              { class: "cards" },
              chosen.map((card) => card.element),
            ),
          ]
        : [];
    };
    element.replaceChildren(
      h("h1", {}, t("tagline")),
      h("p", { class: "lead" }, t("intro")),
      ...part(t("solvedGames"), true),
      ...part(t("unsolvedGames"), false),
    );
  };
  words();
  cards.forEach(async (card) => {
    const view = await api.view(card.game.id).catch(() => undefined);
    if (!view) return;
    known.set(card.game.id, view);
    fill(card, view);
  });
  return { element, reword: words, leave() {} };
}

function fill({ game, element }, known) {
  const { title } = gameWords({ ...game, view: known?.view });
  const small = { class: "thumb", "aria-hidden": "true" };
  const thumb =
    known && known.view.ground !== "text"
      ? h("div", small, draw(known.view, known.initial, { bare: true }).svg)
      : h("div", small);
  const positions = game.positions === null ? "" : t("positions", { number: count(game.positions) });
  const cost = t("costShort", { time: time(game.forecast.seconds), memory: bytes(game.forecast.memory_bytes) });
  const state = game.solved ? t("solved") : cost;
  element.replaceChildren(
    thumb,
    h(
      "div",
      { class: "about" },
      h("strong", {}, title),
      h("span", { class: "quiet" }, positions),
      h("span", { class: game.solved ? "state solved" : "state" }, state),
    ),
  );
}
