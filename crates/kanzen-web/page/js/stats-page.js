// The statistics of a game: census, histogram, longest wins.

import * as address from "./address.js";
import * as api from "./api.js";
import { h } from "./dom.js";
import { histogram } from "./histogram.js";
import { draw } from "./picture.js";
import { panel } from "./panels.js";
import { sideOf } from "./notation.js";
import { count, gameWords, sideName, t } from "./words.js";

/** The statistics page of a solved game. */
export async function statsPage(card) {
  const [known, stats] = await Promise.all([api.view(card.id), api.stats(card.id)]);
  const page = { element: h("div", { class: "stats" }), leave() {} };
  let logarithmic = false;
  let far;
  const render = () => {
    const { title } = gameWords({ ...card, view: known.view });
    document.title = `${title} · ${t("statistics")} · Kanzen`;
    const scale = (value, label) => {
      const pick = () => {
        logarithmic = value;
        render();
      };
      const input = h("input", { type: "radio", name: "scale", id: `scale-${label}`, onchange: pick });
      input.checked = logarithmic === value;
      return [input, h("label", { for: `scale-${label}` }, t(label))];
    };
    const scales = h(
      "fieldset",
      { class: "segments small" },
      h("legend", { class: "off-screen" }, t("scale")),
      h("div", { class: "choices" }, scale(false, "linear"), scale(true, "logarithmic")),
    );
    const chart =
      stats.histogram.length > 0 &&
      panel(t("histogram"), "chart", { tools: [scales] }, histogram(stats.histogram, logarithmic));
    page.element.replaceChildren(
      h("div", { class: "heading" }, h("h1", {}, title), h("code", { class: "id" }, card.id)),
      h("div", { class: "stat-grid" }, totals(stats), chart || ""),
      ...longest(card, known, far),
      stats.histogram.length > 0 ? distances(stats) : "",
      stats.classes ? classes(stats) : "",
      downloads(card),
    );
  };
  page.reword = render;
  render();
  api.longest(card.id).then(
    (found) => {
      far = found;
      render();
    },
    () => {},
  );
  return page;
}

const share = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)}%` : "–");
const cell = (text) => h("td", { class: "number" }, text);

function totals(stats) {
  const row = (kind, name, number) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: `key ${kind}` }), name),
      cell(count(number)),
      cell(share(number, stats.positions)),
    );
  const rows = [
    row("win", t("winsOf"), stats.wins),
    row("loss", t("lossesOf"), stats.losses),
    row("draw", t("drawsOf"), stats.draws),
  ];
  const table = h(
    "table",
    {},
    h("caption", {}, t("positions", { number: count(stats.positions) })),
    h("tbody", {}, rows),
  );
  return panel(t("census"), "totals", table, h("p", { class: "quiet" }, t("censusNote")));
}

function distances(stats) {
  const head = h(
    "tr",
    {},
    [t("distance"), t("winsOf"), t("lossesOf")].map((name) => h("th", { scope: "col" }, name)),
  );
  const rows = stats.histogram.map((bar) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "number" }, bar.distance),
      cell(count(bar.wins)),
      cell(count(bar.losses)),
    ),
  );
  const box = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": t("distance") },
    h("table", {}, h("thead", {}, head), h("tbody", {}, rows)),
  );
  return panel(t("byDistance"), "distances", box);
}

function classes(stats) {
  const head = h(
    "tr",
    {},
    [t("class"), t("winsOf"), t("lossesOf"), t("drawsOf"), t("longest")].map((name) => h("th", { scope: "col" }, name)),
  );
  const rows = stats.classes.map((row) => {
    const label = Object.entries(row.class)
      .map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "number" ? count(value) : value}`)
      .join(", ");
    const most = row.histogram.length ? Math.max(...row.histogram.map((bar) => bar.distance)) : "–";
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, label),
      cell(count(row.wins)),
      cell(count(row.losses)),
      cell(count(row.draws)),
      cell(most),
    );
  });
  const box = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": t("class") },
    h("table", {}, h("thead", {}, head), h("tbody", {}, rows)),
  );
  return panel(t("byClass"), "classes", box);
}

function longest(card, known, far) {
  const part = (found, title) => {
    if (!found) return [];
    const shown = t("someOf", { shown: count(found.examples.length), all: count(found.positions) });
    const boards = found.examples.map(({ position, to_move }) => {
      const side = sideOf(known.view, to_move);
      const label =
        side === undefined ? position : `${position} · ${t("toMove", { side: sideName(known.view.sides[side]) })}`;
      const picture =
        known.view.ground === "text"
          ? h("pre", {}, position)
          : draw(known.view, position, { initial: known.initial, mover: side ?? 0, bare: true }).svg;
      return h(
        "a",
        { class: "example", href: address.write({ game: card.id, position }), title: label },
        picture,
        side !== undefined && h("span", { class: "quiet" }, t("toMove", { side: sideName(known.view.sides[side]) })),
      );
    });
    const content = boards.length
      ? h("div", { class: "examples" }, boards)
      : h("p", { class: "quiet" }, t("noExamples"));
    return [panel(title, "longest", h("p", { class: "quiet" }, shown), content)];
  };
  if (!far) return [];
  return [
    ...part(far.wins, t("longestWins", { distance: far.wins?.distance })),
    ...part(far.losses, t("longestLosses", { distance: far.losses?.distance })),
  ];
}

function downloads(card) {
  const file = (question, name) =>
    h(
      "a",
      { class: "button", href: api.address(card.id, question), download: `${card.id}-stats.${name.toLowerCase()}` },
      name,
    );
  return h("p", { class: "downloads" }, `${t("download")}: `, file("stats.csv", "CSV"), file("stats", "JSON"));
}
