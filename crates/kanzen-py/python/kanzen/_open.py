"""Opens games of the catalogue by name, and games with rules written in Python."""

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

# Data folders of games that are not kept; deleted at exit.
_temporary: list[tempfile.TemporaryDirectory[str]] = []


def data_folder() -> Path:
    """Returns the default data folder, as the command does: $KANZEN_DATA, otherwise the user's data folder."""
    if named := os.environ.get("KANZEN_DATA"):
        return Path(named)
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/kanzen"
    shared = os.environ.get("XDG_DATA_HOME", "")
    return (Path(shared) if os.path.isabs(shared) else Path.home() / ".local/share") / "kanzen"


def games(data: str | os.PathLike[str] | None = None) -> list[dict[str, Any]]:
    """Returns the catalogue: a dictionary per game, with its number of positions, whether it is solved in the data folder,
    and the expected cost of a solve.

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

    ``game`` is a name of the catalogue (``kanzen.games()``) or rules written in Python. ``data`` is the data folder, by
    default that of the command. ``solve=True`` solves the game first if needed; Ctrl-C saves a checkpoint, and the same
    call resumes from it. ``threads`` and ``memory`` (in bytes) limit a solve and every query. A batch query uses as much
    extra memory as its arrays, or up to ``memory`` if given; a database that fits is then loaded as a whole. ``progress``
    shows the progress of a solve.

    Rules in Python are enumerated at every call. Without ``data`` they are solved immediately and nothing is kept.

    >>> import kanzen
    >>> kanzen.open("tictactoe", solve=True).initial.value
    0
    >>> kanzen.open("chess")
    Traceback (most recent call last):
    ...
    kanzen._errors.UnknownGame: unknown game "chess": kanzen.games() lists all games
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
