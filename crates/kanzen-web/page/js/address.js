// The address holds the page, the game and all of its moves: `#/nocca-3x4?moves=a1-b2+c3-b2`.
//
//     position  where the game began, if not at the start       moves  what was played
//     at        the ply that is shown, if not the last one      side   2 if the second side began
//     you       the side of the person against Kanzen, 1 or 2   style  how Kanzen plays, if not the usual way

const PAGES = ["board", "statistics", "puzzles", "rules"];

const readable = (text) => encodeURIComponent(text).replace(/%20/g, "+").replace(/%2F/g, "/").replace(/%2C/g, ",");

/** What an address asks for. */
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

/** The address of a page; `side` only where the position does not name it. */
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

// The game that was on the board last, so that other pages lead back to it.
const boards = new Map();

export const keepBoard = (game, hash) => boards.set(game, hash);
export const boardOf = (game) => boards.get(game) ?? write({ game });
