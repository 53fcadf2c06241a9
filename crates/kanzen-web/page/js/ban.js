// The move that earlier play forbids: where positions carry a record of it, as in Ostle.

import * as api from "./api.js";

/** The moves that the board alone would allow, and the position with its record does not. Null if there are none. */
export async function banned(session, { position, probe }) {
  const board = session.board(position);
  if (board === position || probe.moves.length === 0) return null;
  const free = await api.moves(session.game, board);
  const allowed = new Set(probe.moves.map(({ move }) => move));
  const missing = free.moves.map(({ move }) => move).filter((move) => !allowed.has(move));
  return missing.length ? missing : null;
}
