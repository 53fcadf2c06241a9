// Localization: phrases, numbers and units in English and Japanese. Defaults to the browser's language.

import { en } from "./words-en.js";
import { ja } from "./words-ja.js";

const LANGUAGES = { en, ja };
const KEPT = "kanzen-language";

function preferred() {
  const kept = remembered(KEPT);
  if (LANGUAGES[kept]) return kept;
  const wanted = navigator.languages ?? [navigator.language];
  return wanted.map((name) => name.slice(0, 2)).find((name) => LANGUAGES[name]) ?? "en";
}

let current = preferred();
document.documentElement.lang = current;

export const language = () => current;

export function setLanguage(name) {
  current = name;
  remember(KEPT, name);
  document.documentElement.lang = name;
}

/** Returns a phrase with its {parts} filled in. */
export function t(key, parts = {}) {
  const phrase = LANGUAGES[current][key] ?? en[key] ?? key;
  return phrase.replace(/\{(\w+)\}/g, (_, name) => parts[name] ?? "");
}

/** Formats an integer with separators. */
export const count = (number) => number.toLocaleString(current);

/** Formats a number in few characters: 13.9 M, 1390万. */
export function fewDigits(number) {
  const units = current === "ja" ? [1e4, ["", "万", "億", "兆"]] : [1e3, ["", " k", " M", " G"]];
  const [step, names] = units;
  let unit = 0;
  while (number >= step && unit < names.length - 1) {
    number /= step;
    unit += 1;
  }
  return `${number >= 100 || Number.isInteger(number) ? Math.round(number) : number.toFixed(1)}${names[unit]}`;
}

/** Returns the title and rules of a game, in Japanese if available. */
export function gameWords({ title, rules, view }) {
  return current === "ja" && view?.japanese ? view.japanese : { title, rules };
}

/** Formats an error of the server: its message, preceded by a localized sentence if the page is not in English. */
export function refusalWords({ status, message, words, parts, code }) {
  if (words) return t(words, parts);
  if (status === 0) return t("offline");
  const translation = LANGUAGES[current].errors?.[code];
  if (translation) return translation;
  if (status === 503) return t("busyServer", { error: message });
  return current === "en" ? message : t(status === 400 ? "refused400" : "refused", { error: message });
}

/** Translates single terms of the server: stages of a solve, fields of a class. */
const vocabulary = () => LANGUAGES[current].vocabulary ?? {};
const translated = (text) => text.replace(/[a-z_]+/gi, (word) => vocabulary()[word] ?? word.replaceAll("_", " "));

export const stageWords = (stage) => translated(stage);

/** Formats the fields of a class: `white 5, black 4`. */
export function classWords(fields) {
  const part = ([name, value]) => `${translated(name)} ${typeof value === "number" ? count(value) : translated(value)}`;
  return Object.entries(fields)
    .map(part)
    .join(current === "ja" ? "、" : ", ");
}

/** Returns the name of a side. */
export const sideName = (side) => (current === "ja" ? side.japanese : side.name);

const YEAR = 365 * 86400;

/** Formats a rounded duration. */
export function time(seconds) {
  if (seconds < 9.95) return t("seconds", { number: Math.max(seconds, 0.1).toFixed(1) });
  if (seconds < 99.5) return t("seconds", { number: seconds.toFixed(0) });
  if (seconds < 99.5 * 60) return t("minutes", { number: (seconds / 60).toFixed(0) });
  if (seconds < 47.5 * 3600) return t("hours", { number: (seconds / 3600).toFixed(0) });
  if (seconds < YEAR) return t("days", { number: (seconds / 86400).toFixed(0) });
  return t("years", { number: count(Number((seconds / YEAR).toPrecision(2))) });
}

/** Formats bytes with a unit. */
export function bytes(number) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (number >= 999.5 && unit < units.length - 1) {
    number /= 1000;
    unit += 1;
  }
  return `${number.toFixed(unit > 0 && number < 99.95 ? 1 : 0)} ${units[unit]}`;
}

export function remembered(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage may be unavailable in private windows: the choice then holds for this page only.
  }
}
