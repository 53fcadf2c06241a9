// The puzzle page: positions with exactly one right move at each turn, one per day and more on request.

import * as address from "./address.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { h, renew } from "./dom.js";
import { Session } from "./session.js";
import { day, formatDay, seedOf, streak } from "./streak.js";
import { Trouble } from "./trouble.js";
import { long } from "./values.js";
import { gameWords, refusalWords, sideName, t } from "./words.js";

/** Number of seeds to try, and their step, which is larger than any date. */
const TRIES = 30;
const STEP = 100_000_000;

const REPLY = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 500;

class PuzzlePage {
  constructor(card, known, seed) {
    this.card = { ...card, view: known.view };
    this.seed = seed;
    this.session = new Session(card.id, known.view, known.initial, true);
    this.trouble = new Trouble();
    this.board = new Board({ title: card.title, onmove: (move) => this.try(move) });
    this.parts = {
      heading: h("div", { class: "heading" }),
      task: h("p", { class: "status", role: "status" }),
      moves: h("div", { class: "puzzle-moves" }),
      beside: h("div", { class: "beside" }),
    };
    const { heading, task, moves, beside } = this.parts;
    const left = h("div", { class: "left" }, task, this.board.element, this.trouble.element, moves);
    const columns = h("div", { class: "columns" }, left, h("div", { class: "right" }, beside));
    this.element = h("div", { class: "play puzzle" }, heading, columns);
  }

  get today() {
    return this.seed === seedOf(day());
  }

  /** Fetches the puzzle of the seed and sets it up. */
  async begin() {
    this.puzzle = null;
    this.refusal = null;
    this.state = "trying";
    this.render();
    try {
      const puzzle = await this.find();
      await this.session.start(puzzle.position);
      this.puzzle = puzzle;
      this.trouble.clear();
    } catch (refusal) {
      if (refusal.passing) this.trouble.show(refusal, () => this.begin());
      else this.refusal = refusal;
    }
    if (!this.left) this.render();
  }

  /** Fetches a puzzle. Some games have puzzles for few seeds: tries further seeds in a fixed order. */
  async find(tried = 0) {
    try {
      return await api.puzzle(this.card.id, this.seed + tried * STEP);
    } catch (refusal) {
      if (refusal.status !== 404 || tried + 1 === TRIES || this.left) throw refusal;
      return this.find(tried + 1);
    }
  }

  /** Handles the user's move: accepts the right one, reports and takes back a wrong one. */
  async try(move) {
    const { session, puzzle } = this;
    // Ignores a second click while a move or the reply is pending.
    if (session.pending || session.at % 2) return;
    const right = puzzle.solution[session.at];
    this.wrong = null;
    if (move !== right) {
      const choice = session.now.probe.moves.find((known) => known.move === move);
      this.wrong = { move, verdict: choice };
      this.mistakes = true;
      this.render();
      return;
    }
    await this.go([right]);
    if (session.at >= puzzle.solution.length) this.finish("solved");
    else {
      this.timer = setTimeout(() => this.go([puzzle.solution[session.at]]), REPLY);
    }
  }

  async go(moves) {
    try {
      for (const move of moves) await this.session.play(move);
    } catch (refusal) {
      this.trouble.show(refusal, () => this.go(moves));
    }
    if (!this.left) this.render();
  }

  finish(state) {
    this.state = state;
    if (state === "solved" && this.today) streak(this.card.id).count(day());
    this.render();
  }

  async reveal() {
    clearTimeout(this.timer);
    this.wrong = null;
    this.state = "revealed";
    await this.go(this.puzzle.solution.slice(this.session.at));
  }

  another(seed) {
    location.hash = address.write({ game: this.card.id, page: "puzzles", seed });
  }

  reword() {
    this.trouble.reword();
    this.render();
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
    this.trouble.clear();
  }

