// The share panel: exports pictures, an embeddable board and a citation, all generated in the browser.

import * as address from "./address.js";
import * as api from "./api.js";
import { copyText } from "./panels.js";
import { h, renew, s, toast } from "./dom.js";
import { draw } from "./picture.js";
import { bytes, refusalWords, t } from "./words.js";

/** The style properties to inline in an exported picture. */
const LOOK = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
];
const SCALE = 2;
/** Seconds per position in an animation. */
const FRAME = 1;

/** Copies a drawing with inlined styles and without click targets. */
export function standalone(svg) {
  const copy = svg.cloneNode(true);
  const [from, to] = [svg.querySelectorAll("*"), copy.querySelectorAll("*")];
  from.forEach((element, at) => {
    const style = getComputedStyle(element);
    for (const name of LOOK) to[at].setAttribute(name, style.getPropertyValue(name));
    to[at].removeAttribute("class");
    to[at].removeAttribute("tabindex");
  });
  [...from].forEach((element, at) => element.matches(".targets") && to[at].remove());
  const [, , width, height] = svg.getAttribute("viewBox").split(" ");
  const outside = { xmlns: "http://www.w3.org/2000/svg", width, height };
  for (const [name, value] of Object.entries(outside)) copy.setAttribute(name, value);
  for (const name of ["class", "style", "role"]) copy.removeAttribute(name);
  return copy;
}

const text = (svg) => new XMLSerializer().serializeToString(svg);

function save(name, blob) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const saveSvg = (name, svg) => save(name, new Blob([text(svg)], { type: "image/svg+xml" }));

async function savePng(name, svg) {
  const [width, height] = [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))];
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text(svg))}`;
  await image.decode();
  const canvas = h("canvas", { width: width * SCALE, height: height * SCALE });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  save(name, await new Promise((resolve) => canvas.toBlob(resolve, "image/png")));
}

/** Creates an endless animation of a line as SVG. */
export function animated(view, initial, moments, flipped) {
  const stage = h("div", { class: "off-screen" });
  document.body.append(stage);
  const frames = moments.map(({ position, mover }) => {
    const { svg } = draw(view, position, { initial, flipped, mover });
    stage.append(svg);
    return standalone(svg);
  });
  stage.remove();
  const [first] = frames;
  const film = first.cloneNode(false);
  const times = frames.map((_, at) => (at / frames.length).toFixed(4)).join(";");
  frames.forEach((frame, at) => {
    const shown = frames.map((_, other) => (other === at ? "inline" : "none")).join(";");
    const group = s("g", { display: at ? "none" : "inline" }, ...frame.childNodes);
    const length = `${frames.length * FRAME}s`;
    group.append(
      s("animate", {
        attributeName: "display",
        values: shown,
        keyTimes: times,
        dur: length,
        calcMode: "discrete",
        repeatCount: "indefinite",
      }),
    );
    film.append(group);
  });
  return film;
}

/** Returns the positions of best play, starting with the current one. */
async function bestPlay({ session }) {
  const { line } = await api.line(session.game, session.now.position);
  const { position, mover } = session.now;
  return [{ position, mover }, ...line.map((step, at) => ({ position: step.position, mover: (mover + at + 1) % 2 }))];
}

/** Creates the share panel of a board. */
export function shareDialog(page) {
  const { session } = page;
  const name = session.game;
  const svg = () => standalone(page.board.element.querySelector("svg"));
  const moments = session.moments.map(({ position, mover }) => ({ position, mover }));
  const film = (shown) => animated(session.view, session.initial, shown, page.flipped);
  const button = (key, words, work) => {
    const run = () => Promise.resolve(work()).catch((refusal) => toast(refusalWords(refusal)));
    return h("button", { type: "button", "data-act": key, onclick: run }, words);
  };
  const base = `${location.origin}${location.pathname.replace(/[^/]*$/, "")}`;
  const frame = `<iframe src="${base}embed.html${location.hash}" width="420" height="520" title="${page.words.title}"></iframe>`;
  const area = (id, label, value) => [
    h("label", { for: id }, label),
    h("textarea", { id, readonly: true, rows: 3, value }),
    button(`copy-${id}`, t("copy"), () => copyText(value)),
  ];
  const citation = h("div", { class: "citation" });
  const close = () => dialog.close();
  const dialog = h(
    "dialog",
    { class: "share", "aria-label": t("shareBoard"), onclose: () => dialog.remove() },
    h("h2", {}, t("shareBoard")),
    h(
      "div",
      { class: "row" },
      button("svg", t("saveSvg"), () => saveSvg(`${name}.svg`, svg())),
      button("png", t("savePng"), () => savePng(`${name}.png`, svg())),
      moments.length > 1 && button("film", t("saveGame"), () => saveSvg(`${name}-game.svg`, film(moments))),
      session.solved &&
        button("film-best", t("saveLine"), async () => saveSvg(`${name}-line.svg`, film(await bestPlay(page)))),
    ),
    area("embed", t("embed"), frame),
    citation,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "primary", "data-act": "close", onclick: close }, t("close")),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  if (session.solved) {
    api.provenance(name).then(
      (known) => renew(citation, area("cite", t("cite"), cited(page, known))),
      () => {},
    );
  }
}

/** Formats a citation: program, game, rules, database, the run that solved it, and a link to the position. */
function cited(page, { version, format, rules, sha256, files, bytes: size, run }) {
  const { session } = page;
  const link = `${location.origin}${location.pathname}${address.write({ game: session.game, position: session.now.position })}`;
  return [
    `Kanzen ${version}, ${page.card.title} (${session.game}), rules ${rules}.`,
    `Database: format ${format}, ${files} files, ${bytes(size)}, manifest SHA-256 ${sha256}.`,
    run ? recorded(run) : "Run record: there is none with these counts.",
    `Position: ${session.now.position} (${link}).`,
  ].join("\n");
}

const recorded = ({ record, date, commit, machine, threads, seconds, memory_bytes: memory }) =>
  `Run record: ${record} of the source tree, ${date}, commit ${commit.slice(0, 12)}, ${threads} threads of ${machine}, ` +
  `${Number(seconds.toPrecision(3))} s, ${bytes(memory)}; its counts are those of this database.`;
