// The notation field: shows, edits, copies and pastes positions and whole games.

import { h, iconButton, toast } from "./dom.js";
import { copyText } from "./panels.js";
import { parseGame } from "./record.js";
import { refusalWords, t } from "./words.js";

/** Creates the field. */
export function notationField(page) {
  const { session } = page;
  const { position, mover } = session.now;
  const field = h("input", {
    id: "position",
    value: position,
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  const problem = h("p", { class: "problem", role: "alert" });
  const show = async (text) => {
    try {
      await showText(page, text.trim(), mover);
    } catch (refusal) {
      if (refusal.passing) page.trouble.show(refusal, () => show(text));
      else problem.textContent = refusalWords(refusal);
    }
  };
  const paste = () =>
    navigator.clipboard?.readText().then(show, () => toast(t("pasteFailed"))) ?? toast(t("pasteFailed"));
  return h(
    "form",
    { class: "notation", onsubmit: (event) => (event.preventDefault(), show(field.value)) },
    h("label", { for: "position" }, t("position")),
    h(
      "div",
      { class: "field" },
      field,
      h("button", { type: "submit", "data-act": "go" }, t("go")),
      iconButton("copy", t("copyPosition"), () => copyText(position), { "data-tool": "copy" }),
      iconButton("paste", t("paste"), paste, { "data-tool": "paste" }),
      iconButton("link", t("copyLink"), () => copyText(location.href), { "data-tool": "link" }),
    ),
    problem,
  );
}

/** Shows a position, or a whole game in the format of `recordPanel`. A position already on the board keeps its game. */
async function showText(page, text, mover) {
  const { session } = page;
  const game = parseGame(text);
  if (game) {
    const wrong = await session.load({ ...game, side: 0 });
    if (wrong) toast(t("badMove", { move: wrong }));
  } else if (!session.shows(text, mover)) {
    await session.start(text, mover);
  }
  page.trouble.clear();
  page.render();
}
