// The header: games, pages, language, light or dark.

import * as address from "./address.js";
import { h, icon } from "./dom.js";
import { switchTheme } from "./settings.js";
import { language, setLanguage, t } from "./words.js";

/** The header above a page. `titles` names games by id. */
export function header({ games, asked, titles, onlanguage }) {
  const option = (game) => h("option", { value: game.id }, titles(game));
  const group = (label, chosen) => chosen.length > 0 && h("optgroup", { label }, chosen.map(option));
  const select = h(
    "select",
    {
      id: "game",
      "aria-label": t("chooseGame"),
      onchange: (event) => (location.hash = address.write({ game: event.target.value })),
    },
    h("option", { value: "" }, t("home")),
    group(
      t("solvedGames"),
      games.filter((game) => game.solved),
    ),
    group(
      t("unsolvedGames"),
      games.filter((game) => !game.solved),
    ),
  );
  select.value = asked.game;
  const current = games.find((game) => game.id === asked.game);
  const tab = (page, label) =>
    h("a", { href: address.write({ game: asked.game, page }), "aria-current": asked.page === page && "page" }, label);
  const tabs = current?.solved
    ? h(
        "nav",
        { class: "tabs", "aria-label": t("board") },
        tab("board", t("board")),
        tab("statistics", t("statistics")),
      )
    : h("span", { class: "tabs" });
  const speak = (name, label) =>
    h(
      "button",
      {
        type: "button",
        lang: name,
        "aria-pressed": String(language() === name),
        onclick: () => (setLanguage(name), onlanguage()),
      },
      label,
    );
  return [
    h(
      "a",
      { class: "brand", href: "#/" },
      h("span", { class: "latin" }, "Kanzen"),
      h("span", { class: "kanji", lang: "ja" }, "完全"),
    ),
    select,
    tabs,
    h(
      "div",
      { class: "choices languages", role: "group", "aria-label": t("language") },
      speak("en", "EN"),
      speak("ja", "日本語"),
    ),
    h(
      "button",
      { type: "button", class: "tool", "aria-label": t("theme"), title: t("theme"), onclick: switchTheme },
      icon("sun"),
    ),
  ];
}
