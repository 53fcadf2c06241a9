// Choices of the person that outlive a page: hints, and light or dark.

import { remember, remembered } from "./words.js";

const HINTS = "kanzen-hints";
const THEME = "kanzen-theme";

let hints = remembered(HINTS) !== "hidden";

export const hintsShown = () => hints;

export function showHints(shown) {
  hints = shown;
  remember(HINTS, shown ? "shown" : "hidden");
}

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/** From light to dark, and back. */
export function switchTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  remember(THEME, theme);
}

const kept = remembered(THEME);
if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
