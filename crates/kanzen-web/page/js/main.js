// From the address to a page.

import * as address from "./address.js";
import * as api from "./api.js";
import { boardPage } from "./board-page.js";
import { h } from "./dom.js";
import { header } from "./header.js";
import { homePage } from "./home-page.js";
import { statsPage } from "./stats-page.js";
import { unsolvedPage } from "./unsolved-page.js";
import { gameWords, language, t } from "./words.js";

const head = document.getElementById("header");
const main = document.getElementById("main");
let page = null;
let games = [];
let turn = 0;
const views = new Map();

/** Shows what the address asks for. */
async function show() {
  const mine = (turn += 1);
  const asked = address.read();
  document.body.dataset.ready = "no";
  try {
    games = await api.games();
    if (asked.game && !games.some((game) => game.id === asked.game)) games = [...games, await unlisted(asked.game)];
    const made = await make(asked);
    if (mine !== turn) return;
    page?.leave();
    page = made;
    main.replaceChildren(page.element);
  } catch (refusal) {
    if (mine !== turn) return;
    page?.leave();
    page = null;
    const text = refusal.status === 404 ? t("unknownGame") : refusal.status === 0 ? t("offline") : refusal.message;
    main.replaceChildren(
      h(
        "div",
        { class: "lost" },
        h("h1", {}, "Kanzen"),
        h("p", { role: "alert" }, text),
        h("p", {}, h("a", { href: "#/" }, t("home"))),
      ),
    );
    if (!refusal.status && refusal.status !== 0) console.error(refusal);
  }
  showHeader();
  document.body.dataset.ready = "yes";
}

/** A member of an endless family that the list does not name. */
async function unlisted(id) {
  const { title, rules } = await api.view(id);
  const solved = (await api.progress(id)).state === "solved";
  return { id, title, rules, solved, positions: null, forecast: { seconds: 1, memory_bytes: 0, data_bytes: 0 } };
}

async function make(asked) {
  if (!asked.game) return homePage(games);
  const card = games.find((game) => game.id === asked.game);
  views.set(card.id, (await api.view(card.id)).view);
  if (!card.solved) return unsolvedPage(card, show);
  return asked.page === "statistics" ? statsPage(card) : boardPage(card, asked);
}

function showHeader() {
  const titles = (game) => gameWords({ ...game, view: views.get(game.id) }).title;
  const onlanguage = () => {
    page?.reword();
    showHeader();
  };
  head.replaceChildren(...header({ games, asked: address.read(), titles, onlanguage }));
  if (language() === "ja") translateTitles();
}

/** Japanese titles come with the views, so all of those are asked for, once. */
async function translateTitles() {
  const missing = games.filter((game) => !views.has(game.id));
  if (!missing.length) return;
  const known = await Promise.allSettled(missing.map((game) => api.view(game.id)));
  known.forEach((answer, at) => views.set(missing[at].id, answer.value?.view));
  showHeader();
}

window.addEventListener("hashchange", show);
document.addEventListener("keydown", (event) => {
  const free = event.target === document.body || event.target === main;
  if (!free || event.altKey || event.ctrlKey || event.metaKey || !page?.undo) return;
  if (event.key === "ArrowLeft") page.undo();
  if (event.key === "ArrowRight") page.redo();
});
show();
