"""Rules of a game, written in Python."""

from __future__ import annotations

from typing import Iterable, Mapping, Tuple, Union

Moves = Union[Mapping[str, str], Iterable[Tuple[str, str]]]


class Rules:
    """The rules of a game for two players: derive a class, and ``kanzen.open`` solves it.

    A position is a text that says all there is to know, the side to move too. Required are ``initial`` and ``moves``;
    the rest has defaults. Every position is asked for once, so that games of up to a few million positions are for this,
    larger ones for Rust.

    >>> import kanzen
    >>> class Stones(kanzen.Rules):
    ...     "Take one, two or three stones; who cannot take has lost."
    ...     initial = "21"
    ...     def moves(self, position):
    ...         pile = int(position)
    ...         return {f"take {n}": str(pile - n) for n in (1, 2, 3) if n <= pile}
    >>> game = kanzen.open(Stones)
    >>> game.initial.value, game.initial.moves[0].text
    (1, 'take 1')
    """

    #: The name in files: the class's own, unless this says otherwise.
    name: str = ""
    #: The name for people.
    title: str | None = None
    #: The first position.
    initial: str = ""
    #: What a position without moves is worth to its mover: -1 lost, 0 a draw, 1 won.
    stuck: int = -1
    #: The most positions there may be.
    limit: int = 5_000_000
    #: Positions that the conformance kit looks at; 0 leaves it out.
    check: int = 20_000
    #: Rows and columns of a board, for pictures and arrays. Then a position is rows of cells joined by ``/``, a space, and
    #: the side to move, with ``.`` for an empty cell.
    board: tuple[int, int] | None = None
    #: The letters of the pieces of the side that begins, and of the other one.
    pieces: tuple[str, str] = ("X", "O")

    def __init__(self) -> None:
        if not self.name:
            self.name = type(self).__name__.lower()

    def moves(self, position: str) -> Moves:
        """Every legal move with the position it leads to: pairs of texts, or a dictionary."""
        raise NotImplementedError("rules need a method moves(self, position)")

    def ended(self, position: str) -> int | None:
        """The mover's value where the game is over whatever moves there are: 1, 0 or -1; None while it goes on."""
        return None

    def to_move(self, position: str) -> str | None:
        """The side to move; None where sides have no names."""
        return position.rsplit(" ", 1)[1] if " " in position else None

    def canonical(self, position: str) -> str:
        """One position that stands for all its mirror images, with the same value for its mover."""
        return position
