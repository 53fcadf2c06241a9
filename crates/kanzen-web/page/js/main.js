// Entry point: routes the URL fragment to a page.

import * as address from "./address.js";
import * as api from "./api.js";
import { boardPage } from "./board-page.js";
import { h, renew } from "./dom.js";
import { header } from "./header.js";
import { Trouble } from "./trouble.js";
import { gameWords, language, refusalWords, t } from "./words.js";

const head = document.getElementById("header");
const main = document.getElementById("main");
let page = null;
let games = [];
let turn = 0;
let shown = "";
const views = new Map();
const trouble = new Trouble();

/** Shows the page of the current URL. */
async function show() {
  const mine = (turn += 1);
  const route = address.read();
  const place = `${route.family}/${route.game}/${route.page}`;
  document.body.dataset.ready = "no";
  main.setAttribute("aria-busy", "true");
  if (!page) main.replaceChildren(h("p", { class: "loading" }, t("loading")));
  try {
    games = await api.games();
    if (route.game && !games.some((game) => game.id === route.game)) games = [...games, await unlisted(route.game)];
    const made = await make(route);
    if (mine !== turn) {
      made.leave();
      return;
    }
    replace(made, made.element);
    trouble.clear();
  } catch (refusal) {
    if (mine !== turn) return;
    replace(null, lost(refusal));
    if (!refusal.status && refusal.status !== 0) console.error(refusal);
  }
  main.removeAttribute("aria-busy");
  // Scrolls to the top for a new page only.
  if (shown && place !== shown) scrollTo(0, 0);
  shown = place;
  showHeader();
  document.body.dataset.ready = "yes";
}

/** Replaces the page. Moves the focus from the old page to the new one. */
function replace(next, element) {
  page?.leave();
  page = next;
  const inside = main.contains(document.activeElement);
  main.replaceChildren(element);
  if (inside) main.focus({ preventScroll: true });
}

/** Creates the error page, with links and a retry button. */
function lost(refusal) {
  const text = refusal.status === 404 ? t("unknownGame") : refusalWords(refusal);
  if (refusal.passing) trouble.show(refusal, show);
  // If the URL is already that of the home page, a plain link would do nothing.
  const home = h("a", { href: "#/", onclick: () => location.hash === "#/" && show() }, t("home"));
  const words = refusal.passing ? trouble.element : h("p", { role: "alert" }, text);
  return h("div", { class: "lost" }, h("h1", {}, "Kanzen"), words, h("p", {}, home));
}

/** Returns a game of a parametric family that is not in the list, with its cost from the server. */
async function unlisted(id) {
  const [{ title, rules }, progress] = await Promise.all([api.view(id), api.progress(id)]);
  const { state, positions, forecast } = progress;
  return { id, title, rules, solved: state === "solved", positions, forecast };
}

async function make(route) {
  if (route.family) return (await import("./family-page.js")).familyPage(games, route.family);
  if (!route.game) return (await import("./home-page.js")).homePage(games);
  const card = games.find((game) => game.id === route.game);
  views.set(card.id, (await api.view(card.id)).view);
  if (route.page === "rules") return (await import("./rules-page.js")).rulesPage(card);
  if (card.solved && route.page === "statistics") return (await import("./stats-page.js")).statsPage(card);
  if (card.solved && route.page === "puzzles") return (await import("./puzzle-page.js")).puzzlePage(card, route);
  return boardPage(card, route, show);
}

function showHeader() {
  const titles = (game) => gameWords({ ...game, view: views.get(game.id) }).title;
  const onlanguage = () => {
    page?.reword();
    trouble.reword();
    showHeader();
  };
  renew(head, header({ games, route: address.read(), titles, onlanguage }));
  if (language() === "ja") translateTitles();
}

/** Fetches all views once: they contain the Japanese titles. */
async function translateTitles() {
  const missing = games.filter((game) => !views.has(game.id));
  if (!missing.length) return;
  const known = await Promise.allSettled(missing.map((game) => api.view(game.id)));
  known.forEach((answer, at) => views.set(missing[at].id, answer.value?.view));
  showHeader();
}

window.addEventListener("hashchange", show);
window.addEventListener("online", () => trouble.retry());
document.addEventListener("keydown", (event) => {
  const free = event.target === document.body || event.target === main;
  if (!free || event.altKey || event.ctrlKey || event.metaKey || !page?.undo) return;
  if (event.key === "ArrowLeft") page.undo();
  if (event.key === "ArrowRight") page.redo();
});
show();
