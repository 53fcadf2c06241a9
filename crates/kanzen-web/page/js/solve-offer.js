// The panel of an unsolved game: the cost of a solve, and a button to start it if allowed.

import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { panel } from "./panels.js";
import { bytes, count, refusalWords, stageWords, t, time } from "./words.js";

/** Polling intervals in milliseconds: during a solve, and otherwise. */
const PAUSE = 400;
const NOW_AND_THEN = 2500;

/** The panel beside the board. Calls `onsolved` when the game becomes solved. */
export class SolveOffer {
  constructor(card, progress, onsolved) {
    Object.assign(this, { card, progress, onsolved });
    this.element = h("div", { class: "offer" });
    this.confirming = false;
    this.follow();
  }

  /** Polls and shows the status: another window may start a solve. */
  follow() {
    clearTimeout(this.timer);
    if (this.left) return;
    if (this.progress.state === "solved") {
      this.onsolved();
      return;
    }
    this.render();
    const pause = this.progress.state === "running" ? PAUSE : NOW_AND_THEN;
    this.timer = setTimeout(() => this.look(), pause);
  }

  async look() {
    if (!document.hidden) {
      const before = this.progress;
      this.progress = await api.progress(this.card.id).catch(() => before);
      // An error stays visible until the next action.
      if (before.state === "failed" && this.progress.state === "unsolved") this.progress = before;
    }
    this.follow();
  }

  async order(question) {
    this.confirming = false;
    try {
      this.progress = await question(this.card.id);
    } catch (refusal) {
      this.progress = { ...this.progress, state: "failed", error: refusalWords(refusal) };
    }
    this.follow();
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
  }

  render() {
    const { positions } = this.card;
    renew(
      this.element,
      panel(
        t("unsolvedTitle"),
        "unsolved",
        h("p", {}, t("playAnyway")),
        positions !== null && h("p", { class: "quiet" }, t("positions", { number: count(positions) })),
        h("p", { class: "cost" }, costWords(this.progress.forecast)),
        this.action(),
      ),
    );
  }

  action() {
    const { state, allowed, command, error } = this.progress;
    if (state === "running") return this.running();
    const problem = state === "failed" && h("p", { class: "problem", role: "alert" }, t("failed", { error }));
    if (!allowed) {
      return [problem, h("p", {}, t("howTo")), h("pre", { class: "command", tabindex: 0 }, command)];
    }
    const button = (name, words, work, more = {}) =>
      h("button", { type: "button", "data-act": name, onclick: work, ...more }, words);
    const ask = (confirming) => () => {
      this.confirming = confirming;
      this.render();
    };
    if (!this.confirming)
      return [problem, button("solve", t("solveNow"), ask(true), { class: "primary", "data-solve": true })];
    return h(
      "div",
      { class: "confirm", role: "group", "aria-label": t("solveNow") },
      h("p", {}, t("confirmSolve")),
      h(
        "div",
        { class: "row" },
        button("solve", t("start"), () => this.order(api.solve), { class: "primary", "data-confirm": true }),
        button("cancel", t("cancel"), ask(false)),
      ),
    );
  }

  /** Returns one progress bar over all stages, if the solver reports a total. */
  running() {
    const { stage, level, done, total, share, seconds, left } = this.progress;
    const known = share ?? (total ? Math.min(1, done / total) : null);
    const bar = h("progress", { "aria-label": t("solving"), max: 1 });
    if (known !== null) bar.value = known;
    const words = [
      known === null ? count(done) : `${Math.floor(100 * known)}%`,
      left !== null && t("left", { time: time(left) }),
      stage && stageWords(stage),
      level !== null && t("level", { level }),
      t("elapsed", { time: time(seconds) }),
    ];
    return h(
      "div",
      { class: "solving" },
      h("strong", { role: "status" }, t("solving")),
      bar,
      h("p", { class: "quiet" }, words.filter(Boolean).join(" · ")),
      h("button", { type: "button", "data-act": "stop", onclick: () => this.order(api.cancel) }, t("stopSolve")),
    );
  }
}

/** Describes the forecast cost of a solve, or that it is unknown. */
export function costWords(forecast) {
  if (!forecast) return t("costUnknown");
  return t("cost", {
    time: time(forecast.seconds),
    memory: bytes(forecast.memory_bytes),
    disk: bytes(forecast.data_bytes),
  });
}
