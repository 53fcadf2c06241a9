// Moves forbidden by earlier play, in games whose positions record it, such as Ostle.

import * as api from "./api.js";

/** Returns the moves that the board allows and the position's history forbids, or null if there are none. */
export async function banned(session, { position, probe }) {
  const board = session.board(position);
  if (board === position || probe.moves.length === 0) return null;
  const free = await api.moves(session.game, board);
  const allowed = new Set(probe.moves.map(({ move }) => move));
  const missing = free.moves.map(({ move }) => move).filter((move) => !allowed.has(move));
  return missing.length ? missing : null;
}
