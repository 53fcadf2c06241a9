// The status line above the board: side to move and value, or the result.

import { h } from "./dom.js";
import { moreArrows } from "./hints.js";
import { badgeIcon, long } from "./values.js";
import { sideName, t } from "./words.js";

/** Returns the content of the status line. */
export function statusLine(page) {
  const { session, editor } = page;
  if (editor) return h("strong", {}, t("edit"));
  const { now, view } = session;
  const side = (at) => sideName(view.sides[at]);
  const { end } = session;
  if (end) {
    return [
      h("strong", {}, t("over")),
      h("span", { class: "result" }, end.winner === null ? t("drawn") : t("wins", { side: side(end.winner) })),
      h("span", { class: "quiet reason" }, reason(session, end)),
      h("button", { type: "button", "data-act": "rematch", onclick: () => page.restart(true) }, t("rematch")),
    ];
  }
  const { probe, mover } = now;
  const more = page.hints ? moreArrows(view, now) : 0;
  return [
    h("strong", {}, t("toMove", { side: side(mover) })),
    page.hints && h("span", { class: "verdict", "data-value": probe.value }, badgeIcon(probe), long(probe)),
    more > 0 && h("span", { class: "quiet more-best" }, t("moreBest", { number: more })),
    page.computersTurn && h("span", { class: "quiet" }, t("thinking")),
    now.ban && h("span", { class: "quiet banned" }, t("banned", { move: now.ban.join(", ") })),
    page.hint.step > 0 && h("span", { class: "hint-words" }, page.hint.words(now)),
    session.drawOffered && drawOffer(page),
  ];
}

/** Returns the reason of the result. */
export function reason(session, { reason: kind, score }) {
  if (kind !== "rules") return t(kind === "repeated" ? "byRepetition" : "byAgreement");
  const { move } = session.now;
  const points = score ? t("byPoints", { score: Math.abs(score) }) : "";
  const plies = move ? t("afterPlies", { plies: session.at, move }) : "";
  return [points, plies].filter(Boolean).join(" · ");
}

function drawOffer(page) {
  const take = () => {
    page.session.agree();
    page.render();
  };
  return h(
    "span",
    { class: "draw-offer" },
    t("repeatedThrice", { number: page.session.repeats }),
    " ",
    h("button", { type: "button", "data-act": "draw", onclick: take }, t("takeDraw")),
  );
}
