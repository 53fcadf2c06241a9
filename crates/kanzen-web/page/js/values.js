// Formats values as words, numbers and badges. Shape and sign repeat the information of the colour.

import { s } from "./dom.js";
import { t } from "./words.js";

/** Formats a value for the board: `+13`, `−8`, `=`. Games with scores show the score. */
export function short({ value, distance, score }) {
  if (value === "draw") return "=";
  const number = score ?? distance;
  const sign = value === "win" ? "+" : "−";
  return number === null || number === undefined ? sign : sign + Math.abs(number);
}

/** Formats a value in words: `win in 13`, `loss by 4`, `draw`. */
export function long({ value, distance, score }) {
  const by = score ? t("by", { score: Math.abs(score) }) : "";
  const after = distance === null || distance === undefined ? "" : t("in", { distance });
  return t(value) + by + after;
}

/** Compares two moves; negative if the first is better. */
export function same(one, other) {
  return one.value === other.value && one.distance === other.distance && one.score === other.score;
}

/** Returns the value without distance: win, draw or loss, or the score in games with scores. */
export function worth({ value, score }) {
  return score ?? { win: 1, draw: 0, loss: -1 }[value];
}

/** Draws a badge at a point: a circle for a win, a diamond for a loss, a square for a draw. */
export function badge(verdict, x, y, radius) {
  const { value } = verdict;
  const text = short(verdict);
  const size = radius * (text.length > 3 ? 0.64 : text.length > 2 ? 0.82 : 1.1);
  const r = radius;
  const shape = {
    win: () => s("circle", { cx: x, cy: y, r }),
    draw: () => s("rect", { x: x - r * 0.9, y: y - r * 0.9, width: r * 1.8, height: r * 1.8, rx: r * 0.3 }),
    loss: () =>
      s("path", { d: `M${x} ${y - r * 1.28}L${x + r * 1.28} ${y}L${x} ${y + r * 1.28}L${x - r * 1.28} ${y}Z` }),
  }[value]();
  const label = s("text", { x, y, "font-size": size, "text-anchor": "middle", "dominant-baseline": "central" }, text);
  return s("g", { class: `badge ${value}`, "data-value": text }, shape, label);
}

/** Draws a badge for use in text. */
export function badgeIcon(verdict) {
  return s("svg", { class: "badge-icon", viewBox: "-26 -26 52 52", "aria-hidden": "true" }, badge(verdict, 0, 0, 19));
}

/** Maps a value to the range -1 to 1 for the side to move: quick wins are high, slow ones near 0. */
export function height({ value, distance, score }, scale) {
  if (value === "draw") return 0;
  const part = score !== undefined ? Math.min(Math.abs(score) / scale, 1) : 1 - (distance ?? scale) / (scale + 1);
  return (value === "win" ? 1 : -1) * (0.25 + 0.75 * part);
}
