// Panels beside the board: moves and best play.

import * as api from "./api.js";
import { copy, h, iconButton, toast } from "./dom.js";
import { badgeIcon, long } from "./values.js";
import { refusalWords, t } from "./words.js";

/** Creates a titled box. */
export function panel(title, kind, ...content) {
  const [tools, rest] = content[0]?.tools ? [content[0].tools, content.slice(1)] : [[], content];
  return h(
    "section",
    { class: `panel ${kind}` },
    h("div", { class: "panel-head" }, h("h2", {}, title), ...tools),
    ...rest,
  );
}

/** Lists all moves as buttons, best first. */
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
  return panel(
    t("moves"),
    "moves",
    h("ul", { class: "move-list", tabindex: 0, "data-home": "moves", "aria-label": t("moves") }, rows),
  );
}

/** Shows best play from the current position, loaded asynchronously. */
export function linePanel(session, { onplay, onback }) {
  const list = h("ol", { class: "line-list", tabindex: 0, "data-home": "line", "aria-label": t("bestLine") });
  const { game } = session;
  const { position, probe } = session.now;
  let moves = [];
  const forward = iconButton("forward", t("stepOn"), () => moves.length && onplay([moves[0].move]), {
    "data-act": "step-on",
  });
  const copyIt = iconButton(
    "copy",
    t("copy"),
    () => moves.length && copyText(moves.map((step) => step.move).join(" ")),
    {
      "data-act": "copy-line",
    },
  );
  const back = iconButton("back", t("stepBack"), onback, { disabled: session.at === 0, "data-act": "step-back" });
  const show = ({ line }) => {
    moves = line;
    const steps = line.map((step, at) => {
      const play = () => onplay(line.slice(0, at + 1).map((one) => one.move));
      return h(
        "li",
        {},
        h(
          "button",
          { type: "button", class: "step", onclick: play, title: long(step), "data-act": `line-${at}` },
          step.move,
        ),
      );
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
    for (const button of [forward, copyIt]) button.setAttribute("aria-disabled", String(line.length === 0));
  };
  const key = `${game} ${position}`;
  const ask = () => {
    list.replaceChildren(h("li", { class: "quiet" }, t("loading")));
    api.line(game, position).then(
      (line) => {
        linePanel.known = { key, line };
        show(line);
      },
      (refusal) => {
        const again = h("button", { type: "button", "data-act": "line-again", onclick: ask }, t("retry"));
        list.replaceChildren(h("li", { class: "quiet" }, refusalWords(refusal), " ", again));
      },
    );
  };
  if (linePanel.known?.key === key) show(linePanel.known.line);
  else if (api.lineIsCheap(game)) ask();
  else {
    for (const button of [forward, copyIt]) button.setAttribute("aria-disabled", "true");
    const offer = h("button", { type: "button", "data-act": "line-ask", onclick: ask }, t("lineOffer"));
    list.replaceChildren(h("li", { class: "quiet" }, t("lineCost"), " ", offer));
  }
  return panel(t("bestLine"), "line", { tools: [back, forward, copyIt] }, list);
}

/** Copies a text and confirms it. */
export function copyText(text) {
  copy(text).then(
    () => toast(t("copied")),
    () => toast(t("copyFailed")),
  );
}
