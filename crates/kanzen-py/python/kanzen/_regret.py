"""Measures how much value a policy loses compared with perfect play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ._kanzen import Game, Position

# Positions per batch query.
_CHUNK = 1 << 14


@dataclass
class Regret:
    """The regret of a policy.

    ``loss`` is the value lost by the move in each position: 0 for none, 1 from a win to a draw or from a draw to a loss,
    2 from a win to a loss. ``delay`` is the number of plies lost by a move that keeps the value: a win takes that much
    longer, or a loss comes that much sooner; 0 if there is no distance.
    """

    positions: list[str] = field(repr=False)
    moves: list[str] = field(repr=False)
    values: npt.NDArray[np.int8] = field(repr=False)
    loss: npt.NDArray[np.int8] = field(repr=False)
    delay: npt.NDArray[np.int32] = field(repr=False)

    @property
    def mean(self) -> float:
        """The mean of ``loss``."""
        return float(self.loss.mean()) if len(self.loss) else 0.0

    @property
    def share(self) -> float:
        """The share of positions in which the move lost value."""
        return float((self.loss > 0).mean()) if len(self.loss) else 0.0

    def __float__(self) -> float:
        return self.mean

    def __len__(self) -> int:
        return len(self.loss)

    def __repr__(self) -> str:
        return f"<regret {self.mean:.4f}: value lost in {100 * self.share:.2f}% of {len(self)} positions>"


def regret(
    game: Game,
    policy: Callable[..., Any],
    positions: Sequence[str] | Sequence[int] | Sequence[Position] | npt.NDArray[Any],
    batched: bool = False,
) -> Regret:
    """Calls a policy for each position and measures its regret. Skips positions without moves.

    ``policy(position)`` takes a ``Position`` and returns the text of a move. With ``batched=True`` the call is
    ``policy(positions, moves)``, with a list of strings and a list of lists of move texts. It returns one move per
    position, as text or as an index into the list.

    >>> import kanzen
    >>> game = kanzen.open("tictactoe", solve=True)
    >>> perfect = kanzen.regret(game, lambda position: position.moves[0].text, game.sample(50))
    >>> perfect.mean
    0.0
    >>> first = kanzen.regret(game, lambda positions, moves: [0] * len(moves), game.sample(700), batched=True)
    >>> 0 < first.share < 1
    True
    """
    texts: list[str] = []
    chosen: list[str] = []
    values: list[int] = []
    loss: list[int] = []
    delay: list[int] = []
    for chunk in _chunks(positions):
        rows = [row for row in game.moves(chunk) if row[3]]
        names = [[name for name, _, _ in moves] for _, _, _, moves in rows]
        if batched:
            answers = list(policy([text for text, _, _, _ in rows], names))
        else:
            answers = [policy(game.position(text)) for text, _, _, _ in rows]
        if len(answers) != len(rows):
            raise ValueError(f"the policy answered {len(answers)} of {len(rows)} positions")
        for (text, value, distance, moves), answer, of_position in zip(rows, answers, names):
            at = _index(answer, of_position, text)
            name, got, plies = moves[at]
            texts.append(text)
            chosen.append(name)
            values.append(value)
            loss.append(value - got)
            late = plies - distance if value > 0 else distance - plies
            delay.append(late if got == value and plies >= 0 and distance >= 0 else 0)
    return Regret(
        texts,
        chosen,
        np.array(values, dtype=np.int8),
        np.array(loss, dtype=np.int8),
        np.array(delay, dtype=np.int32),
    )


def _chunks(positions: Any) -> Iterator[Any]:
    for first in range(0, len(positions), _CHUNK):
        yield positions[first : first + _CHUNK]


def _index(answer: Any, names: list[str], position: str) -> int:
    if not isinstance(answer, (str, bool)) and hasattr(answer, "__index__"):
        at = int(answer)
        if 0 <= at < len(names):
            return at
    elif str(answer) in names:
        return names.index(str(answer))
    raise ValueError(f"{answer} is not a move in {position}")
