// A histogram of positions by distance: wins upwards, losses downwards.

import { s } from "./dom.js";
import { count, fewDigits, t } from "./words.js";

const HIGH = 280;
const LEFT = 64;
const BOTTOM = 34;

/** Draws the histogram on a linear or logarithmic scale. Values without a distance follow at the end. */
export function histogram({ histogram: bars, untimed, draws }, logarithmic) {
  // Text keeps its size on a narrow screen, which shows fewer units.
  const WIDE = Math.max(340, Math.min(720, innerWidth - 60));
  const last = bars.at(-1).distance;
  const timeless = [untimed && { ...untimed, kind: "timeless" }, draws > 0 && { draws, kind: "draws" }].filter(Boolean);
  const heights = ({ wins = 0, losses = 0, draws: drawn = 0 }) => Math.max(wins, losses, drawn);
  const most = Math.max(...[...bars, ...timeless].map(heights));
  const middle = (HIGH - BOTTOM) / 2;
  const reach = middle - 14;
  const high = (number) => {
    if (!number) return 0;
    return logarithmic
      ? (reach * (Math.log10(number) + 0.3)) / (Math.log10(most) + 0.3)
      : Math.max(1, (reach * number) / most);
  };
  const slots = last + 1 + (timeless.length ? timeless.length + 1 : 0);
  const slot = (WIDE - LEFT - 16) / slots;
  const width = Math.max(1, Math.min(26, slot * 0.78));
  const x = (distance) => LEFT + slot * (distance + 0.5);
  const below = [];
  const drawn = bars.map((bar) => {
    const label = `${bar.distance}: ${t("winsOf")} ${count(bar.wins)}, ${t("lossesOf")} ${count(bar.losses)}`;
    const at = x(bar.distance) - width / 2;
    return s(
      "g",
      {},
      s("title", {}, label),
      s("rect", { class: "bar win", x: at, y: middle - high(bar.wins), width, height: high(bar.wins) }),
      s("rect", { class: "bar loss", x: at, y: middle, width, height: high(bar.losses), fill: "url(#hatch)" }),
    );
  });
  timeless.forEach((bar, number) => {
    const [width, at] = [Math.max(3, slot * 0.78), x(last + 2 + number)];
    const name = t(bar.kind === "draws" ? "drawsOf" : "noDistance");
    const rect = (kind, y, high) => s("rect", { class: `bar ${kind}`, x: at - width / 2, y, width, height: high });
    const up = bar.kind === "draws" ? bar.draws : bar.wins;
    const label =
      bar.kind === "draws" ? count(up) : `${t("winsOf")} ${count(up)}, ${t("lossesOf")} ${count(bar.losses)}`;
    const parts = [rect(bar.kind === "draws" ? "draw" : "win", middle - high(up), high(up))];
    if (bar.losses) {
      const below = rect("loss", middle, high(bar.losses));
      below.setAttribute("fill", "url(#hatch)");
      parts.push(below);
    }
    drawn.push(s("g", { class: "timeless" }, s("title", {}, `${name}: ${label}`), parts));
    below.push(
      s(
        "text",
        { class: "axis", x: at, y: HIGH - BOTTOM + 12, "text-anchor": "middle" },
        bar.kind === "draws" ? "=" : "∞",
      ),
    );
  });
  const hatch = s(
    "pattern",
    { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    s("rect", { class: "hatch-ground", width: 5, height: 5 }),
    s("rect", { class: "hatch-line", width: 2, height: 5 }),
  );
  const ticks = scale(most, logarithmic).flatMap((number) => {
    const offset = high(number);
    const text = (y) =>
      s("text", { class: "axis", x: LEFT - 8, y, "text-anchor": "end", "dominant-baseline": "central" }, fewDigits(number));
    const rule = (y) => s("line", { class: "rule", x1: LEFT, x2: WIDE, y1: y, y2: y });
    return [rule(middle - offset), rule(middle + offset), text(middle - offset), text(middle + offset)];
  });
  const labels = WIDE / 46;
  const step = last <= labels ? 1 : Math.ceil(last / labels / 5) * 5;
  for (let distance = 0; distance <= last; distance += step)
    below.push(
      s("text", { class: "axis", x: x(distance), y: HIGH - BOTTOM + 12, "text-anchor": "middle" }, String(distance)),
    );
  const words = [
    s("text", { class: "axis", x: LEFT + 6, y: 10 }, t("winsOf")),
    s("text", { class: "axis", x: LEFT + 6, y: HIGH - BOTTOM - 4 }, t("lossesOf")),
    s("text", { class: "axis", x: WIDE - 4, y: HIGH - 2, "text-anchor": "end" }, t("pliesAxis")),
  ];
  return s(
    "svg",
    { class: "histogram", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("histogramLabel") },
    s("defs", {}, hatch),
    ticks,
    drawn,
    s("line", { class: "middle", x1: LEFT, x2: WIDE, y1: middle, y2: middle }),
    below,
    words,
  );
}

function scale(most, logarithmic) {
  if (!logarithmic) return [most];
  const powers = [];
  for (let power = 1; power <= most; power *= 10) powers.push(power);
  const every = Math.ceil(powers.length / 4);
  return powers.filter((_, at) => at % every === 0);
}
