// The home page: all games by family, with a search field.

import * as address from "./address.js";
import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { families, familyTitle } from "./families.js";
import { draw } from "./picture.js";
import { fits } from "./search.js";
import { gameWords, t } from "./words.js";
import { stateWords } from "./family-page.js";

/** Creates the home page. */
export async function homePage(games) {
  const element = h("div", { class: "home" });
  const known = new Map();
  const titleOf = (game) => gameWords({ ...game, view: known.get(game.id)?.view }).title;
  const heading = h("div", {});
  const found = h("div", { class: "found" });
  const field = h("input", { id: "search", type: "search", autocomplete: "off", oninput: () => show() });
  const label = h("label", { for: "search" });
  const count = h("p", { class: "off-screen", role: "status" });
  element.append(heading, h("div", { class: "search" }, label, field, count), found);

  const card = (href, game, title, note, state) => {
    const view = known.get(game.id);
    const small = { class: "thumb", "aria-hidden": "true" };
    const picture = view && view.view.ground !== "text" && draw(view.view, view.initial, { bare: true }).svg;
    const about = [h("strong", {}, title), note && h("span", { class: "quiet" }, note), state];
    return h("a", { class: "card", href }, h("div", small, picture), h("div", { class: "about" }, about));
  };
  const gameCard = (game) => {
    const state = h("span", { class: game.solved ? "state solved" : "state" }, stateWords(game));
    return card(address.boardOf(game.id), game, titleOf(game), game.id, state);
  };
  const familyCard = ({ name, members }) => {
    if (members.length === 1) return gameCard(members[0]);
    const shown = members.find((game) => game.solved) ?? members[0];
    const solved = members.filter((game) => game.solved).length;
    const state = h(
      "span",
      { class: solved ? "state solved" : "state" },
      t("someSolved", { solved, all: members.length }),
    );
    return card(
      address.write({ family: name }),
      shown,
      familyTitle(name, members, titleOf),
      t("boards", { number: members.length }),
      state,
    );
  };
  const show = () => {
    const wanted = field.value.trim();
    const all = families(games);
    const named =
      ({ name, members }) =>
      (game) =>
        fits(wanted, game.id, [titleOf(game), game.title, familyTitle(name, members, titleOf)]);
    const chosen = all.flatMap((family) => family.members.filter(named(family)));
    const cards = wanted ? chosen.map(gameCard) : all.map(familyCard);
    count.textContent = wanted ? t("foundGames", { number: chosen.length }) : "";
    renew(found, cards.length ? h("div", { class: "cards" }, cards) : h("p", { class: "quiet" }, t("foundNone")));
  };
  const words = () => {
    document.title = `Kanzen · ${t("tagline")}`;
    renew(heading, h("h1", {}, t("tagline")), h("p", { class: "lead" }, t("intro")));
    label.textContent = t("search");
    show();
  };
  words();
  // Draws the pictures of the visible cards first, the others when a search shows them.
  const first = families(games).map(({ members }) => members.find((game) => game.solved) ?? members[0]);
  const views = [...first, ...games.filter((game) => !first.includes(game))];
  Promise.allSettled(first.map(async (game) => known.set(game.id, await api.view(game.id)))).then(async () => {
    show();
    await Promise.allSettled(views.map(async (game) => known.set(game.id, await api.view(game.id))));
    if (field.value) show();
  });
  return { element, reword: words, leave() {} };
}
