// Renders positions as SVG: one renderer for all games, driven by the view that a game declares.

import { s } from "./dom.js";
import { handKey, hands, read } from "./notation.js";
import { pieces } from "./pieces.js";

const UNIT = 100;
const LARGEST = 1.25;
const HAND = 1.44;
const PILE_ROW = 7;
const PILE_SHOWN = 63;

/** The layout: coordinates of places, and the frame around them. */
export class Layout {
  constructor(view, position, initial, flipped) {
    this.view = view;
    this.flipped = flipped && view.flips;
    this.places = view.ground === "pile" ? pilePlaces(Number(position), Number(initial)) : view.places;
    const [xs, ys] = [this.places.map((place) => place.x), this.places.map((place) => place.y)];
    this.edges = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
    this.hands = this.handPlaces(position);
    this.byName = new Map([...this.places, ...this.hands].map((place) => [place.name, place]));
  }

  /** Returns the point of a piece in hand: a row on its owner's side, below the board for the first side. */
  handPlaces(position) {
    const { left, top, bottom } = this.edges;
    const next = [0, 0];
    return hands(this.view, read(this.view, position)).map(({ side, letter, number }) => {
      const x = left + next[side]++;
      return { name: handKey(side, letter), x, y: side === 0 ? bottom + HAND : top - HAND, letter, number };
    });
  }

  /** Returns the point of a place or of board coordinates, rotated with the board. */
  point({ x, y }) {
    const { left, right, top, bottom } = this.edges;
    return this.flipped ? [(left + right - x) * UNIT, (top + bottom - y) * UNIT] : [x * UNIT, y * UNIT];
  }

  /** Returns the labels. They keep their edge when the board is rotated; boards with exits have them in the corners. */
  labelPoint(label) {
    const { left, right, top, bottom } = this.edges;
    const [x, y] = this.point(label);
    const inside = this.view.exits.length > 0;
    if (label.x < left || label.x > right) return inside ? [left * UNIT - 39, y - 36] : [label.x * UNIT, y];
    if (label.y < top || label.y > bottom) return inside ? [x + 39, bottom * UNIT + 36] : [x, label.y * UNIT];
    return [x, y];
  }

  /** Returns the point of a click target: the name of a place, or `from>exit`. */
  target(key, mover) {
    const [from, word] = key.split(">");
    const place = this.byName.get(from);
    if (!place) return undefined;
    if (word === undefined) return this.point(place);
    const exit = this.view.exits.find((known) => known.word === word && (known.side === null || known.side === mover));
    return this.point({ x: place.x + exit.dx * 0.84, y: place.y + exit.dy * 0.84 });
  }

  /** Returns the frame. A bare frame has no margin for labels and exits. */
  viewBox(bare) {
    const { left, right, top, bottom } = this.edges;
    const points = this.view.ground === "points";
    const margin = points ? 62 : 60;
    const labels = this.view.labels.length && !this.view.exits.length && !bare ? 40 : 0;
    const out = (sign, axis) => (!bare && this.view.exits.some((exit) => Math.sign(exit[axis]) === sign) ? 58 : 0);
    const horizontal = Math.max(out(-1, "dx"), out(1, "dx"));
    const vertical = Math.max(out(-1, "dy"), out(1, "dy"));
    const held = this.view.notation.hands === "none" || bare ? 0 : HAND * UNIT - 10;
    const x0 = left * UNIT - margin - Math.max(labels, horizontal);
    const y0 = top * UNIT - margin - Math.max(vertical, held);
    const x1 = right * UNIT + margin + horizontal;
    const y1 = bottom * UNIT + margin + Math.max(labels, vertical, held);
    return [x0, y0, x1 - x0, y1 - y0];
  }
}

/** Lays out stones in rows. Of a large pile shows the last ones, which can be taken. */
function pilePlaces(stones, initial) {
  const shown = Math.max(1, Math.min(Math.max(stones, initial), PILE_SHOWN));
  const hidden = Math.max(0, stones - shown);
  const place = (_, at) => ({ name: `stone${at + hidden}`, x: at % PILE_ROW, y: Math.floor(at / PILE_ROW) });
  return Array.from({ length: shown }, place);
}

/** Returns the letters on each place, bottom first. */
export function contents(view, position, layout) {
  if (view.ground !== "pile") return read(view, position).cells;
  return layout.places.map((place) => (Number(place.name.slice(5)) < Number(position) ? "o" : ""));
}

/** Returns the side of a piece: fixed by the notation, or relative to the mover. */
export function owner(view, mover) {
  return (piece) =>
    view.notation.turn === "mover" && piece.side !== null ? (piece.side === 0 ? mover : 1 - mover) : piece.side;
}

