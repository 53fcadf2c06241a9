// Counts consecutive days with a solved puzzle, in local storage.

import { language, remember, remembered } from "./words.js";

const KEPT = "kanzen-puzzles";
const DAY = 86_400_000;

/** Returns the local date as `2026-11-17`. */
export function day(date = new Date()) {
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Returns the seed of a day's puzzle, which depends on the date only. */
export const seedOf = (name) => Number(name.replaceAll("-", ""));

/** Formats a date for display. */
export const formatDay = (name) => new Date(`${name}T12:00:00`).toLocaleDateString(language(), { dateStyle: "long" });

const before = (name) => new Date(Date.parse(name) - DAY).toISOString().slice(0, 10);

function all() {
  try {
    return JSON.parse(remembered(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/** Returns the streak of a game. */
export function streak(game) {
  return {
    /** Consecutive days up to today, or up to yesterday, since today is not over. */
    length(today) {
      const { last, days = 0 } = all()[game] ?? {};
      return last === today || last === before(today) ? days : 0;
    },
    /** Records today's puzzle as solved. */
    count(today) {
      const kept = all();
      if (kept[game]?.last === today) return;
      kept[game] = { last: today, days: this.length(today) + 1 };
      remember(KEPT, JSON.stringify(kept));
    },
  };
}
