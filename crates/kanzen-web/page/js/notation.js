// Parses and formats positions by a view, like `kanzen::view`, whose tests cover every game.

/** Parses a position: cells (letters, bottom first), the side to move and the rest. */
export function read(view, text) {
  if (view.ground === "text" || view.ground === "pile") return { cells: [], turn: "", rest: text };
  const { notation } = view;
  const at = notation.history ? text.indexOf(notation.history) : -1;
  const board = at < 0 ? text : text.slice(0, at);
  const [cellText, turn = "", hands = ""] = board.split(" ");
  const cells = cellText
    .split(notation.row_joint)
    .flatMap((row) => (notation.cell_joint ? row.split(notation.cell_joint) : [...row]))
    .map((cell) => (cell === notation.empty ? "" : cell));
  return { cells, turn, rest: hands + (at < 0 ? "" : text.slice(at)) };
}

/** Formats the result of `read`. */
export function write(view, { cells, turn, rest }) {
  if (!view.places.length) return rest;
  const { notation } = view;
  let next = 0;
  const row = (length) =>
    cells
      .slice(next, (next += length))
      .map((cell) => cell || notation.empty)
      .join(notation.cell_joint);
  let text = notation.rows.map(row).join(notation.row_joint);
  if (notation.turn === "letter") text += ` ${turn}`;
  return notation.hands === "none" ? text + rest : `${text} ${rest}`;
}

/** Returns the side of a letter, or undefined. */
export function sideOf(view, letter) {
  const at = view.sides.findIndex((side) => side.letter && side.letter === letter);
  return at < 0 ? undefined : at;
}

/**
 * Returns the clicks of a move as keys: the name of a place, or `from>exit` for a move off the board.
 * Returns undefined for a move without a place, such as `pass`.
 */
export function steps(view, mover, move, position) {
  if (view.ground === "pile") return [`stone${Number(position) - Number(move)}`];
  const [piece, to] = divide(move, "@");
  if (to !== undefined) return [handKey(mover, piece), to];
  const isPlace = (name) => view.places.some((place) => place.name === name);
  const [main, taken] = divide(move, "x");
  const [first, second] = divide(main, "-");
  if (!isPlace(first)) return undefined;
  const clicks = [first];
  if (second !== undefined) {
    if (isPlace(second)) clicks.push(second);
    else if (exitOf(view, mover, second)) clicks.push(`${first}>${second}`);
    else return undefined;
  }
  if (taken !== undefined) {
    if (!isPlace(taken)) return undefined;
    clicks.push(taken);
  }
  return clicks;
}

/** Returns the key of pieces in hand, by capital letter. */
export const handKey = (side, letter) => `hand-${side}-${letter.toUpperCase()}`;

/** Returns the pieces in hand: `{side, letter, number}` for each kind. */
export function hands(view, { rest }) {
  const { hands: kind } = view.notation;
  if (kind === "counts") {
    const letter = (side) => view.pieces.find((piece) => piece.side === side)?.letter;
    return rest.split("-").map((number, side) => ({ side, letter: letter(side), number: Number(number) }));
  }
  if (kind !== "letters" || rest === "-") return [];
  const held = new Map();
  for (const letter of rest) held.set(letter, (held.get(letter) ?? 0) + 1);
  const side = (letter) => view.pieces.find((piece) => piece.letter === letter)?.side ?? 0;
  return [...held].map(([letter, number]) => ({ side: side(letter), letter, number }));
}

/** Returns the exit that a word names. */
export function exitOf(view, mover, word) {
  return view.exits.find((exit) => exit.word === word && (exit.side === null || exit.side === mover));
}

function divide(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + sign.length)];
}
