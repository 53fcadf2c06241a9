// The page of a game: board, tools, and what stands beside it.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { copyText, graphPanel, linePanel, movesPanel, panel } from "./panels.js";
import { h, iconButton, toast } from "./dom.js";
import { Editor } from "./editor.js";
import { Session } from "./session.js";
import { hintsShown, showHints } from "./settings.js";
import { badgeIcon, long, same } from "./values.js";
import { gameWords, sideName, t } from "./words.js";

// Long enough to see what happened; nobody who prefers less motion has to wait for it.
const THINKING = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;

export class BoardPage {
  constructor(card, known) {
    this.card = { ...card, view: known.view };
    this.words = gameWords(this.card);
    this.session = new Session(card.id, known.view, known.initial);
    this.element = h("div", { class: "play" });
    this.human = "both";
    this.flipped = false;
    this.editor = null;
    this.board = new Board({
      title: this.words.title,
      onmove: (move) => this.play(move),
      onedit: (place) => this.editor.click(place),
    });
  }

  /** Shows the position of an address; a bad one is told, and the game starts from the beginning. */
  async open({ position, side }) {
    try {
      await this.session.start(position, side);
    } catch (refusal) {
      if (refusal.status !== 400) throw refusal;
      toast(t("badPosition", { error: refusal.message }));
      await this.session.start();
    }
    this.render();
  }

  /** Words in another language. */
  reword() {
    this.words = gameWords(this.card);
    this.board.title = this.words.title;
    this.render();
  }

  async play(move) {
    await this.act(() => this.session.play(move));
  }

  /** Plays several moves of a line. */
  async playAll(moves) {
    await this.act(async () => {
      for (const move of moves) await this.session.play(move);
    });
  }

  async act(work) {
    try {
      await work();
    } catch (refusal) {
      toast(refusal.status === 0 ? t("offline") : refusal.message);
    }
    this.render();
  }

  jump(at) {
    this.session.goTo(at);
    this.render();
  }

  /** Back to where the person can choose again. */
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

  get computersTurn() {
    const { session } = this;
    const atEnd = session.at === session.moments.length - 1;
    return this.human !== "both" && !this.editor && atEnd && !session.over && session.now.mover !== this.human;
  }

  render() {
    const { session } = this;
    const { now, view } = session;
    const hints = hintsShown();
    const playable = !this.editor && !this.computersTurn;
    const last = now.move && { move: now.move, ...this.before() };
    const focused = focusKey();
    const scene = { view, initial: session.initial, flipped: this.flipped, hints, playable };
    this.board.show({ ...scene, moment: this.editor?.moment ?? now, last, cells: this.editor?.cells });
    const left = h(
      "div",
      { class: "left" },
      this.status(),
      this.board.element,
      this.tools(),
      this.editor ? "" : this.notation(),
    );
    const beside = this.editor ? [this.editor.element] : [this.opponent(), ...this.panels(hints, playable)];
    this.element.replaceChildren(
      this.heading(),
      h("div", { class: "columns" }, left, h("div", { class: "right" }, ...beside, this.rules())),
    );
    document.title = `${this.words.title} · Kanzen`;
    if (focused) this.element.querySelector(focused)?.focus();
    if (!this.editor) this.tellAddress();
    this.think();
  }

  before() {
    const { position, mover } = this.session.moments[this.session.at - 1];
    return { position, mover };
  }

  tellAddress() {
    const { session } = this;
    const { position, mover } = session.now;
    const side = session.namesSides ? 0 : mover;
    const shown = position === session.initial && side === 0 ? undefined : position;
    history.replaceState(null, "", address.write({ game: session.game, position: shown, side }));
  }

  think() {
    clearTimeout(this.timer);
    if (!this.computersTurn) return;
    this.timer = setTimeout(() => {
      const { moves } = this.session.now.probe;
      const best = moves.filter((move) => same(move, moves[0]));
      this.play(best[Math.floor(Math.random() * best.length)].move);
    }, THINKING);
  }

  leave() {
    clearTimeout(this.timer);
  }

  heading() {
    return h("div", { class: "heading" }, h("h1", {}, this.words.title), h("code", { class: "id" }, this.session.game));
  }

  status() {
    if (this.editor) return h("p", { class: "status" }, h("strong", {}, t("edit")));
    const { now, view, over } = this.session;
    const side = (at) => sideName(view.sides[at]);
    const { probe, mover } = now;
    if (over) {
      const winner = probe.value === "win" ? mover : 1 - mover;
      const result = probe.value === "draw" ? t("drawn") : t("wins", { side: side(winner) });
      return h("p", { class: "status over", role: "status" }, h("strong", {}, t("over")), h("span", {}, result));
    }
    const turn = h("strong", {}, t("toMove", { side: side(mover) }));
    const value =
      hintsShown() && h("span", { class: "verdict", "data-value": probe.value }, badgeIcon(probe), long(probe));
    const wait = this.computersTurn && h("span", { class: "quiet" }, t("thinking"));
    return h("p", { class: "status", role: "status" }, turn, value, wait);
  }

