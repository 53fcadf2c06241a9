// A game on the board: the positions so far, which of them is shown, and how it ended.

import * as api from "./api.js";
import { sideOf } from "./notation.js";

/** What became of a move: it was played, another one is on its way, or nobody waits for it any more. */
export const PLAYED = "played";
export const BUSY = "busy";
export const DROPPED = "dropped";

export class Session {
  /** `solved` tells whether there are values to ask for, or the rules alone. */
  constructor(game, view, initial, solved) {
    this.game = game;
    this.solved = solved;
    this.view = view;
    this.initial = initial;
    this.moments = [];
    this.at = 0;
    /** Counts games and jumps: an answer that belongs to an earlier one is dropped. */
    this.turn = 0;
    this.pending = false;
    /** The side that wins endless play, null if nobody does; not known before it is asked for. */
    this.endless = undefined;
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
    const turn = (this.turn += 1);
    this.pending = false;
    const probe = await this.ask(position);
    if (turn !== this.turn) return DROPPED;
    this.moments = [{ position: probe.position, probe, move: null, mover: this.moverOf(probe, side) }];
    this.at = 0;
    return PLAYED;
  }

  /** A whole game: where it began, its moves and the ply that is shown. Tells the first move that is none. */
  async load({ position, side, moves = [], at }) {
    const started = await this.start(position, side);
    for (const move of started === PLAYED ? moves : []) {
      if (!this.now.probe.moves.some((known) => known.move === move)) return move;
      if ((await this.play(move)) !== PLAYED) return undefined;
    }
    if (at !== undefined && started === PLAYED) this.goTo(at);
    return undefined;
  }

  /** A position and its moves; without values, except that of a finished game, where the game is not solved. */
  async ask(position) {
    if (this.solved) return api.probe(this.game, position);
    const { ended, endless, ...told } = await api.moves(this.game, position);
    return { ...told, value: ended, distance: null };
  }

  moverOf(probe, otherwise) {
    return sideOf(this.view, probe.to_move) ?? otherwise;
  }

  /** Plays a move of the position shown; what was played after it before is forgotten. */
  async play(move) {
    if (this.pending) return BUSY;
    const choice = this.now.probe.moves.find((known) => known.move === move);
    if (!choice || this.end) return DROPPED;
    const [turn, from, { mover }] = [this.turn, this.at, this.now];
    if (this.moments[from + 1]?.move === move) {
      this.at += 1;
      return PLAYED;
    }
    this.pending = true;
    try {
      const probe = await this.ask(choice.position);
      const moment = { position: probe.position, probe, move, mover: this.moverOf(probe, 1 - mover) };
      if (this.seen(moment, from) && this.endless === undefined) await this.learnEndless(moment);
      if (turn !== this.turn) return DROPPED;
      this.moments = [...this.moments.slice(0, from + 1), moment];
      this.at = from + 1;
      return PLAYED;
    } finally {
      if (turn === this.turn) this.pending = false;
    }
  }

  async learnEndless({ position, mover }) {
    const { endless } = await api.moves(this.game, position);
    this.endless = endless === "draw" ? null : endless === "win" ? mover : 1 - mover;
  }

  goTo(at) {
    this.turn += 1;
    this.pending = false;
    this.at = Math.max(0, Math.min(at, this.moments.length - 1));
  }

  /** How often the position of a moment was there up to some ply. */
  seen({ position, mover }, last) {
    const key = this.board(position);
    const same = (one) => one.mover === mover && this.board(one.position) === key;
    return this.moments.slice(0, last + 1).filter(same).length;
  }

  /** A position without the record of earlier play: what repeats is the board. */
  board(position) {
    const { history } = this.view.notation;
    return history ? position.split(history)[0] : position;
  }

  /** How often the position shown has been there, this time included. */
  get repeats() {
    return this.seen(this.now, this.at);
  }

  /** Whether a draw by repetition is to be offered. */
  get drawOffered() {
    return this.endless === null && this.repeats >= 3 && !this.end;
  }

  /** Both sides take the draw. */
  agree() {
    this.now.agreed = true;
  }

  /** How the game ended at the position shown: `winner` (null for a draw) and `reason`; null while it goes on. */
  get end() {
    const { probe, mover, agreed } = this.now;
    if (probe.moves.length === 0) {
      const winner = probe.value === "draw" ? null : probe.value === "win" ? mover : 1 - mover;
      return { winner, reason: "rules", score: probe.score };
    }
    if (this.endless !== undefined && this.endless !== null && this.repeats >= 2)
      return { winner: this.endless, reason: "repeated" };
    return agreed ? { winner: null, reason: "agreed" } : null;
  }

  get over() {
    return this.end !== null;
  }

  /** Whether a text is the position shown, with that side to move; what it was before does not matter. */
  shows(text, mover) {
    return this.board(text.trim()) === this.board(this.now.position) && (this.namesSides || mover === this.now.mover);
  }

  /** The moves so far, all of them. */
  get moves() {
    return this.moments.slice(1).map(({ move }) => move);
  }
}
