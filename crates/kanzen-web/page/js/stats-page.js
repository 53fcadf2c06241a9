// The statistics page of a game: census, histogram, longest wins and losses.

import * as address from "./address.js";
import * as api from "./api.js";
import { h, renew } from "./dom.js";
import { histogram } from "./histogram.js";
import { draw } from "./picture.js";
import { panel } from "./panels.js";
import { sideOf } from "./notation.js";
import { classWords, count, gameWords, sideName, t } from "./words.js";

/** Creates the statistics page of a solved game. */
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
      stats.histogram.length > 0 && panel(t("histogram"), "chart", { tools: [scales] }, histogram(stats, logarithmic));
    const heading = h("div", { class: "heading" }, h("h1", {}, title), h("code", { class: "id" }, card.id));
    if (stats.weak) {
      // The database stores a single line: a census of it would be meaningless.
      renew(page.element, heading, solvedFromTheStart(stats), downloads(card, ["JSON"]));
      return;
    }
    renew(
      page.element,
      heading,
      h("div", { class: "stat-grid" }, totals(stats), chart || scores(stats)),
      longest(card, known, far),
      stats.histogram.length > 0 && distances(stats),
      stats.classes && classes(stats),
      downloads(card, ["CSV", "paper", "JSON"]),
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

/** Counts both up to symmetry, as in published tables, and over all positions, if known. */
function totals(stats) {
  const all = stats.all_positions;
  const row = (kind, name, pick, share_of) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, kind && h("span", { class: `key ${kind}` }), name),
      cell(count(pick(stats))),
      cell(share_of ? share(pick(stats), stats.positions) : ""),
      all && cell(count(pick(all))),
    );
  const { untimed } = stats;
  // Games with scores have no distances, so there is no missing distance to mention.
  const timeless = untimed && stats.histogram.length > 0 && untimed.wins + untimed.losses > 0;
  const note = timeless && t("untimedNote", { wins: count(untimed.wins), losses: count(untimed.losses) });
  const head = h(
    "tr",
    {},
    [t("value"), t("upToSymmetry"), t("share"), all && t("allPositions")]
      .filter((name) => name !== undefined && name !== false)
      .map((name) => h("th", { scope: "col" }, name)),
  );
  const rows = [
    row("win", t("winsOf"), (one) => one.wins, true),
    row("loss", t("lossesOf"), (one) => one.losses, true),
    row("draw", t("drawsOf"), (one) => one.draws, true),
    row("", t("total"), (one) => one.positions, false),
  ];
  const table = h(
    "table",
    {},
    h("caption", {}, t("positions", { number: count(stats.positions) })),
    h("thead", {}, head),
    h("tbody", {}, rows),
  );
  return panel(t("census"), "totals", table, note && h("p", {}, note), h("p", { class: "quiet" }, t("censusNote")));
}

/** A weakly solved game: its line is stored, other positions are searched on request. */
function solvedFromTheStart({ weak }) {
  return panel(t("solvedFromStart"), "weak", h("p", {}, t("weakNote", { line: count(weak.line) })));
}

/** Positions by score, in games with scores. */
function scores(stats) {
  if (!stats.scores?.length) return "";
  const head = h(
    "tr",
    {},
    [t("score"), t("positionsOf")].map((name) => h("th", { scope: "col" }, name)),
  );
  const rows = stats.scores.map((bar) => h("tr", {}, h("th", { scope: "row" }, bar.score), cell(count(bar.positions))));
  const box = h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": t("score") },
    h("table", {}, h("thead", {}, head), h("tbody", {}, rows)),
  );
  return panel(t("byScore"), "scores", box);
}

function distances(stats) {
  const head = h(
    "tr",
    {},
    [t("distance"), t("winsOf"), t("lossesOf"), t("drawsOf")].map((name) => h("th", { scope: "col" }, name)),
  );
  const rows = stats.histogram.map((bar) =>
    h(
      "tr",
      {},
      h("th", { scope: "row", class: "number" }, bar.distance),
      cell(count(bar.wins)),
      cell(count(bar.losses)),
      cell(""),
    ),
  );
  const { wins, losses } = stats.untimed ?? { wins: 0, losses: 0 };
  if (wins + losses + stats.draws > 0) {
    const name = h("th", { scope: "row", class: "number" }, t("noDistance"));
    rows.push(h("tr", { class: "timeless" }, name, cell(count(wins)), cell(count(losses)), cell(count(stats.draws))));
  }
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
    const label = classWords(row.class);
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

/** Download links: CSV in the common layout, CSV in the published layout, and JSON. */
function downloads(card, kinds) {
  const all = {
    CSV: ["stats.csv", {}, `${card.id}-stats.csv`, "CSV"],
    paper: ["stats.csv", { layout: "published" }, `${card.id}-published.csv`, t("paperCsv")],
    JSON: ["stats", {}, `${card.id}-stats.json`, "JSON"],
  };
  const file = ([question, parameters, download, name]) =>
    h("a", { class: "button", href: api.address(card.id, question, parameters), download }, name);
  return h(
    "p",
    { class: "downloads" },
    `${t("download")}: `,
    kinds.map((kind) => file(all[kind])),
  );
}
