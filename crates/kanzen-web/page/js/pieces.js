// Draws pieces as SVG. One board unit is 100.

import { s } from "./dom.js";

const shapes = {
  disc: (x, y) => [s("circle", { cx: x, cy: y, r: 33 }), s("circle", { class: "rim", cx: x, cy: y, r: 25 })],
  ring: (x, y) => [s("circle", { class: "stroke", cx: x, cy: y, r: 27 })],
  cross: (x, y) => [s("path", { class: "stroke", d: `M${x - 25} ${y - 25}l50 50M${x + 25} ${y - 25}l-50 50` })],
  hole: (x, y) => [
    s("circle", { class: "hole-rim", cx: x, cy: y, r: 38 }),
    s("circle", { class: "hole", cx: x, cy: y + 5, r: 30 }),
  ],
  tile: (x, y, up) => {
    const sign = up ? 1 : -1;
    return [s("path", { d: `M${x} ${y - 38 * sign}l30 ${16 * sign}l5 ${56 * sign}h-70l5 ${-56 * sign}Z` })];
  },
  drum: (x, y) => [
    s("path", { class: "side", d: `M${x - 33} ${y}v11a33 19 0 0 0 66 0v-11Z` }),
    s("ellipse", { cx: x, cy: y, rx: 33, ry: 19 }),
  ],
};

/** Vertical offset of stacked drums. */
const THICK = 15;

/** Draws the pieces of one place, bottom first. `sideOf` returns the side of a piece. */
export function pieces(view, letters, [x, y], sideOf, turned = false) {
  const group = s("g", { class: "pieces" });
  [...letters].forEach((letter, layer) => {
    const piece = view.pieces.find((known) => known.letter === letter);
    if (!piece) return;
    const side = sideOf(piece);
    const lift = piece.shape === "drum" ? 12 - layer * THICK : 0;
    const tone = side === null ? "neutral" : view.sides[side].tone;
    const drawn = s(
      "g",
      { class: `piece ${tone} ${piece.shape}` },
      shapes[piece.shape](x, y + lift, (side === 0) !== turned),
    );
    if (piece.mark)
      drawn.append(
        s(
          "text",
          { class: "mark", x, y, "font-size": 32, "text-anchor": "middle", "dominant-baseline": "central" },
          piece.mark,
        ),
        // The letter of the notation, for users who cannot read the character.
        s(
          "text",
          {
            class: "mark letter",
            x,
            y: y + 25,
            "font-size": 14,
            "text-anchor": "middle",
            "dominant-baseline": "central",
          },
          letter.toUpperCase(),
        ),
      );
    group.append(drawn);
  });
  return group;
}

/** Draws a single piece for the palette. */
export function pieceIcon(view, piece, sideOf) {
  return s(
    "svg",
    { class: "piece-icon", viewBox: "0 0 100 100", "aria-hidden": "true" },
    pieces(view, piece.letter, [50, 50], sideOf),
  );
}
