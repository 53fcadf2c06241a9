// The interactive board: converts clicks, taps and keys to moves.

import { h, s } from "./dom.js";
import { drawBan, drawDots, drawHint, drawHints, nextClicks } from "./hints.js";
import { steps } from "./notation.js";
import { draw, owner } from "./picture.js";
import { long } from "./values.js";
import { sideName, t } from "./words.js";

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** Calls `onmove(move)` for a move, `onedit(place)` for a click in the editor, `onrefused` for a click too early. */
  constructor({ title, onmove, onedit, onrefused }) {
    Object.assign(this, { title, onmove, onedit, onrefused });
    this.busy = false;
    this.element = h("div", { class: "board-frame" });
    this.chosen = [];
    this.focused = null;
  }

  /** Shows a position: the `moment` of a session, or the `cells` of the editor. */
  show({ view, initial, moment, last, flipped, hints, playable, cells, hint, ban }) {
    if (moment !== this.moment) this.chosen = [];
    Object.assign(this, { view, initial, moment, last, flipped, hints, playable, cells, hint, ban });
    const { position, mover, probe } = moment;
    this.choices = (probe?.moves ?? []).map((choice) => ({
      move: choice.move,
      verdict: choice,
      clicks: steps(view, mover, choice.move, position),
    }));
    this.render();
  }

  /** Whether a move is pending, which blocks the next one. */
  setBusy(busy) {
    this.busy = busy;
    this.element.classList.toggle("busy", busy);
  }

  render() {
    if (this.view.ground === "text") {
      this.element.replaceChildren(
        h("pre", { class: "text-board", tabindex: 0, "aria-label": t("position") }, textBoard(this.moment.position)),
      );
      return;
    }
    const hadFocus = this.element.contains(document.activeElement);
    const { mover, position } = this.moment;
    const options = { initial: this.initial, flipped: this.flipped, mover, cells: this.cells };
    this.picture = draw(this.view, position, options);
    const { svg, layers } = this.picture;
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", t("boardLabel", { title: this.title }));
    const choices = this.playable && !this.cells ? this.choices : [];
    if (choices.length) (this.hints ? drawHints : drawDots)(this.picture, choices, this.chosen, mover);
    this.next = nextClicks(choices, this.chosen);
    this.markLast(layers.marks);
    if (this.hint && !this.cells) drawHint(this.picture, this.hint.marked(this.view, this.moment), mover);
    if (this.ban && !this.cells) drawBan(this.picture, this.view, this.ban, mover, position);
    this.addTargets(layers.targets);
    svg.addEventListener("keydown", (event) => this.onkey(event));
    this.element.replaceChildren(svg);
    if (hadFocus) this.focusOn(this.focused);
  }

  markLast(layer) {
    if (!this.last || this.cells) return;
    for (const key of steps(this.view, this.last.mover, this.last.move, this.last.position) ?? []) {
      const point = this.picture.layout.target(key, this.last.mover);
      if (point && !key.includes(">")) layer.append(square("last", point));
    }
  }

  addTargets(layer) {
    const { layout } = this.picture;
    const exits = [...this.next.keys()].filter((key) => key.includes(">"));
    const held = this.cells
      ? []
      : layout.hands.map((hand) => hand.name).filter((key) => this.next.has(key) || this.chosen.includes(key));
    const keys = [...layout.places.map((place) => place.name), ...held, ...exits];
    if (!keys.includes(this.focused)) this.focused = keys.find((key) => this.next.has(key)) ?? keys[0];
    this.targets = new Map();
    for (const key of keys) {
      const point = layout.target(key, this.moment.mover);
      const live = this.cells || this.next.has(key) || this.chosen.includes(key);
      const target = square(`target${live ? " live" : ""}${this.chosen.includes(key) ? " chosen" : ""}`, point);
      const attributes = {
        role: "button",
        tabindex: key === this.focused ? 0 : -1,
        "aria-label": this.spoken(key),
        "data-key": key,
      };
      for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, value);
      if (!live) target.setAttribute("aria-disabled", "true");
      target.addEventListener("click", () => this.click(key));
      target.addEventListener("focus", () => this.moveFocus(key));
      this.targets.set(key, target);
      layer.append(target);
    }
  }

  /** Describes a place and its possible actions. */
  spoken(key) {
    const at = this.picture.layout.places.findIndex((place) => place.name === key);
    const hand = this.picture.layout.hands.find((one) => one.name === key);
    const parts = [
      hand
        ? t("inHandPiece", { piece: this.letterWords([hand.letter]), number: hand.number })
        : at < 0
          ? t("exit")
          : t("place", { name: this.placeName(key), content: this.contentWords(at) }),
    ];
    const choice = this.next.get(key);
    if (this.chosen.includes(key)) parts.push(t("chosen"));
    else if (choice) {
      const start = this.chosen.length === 0 && choice.clicks.length > 1;
      const phrase = (start ? "canStart" : "canGo") + (this.hints ? "" : "Hidden");
      parts.push(t(phrase, { value: this.hints && long(choice.verdict) }));
    }
    return parts.join(", ");
  }

  placeName(key) {
    if (this.view.ground !== "pile") return key;
    return t("stoneOf", { number: Number(key.slice(5)) + 1, all: this.moment.position });
  }

  contentWords(at) {
    const letters = [...this.picture.held[at]];
    return letters.length ? this.letterWords(letters) : t("empty");
  }

  letterWords(letters) {
    const whose = owner(this.view, this.moment.mover);
    const names = letters.map((letter) => {
      const piece = this.view.pieces.find((known) => known.letter === letter);
      const side = piece ? whose(piece) : null;
      if (side === null || side === undefined) return piece?.shape === "hole" ? t("hole") : letter;
      return sideName(this.view.sides[side]) + (piece.mark ? ` ${piece.mark}` : "");
    });
    return names.join(" + ");
  }

  click(key) {
    this.focused = key;
    if (this.cells) {
      this.onedit(this.picture.layout.places.findIndex((place) => place.name === key));
      return;
    }
    if (this.busy) {
      this.onrefused?.();
      return;
    }
    if (!this.playable) return;
    if (this.chosen.at(-1) === key) {
      this.chosen.pop();
    } else if (this.next.has(key)) {
      this.chosen.push(key);
      const whole = this.choices.find(
        ({ clicks }) => clicks?.length === this.chosen.length && clicks.every((one, at) => one === this.chosen[at]),
      );
      if (whole) {
        this.chosen = [];
        this.onmove(whole.move);
        return;
      }
    } else {
      // A click elsewhere restarts the selection, with that piece if it can move.
      this.chosen = nextClicks(this.choices, []).has(key) ? [key] : [];
    }
    this.render();
  }

  onkey(event) {
    const direction = DIRECTIONS[event.key];
    if (direction) {
      event.preventDefault();
      this.focusOn(this.neighbour(direction));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.click(this.focused);
    } else if (event.key === "Escape" && this.chosen.length) {
      event.preventDefault();
      this.chosen = [];
      this.render();
    }
  }

  /** Returns the nearest target in a direction. */
  neighbour([dx, dy]) {
    const point = (key) => this.picture.layout.target(key, this.moment.mover);
    const [x, y] = point(this.focused);
    let best = this.focused;
    let least = Infinity;
    for (const key of this.targets.keys()) {
      const [px, py] = point(key);
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (along > 1 && along + 2.5 * aside < least && aside < 1.5 * along) [best, least] = [key, along + 2.5 * aside];
    }
    return best;
  }

  focusOn(key) {
    const target = this.targets?.get(key);
    if (target) target.focus({ preventScroll: true });
  }

  moveFocus(key) {
    this.targets.get(this.focused)?.setAttribute("tabindex", -1);
    this.focused = key;
    this.targets.get(key)?.setAttribute("tabindex", 0);
  }
}

function square(kind, [x, y]) {
  return s("rect", { class: kind, x: x - 47, y: y - 47, width: 94, height: 94, rx: 10 });
}

/** Renders a position without a picture: its rows as text. */
function textBoard(text) {
  const [cells, ...rest] = text.split(" ");
  return cells.includes("/") ? `${cells.split("/").join("\n")}\n\n${rest.join(" ")}` : text;
}
