// Opponent selection: the user plays both sides, or one side against a style or level of Kanzen.

import * as api from "./api.js";
import { h } from "./dom.js";
import { sideName, t } from "./words.js";

// Delay before Kanzen's move; none with prefers-reduced-motion.
const THINKING = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 450;

const STYLES = ["solid", "uniform", "trap", "patient"];
const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8].map((level) => `level-${level}`);
const USUAL = "uniform";

/** Returns the effective style; an unknown one falls back to the default. */
const styleOf = ({ style }) => (STYLES.includes(style) || LEVELS.includes(style) ? style : USUAL);

/** Creates the selection of the user's side and of Kanzen's style. */
export function opponentChoice(page) {
  const { session } = page;
  const choice = (value, label) => {
    const pick = () => {
      page.human = value;
      if (session.view.flips && value !== "both") page.flipped = value === 1;
      page.render();
    };
    const input = h("input", { type: "radio", name: "human", id: `human-${value}`, onchange: pick });
    input.checked = page.human === value;
    return [input, h("label", { for: `human-${value}` }, label)];
  };
  const sides = h(
    "fieldset",
    { class: "segments" },
    h("legend", {}, t("youPlay")),
    h(
      "div",
      { class: "choices" },
      choice("both", t("both")),
      session.view.sides.map((side, at) => choice(at, sideName(side))),
    ),
  );
  return page.human === "both" ? sides : [sides, styleChoice(page)];
}

function styleChoice(page) {
  const chosen = styleOf(page);
  const option = (style) => h("option", { value: style }, t(`style-${style}`));
  const pick = (event) => {
    page.style = event.target.value === USUAL ? undefined : event.target.value;
    page.render();
  };
  const select = h(
    "select",
    { id: "style", onchange: pick, "aria-describedby": "style-words" },
    h("optgroup", { label: t("styles") }, STYLES.map(option)),
    h("optgroup", { label: t("levels") }, LEVELS.map(option)),
  );
  select.value = chosen;
  return h(
    "div",
    { class: "style-choice" },
    h("label", { for: "style" }, t("opponent")),
    select,
    h("p", { class: "quiet", id: "style-words" }, t(`about-${chosen}`)),
  );
}

/** Returns the query parameters of a reply. */
function player(style) {
  const seed = Math.floor(Math.random() * 2 ** 31);
  return style.startsWith("level-") ? { level: style.slice(6), seed } : { style, seed };
}

/** Makes Kanzen's move if it is its turn. */
export function think(page) {
  clearTimeout(page.timer);
  if (!page.computersTurn || page.trouble.current) return;
  const { session } = page;
  const { turn, now } = session;
  page.timer = setTimeout(() => {
    page.act(async () => {
      const { reply } = await api.reply(session.game, now.position, player(styleOf(page)));
      if (reply && session.turn === turn && session.now === now && page.computersTurn) await session.play(reply.move);
    });
  }, THINKING);
}
