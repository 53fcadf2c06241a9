// Persistent user settings: hints and theme.

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

/** Toggles light and dark. */
export function switchTheme() {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  remember(THEME, theme);
}

const kept = remembered(THEME);
if (kept === "light" || kept === "dark") document.documentElement.dataset.theme = kept;
