// Texts by a view: the same reading as `kanzen::view`, which tests it against every game's rules.

/** What a position's text says: cells (letters, bottom first), the letter of the side to move, the rest. */
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

/** The text of what `read` told. */
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

/** The number of the side that a letter names, or undefined. */
export function sideOf(view, letter) {
  const at = view.sides.findIndex((side) => side.letter && side.letter === letter);
  return at < 0 ? undefined : at;
}

/**
 * What to click for a move, as keys: a place's name, or `from>exit` for a way off the board.
 * Undefined for a move that names no place, such as `pass`.
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

/** The key of pieces in hand, by their letter in capitals. */
export const handKey = (side, letter) => `hand-${side}-${letter.toUpperCase()}`;

/** What both sides hold: `{side, letter, number}` for each kind of piece. */
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

/** The way off the board that a word names. */
export function exitOf(view, mover, word) {
  return view.exits.find((exit) => exit.word === word && (exit.side === null || exit.side === mover));
}

function divide(text, sign) {
  const at = text.indexOf(sign);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + sign.length)];
}
