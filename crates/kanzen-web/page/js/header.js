// The page header: game selection, navigation, language and theme.

import * as address from "./address.js";
import { h, icon } from "./dom.js";
import { switchTheme } from "./settings.js";
import { language, setLanguage, t } from "./words.js";

/** Creates the header. `titles` maps game ids to titles. */
export function header({ games, route, titles, onlanguage }) {
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
  select.value = route.game;
  const current = games.find((game) => game.id === route.game);
  const tab = (page) => {
    const current = route.page === page && "page";
    // The link to the board restores its last state, read when the link is followed.
    const follow = (event) => page === "board" && (event.currentTarget.href = address.boardOf(route.game));
    const href = page === "board" ? address.boardOf(route.game) : address.write({ game: route.game, page });
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
