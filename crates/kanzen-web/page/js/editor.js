// The position editor.

import { h } from "./dom.js";
import { read, write } from "./notation.js";
import { owner } from "./picture.js";
import { pieceIcon } from "./pieces.js";
import { sideName, t } from "./words.js";

export class Editor {
  constructor(view, moment, { redraw, done, cancel }) {
    Object.assign(this, { view, redraw, done, cancel });
    this.pile = view.ground === "pile";
    const content = read(view, moment.position);
    this.cells = this.pile ? undefined : content.cells;
    this.turn = content.turn;
    const { hands } = view.notation;
    this.hands = hands === "counts" ? content.rest.split("-").map(Number) : [];
    this.held = hands === "letters" ? content.rest : "";
    this.stones = this.pile ? Number(content.rest) : 0;
    this.mover = moment.mover;
    this.start = moment.position;
    this.tool = view.pieces[0]?.letter ?? "";
    this.problem = "";
  }

  /** Returns the edited position for the board. */
  get moment() {
    return { position: this.pile ? String(this.stones) : this.start, mover: this.mover, probe: null };
  }

  /** Handles a click on a place: puts the selected piece there or removes one. */
  click(place) {
    if (this.pile || place < 0) return;
    const held = this.cells[place];
    const { stack } = this.view.notation;
    this.cells = [...this.cells];
    if (this.tool === "") this.cells[place] = [...held].slice(0, -1).join("");
    else if (stack > 1) this.cells[place] = held.length < stack ? held + this.tool : this.tool;
    else this.cells[place] = held === this.tool ? "" : this.tool;
    this.problem = "";
    this.redraw();
  }

  text(turn = this.turn) {
    if (this.pile) return String(this.stones);
    return write(this.view, { cells: this.cells, turn, rest: this.held || this.hands.join("-") });
  }

  /** Shows the position if it is legal, with the other side to move if only that is legal. */
  async finish() {
    const letters = this.view.sides.map((side) => side.letter);
    const turns =
      this.view.notation.turn === "letter" ? [this.turn, ...letters.filter((letter) => letter !== this.turn)] : [""];
    let first;
    for (const turn of turns) {
      try {
        return await this.done(this.text(turn), this.mover);
      } catch (refusal) {
        first ??= refusal.message;
      }
    }
    this.problem = first;
    this.redraw();
  }

  get element() {
    const parts = this.pile
      ? [this.counter(t("stones"), "stones", this.stones, (number) => (this.stones = number))]
      : [this.palette()];
    if (!this.pile) parts.push(this.turns());
    this.hands.forEach((hand, side) => {
      const label = t("inHand", { side: sideName(this.view.sides[side]) });
      parts.push(this.counter(label, `hand-${side}`, hand, (number) => (this.hands[side] = number)));
    });
    if (this.view.notation.hands === "letters") {
      const change = (event) => (this.held = event.target.value.trim() || "-");
      parts.push(
        h(
          "p",
          { class: "counter" },
          h("label", { for: "held" }, t("hands")),
          h("input", { id: "held", value: this.held, spellcheck: "false", autocapitalize: "off", onchange: change }),
        ),
      );
    }
    const clear = () => {
      this.cells = this.cells.map(() => "");
      this.redraw();
    };
    const buttons = [
      h("button", { type: "button", class: "primary", "data-edit": "done", onclick: () => this.finish() }, t("done")),
      !this.pile && h("button", { type: "button", "data-edit": "clear", onclick: clear }, t("clear")),
      h("button", { type: "button", onclick: this.cancel }, t("cancel")),
    ];
    const help = !this.pile && h("p", { class: "quiet" }, t("editHelp"));
    return h(
      "section",
      { class: "panel editor", "aria-label": t("editTitle") },
      help,
      parts,
      h("div", { class: "row" }, buttons),
      h("p", { class: "problem", role: "alert" }, this.problem),
    );
  }

  palette() {
    const choose = (letter) => () => {
      this.tool = letter;
      this.redraw();
    };
    const tool = (letter, label, picture) =>
      h(
        "button",
        {
          type: "button",
          class: "brush",
          "aria-pressed": String(this.tool === letter),
          "aria-label": label,
          title: label,
          "data-brush": letter,
          onclick: choose(letter),
        },
        picture,
      );
    const whose = owner(this.view, this.mover);
    const name = (piece) => {
      const side = whose(piece);
      if (side === null) return t("hole");
      // The visible label is part of the accessible name, for speech input.
      const shown = piece.mark ? ` ${piece.mark}${piece.letter.toUpperCase()}` : "";
      return sideName(this.view.sides[side]) + shown;
    };
    return h(
      "div",
      { class: "row palette" },
      this.view.pieces.map((piece) => tool(piece.letter, name(piece), pieceIcon(this.view, piece, whose))),
      tool("", t("eraser"), h("span", { class: "eraser", "aria-hidden": "true" }, "×")),
    );
  }

  turns() {
    const choice = (side, at) => {
      const pick = () => {
        if (this.view.notation.turn === "mover" && this.mover !== at) this.exchange();
        this.turn = side.letter;
        this.mover = at;
        this.redraw();
      };
      const input = h("input", { type: "radio", name: "turn", id: `turn-${at}`, onchange: pick });
      input.checked = at === this.mover;
      return [input, h("label", { for: `turn-${at}` }, sideName(side))];
    };
    return h(
      "fieldset",
      { class: "segments" },
      h("legend", {}, t("sideToMove")),
      h("div", { class: "choices" }, this.view.sides.map(choice)),
    );
  }

  /** In games where the first letter is the mover's, swaps the letters so that pieces keep their colours. */
  exchange() {
    const [first, second] = [0, 1].map((side) => this.view.pieces.find((piece) => piece.side === side).letter);
    const other = { [first]: second, [second]: first };
    this.cells = this.cells.map((cell) => [...cell].map((letter) => other[letter] ?? letter).join(""));
    this.tool = other[this.tool] ?? this.tool;
  }

  counter(label, id, value, change) {
    const update = (event) => {
      change(Math.max(0, Math.min(99999, Math.trunc(Number(event.target.value) || 0))));
      if (this.pile) this.redraw();
    };
    return h(
      "p",
      { class: "counter" },
      h("label", { for: id }, label),
      h("input", { id, type: "number", min: 0, value, onchange: update }),
    );
  }
}
