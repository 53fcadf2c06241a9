// A hint in steps: what the position is worth, with which piece, by which move.

import { steps } from "./notation.js";
import { long } from "./values.js";
import { t } from "./words.js";

export class Hint {
  constructor() {
    this.step = 0;
    this.moment = null;
  }

  /** Another position needs no hint yet. */
  follow(moment) {
    if (moment === this.moment) return;
    this.moment = moment;
    this.step = 0;
  }

  /** One step more; after the last one nothing is told again. */
  next() {
    this.step = (this.step + 1) % 4;
  }

  /** What is told so far. */
  words({ probe }) {
    const [best] = probe.moves;
    if (this.step === 1) return t("hintValue", { value: long(probe) });
    return this.step === 2 ? t("hintPiece") : t("hintMove", { move: best.move });
  }

  /** What is marked on the board: the first thing to click, then all of them. */
  marked(view, { probe, mover, position }) {
    if (this.step < 2 || !probe?.moves?.length) return [];
    const clicks = steps(view, mover, probe.moves[0].move, position) ?? [];
    return this.step === 2 ? clicks.slice(0, 1) : clicks;
  }
}
