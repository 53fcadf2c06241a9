// A game that is not solved: what it would cost, and, where that is allowed, solving it.

import * as api from "./api.js";
import { h } from "./dom.js";
import { panel } from "./panels.js";
import { bytes, count, t, time } from "./words.js";

const PAUSE = 400;

/** What stands beside the board of a game that is not solved; `onsolved` is told when that changes. */
export class SolveOffer {
  constructor(card, progress, onsolved) {
    Object.assign(this, { card, progress, onsolved });
    this.element = h("div", { class: "offer" });
    this.follow();
  }

  /** Shows how things are; asks again while the game is being solved. */
  follow() {
    clearTimeout(this.timer);
    if (this.progress.state === "solved") {
      this.onsolved();
      return;
    }
    this.render();
    if (this.progress.state === "running") this.timer = setTimeout(() => this.look(), PAUSE);
  }

  async look() {
    this.progress = await api.progress(this.card.id).catch(() => this.progress);
    if (!this.left) this.follow();
  }

  async start() {
    try {
      this.progress = await api.solve(this.card.id);
    } catch (refusal) {
      this.progress = { ...this.progress, state: "failed", error: refusal.message };
    }
    if (!this.left) this.follow();
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
  }

  render() {
    const { forecast, positions } = this.card;
    const cost = t("cost", {
      time: time(forecast.seconds),
      memory: bytes(forecast.memory_bytes),
      disk: bytes(forecast.data_bytes),
    });
    this.element.replaceChildren(
      panel(
        t("unsolvedTitle"),
        "unsolved",
        h("p", {}, t("playAnyway")),
        positions !== null && h("p", { class: "quiet" }, t("positions", { number: count(positions) })),
        h("p", {}, cost),
        this.action(),
      ),
    );
  }

  action() {
    const { state, allowed, command, error } = this.progress;
    if (state === "running") return running(this.progress);
    const problem = state === "failed" && h("p", { class: "problem", role: "alert" }, t("failed", { error }));
    if (!allowed) {
      return [problem, h("p", {}, t("howTo")), h("pre", { class: "command", tabindex: 0 }, command)];
    }
    const button = { type: "button", class: "primary", "data-solve": true, onclick: () => this.start() };
    return [problem, h("button", button, t("solveNow"))];
  }
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
