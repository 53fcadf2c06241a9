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
      onchange: (event) => (location.hash = event.target.value ? address.boardOf(event.target.value) : "#/"),
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
  const tab = (page) => {
    const current = asked.page === page && "page";
    // The way back to the board leads to the game that was on it, as it is when the link is followed.
    const follow = (event) => page === "board" && (event.currentTarget.href = address.boardOf(asked.game));
    const href = page === "board" ? address.boardOf(asked.game) : address.write({ game: asked.game, page });
    return h("a", { href, "aria-current": current, "data-nav": page, onclick: follow }, t(page));
  };
  const pages = current?.solved ? ["board", "statistics", "puzzles", "rules"] : ["board", "rules"];
  const tabs = current
    ? h("nav", { class: "tabs", "aria-label": t("pages") }, pages.map(tab))
    : h("span", { class: "tabs" });
  const speak = (name, label) =>
    h(
      "button",
      {
        type: "button",
        lang: name,
        "data-nav": name,
        "aria-pressed": String(language() === name),
        onclick: () => (setLanguage(name), onlanguage()),
      },
      label,
    );
  return [
    h(
      "a",
      { class: "brand", href: "#/", "data-nav": "home" },
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
      {
        type: "button",
        class: "tool",
        "aria-label": t("theme"),
        title: t("theme"),
        "data-nav": "theme",
        onclick: switchTheme,
      },
      icon("sun"),
    ),
  ];
}
