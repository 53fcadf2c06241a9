// Move values, arrows and marks drawn on the board.

import { s } from "./dom.js";
import { read, steps } from "./notation.js";
import { badge, same } from "./values.js";

const MOST_ARROWS = 6;

/** Returns the best move for each possible next click. Moves are sorted best first. */
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

/** Draws badges on the next clicks, and arrows for the best moves while nothing is selected. */
export function drawHints(picture, choices, chosen, mover) {
  const { layers, layout, held } = picture;
  for (const [key, choice] of nextClicks(choices, chosen)) {
    const point = layout.target(key, mover);
    if (!point) continue;
    const place = layout.places.findIndex(({ name }) => name === key);
    const onPiece = key.startsWith("hand-") || (place >= 0 && held[place] && layout.view.ground !== "pile");
    // On a piece the badge sits in the corner, to hide less of it.
    const [x, y] = onPiece ? [point[0] + 31, point[1] - 31] : point;
    const drawn = badge(choice.verdict, x, y, onPiece ? 17 : 22);
    drawn.dataset.key = key;
    drawn.dataset.move = choice.move;
    layers.hints.append(drawn);
  }
  if (chosen.length === 0) drawArrows(picture, choices, mover);
}

/** Marks clickable places while values are hidden. */
export function drawDots(picture, choices, chosen, mover) {
  const { layout, held } = picture;
  const empty = (key) => !held[layout.places.findIndex(({ name }) => name === key)] && !key.startsWith("hand-");
  for (const key of nextClicks(choices, chosen).keys()) {
    const [cx, cy] = layout.target(key, mover);
    if (chosen.length > 0 || empty(key))
      picture.layers.hints.append(s("circle", { class: "may", cx, cy, r: 12, "data-key": key }));
  }
}

/** Returns the number of best moves without an arrow. The number of arrows is limited for legibility. */
export function moreArrows(view, { position, mover, probe }) {
  if (view.ground === "text" || view.ground === "pile") return 0;
  const { cells } = read(view, position);
  const filled = (name) => cells[view.places.findIndex((place) => place.name === name)] !== "";
  const best = probe.moves.filter((choice) => same(choice, probe.moves[0]));
  const clicks = best.map((choice) => steps(view, mover, choice.move, position));
  return Math.max(0, clicks.filter((all) => all?.length > 1 && filled(all[0])).length - MOST_ARROWS);
}

/** Draws the revealed steps of a hint. */
export function drawHint({ layers, layout }, keys, mover) {
  for (const key of keys) {
    const [cx, cy] = layout.target(key, mover);
    layers.marks.append(s("circle", { class: "hinted", cx, cy, r: 45, "data-key": key }));
  }
}

/** Draws moves forbidden by earlier play: a bar across their start and end. */
export function drawBan({ layers, layout }, view, moves, mover, position) {
  for (const move of moves) {
    const points = (steps(view, mover, move, position) ?? []).map((key) => layout.target(key, mover)).filter(Boolean);
    if (!points.length) continue;
    const [x, y] = points.at(-1);
    const group = s("g", { class: "ban", "data-move": move });
    if (points.length > 1) {
      const [[x1, y1]] = points;
      group.append(s("line", { x1, y1, x2: x, y2: y }));
    }
    group.append(s("circle", { cx: x, cy: y, r: 24 }), s("path", { d: `M${x - 15} ${y - 15}l30 30` }));
    layers.arrows.append(group);
  }
}

function drawArrows({ layers, layout, held }, choices, mover) {
  // A placed piece has no origin, even if a click on a piece to capture follows.
  const moves = ({ clicks }) =>
    clicks?.length > 1 && held[layout.places.findIndex(({ name }) => name === clicks[0])] !== "";
  const best = choices.filter((choice) => same(choice.verdict, choices[0].verdict) && moves(choice));
  for (const { clicks, verdict } of best.slice(0, MOST_ARROWS)) {
    const [from, to] = [layout.target(clicks[0], mover), layout.target(clicks[1], mover)];
    if (from && to) layers.arrows.append(arrow(from, to, verdict.value));
  }
}

/** Draws a move: an arrow from start to end, and a ring where a piece is placed or captured. */
export function drawMove({ layers, layout, held }, clicks, mover) {
  const points = clicks.map((key) => layout.target(key, mover)).filter(Boolean);
  const put = held[layout.places.findIndex(({ name }) => name === clicks[0])] === "";
  if (points.length > 1 && !put) layers.arrows.append(arrow(points[0], points[1], "win"));
  const ringed = points.length === 1 || put ? points : points.slice(2);
  for (const [cx, cy] of ringed) layers.arrows.append(s("circle", { class: "hinted", cx, cy, r: 42 }));
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
