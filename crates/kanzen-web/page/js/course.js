// The evaluation graph: the value over the game, for the side that moved first.

import { s } from "./dom.js";
import { panel } from "./panels.js";
import { height, long } from "./values.js";
import { sideName, t } from "./words.js";

const WIDE = 440;
const HIGH = 110;
/** Space for the names of the sides, which the curve must not cross. */
const NAMES = 84;

/** Renders the graph. It is a single tab stop; arrow keys move from ply to ply. */
export function graphPanel(session, { onjump }) {
  const { moments, view } = session;
  const verdicts = moments.map(({ probe, mover }) => ({ ...probe, mover }));
  const scale = Math.max(8, ...verdicts.map((verdict) => Math.abs(verdict.score ?? verdict.distance ?? 0)));
  const apart = Math.min(40, (WIDE - 40 - NAMES) / Math.max(1, moments.length - 1));
  const x = (at) => 20 + at * apart;
  const y = (verdict) => HIGH / 2 - (verdict.mover === 0 ? 1 : -1) * height(verdict, scale) * (HIGH / 2 - 12);
  const path = verdicts.map((verdict, at) => `${at ? "L" : "M"}${x(at)} ${y(verdict)}`).join("");
  const walk = (event, at) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && event.currentTarget.parentNode.querySelector(`[data-ply="${at + step}"]`);
    if (next) {
      event.preventDefault();
      next.focus();
    }
  };
  const points = verdicts.map((verdict, at) => {
    const label = t("graphPoint", { ply: at, side: sideName(view.sides[verdict.mover]), value: long(verdict) });
    const jump = () => onjump(at);
    const key = (event) =>
      event.key === "Enter" || event.key === " " ? (event.preventDefault(), jump()) : walk(event, at);
    const attributes = {
      class: `point ${at === session.at ? "now" : ""}`,
      role: "button",
      tabindex: at === session.at ? 0 : -1,
      "aria-label": label,
      "data-ply": at,
      onclick: jump,
      onkeydown: key,
    };
    return s(
      "g",
      attributes,
      s("rect", { class: "reach", x: x(at) - apart / 2, y: 0, width: apart, height: HIGH }),
      mark(view, verdict, x(at), y(verdict), at === session.at ? 8 : 5.5),
      s("title", {}, label),
    );
  });
  const names = view.sides.map((side, at) =>
    s("text", { class: "axis", x: WIDE - 4, y: at ? HIGH - 6 : 14, "text-anchor": "end" }, sideName(side)),
  );
  const chart = s(
    "svg",
    { class: "graph", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "group", "aria-label": t("graph") },
    s("line", { class: "middle", x1: 0, x2: WIDE - NAMES, y1: HIGH / 2, y2: HIGH / 2 }),
    names,
    s("path", { class: "course", d: path }),
    points,
  );
  return panel(t("graph"), "course-panel", chart);
}

/** Returns a mark in the colour of the leading side: a circle for the first one, a diamond for the second. */
function mark(view, { value, mover }, x, y, r) {
  const ahead = value === "draw" ? null : (value === "win") === (mover === 0) ? 0 : 1;
  const shape =
    ahead === null
      ? s("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r })
      : ahead === 0
        ? s("circle", { cx: x, cy: y, r })
        : s("path", {
            d: `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}Z`,
          });
  shape.setAttribute("class", `mark ${ahead === null ? "draw" : view.sides[ahead].tone}`);
  return shape;
}
