// What stands beside the board: moves, best play, the course of the game.

import * as api from "./api.js";
import { copy, h, iconButton, s, toast } from "./dom.js";
import { badgeIcon, height, long } from "./values.js";
import { sideName, t } from "./words.js";

/** A titled box. */
export function panel(title, kind, ...content) {
  const [tools, rest] = content[0]?.tools ? [content[0].tools, content.slice(1)] : [[], content];
  return h(
    "section",
    { class: `panel ${kind}` },
    h("div", { class: "panel-head" }, h("h2", {}, title), ...tools),
    ...rest,
  );
}

/** All moves, best first, each a button. */
export function movesPanel(session, { hints, playable, onmove }) {
  const { moves } = session.now.probe;
  if (!moves.length) return panel(t("moves"), "moves", h("p", { class: "quiet" }, t("noMoves")));
  const shown = hints ? moves : [...moves].sort((one, other) => one.move.localeCompare(other.move));
  const rows = shown.map((choice) => {
    const inner = hints
      ? [badgeIcon(choice), h("span", { class: "name" }, choice.move), h("span", { class: "words" }, long(choice))]
      : [h("span", { class: "name" }, choice.move)];
    const button = {
      type: "button",
      class: "move",
      "data-move": choice.move,
      disabled: !playable,
      onclick: () => onmove(choice.move),
    };
    return h("li", {}, h("button", button, inner));
  });
  return panel(t("moves"), "moves", h("ul", { class: "move-list", tabindex: 0, "aria-label": t("moves") }, rows));
}

/** Best play from the position shown, filled in when the answer comes. */
export function linePanel(session, { onplay, onback }) {
  const list = h("ol", { class: "line-list" });
  const { game } = session;
  const { position, probe } = session.now;
  let moves = [];
  const forward = iconButton("forward", t("stepOn"), () => moves.length && onplay([moves[0].move]), { disabled: true });
  const copyIt = iconButton("copy", t("copy"), () => copyText(moves.map((step) => step.move).join(" ")), {
    disabled: true,
  });
  const back = iconButton("back", t("stepBack"), onback, { disabled: session.at === 0 });
  const show = ({ line }) => {
    moves = line;
    const steps = line.map((step, at) => {
      const play = () => onplay(line.slice(0, at + 1).map((one) => one.move));
      return h("li", {}, h("button", { type: "button", class: "step", onclick: play, title: long(step) }, step.move));
    });
    const repeats =
      line.length > 0 &&
      line.at(-1).distance === null &&
      probe.distance === null &&
      line
        .slice(0, -1)
        .concat({ position })
        .some((step) => step.position === line.at(-1).position);
    if (repeats) steps.push(h("li", { class: "quiet" }, t("lineRepeats")));
    if (!line.length) steps.push(h("li", { class: "quiet" }, t("lineEnds")));
    list.replaceChildren(...steps);
    forward.disabled = copyIt.disabled = line.length === 0;
  };
  const key = `${game} ${position}`;
  if (linePanel.known?.key === key) show(linePanel.known.line);
  else {
    api.line(game, position).then(
      (line) => {
        linePanel.known = { key, line };
        show(line);
      },
      () => list.replaceChildren(),
    );
  }
  return panel(t("bestLine"), "line", { tools: [back, forward, copyIt] }, list);
}

/** Copies and says so. */
export function copyText(text) {
  copy(text).then(
    () => toast(t("copied")),
    () => toast(t("copyFailed")),
  );
}

const WIDE = 440;
const HIGH = 110;

/** The value along the game, from the view of the side that began. */
export function graphPanel(session, { onjump }) {
  const { moments, view } = session;
  const verdicts = moments.map(({ probe, mover }) => ({ ...probe, mover }));
  const scale = Math.max(8, ...verdicts.map((verdict) => Math.abs(verdict.score ?? verdict.distance ?? 0)));
  const apart = Math.min(40, (WIDE - 40) / Math.max(1, moments.length - 1));
  const x = (at) => 20 + at * apart;
  const y = (verdict) => HIGH / 2 - (verdict.mover === 0 ? 1 : -1) * height(verdict, scale) * (HIGH / 2 - 12);
  const path = verdicts.map((verdict, at) => `${at ? "L" : "M"}${x(at)} ${y(verdict)}`).join("");
  const points = verdicts.map((verdict, at) => {
    const label = t("graphPoint", { ply: at, side: sideName(view.sides[verdict.mover]), value: long(verdict) });
    const jump = () => onjump(at);
    const key = (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), jump());
    const attributes = {
      class: `point ${at === session.at ? "now" : ""}`,
      role: "button",
      tabindex: 0,
      "aria-label": label,
      "data-ply": at,
      onclick: jump,
      onkeydown: key,
    };
    return s(
      "g",
      attributes,
      s("rect", { class: "reach", x: x(at) - apart / 2, y: 0, width: apart, height: HIGH }),
      mark(verdict, x(at), y(verdict), at === session.at ? 8 : 5.5),
      s("title", {}, label),
    );
  });
  const names = view.sides.map((side, at) =>
    s("text", { class: "axis", x: WIDE - 6, y: at ? HIGH - 6 : 14, "text-anchor": "end" }, sideName(side)),
  );
  const chart = s(
    "svg",
    { class: "graph", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "group", "aria-label": t("graph") },
    s("line", { class: "middle", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
    names,
    s("path", { class: "course", d: path }),
    points,
  );
  return panel(t("graph"), "course-panel", chart);
}

function mark({ value, mover }, x, y, r) {
  const forFirst = value === "draw" ? "draw" : (value === "win") === (mover === 0) ? "first" : "second";
  const shape = {
    first: () => s("circle", { cx: x, cy: y, r }),
    draw: () => s("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }),
    second: () =>
      s("path", { d: `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}Z` }),
  };
  const drawn = shape[forFirst]();
  drawn.setAttribute("class", `mark ${forFirst}`);
  return drawn;
}
