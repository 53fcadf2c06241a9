// A question that could not be answered now: what is the matter, and a button to ask again.

import { h, refuge, renew } from "./dom.js";
import { refusalWords, t } from "./words.js";

/** Seconds between questions to a server that does not answer: each time twice as many. */
const FIRST = 2;
const LONGEST = 30;

export class Trouble {
  constructor() {
    this.element = h("div", { class: "trouble", role: "alert", hidden: true });
    this.wait = FIRST;
  }

  /** Tells of a refusal; `again` asks once more. A server that is gone is asked again by itself. */
  tell(refusal, again) {
    clearTimeout(this.timer);
    this.told = { refusal, again };
    this.reword();
    if (refusal.status !== 0) return;
    this.timer = setTimeout(() => this.retry(), 1000 * this.wait);
    this.wait = Math.min(2 * this.wait, LONGEST);
  }

  retry() {
    const { again } = this.told ?? {};
    clearTimeout(this.timer);
    again?.();
  }

  reword() {
    if (!this.told) return;
    const retry = { type: "button", "data-act": "retry", onclick: () => this.retry() };
    this.element.hidden = false;
    renew(this.element, h("p", {}, refusalWords(this.told.refusal)), h("button", retry, t("retry")));
  }

  clear() {
    clearTimeout(this.timer);
    this.told = null;
    this.wait = FIRST;
    if (this.element.contains(document.activeElement)) refuge()?.focus({ preventScroll: true });
    this.element.hidden = true;
    this.element.replaceChildren();
  }
}
