"""The base class of games with rules written in Python."""

from __future__ import annotations

from typing import Iterable, Mapping, Tuple, Union

Moves = Union[Mapping[str, str], Iterable[Tuple[str, str]]]


class Rules:
    """The rules of a two-player game: derive a class, and ``kanzen.open`` solves it.

    A position is a string that describes the complete state, including the side to move. ``initial`` and ``moves`` are
    required, the rest has defaults. Every position is enumerated once in Python, which suits games of up to a few million
    positions; write larger ones in Rust.

    >>> import kanzen
    >>> class Stones(kanzen.Rules):
    ...     "Take one, two or three stones; a player who cannot take loses."
    ...     initial = "21"
    ...     def moves(self, position):
    ...         pile = int(position)
    ...         return {f"take {n}": str(pile - n) for n in (1, 2, 3) if n <= pile}
    >>> game = kanzen.open(Stones)
    >>> game.initial.value, game.initial.moves[0].text
    (1, 'take 1')
    """

    #: The name in files; the lower-case class name by default.
    name: str = ""
    #: The title for display.
    title: str | None = None
    #: The first position.
    initial: str = ""
    #: The value of a position without moves for its mover: -1 a loss, 0 a draw, 1 a win.
    stuck: int = -1
    #: Maximum number of positions.
    limit: int = 5_000_000
    #: Number of positions for the conformance check; 0 skips it.
    check: int = 20_000
    #: Rows and columns of the board, for pictures and arrays. If set, a position must be rows of cells joined by ``/``, a
    #: space, and the side to move, with ``.`` for an empty cell.
    board: tuple[int, int] | None = None
    #: The letters of the pieces of the first player and of the second player.
    pieces: tuple[str, str] = ("X", "O")

    def __init__(self) -> None:
        if not self.name:
            self.name = type(self).__name__.lower()

    def moves(self, position: str) -> Moves:
        """Returns every legal move with the position it leads to, as pairs of strings or a dictionary."""
        raise NotImplementedError("rules need a method moves(self, position)")

    def ended(self, position: str) -> int | None:
        """Returns the mover's value (1, 0 or -1) if the game is over regardless of moves, otherwise None."""
        return None

    def to_move(self, position: str) -> str | None:
        """Returns the side to move, or None if sides have no names."""
        return position.rsplit(" ", 1)[1] if " " in position else None

    def canonical(self, position: str) -> str:
        """Returns the canonical form of a position, which has the same value for its mover."""
        return position
