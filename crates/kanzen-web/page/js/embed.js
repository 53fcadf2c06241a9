// The embeddable board for frames on other sites: shows the game of the URL, to step through and play on. It follows a
// changed URL, so that the page around it can show another game.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { h, iconButton, renew, toast } from "./dom.js";
import { Session } from "./session.js";
import { badgeIcon, long } from "./values.js";
import { gameWords, refusalWords, sideName, t } from "./words.js";

const main = document.getElementById("main");
let turn = 0;

async function show() {
  const mine = (turn += 1);
  document.body.dataset.ready = "no";
  const route = address.read();
  const [games, known] = await Promise.all([api.games(), api.view(route.game)]);
  const card = games.find((game) => game.id === route.game);
  const { title } = gameWords({ ...known, view: known.view });
  const session = new Session(route.game, known.view, known.initial, card?.solved ?? false);
  let flipped = known.view.flips && route.human === 1;
  const board = new Board({ title, onmove: (move) => act(() => session.play(move)), onrefused: () => {} });
  const [status, tools] = [h("p", { class: "status", role: "status" }), h("div", { class: "toolbar" })];
  const act = async (work) => {
    await Promise.resolve(work()).catch((refusal) => toast(refusalWords(refusal)));
    render();
  };
  const render = () => {
    const { now, view, end } = session;
    const hints = session.solved;
    const last = now.move && { ...session.moments[session.at - 1], move: now.move };
    board.show({ view, initial: session.initial, moment: now, last, flipped, hints, playable: !end });
    const side = sideName(view.sides[end?.winner ?? now.mover]);
    const words = end ? (end.winner === null ? t("drawn") : t("wins", { side })) : t("toMove", { side });
    renew(
      status,
      h("strong", {}, words),
      hints && h("span", { class: "verdict" }, badgeIcon(now.probe), long(now.probe)),
    );
    const jump = (at) => () => act(() => session.goTo(at));
    const last_at = session.moments.length - 1;
    const turned = { "aria-pressed": String(flipped), "data-tool": "flip" };
    renew(
      tools,
      iconButton("first", t("first"), jump(0), { disabled: session.at === 0, "data-tool": "first" }),
      iconButton("back", t("back"), jump(session.at - 1), { disabled: session.at === 0, "data-tool": "undo" }),
      iconButton("forward", t("forward"), jump(session.at + 1), {
        disabled: session.at === last_at,
        "data-tool": "redo",
      }),
      view.flips && iconButton("flip", t("flip"), () => act(() => (flipped = !flipped)), turned),
      h("a", { class: "button", href: `./${location.hash}`, target: "_blank", rel: "noopener" }, "Kanzen"),
    );
  };
  await session.load(route);
  if (mine !== turn) return;
  document.title = `${title} · Kanzen`;
  main.replaceChildren(h("h1", {}, title), status, board.element, tools);
  render();
  document.body.dataset.ready = "yes";
}

const start = () =>
  show().catch((refusal) => {
    main.replaceChildren(h("p", { role: "alert" }, refusalWords(refusal)));
    document.body.dataset.ready = "yes";
  });

window.addEventListener("hashchange", start);
start();
