// Reads and writes the URL fragment, which holds the page, the game and its moves: `#/nocca-3x4?moves=a1-b2+c3-b2`.
//
//     position  the starting position, if not the initial one   moves  the moves played
//     at        the ply shown, if not the last one              side   2 if the second side moved first
//     you       the user's side against Kanzen, 1 or 2          style  Kanzen's style, if not the default

const PAGES = ["board", "statistics", "puzzles", "rules"];

const readable = (text) => encodeURIComponent(text).replace(/%20/g, "+").replace(/%2F/g, "/").replace(/%2C/g, ",");

/** Parses the URL fragment. */
export function read(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first = "", second = ""] = path.split("/").map(decodeSafely);
  const parameters = new URLSearchParams(query);
  const number = (name) => (/^\d{1,9}$/.test(parameters.get(name) ?? "") ? Number(parameters.get(name)) : undefined);
  const family = first === "family" ? second : "";
  const you = number("you");
  return {
    game: family ? "" : first,
    family,
    page: PAGES.includes(second) ? second : "board",
    position: parameters.get("position") ?? undefined,
    moves: (parameters.get("moves") ?? "").split(" ").filter(Boolean),
    at: number("at"),
    side: number("side") === 2 ? 1 : 0,
    human: you === 1 || you === 2 ? you - 1 : "both",
    style: parameters.get("style") ?? undefined,
    seed: number("seed"),
  };
}

function decodeSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the fragment of a page; `side` only if the position does not include it. */
export function write({ game, family, page = "board", position, moves = [], at, side, human, style, seed }) {
  if (family) return `#/family/${readable(family)}`;
  if (!game) return "#/";
  const path = `#/${readable(game)}${page === "board" ? "" : `/${page}`}`;
  const query = [
    position !== undefined && `position=${readable(position)}`,
    side === 1 && "side=2",
    moves.length > 0 && `moves=${moves.map(readable).join("+")}`,
    at !== undefined && `at=${at}`,
    (human === 0 || human === 1) && `you=${human + 1}`,
    style && `style=${readable(style)}`,
    seed !== undefined && `seed=${seed}`,
  ].filter(Boolean);
  return `${path}${query.length ? `?${query.join("&")}` : ""}`;
}

// The last state of the board page, so that other pages can link back to it.
const boards = new Map();

export const keepBoard = (game, hash) => boards.set(game, hash);
export const boardOf = (game) => boards.get(game) ?? write({ game });
