// A game on the board: the positions so far, and which of them is shown.

import * as api from "./api.js";
import { sideOf } from "./notation.js";

export class Session {
  constructor(game, view, initial) {
    this.game = game;
    this.view = view;
    this.initial = initial;
    this.moments = [];
    this.at = 0;
  }

  get now() {
    return this.moments[this.at];
  }

  /** Whether positions tell whose turn it is. */
  get namesSides() {
    return this.view.sides.every((side) => side.letter !== "") && this.view.notation.turn === "letter";
  }

  /** Starts from a position. Nothing changes if the server refuses it. */
  async start(position = this.initial, side = 0) {
    const probe = await api.probe(this.game, position);
    this.moments = [{ position: probe.position, probe, move: null, mover: this.moverOf(probe, side) }];
    this.at = 0;
  }

  moverOf(probe, otherwise) {
    return sideOf(this.view, probe.to_move) ?? otherwise;
  }

  /** Plays a move of the position shown; what was played after it before is forgotten. */
  async play(move) {
    const choice = this.now.probe.moves.find((known) => known.move === move);
    if (!choice) return;
    const known = this.moments[this.at + 1];
    if (known?.move === move) {
      this.at += 1;
      return;
    }
    const from = this.at;
    const probe = await api.probe(this.game, choice.position);
    if (this.at !== from) return;
    const mover = this.moverOf(probe, 1 - this.now.mover);
    this.moments = [...this.moments.slice(0, from + 1), { position: probe.position, probe, move, mover }];
    this.at = from + 1;
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(at, this.moments.length - 1));
  }

  get over() {
    return this.now.probe.moves.length === 0;
  }
}
