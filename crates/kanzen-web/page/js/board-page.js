// The board page of a game: board, toolbar and panels. The panels are created once and re-rendered on change.

import * as address from "./address.js";
import * as api from "./api.js";
import { banned } from "./ban.js";
import { Board } from "./board.js";
import { graphPanel } from "./course.js";
import { h, renew, toast } from "./dom.js";
import { Editor } from "./editor.js";
import { Hint } from "./hint.js";
import { steps } from "./notation.js";
import { notationField } from "./notation-field.js";
import { opponentChoice, think } from "./opponent.js";
import { linePanel, movesPanel, panel } from "./panels.js";
import { recordPanel, showCurrent } from "./record.js";
import { BUSY, Session } from "./session.js";
import { SolveOffer } from "./solve-offer.js";
import { hintsShown } from "./settings.js";
import { statusLine } from "./status.js";
import { toolbar } from "./toolbar.js";
import { Trouble } from "./trouble.js";
import { gameWords, refusalWords, t } from "./words.js";

export class BoardPage {
  /** For an unsolved game, `offer` is the panel that solves it. */
  constructor(card, known, offer) {
    this.offer = offer;
    this.card = { ...card, view: known.view };
    this.words = gameWords(this.card);
    this.session = new Session(card.id, known.view, known.initial, card.solved);
    this.human = "both";
    this.style = undefined;
    this.flipped = false;
    this.editor = null;
    this.hint = new Hint();
    this.trouble = new Trouble();
    this.board = new Board({
      title: this.words.title,
      onmove: (move) => this.play(move),
      onedit: (place) => this.editor.click(place),
      onrefused: () => toast(t("oneAtATime")),
    });
    this.parts = {
      heading: h("div", { class: "heading" }),
      status: h("p", { class: "status", role: "status" }),
      tools: h("div", { class: "toolbar" }),
      notation: h("div", { class: "notation-box" }),
      beside: h("div", { class: "beside" }),
      rules: h("div", { class: "rules-box" }),
    };
    const { heading, status, tools, notation, beside, rules } = this.parts;
    const left = h("div", { class: "left" }, status, this.board.element, tools, this.trouble.element, notation);
    const right = h("div", { class: "right" }, beside, rules);
    this.element = h("div", { class: "play" }, heading, h("div", { class: "columns" }, left, right));
  }

  /** Shows the game of a URL. Reports errors in it and keeps its valid part. */
  async open(route) {
    if (this.session.solved) this.human = route.human;
    this.style = route.style;
    if (this.session.view.flips) this.flipped = this.human === 1;
    try {
      const wrong = await this.session.load(route);
      if (wrong) toast(t("badMove", { move: wrong }));
    } catch (refusal) {
      if (refusal.status !== 400) throw refusal;
      toast(t("badPosition", { error: refusalWords(refusal) }));
      await this.session.start();
    }
    this.render();
  }

  /** Re-renders in another language. */
  reword() {
    this.words = gameWords(this.card);
    this.board.title = this.words.title;
    this.trouble.reword();
    this.offer?.render();
    this.render();
  }

  async play(move) {
    await this.act(async () => {
      if ((await this.session.play(move)) === BUSY) toast(t("oneAtATime"));
    });
  }

  /** Plays several moves. */
  async playAll(moves) {
    await this.act(async () => {
      for (const move of moves) await this.session.play(move);
    });
  }

  /** Runs an action that queries the server. Shows a temporary error with a retry button. */
  async act(work) {
    const pending = work();
    this.showBusy();
    try {
      await pending;
      this.trouble.clear();
    } catch (refusal) {
      if (this.left) return;
      if (refusal.passing) this.trouble.show(refusal, () => this.act(work));
      else toast(refusalWords(refusal));
    }
    if (!this.left) this.render();
  }

  /** Starts a new game. With `exchange`, swaps sides after a game against Kanzen. */
  restart(exchange = false) {
    if (exchange && this.human !== "both") {
      this.human = 1 - this.human;
      if (this.session.view.flips) this.flipped = this.human === 1;
    }
    return this.act(() => this.session.start());
  }

  jump(at) {
    this.session.goTo(at);
    this.trouble.clear();
    this.render();
  }

  /** Goes back to the user's last choice. */
  undo() {
    const { session } = this;
    let at = session.at - 1;
    while (at > 0 && this.human !== "both" && session.moments[at].mover !== this.human) at -= 1;
    this.jump(at);
  }

  redo() {
    const { session } = this;
    let at = session.at + 1;
    while (at < session.moments.length - 1 && this.human !== "both" && session.moments[at].mover !== this.human)
      at += 1;
    this.jump(at);
  }

  /** Whether values are available and shown. */
  get hints() {
    return this.session.solved && hintsShown();
  }

