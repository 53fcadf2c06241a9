// Days in a row on which a puzzle was solved, kept in the browser.

import { language, remember, remembered } from "./words.js";

const KEPT = "kanzen-puzzles";
const DAY = 86_400_000;

/** A day as `2026-11-17`, where the person is. */
export function day(date = new Date()) {
  const two = (number) => String(number).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The seed of a day's puzzle, the same for everybody. */
export const seedOf = (name) => Number(name.replaceAll("-", ""));

/** A day as people write it. */
export const told = (name) => new Date(`${name}T12:00:00`).toLocaleDateString(language(), { dateStyle: "long" });

const before = (name) => new Date(Date.parse(name) - DAY).toISOString().slice(0, 10);

function all() {
  try {
    return JSON.parse(remembered(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/** The streak of a game. */
export function streak(game) {
  return {
    /** Days in a row up to this one, or up to the day before: today is not over yet. */
    length(today) {
      const { last, days = 0 } = all()[game] ?? {};
      return last === today || last === before(today) ? days : 0;
    },
    /** Today's puzzle is solved. */
    count(today) {
      const kept = all();
      if (kept[game]?.last === today) return;
      kept[game] = { last: today, days: this.length(today) + 1 };
      remember(KEPT, JSON.stringify(kept));
    },
  };
}
