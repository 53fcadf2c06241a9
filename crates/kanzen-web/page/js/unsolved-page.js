// A game without a database: what it would cost, and if the server may, its solving.

import * as api from "./api.js";
import { h } from "./dom.js";
import { draw } from "./picture.js";
import { bytes, count, gameWords, t, time } from "./words.js";

const PAUSE = 400;

/** The page of a game that is not solved; `onsolved` is told when that changes. */
export async function unsolvedPage(card, onsolved) {
  const [known, first] = await Promise.all([api.view(card.id), api.progress(card.id)]);
  const page = { element: h("div", { class: "unsolved" }), timer: 0 };
  let progress = first;
  const render = () => {
    const { title, rules } = gameWords({ ...card, view: known.view });
    document.title = `${title} · Kanzen`;
    const board =
      known.view.ground !== "text" &&
      h(
        "div",
        { class: "board-frame still" },
        draw(known.view, known.initial, { label: t("boardLabel", { title }) }).svg,
      );
    const { forecast } = card;
    const cost = t("cost", {
      time: time(forecast.seconds),
      memory: bytes(forecast.memory_bytes),
      disk: bytes(forecast.data_bytes),
    });
    const positions =
      card.positions !== null && h("p", { class: "quiet" }, t("positions", { number: count(card.positions) }));
    const about = h(
      "div",
      { class: "panel" },
      h("h2", {}, t("unsolvedTitle")),
      h("p", {}, rules),
      positions,
      h("p", {}, cost),
      action(progress),
    );
    page.element.replaceChildren(
      h("div", { class: "heading" }, h("h1", {}, title), h("code", { class: "id" }, card.id)),
      h("div", { class: "columns" }, h("div", { class: "left" }, board), h("div", { class: "right" }, about)),
    );
  };
  const action = ({ state, allowed, error }) => {
    if (state === "running") return running(progress);
    const problem = state === "failed" && h("p", { class: "problem", role: "alert" }, t("failed", { error }));
    if (!allowed)
      return [problem, h("p", {}, t("howTo")), h("pre", { class: "command", tabindex: 0 }, `kanzen solve ${card.id}`)];
    return [
      problem,
      h("button", { type: "button", class: "primary", "data-solve": true, onclick: start }, t("solveNow")),
    ];
  };
  const start = async () => {
    try {
      progress = await api.solve(card.id);
    } catch (refusal) {
      progress = { ...progress, state: "failed", error: refusal.message };
    }
    follow();
  };
  const follow = () => {
    clearTimeout(page.timer);
    if (progress.state === "solved") return onsolved();
    render();
    if (progress.state === "running") page.timer = setTimeout(look, PAUSE);
  };
  const look = async () => {
    progress = await api.progress(card.id).catch(() => progress);
    follow();
  };
  page.reword = render;
  page.leave = () => clearTimeout(page.timer);
  follow();
  return page;
}

function running({ stage, level, done, total, seconds }) {
  const bar = h("progress", { "aria-label": t("solving"), max: total ?? 1 });
  if (total) bar.value = Math.min(done, total);
  const words = [
    stage && t("stage", { stage }),
    level !== null && t("level", { level }),
    total ? `${Math.floor((100 * done) / total)}%` : count(done),
    t("elapsed", { time: time(seconds) }),
  ];
  return h(
    "div",
    { class: "solving", role: "status" },
    h("strong", {}, t("solving")),
    bar,
    h("p", { class: "quiet" }, words.filter(Boolean).join(" · ")),
  );
}