  get computersTurn() {
    const { session } = this;
    const atEnd = session.at === session.moments.length - 1;
    return this.human !== "both" && !this.editor && atEnd && !session.over && session.now.mover !== this.human;
  }

  /** Whether every move of the position is a single click. */
  get places() {
    const { view, now } = this.session;
    const { moves } = now.probe;
    return moves.length > 0 && moves.every(({ move }) => steps(view, now.mover, move, now.position)?.length === 1);
  }

  get playable() {
    return !this.editor && !this.computersTurn && !this.session.over;
  }

  showBusy() {
    this.board.setBusy(this.session.pending);
    this.element.setAttribute("aria-busy", String(this.session.pending));
  }

  render() {
    const { session, parts, hints, playable, editor } = this;
    const { now, view } = session;
    const last = now.move && { move: now.move, ...this.before() };
    this.hint.follow(now);
    const scene = { view, initial: session.initial, flipped: this.flipped, hints, playable, hint: this.hint };
    this.board.show({ ...scene, moment: editor?.moment ?? now, last, cells: editor?.cells, ban: now.ban });
    this.showBusy();
    renew(parts.heading, h("h1", {}, this.words.title), h("code", { class: "id" }, session.game));
    parts.status.classList.toggle("over", session.over && !editor);
    renew(parts.status, statusLine(this));
    renew(parts.tools, toolbar(this));
    renew(parts.notation, editor ? "" : notationField(this));
    renew(parts.beside, editor ? editor.element : this.panels(hints, playable));
    showCurrent(parts.beside);
    renew(parts.rules, this.rules());
    document.title = `${this.words.title} · Kanzen`;
    if (!editor) this.tellAddress();
    think(this);
    this.findBan();
  }

  before() {
    const { position, mover } = this.session.moments[this.session.at - 1];
    return { position, mover };
  }

  /** Draws a move forbidden by earlier play once it is known. */
  findBan() {
    const { session } = this;
    const { now } = session;
    if (!session.view.notation.history || now.ban !== undefined) return;
    now.ban = null;
    banned(session, now).then(
      (ban) => {
        now.ban = ban;
        if (ban && session.now === now && !this.left && !this.editor) this.render();
      },
      () => {},
    );
  }

  /** Writes the whole game to the URL, so that reload, back and links restore it. */
  tellAddress() {
    const { session, human, style } = this;
    const [{ position, mover }] = session.moments;
    const side = session.namesSides ? 0 : mover;
    const hash = address.write({
      game: session.game,
      position: position === session.initial && side === 0 ? undefined : position,
      side,
      moves: session.moves,
      at: session.at === session.moments.length - 1 ? undefined : session.at,
      human,
      style,
    });
    address.keepBoard(session.game, hash);
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
    this.trouble.clear();
    this.session.turn += 1;
    this.offer?.leave();
  }

  panels(hints, playable) {
    const { session } = this;
    const moves = movesPanel(session, { hints, playable, onmove: (move) => this.play(move) });
    const record = recordPanel(this);
    if (this.offer) return [this.offer.element, moves, record];
    const opponent = opponentChoice(this);
    if (!hints) return [opponent, moves, record, h("p", { class: "quiet note" }, t("valuesHidden"))];
    const line = linePanel(session, { onplay: (steps) => this.playAll(steps), onback: () => this.undo() });
    return [opponent, moves, line, record, graphPanel(session, { onjump: (at) => this.jump(at) })];
  }

  rules() {
    const more = h("a", { href: address.write({ game: this.session.game, page: "rules" }) }, t("rulesPictures"));
    return panel(
      t("rules"),
      "rules",
      h("p", {}, this.words.rules),
      h("p", {}, more),
      h("p", { class: "quiet" }, t(this.places ? "helpPlace" : "help")),
    );
  }

  /** Opens the share panel: pictures, embedding and citation. */
  async share() {
    const { shareDialog } = await import("./share.js");
    shareDialog(this);
  }

  /** Opens or closes the editor. An unchanged position keeps its game. */
  edit() {
    const { session } = this;
    const close = () => {
      this.editor = null;
      this.render();
    };
    if (this.editor) {
      close();
      return;
    }
    const redraw = () => this.render();
    const done = async (text, mover) => {
      if (!session.shows(text, mover)) await session.start(text, mover);
      close();
    };
    this.editor = new Editor(session.view, session.now, { redraw, done, cancel: close });
    this.render();
  }
}

/** Creates the board page of a game. Calls `onsolved` when the game becomes solved. */
export async function boardPage(card, route, onsolved) {
  const [known, progress] = await Promise.all([api.view(card.id), card.solved || api.progress(card.id)]);
  const page = new BoardPage(card, known, card.solved ? null : new SolveOffer(card, progress, onsolved));
  await page.open(route);
  return page;
}