/** Draws a position, with empty layers for marks and hints. */
export function draw(
  view,
  position,
  { initial = position, flipped = false, mover = 0, cells, label, bare = false } = {},
) {
  const layout = new Layout(view, position, initial, flipped);
  const held = cells ?? contents(view, position, layout);
  const frame = layout.viewBox(bare);
  const svg = s("svg", { class: `board ${view.ground} ${view.surface}`, viewBox: frame.join(" ") });
  // Small boards do not fill the column.
  if (!bare) svg.style.maxWidth = `${Math.round(frame[2] * LARGEST)}px`;
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  }
  svg.append(ground(view, layout));
  const texts = (bare ? [] : view.labels).map((text) => {
    const [x, y] = layout.labelPoint(text);
    const kind = view.exits.length ? "label corner" : "label";
    return s("text", { class: kind, x, y, "text-anchor": "middle", "dominant-baseline": "central" }, text.text);
  });
  const layers = {
    labels: s("g", { "aria-hidden": "true" }, texts),
    marks: s("g", { class: "marks" }),
    pieces: s("g", {}),
    arrows: s("g", { class: "arrows" }),
    targets: s("g", { class: "targets" }),
    hints: s("g", { class: "hints" }),
  };
  svg.append(...Object.values(layers));
  layout.places.forEach((place, at) => {
    if (held[at]) layers.pieces.append(pieces(view, held[at], layout.point(place), owner(view, mover), layout.flipped));
  });
  if (!bare && !cells && view.notation.hands !== "none") svg.insertBefore(trays(layout), layers.labels);
  if (!bare && !cells) layout.hands.forEach((hand) => layers.pieces.append(inHand(view, layout, hand, mover)));
  return { svg, layers, layout, held };
}

/** Draws pieces in hand, above and below the board. */
function trays({ edges: { left, right, top, bottom } }) {
  const tray = (y) =>
    s("rect", {
      class: "tray",
      x: left * UNIT - 50,
      y: y * UNIT - 45,
      width: (right - left + 1) * UNIT,
      height: 90,
      rx: 12,
    });
  return s("g", {}, tray(top - HAND), tray(bottom + HAND));
}

function inHand(view, layout, hand, mover) {
  const [x, y] = layout.point(hand);
  // With one kind of piece its count uses the whole row.
  const alone = view.notation.hands === "counts";
  // On a rotated board a hand starts at the right, with its count to the left.
  const aside = layout.flipped ? -66 : 66;
  const place = alone ? { class: "label count", x: x + aside, y } : { class: "label", x: x + 40, y: y + 30 };
  const text =
    (alone || hand.number > 1) &&
    s("text", { ...place, "text-anchor": "middle", "dominant-baseline": "central" }, `×${hand.number}`);
  return s(
    "g",
    { class: hand.number ? "in-hand" : "in-hand none" },
    hand.letter && pieces(view, hand.letter, [x, y], owner(view, mover), layout.flipped),
    text,
  );
}

function ground(view, layout) {
  const { left, right, top, bottom } = layout.edges;
  if (view.ground === "squares") {
    const tiles = layout.places.map((place) => {
      const [x, y] = layout.point(place);
      return s("rect", {
        class: (place.x + place.y) % 2 ? "square odd" : "square",
        x: x - 50,
        y: y - 50,
        width: 100,
        height: 100,
      });
    });
    const frame = s("rect", {
      class: "frame",
      x: left * 100 - 50,
      y: top * 100 - 50,
      width: (right - left + 1) * 100,
      height: (bottom - top + 1) * 100,
      rx: 4,
    });
    return s("g", {}, tiles, frame);
  }
  if (view.ground === "points") {
    const sheet = s("rect", {
      class: "sheet",
      x: left * 100 - 58,
      y: top * 100 - 58,
      width: (right - left) * 100 + 116,
      height: (bottom - top) * 100 + 116,
      rx: 14,
    });
    const lines = view.lines.map(([one, other]) => {
      const [[x1, y1], [x2, y2]] = [layout.point(layout.places[one]), layout.point(layout.places[other])];
      return s("line", { class: "line", x1, y1, x2, y2 });
    });
    const dots = layout.places.map((place) => {
      const [cx, cy] = layout.point(place);
      return s("circle", { class: "dot", cx, cy, r: 9 });
    });
    return s("g", {}, sheet, lines, dots);
  }
  return s(
    "g",
    {},
    s("rect", {
      class: "sheet",
      x: left * 100 - 56,
      y: top * 100 - 56,
      width: (right - left) * 100 + 112,
      height: (bottom - top) * 100 + 112,
      rx: 14,
    }),
  );
}
