// The state of a game: its positions, the current one, and the result.

import * as api from "./api.js";
import { sideOf } from "./notation.js";

/** The outcome of a move: played, rejected because another move is pending, or obsolete. */
export const PLAYED = "played";
export const BUSY = "busy";
export const DROPPED = "dropped";

/** The longest game that the server takes in one request. */
const MOST_MOVES = 999;

export class Session {
  /** `solved`: whether values are available, or only the rules. */
  constructor(game, view, initial, solved) {
    this.game = game;
    this.solved = solved;
    this.view = view;
    this.initial = initial;
    this.moments = [];
    this.at = 0;
    /** A counter of games and jumps: drops responses that belong to an earlier state. */
    this.turn = 0;
    this.pending = false;
    /** The side that wins endless play, null for a draw, undefined until fetched. */
    this.endless = undefined;
  }

  get now() {
    return this.moments[this.at];
  }

  /** Whether positions include the side to move. */
  get namesSides() {
    return this.view.sides.every((side) => side.letter !== "") && this.view.notation.turn === "letter";
  }

  /** Starts from a position. On an error the state does not change. */
  async start(position = this.initial, side = 0, known = new Map()) {
    const turn = (this.turn += 1);
    this.pending = false;
    const probe = known.get(position) ?? (await this.ask(position));
    if (turn !== this.turn) return DROPPED;
    this.moments = [{ position: probe.position, probe, move: null, mover: this.moverOf(probe, side) }];
    this.at = 0;
    return PLAYED;
  }

  /** Loads a whole game: its start, moves and current ply. Returns the first illegal move. */
  async load({ position, side, moves = [], at }) {
    const turn = (this.turn += 1);
    const known = await this.fetchGame(position ?? this.initial, moves);
    if (turn !== this.turn) return undefined;
    const started = await this.start(position, side, known);
    for (const move of started === PLAYED ? moves : []) {
      if (!this.now.probe.moves.some((choice) => choice.move === move)) return move;
      if ((await this.play(move, known)) !== PLAYED) return undefined;
    }
    if (at !== undefined && started === PLAYED) this.goTo(at);
    return undefined;
  }

  /** Fetches the probes of a game at once, by position. What is missing is fetched move by move. */
  async fetchGame(position, moves) {
    const known = new Map();
    if (!this.solved || !api.served || moves.length === 0) return known;
    const { positions } = await api.played(this.game, { position, moves: moves.slice(0, MOST_MOVES) });
    known.set(position, positions[0]);
    for (const probe of positions) known.set(probe.position, probe);
    return known;
  }

  /** Fetches a position and its moves. An unsolved game has no values, except for a finished game. */
  async ask(position) {
    if (this.solved) return api.probe(this.game, position);
    const { ended, endless, ...moment } = await api.moves(this.game, position);
    return { ...moment, value: ended, distance: null };
  }

  moverOf(probe, otherwise) {
    return sideOf(this.view, probe.to_move) ?? otherwise;
  }

  /** Plays a move in the current position and drops the moves after it. `known` has probes that need not be fetched. */
  async play(move, known) {
    if (this.pending) return BUSY;
    const choice = this.now.probe.moves.find((one) => one.move === move);
    if (!choice || this.end) return DROPPED;
    const [turn, from, { mover }] = [this.turn, this.at, this.now];
    if (this.moments[from + 1]?.move === move) {
      this.at += 1;
      return PLAYED;
    }
    this.pending = true;
    try {
      const probe = known?.get(choice.position) ?? (await this.ask(choice.position));
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

  /** Counts the occurrences of a position up to a ply. */
  seen({ position, mover }, last) {
    const key = this.board(position);
    const same = (one) => one.mover === mover && this.board(one.position) === key;
    return this.moments.slice(0, last + 1).filter(same).length;
  }

  /** Returns a position without its history: repetition compares boards. */
  board(position) {
    const { history } = this.view.notation;
    return history ? position.split(history)[0] : position;
  }

  /** Counts the occurrences of the current position, including this one. */
  get repeats() {
    return this.seen(this.now, this.at);
  }

  /** Whether to offer a draw by repetition. */
  get drawOffered() {
    return this.endless === null && this.repeats >= 3 && !this.end;
  }

  /** Ends the game as a draw by agreement. */
  agree() {
    this.now.agreed = true;
  }

  /** The result at the current position: `winner` (null for a draw) and `reason`; null during the game. */
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

  /** Whether a text is the current position with that side to move, regardless of its history. */
  shows(text, mover) {
    return this.board(text.trim()) === this.board(this.now.position) && (this.namesSides || mover === this.now.mover);
  }

  /** All moves so far. */
  get moves() {
    return this.moments.slice(1).map(({ move }) => move);
  }
}
