"""Solved board games: value, distance to the end and best moves of one position or of millions.

>>> import kanzen
>>> game = kanzen.open("tictactoe", solve=True)
>>> game.initial.value  # 1: the side to move wins, 0: a draw, -1: it loses
0
>>> [move.text for move in game.position("XX./.O./... O").moves if move.value == 0]
['c3']
>>> values, distances = game.values(game.sample(100, seed=7))
>>> values.dtype, distances.dtype
(dtype('int8'), dtype('int16'))
"""

from __future__ import annotations

from ._errors import (
    BadPosition,
    BadQuestion,
    BadRules,
    Busy,
    Damaged,
    Error,
    NotSolved,
    NotStored,
    Stopped,
    SystemRefused,
    TooLarge,
    UnknownGame,
)
from ._kanzen import Game, Move, Position, Scan, Server, Table, __version__
from ._open import games, open
from ._regret import Regret, regret
from ._rules import Rules

__all__ = [
    "BadPosition",
    "BadQuestion",
    "BadRules",
    "Busy",
    "Damaged",
    "Error",
    "Game",
    "Move",
    "NotSolved",
    "NotStored",
    "Position",
    "Regret",
    "Rules",
    "Scan",
    "Server",
    "Stopped",
    "SystemRefused",
    "Table",
    "TooLarge",
    "UnknownGame",
    "__version__",
    "games",
    "open",
    "regret",
]
