// What each move is worth, written on the board.

import { s } from "./dom.js";
import { badge, same } from "./values.js";

const MOST_ARROWS = 6;

/** The best move for each next click after those chosen already: moves come best first. */
export function nextClicks(choices, chosen) {
  const next = new Map();
  for (const choice of choices) {
    const { clicks } = choice;
    if (!clicks || clicks.length <= chosen.length || !chosen.every((key, at) => clicks[at] === key)) continue;
    const key = clicks[chosen.length];
    if (!next.has(key)) next.set(key, choice);
  }
  return next;
}

/** Badges on the next clicks; arrows for the best moves while nothing is chosen. */
export function drawHints(picture, choices, chosen, mover) {
  const { layers, layout, held } = picture;
  for (const [key, choice] of nextClicks(choices, chosen)) {
    const point = layout.target(key, mover);
    if (!point) continue;
    const place = layout.places.findIndex(({ name }) => name === key);
    const onPiece = key.startsWith("hand-") || (place >= 0 && held[place] && layout.view.ground !== "pile");
    // On a piece the badge sits in the corner, where it hides least.
    const [x, y] = onPiece ? [point[0] + 31, point[1] - 31] : point;
    const drawn = badge(choice.verdict, x, y, onPiece ? 17 : 22);
    drawn.dataset.key = key;
    drawn.dataset.move = choice.move;
    layers.hints.append(drawn);
  }
  if (chosen.length === 0) drawArrows(picture, choices, mover);
}

/** While values are hidden: where one may click. */
export function drawDots(picture, choices, chosen, mover) {
  for (const key of nextClicks(choices, chosen).keys()) {
    const [cx, cy] = picture.layout.target(key, mover);
    if (chosen.length > 0) picture.layers.hints.append(s("circle", { class: "may", cx, cy, r: 12, "data-key": key }));
  }
}

function drawArrows({ layers, layout }, choices, mover) {
  const best = choices.filter((choice) => same(choice.verdict, choices[0].verdict) && choice.clicks?.length > 1);
  for (const { clicks, verdict } of best.slice(0, MOST_ARROWS)) {
    const [from, to] = [layout.target(clicks[0], mover), layout.target(clicks[1], mover)];
    if (from && to) layers.arrows.append(arrow(from, to, verdict.value));
  }
}

function arrow([x1, y1], [x2, y2], value) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [start, end, wing] = [24, length - 16, 17];
  const at = (along, aside) =>
    `${(x1 + ux * along - uy * aside).toFixed(1)} ${(y1 + uy * along + ux * aside).toFixed(1)}`;
  const d = `M${at(start, 4)}L${at(end - wing, 4)}L${at(end - wing, 13)}L${at(end, 0)}L${at(end - wing, -13)}L${at(end - wing, -4)}L${at(start, -4)}Z`;
  return s("path", { class: `arrow ${value}`, d });
}
