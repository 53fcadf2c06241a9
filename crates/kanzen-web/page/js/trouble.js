// The error banner for temporary failures, with a retry button and automatic retries.

import { h, refuge, renew } from "./dom.js";
import { refusalWords, t } from "./words.js";

/** Initial and maximum retry delay in seconds (exponential back-off). */
const FIRST = 2;
const LONGEST = 30;

export class Trouble {
  constructor() {
    this.element = h("div", { class: "trouble", role: "alert", hidden: true });
    this.wait = FIRST;
  }

  /** Shows an error; `again` retries. Retries automatically if there was no response. */
  show(refusal, again) {
    clearTimeout(this.timer);
    this.current = { refusal, again };
    this.reword();
    if (refusal.status !== 0) return;
    this.timer = setTimeout(() => this.retry(), 1000 * this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST);
  }

  retry() {
    const { again } = this.current ?? {};
    clearTimeout(this.timer);
    again?.();
  }

  reword() {
    if (!this.current) return;
    const retry = { type: "button", "data-act": "retry", onclick: () => this.retry() };
    this.element.hidden = false;
    renew(this.element, h("p", {}, refusalWords(this.current.refusal)), h("button", retry, t("retry")));
  }

  clear() {
    clearTimeout(this.timer);
    this.current = null;
    this.wait = FIRST;
    if (this.element.contains(document.activeElement)) refuge()?.focus({ preventScroll: true });
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
