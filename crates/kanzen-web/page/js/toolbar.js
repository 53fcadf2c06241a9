// The toolbar below the board.

import { h, iconButton } from "./dom.js";
import { showHints } from "./settings.js";
import { t } from "./words.js";

/** Creates the toolbar of a board page. */
export function toolbar(page) {
  const { session, hints, flipped } = page;
  const end = session.moments.length - 1;
  const editing = page.editor !== null;
  const atStart = session.at === 0 || editing;
  const atEnd = session.at === end || editing;
  const then = (work) => () => {
    work();
    page.render();
  };
  return [
    iconButton("restart", t("restart"), () => page.restart(), { disabled: editing, "data-tool": "restart" }),
    iconButton("first", t("first"), () => page.jump(0), { disabled: atStart, "data-tool": "first" }),
    iconButton("back", t("back"), () => page.undo(), { disabled: atStart, "data-tool": "undo" }),
    iconButton("forward", t("forward"), () => page.redo(), { disabled: atEnd, "data-tool": "redo" }),
    iconButton("last", t("last"), () => page.jump(end), { disabled: atEnd, "data-tool": "last" }),
    h("span", { class: "gap" }),
    session.solved &&
      iconButton(
        "hint",
        t(`hintStep${Math.min(page.hint.step, 2)}`),
        then(() => page.hint.next()),
        {
          disabled: !page.playable,
          "data-tool": "hint",
        },
      ),
    session.solved &&
      iconButton(
        "hints",
        t(hints ? "hintsShown" : "hintsHidden"),
        then(() => showHints(!hints)),
        {
          "aria-pressed": String(hints),
          "data-tool": "hints",
        },
      ),
    session.view.flips &&
      iconButton(
        "flip",
        t("flip"),
        then(() => (page.flipped = !flipped)),
        {
          "aria-pressed": String(flipped),
          "data-tool": "flip",
        },
      ),
    session.view.ground !== "text" &&
      iconButton("edit", t("edit"), () => page.edit(), { "aria-pressed": String(editing), "data-tool": "edit" }),
    session.view.ground !== "text" &&
      iconButton("share", t("shareBoard"), () => page.share(), { "data-tool": "share" }),
  ];
}
