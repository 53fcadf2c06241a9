// The game record: moves with values, mistakes and better moves.

import { h, iconButton } from "./dom.js";
import { copyText, panel } from "./panels.js";
import { badgeIcon, long, worth } from "./values.js";
import { sideName, t } from "./words.js";

/** Formats a game as text: its moves, after the starting position in brackets if not the initial one. */
export function gameText(session) {
  const [{ position }] = session.moments;
  const start = position === session.initial ? [] : [`[${position}]`];
  return [...start, ...session.moves].join(" ");
}

/** Parses the text of `gameText`; move numbers are optional. Returns nothing if the text is not a game. */
export function parseGame(text) {
  const [, position, rest] = /^\[([^\]]*)\]\s*(.*)$/s.exec(text) ?? [null, undefined, text];
  const words = rest.split(/\s+/).filter(Boolean);
  const moves = words.map((word) => word.replace(/^\d+[.)]+/, "")).filter(Boolean);
  const like = (move) => /^([a-z]\d+([-x@]\S+)?|[A-Z]@[a-z]\d+|pass)$/.test(move);
  return position !== undefined || (moves.length > 0 && moves.every(like)) ? { position, moves } : null;
}

/** Returns the value lost by a move: nothing, or the values before and after it and the number of safe moves. */
export function slip(before, move) {
  const { moves } = before.probe;
  const [best] = moves;
  const played = moves.find((choice) => choice.move === move);
  if (!played || best.value === undefined || worth(played) >= worth(best)) return null;
  const safe = moves.filter((choice) => worth(choice) === worth(best)).length;
  return { best, played, safe, all: moves.length };
}

/** Scrolls a list to the current move. */
export function showCurrent(box) {
  const list = box.querySelector(".record-list");
  const current = list?.querySelector("[aria-current]")?.parentNode;
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** Lists the moves. Shows values and marks if values are shown or the game is over. */
export function recordPanel(page) {
  const { session } = page;
  const { moments } = session;
  const shown = session.solved && (page.hints || (session.over && session.at === moments.length - 1));
  const rows = moments.slice(1).map(({ move }, at) => row(page, at + 1, move, shown));
  const tools = [
    iconButton("copy", t("copyGame"), () => copyText(gameText(session)), {
      disabled: moments.length === 1,
      "data-tool": "copy-game",
    }),
  ];
  const slips = shown ? moments.slice(1).filter(({ move }, at) => slip(moments[at], move)).length : 0;
  const review =
    shown &&
    session.over &&
    h("p", { class: "review" }, slips ? t("reviewSlips", { number: slips }) : t("reviewClean"));
  const list = rows.length
    ? h("ol", { class: "record-list", tabindex: 0, "data-home": "record", "aria-label": t("record") }, rows)
    : h("p", { class: "quiet" }, t("recordEmpty"));
  return panel(t("record"), "record", { tools }, review, list);
}

function row(page, ply, move, shown) {
  const { session } = page;
  const before = session.moments[ply - 1];
  const choice = before.probe.moves.find((known) => known.move === move);
  const lost = shown && slip(before, move);
  const side = sideName(session.view.sides[before.mover]);
  const jump = {
    type: "button",
    class: "step",
    "data-ply": ply,
    "aria-current": session.at === ply && "step",
    title: `${side} ${move}`,
    onclick: () => page.jump(ply),
  };
  return h(
    "li",
    { class: lost ? "slip" : "" },
    h(
      "button",
      jump,
      h("span", { class: "ply" }, `${ply}`),
      shown && badgeIcon(choice),
      h("span", { class: "name" }, move, lost && h("span", { class: "mark", "aria-hidden": "true" }, " ?")),
      shown && h("span", { class: "off-screen" }, [long(choice), lost && t("lostValue")].filter(Boolean).join(", ")),
    ),
    lost && details(page, ply, lost),
  );
}

/** Renders the details of a mistake, shown on demand. */
function details(page, ply, { best, safe, all }) {
  const key = `${ply}`;
  page.opened ??= new Set();
  const toggle = (event) => (event.target.open ? page.opened.add(key) : page.opened.delete(key));
  const retry = { type: "button", "data-act": `retry-${ply}`, onclick: () => page.jump(ply - 1) };
  return h(
    "details",
    { ontoggle: toggle, open: page.opened.has(key) },
    h("summary", { "data-act": `why-${ply}` }, t(safe === 1 ? "oneSafe" : "someSafe", { safe, all })),
    h("p", {}, t("better", { move: best.move, value: long(best) })),
    h("button", retry, t("retryHere")),
  );
}
