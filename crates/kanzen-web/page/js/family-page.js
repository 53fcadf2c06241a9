// The family page: all boards of a family with their values.

import * as address from "./address.js";
import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { familyOf, familyTitle, sizeOf } from "./families.js";
import { differencePanels } from "./differences.js";
import { draw } from "./picture.js";
import { panel } from "./panels.js";
import { badgeIcon, long } from "./values.js";
import { bytes, count, gameWords, t, time } from "./words.js";

/** Returns whether a game is solved, or the cost of a solve. */
export function stateWords({ solved, forecast }) {
  if (solved) return t("solved");
  return forecast
    ? t("costShort", { time: time(forecast.seconds), memory: bytes(forecast.memory_bytes) })
    : t("notSolved");
}

/** Creates the family page. */
export async function familyPage(games, name) {
  const members = games.filter((game) => familyOf(game.id) === name);
  if (!members.length) throw new api.Refusal(404, `no family ${name}`);
  const known = await api.view(members.find((game) => game.solved)?.id ?? members[0].id);
  const views = new Map();
  const verdicts = new Map();
  const page = { element: h("div", { class: "family" }), leave: () => (page.left = true) };
  const titleOf = (game) => gameWords({ ...game, view: views.get(game.id)?.view }).title;

  const differences = api.served ? differencePanels(members, known) : [];
  const render = () => {
    const title = familyTitle(name, members, titleOf);
    document.title = `${title} · Kanzen`;
    const { rules } = gameWords({ ...members[0], view: known.view });
    const picture = known.view.ground !== "text" && draw(known.view, known.initial, { bare: true, label: title }).svg;
    renew(
      page.element,
      h("div", { class: "heading" }, h("h1", {}, title)),
      h("div", { class: "family-head" }, h("div", { class: "thumb large" }, picture), h("p", {}, rules)),
      h("p", {}, h("a", { href: address.write({ game: members[0].id, page: "rules" }) }, t("rulesPictures"))),
      tables(members, verdicts, titleOf),
      differences,
      h("p", { class: "quiet" }, t("familyNote")),
    );
  };
  page.reword = render;
  render();
  const soon = (work) =>
    work.then(
      () => !page.left && render(),
      () => {},
    );
  soon(Promise.all(members.map(async (game) => views.set(game.id, await api.view(game.id)))));
  const solved = members.filter((game) => game.solved);
  soon(Promise.all(solved.map(async (game) => verdicts.set(game.id, await api.probe(game.id)))));
  return page;
}

/** Lays out boards: sizes as a grid, rule variants side by side, others as a list. */
function tables(members, verdicts, titleOf) {
  const sized = members.filter((game) => sizeOf(game.id));
  const grid = new Set(sized.map((game) => sizeOf(game.id).columns)).size > 1 && sized.length > 8;
  const paired = members.filter((game) => game.id.endsWith("-symmetric"));
  if (grid) {
    const rest = members.filter((game) => !sizeOf(game.id));
    return [sizeTable(sized, verdicts), rest.length > 0 && listTable(rest, verdicts, titleOf)];
  }
  return paired.length ? pairTable(members, verdicts, titleOf) : listTable(members, verdicts, titleOf);
}

function sizeTable(members, verdicts) {
  const sorted = (pick) => [...new Set(members.map((game) => pick(sizeOf(game.id))))].sort((one, other) => one - other);
  const [rows, columns] = [sorted((size) => size.rows), sorted((size) => size.columns)];
  const at = (row, column) => members.find(({ id }) => sizeOf(id).rows === row && sizeOf(id).columns === column);
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, t("rowsByColumns")),
    columns.map((column) => h("th", { scope: "col" }, t("columns", { number: column }))),
  );
  const line = (row) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, t("rows", { number: row })),
      columns.map((column) => {
        const game = at(row, column);
        return h("td", {}, game && boardLink(game, `${row}×${column}`, verdicts));
      }),
    );
  const table = h("table", { class: "sizes" }, h("thead", {}, head), h("tbody", {}, rows.map(line)));
  return panel(
    t("sizes"),
    "size-panel",
    h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": t("sizes") }, table),
  );
}

/** Renders a board of the family: its name and the value of the initial position, if known. */
function boardLink(game, name, verdicts) {
  const verdict = verdicts.get(game.id);
  return h(
    "a",
    { class: "board-link", href: address.boardOf(game.id), "data-game": game.id },
    h("strong", {}, name),
    verdict
      ? h("span", { class: "verdict" }, badgeIcon(verdict), long(verdict))
      : h("span", { class: "quiet" }, stateWords(game)),
  );
}

function listTable(members, verdicts, titleOf) {
  const head = h(
    "tr",
    {},
    [t("chooseGame"), t("positionsOf"), t("valueOfStart")].map((name) => h("th", { scope: "col" }, name)),
  );
  const line = (game) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("a", { href: address.boardOf(game.id), "data-game": game.id }, titleOf(game))),
      h("td", { class: "number" }, game.positions === null ? "–" : count(game.positions)),
      h("td", {}, worthOf(game, verdicts)),
    );
  const table = h("table", {}, h("thead", {}, head), h("tbody", {}, members.map(line)));
  return panel(
    t("games"),
    "family-list",
    h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": t("games") }, table),
  );
}

/** Renders rule variants: one row per board, one column per variant. */
function pairTable(members, verdicts, titleOf) {
  const plain = members.filter((game) => !game.id.endsWith("-symmetric"));
  const other = (game) => members.find(({ id }) => id === `${game.id}-symmetric`);
  const head = h(
    "tr",
    {},
    [t("chooseGame"), t("koLiteral"), t("koSymmetric")].map((name) => h("th", { scope: "col" }, name)),
  );
  const cell = (game) => h("td", {}, game && boardLink(game, game.id, verdicts));
  const line = (game) => h("tr", {}, h("th", { scope: "row" }, titleOf(game)), cell(game), cell(other(game)));
  const table = h("table", { class: "sizes" }, h("thead", {}, head), h("tbody", {}, plain.map(line)));
  return panel(
    t("games"),
    "family-list",
    h("div", { class: "scroll wide", tabindex: 0, role: "region", "aria-label": t("games") }, table),
  );
}

function worthOf(game, verdicts) {
  const verdict = verdicts.get(game.id);
  if (verdict) return h("span", { class: "verdict" }, badgeIcon(verdict), long(verdict));
  return h("span", { class: "quiet" }, stateWords(game));
}