  tools() {
    const { session } = this;
    const end = session.moments.length - 1;
    const start = session.at === 0;
    const atEnd = session.at === end;
    const hints = hintsShown();
    const toggle = () => {
      showHints(!hints);
      this.render();
    };
    const turn = () => {
      this.flipped = !this.flipped;
      this.render();
    };
    const busy = this.editor !== null;
    return h(
      "div",
      { class: "toolbar" },
      iconButton("restart", t("restart"), () => this.act(() => session.start()), { disabled: busy }),
      iconButton("first", t("first"), () => this.jump(0), { disabled: start || busy }),
      iconButton("back", t("back"), () => this.undo(), { disabled: start || busy, "data-tool": "undo" }),
      iconButton("forward", t("forward"), () => this.redo(), { disabled: atEnd || busy, "data-tool": "redo" }),
      iconButton("last", t("last"), () => this.jump(end), { disabled: atEnd || busy }),
      h("span", { class: "gap" }),
      iconButton("hints", t(hints ? "hintsShown" : "hintsHidden"), toggle, {
        "aria-pressed": String(hints),
        "data-tool": "hints",
      }),
      session.view.flips &&
        iconButton("flip", t("flip"), turn, { "aria-pressed": String(this.flipped), "data-tool": "flip" }),
      session.view.ground !== "text" &&
        iconButton("edit", t("edit"), () => this.edit(), { "aria-pressed": String(busy), "data-tool": "edit" }),
    );
  }

  notation() {
    const { position } = this.session.now;
    const field = h("input", {
      id: "position",
      value: position,
      spellcheck: "false",
      autocomplete: "off",
      autocapitalize: "off",
    });
    const problem = h("p", { class: "problem", role: "alert" });
    const show = async (text) => {
      try {
        await this.session.start(text.trim(), this.session.now.mover);
        this.render();
      } catch (refusal) {
        problem.textContent = refusal.message;
      }
    };
    const paste = () =>
      navigator.clipboard?.readText().then(show, () => toast(t("pasteFailed"))) ?? toast(t("pasteFailed"));
    return h(
      "form",
      { class: "notation", onsubmit: (event) => (event.preventDefault(), show(field.value)) },
      h("label", { for: "position" }, t("position")),
      h(
        "div",
        { class: "field" },
        field,
        h("button", { type: "submit" }, t("go")),
        iconButton("copy", t("copyPosition"), () => copyText(position), { "data-tool": "copy" }),
        iconButton("paste", t("paste"), paste, { "data-tool": "paste" }),
        iconButton("link", t("copyLink"), () => copyText(location.href), { "data-tool": "link" }),
      ),
      problem,
    );
  }

  opponent() {
    const { sides } = this.session.view;
    const choice = (value, label) => {
      const pick = () => {
        this.human = value;
        if (this.session.view.flips && value !== "both") this.flipped = value === 1;
        this.render();
      };
      const input = h("input", { type: "radio", name: "human", id: `human-${value}`, onchange: pick });
      input.checked = this.human === value;
      return [input, h("label", { for: `human-${value}` }, label)];
    };
    return h(
      "fieldset",
      { class: "segments" },
      h("legend", {}, t("youPlay")),
      h(
        "div",
        { class: "choices" },
        choice("both", t("both")),
        sides.map((side, at) => choice(at, sideName(side))),
      ),
    );
  }

  panels(hints, playable) {
    const moves = movesPanel(this.session, { hints, playable, onmove: (move) => this.play(move) });
    if (!hints) return [moves, h("p", { class: "quiet note" }, t("valuesHidden"))];
    const line = linePanel(this.session, { onplay: (steps) => this.playAll(steps), onback: () => this.undo() });
    return [moves, line, graphPanel(this.session, { onjump: (at) => this.jump(at) })];
  }

  rules() {
    return panel(t("rules"), "rules", h("p", {}, this.words.rules), h("p", { class: "quiet" }, t("help")));
  }

  edit() {
    if (this.editor) {
      this.editor = null;
      this.render();
      return;
    }
    const { session } = this;
    const redraw = () => this.render();
    const done = async (text, mover) => {
      await session.start(text, mover);
      this.editor = null;
      this.render();
    };
    const cancel = () => {
      this.editor = null;
      this.render();
    };
    this.editor = new Editor(session.view, session.now, { redraw, done, cancel });
    this.render();
  }
}

/** How to find what has the focus once the page is drawn anew. */
function focusKey() {
  const { id, dataset } = document.activeElement ?? {};
  if (id && id !== "main") return `#${CSS.escape(id)}`;
  const name = ["tool", "move", "ply", "brush", "edit"].find((key) => dataset?.[key] !== undefined);
  return name && `[data-${name}="${CSS.escape(dataset[name])}"]`;
}

/** The page of a solved game. */
export async function boardPage(card, asked) {
  const page = new BoardPage(card, await api.view(card.id));
  await page.open(asked);
  return page;
}
