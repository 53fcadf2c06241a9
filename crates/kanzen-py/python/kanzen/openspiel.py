"""Adapter to OpenSpiel: a solved game as an OpenSpiel game, with exact values.

Needs the package ``open_spiel``. ``load(game)`` registers the game and loads it. The action number of a move is its index
in the list of all moves seen so far, so actions keep their meaning.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ._kanzen import Game, Position

# By OpenSpiel's short name.
_registered: dict[str, type] = {}


def load(game: Game, most_plies: int = 200, most_moves: int = 256) -> Any:
    """Returns the game as an OpenSpiel game. Games end in a draw after ``most_plies`` plies."""
    name = "python_kanzen_" + "".join(letter if letter.isalnum() else "_" for letter in game.id)
    kind = pyspiel.GameType(
        short_name=name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=False,
        provides_factored_observation_string=False,
        parameter_specification={},
    )
    if name not in _registered:

        class Solved(_Solved):
            def __init__(self, params: Any = None) -> None:
                information = pyspiel.GameInfo(
                    num_distinct_actions=most_moves,
                    max_chance_outcomes=0,
                    num_players=2,
                    min_utility=-1.0,
                    max_utility=1.0,
                    utility_sum=0.0,
                    max_game_length=most_plies,
                )
                super().__init__(kind, information, params or {})
                self.solved, self.names, self.most_plies = game, [], most_plies

        _registered[name] = Solved
        pyspiel.register_game(kind, Solved)
    return pyspiel.load_game(name)


class _Solved(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    solved: Game
    names: list[str]
    most_plies: int

    def new_initial_state(self) -> Any:
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        return _Observer()

    def action(self, text: str) -> int:
        """Returns the action number of a move."""
        if text not in self.names:
            self.names.append(text)
        return self.names.index(text)


class State(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A position and the number of plies played."""

    def __init__(self, game: _Solved) -> None:
        super().__init__(game)
        self.game, self.position, self.plies = game, game.solved.initial, 0
        self.children = self._children()

    def _children(self) -> dict[int, Position]:
        return {self.game.action(move.text): move.to for move in self.position.moves}

    def truth(self) -> tuple[int, int | None]:
        """Returns the value and the distance of the position for the side to move."""
        return self.position.value, self.position.distance

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.plies % 2

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.children)

    def _apply_action(self, action: int) -> None:
        self.position = self.children[action]
        self.plies += 1
        self.children = self._children()

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.names[action]

    def is_terminal(self) -> bool:
        return not self.children or self.plies >= self.game.most_plies

    def returns(self) -> list[float]:
        if self.children or not self.is_terminal():
            return [0.0, 0.0]
        mine = float(self.position.value)
        return [mine, -mine] if self.plies % 2 == 0 else [-mine, mine]

    def __str__(self) -> str:
        return str(self.position)


class _Observer:
    """A perfect-information observer."""

    def __init__(self) -> None:
        self.tensor = np.zeros(0, dtype=np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: State, player: int) -> None:
        """Does nothing: the observation is the string."""

    def string_from(self, state: State, player: int) -> str:
        """Returns the position."""
        return str(state)