  render() {
    const { parts, session, puzzle, state } = this;
    const { title } = gameWords(this.card);
    document.title = `${title} · ${t("puzzles")} · Kanzen`;
    this.board.title = title;
    renew(parts.heading, h("h1", {}, title), h("code", { class: "id" }, this.card.id));
    if (!puzzle) {
      const none = [400, 404].includes(this.refusal?.status);
      renew(parts.task, !this.refusal ? t("looking") : none ? t("noPuzzle") : refusalWords(this.refusal));
      renew(parts.beside, this.buttons());
      return;
    }
    const { view, initial, now } = session;
    const playable = state === "trying" && session.at % 2 === 0;
    const last = now.move && { ...session.moments[session.at - 1], move: now.move };
    this.board.show({ view, initial, moment: now, last, hints: false, playable });
    renew(parts.task, this.task());
    renew(parts.moves, playable ? this.moveList() : "");
    renew(parts.beside, this.about(), this.buttons());
  }

  /** Returns the task or the result. */
  task() {
    const { session, puzzle, state, wrong } = this;
    if (state === "solved")
      return h("strong", { class: "solved" }, t(this.mistakes ? "puzzleSolved" : "puzzleSolvedClean"));
    if (state === "revealed") return h("strong", {}, t("puzzleRevealed"));
    const side = sideName(session.view.sides[session.moments[0].mover]);
    const goal = t(puzzle.value === "win" ? "puzzleWin" : "puzzleDraw", { side });
    return [
      h("strong", {}, goal),
      wrong && h("span", { class: "problem" }, t("puzzleWrong", { move: wrong.move, value: long(wrong.verdict) })),
      !wrong && session.at > 0 && h("span", { class: "quiet" }, t("puzzleOn")),
    ];
  }

  moveList() {
    const button = ({ move }) =>
      h("button", { type: "button", class: "step", "data-move": move, onclick: () => this.try(move) }, move);
    const moves = [...this.session.now.probe.moves].sort((one, other) => one.move.localeCompare(other.move));
    return h(
      "details",
      {},
      h("summary", { "data-act": "moves" }, t("moves")),
      h("div", { class: "row", "data-home": "moves", tabindex: 0 }, moves.map(button)),
    );
  }

  about() {
    const { plies, difficulty } = this.puzzle;
    const kept = streak(this.card.id);
    const hard = difficulty < 6 ? "easy" : difficulty < 14 ? "medium" : "hard";
    return h(
      "section",
      { class: "panel" },
      h(
        "div",
        { class: "panel-head" },
        h("h2", {}, this.today ? t("puzzleToday", { date: formatDay(day()) }) : t("puzzleNumber", { number: this.seed })),
      ),
      h(
        "p",
        { class: "difficulty", "data-difficulty": difficulty },
        t("difficulty", { word: t(hard), number: difficulty }),
      ),
      h("p", {}, t("puzzleLength", { moves: (plies + 1) / 2 })),
      h("p", { class: "streak", "data-streak": kept.length(day()) }, t("streak", { number: kept.length(day()) })),
    );
  }

  buttons() {
    const button = (name, words, work) => h("button", { type: "button", "data-act": name, onclick: work }, words);
    const { puzzle, state } = this;
    return h(
      "div",
      { class: "row" },
      puzzle && state === "trying" && button("reveal", t("puzzleReveal"), () => this.reveal()),
      button("another", t("puzzleAnother"), () => this.another(1 + Math.floor(Math.random() * 99_999_999))),
      !this.today && button("today", t("puzzleBack"), () => this.another(undefined)),
      puzzle &&
        h(
          "a",
          { class: "button", href: address.write({ game: this.card.id, position: puzzle.position }) },
          t("puzzleExplore"),
        ),
    );
  }
}

/** Creates the puzzle page of a solved game: today's puzzle, or that of a seed. */
export async function puzzlePage(card, route) {
  const page = new PuzzlePage(card, await api.view(card.id), route.seed ?? seedOf(day()));
  page.begin();
  return page;
}
