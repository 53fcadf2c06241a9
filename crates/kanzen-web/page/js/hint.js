// A hint in three steps: the value, the piece, the move.

import { steps } from "./notation.js";
import { long } from "./values.js";
import { t } from "./words.js";

export class Hint {
  constructor() {
    this.step = 0;
    this.moment = null;
  }

  /** Resets the hint for a new position. */
  follow(moment) {
    if (moment === this.moment) return;
    this.moment = moment;
    this.step = 0;
  }

  /** Reveals the next step; after the last one, hides the hint. */
  next() {
    this.step = (this.step + 1) % 4;
  }

  /** The revealed steps. */
  words({ probe }) {
    const [best] = probe.moves;
    if (this.step === 1) return t("hintValue", { value: long(probe) });
    return this.step === 2 ? t("hintPiece") : t("hintMove", { move: best.move });
  }

  /** The marks on the board: the first click, then all clicks. */
  marked(view, { probe, mover, position }) {
    if (this.step < 2 || !probe?.moves?.length) return [];
    const clicks = steps(view, mover, probe.moves[0].move, position) ?? [];
    return this.step === 2 ? clicks.slice(0, 1) : clicks;
  }
}
