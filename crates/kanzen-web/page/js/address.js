// The address holds the page, the game and the position: `#/nocca-3x4?position=b,b,b,b/...`.

const readable = (text) => encodeURIComponent(text).replace(/%20/g, "+").replace(/%2F/g, "/").replace(/%2C/g, ",");

/** What an address asks for. */
export function read(hash = location.hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [game = "", page = ""] = path.split("/").map(decodeSafely);
  const parameters = new URLSearchParams(query);
  return {
    game,
    page: page === "statistics" ? "statistics" : "board",
    position: parameters.get("position") ?? undefined,
    side: parameters.get("side") === "2" ? 1 : 0,
  };
}

function decodeSafely(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a position; `side` only where the position does not name it. */
export function write({ game, page, position, side }) {
  if (!game) return "#/";
  if (page === "statistics") return `#/${readable(game)}/statistics`;
  const query = [position !== undefined && `position=${readable(position)}`, side === 1 && "side=2"].filter(Boolean);
  return `#/${readable(game)}${query.length ? `?${query.join("&")}` : ""}`;
}
