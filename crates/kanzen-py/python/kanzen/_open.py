"""Opening games: those of the catalogue by name, others by their rules."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

from . import _kanzen
from ._kanzen import Game
from ._progress import Progress
from ._rules import Rules

# Folders of games that are not kept, until the program ends.
_temporary: list[tempfile.TemporaryDirectory[str]] = []


def data_folder() -> Path:
    """The folder of the databases, as the command has it: $KANZEN_DATA, else the user's data folder."""
    if named := os.environ.get("KANZEN_DATA"):
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/kanzen"
    shared = os.environ.get("XDG_DATA_HOME", "")
    return (Path(shared) if os.path.isabs(shared) else Path.home() / ".local/share") / "kanzen"


def games(data: str | os.PathLike[str] | None = None) -> list[dict[str, Any]]:
    """The catalogue: a dictionary for each game, with its positions, whether the data folder has it solved, and what a
    solve is expected to cost.

    >>> import kanzen
    >>> [game["title"] for game in kanzen.games() if game["id"] == "nocca-6x5"]
    ['NOCCA x NOCCA 6x5']
    """
    listing: list[dict[str, Any]] = _kanzen.games(Path(data) if data is not None else data_folder())
    return listing


def open(
    game: str | Rules | type[Rules],
    data: str | os.PathLike[str] | None = None,
    solve: bool = False,
    *,
    threads: int | None = None,
    memory: int | None = None,
    progress: bool | Callable[[str, float | None], object] | None = None,
) -> Game:
    """Opens a solved game.

    ``game`` is a name of the catalogue (``kanzen.games()``), or rules written in Python. ``data`` is the folder of the
    databases, by default that of the command. With ``solve=True`` a game that is not solved yet is solved first; Ctrl-C
    then keeps a checkpoint, and the same call goes on from there. ``threads`` and ``memory`` (in bytes) bound a solve and
    every question to the game; many positions at once take as much again as their arrays, and with ``memory`` so much:
    a database that fits is then read as a whole. ``progress`` shows how far a solve is.

    Rules in Python are gone through at every call. Without ``data`` they are solved at once, and nothing is kept.

    >>> import kanzen
    >>> kanzen.open("tictactoe", solve=True).initial.value
    0
    >>> kanzen.open("chess")
    Traceback (most recent call last):
    ...
    kanzen._errors.UnknownGame: unknown game "chess": kanzen.games() lists those there are
    """
    if isinstance(game, type) and issubclass(game, Rules):
        game = game()
    if isinstance(game, Rules):
        if data is None:
            folder = tempfile.TemporaryDirectory(prefix="kanzen-")
            _temporary.append(folder)
            data, solve = folder.name, True
        with Progress(game.name, progress) as shown:
            return _kanzen.open_rules(game, Path(data), solve, threads, memory, shown)
    if not isinstance(game, str):
        raise TypeError(f"a game is a name or rules (kanzen.Rules), not {type(game).__name__}")
    with Progress(game, progress) as shown:
        return _kanzen.open_game(
            game, Path(data) if data is not None else data_folder(), solve, threads, memory, shown
        )
