"""Adapter to PettingZoo: a solved game as an AEC environment, with exact values in ``infos``.

Needs the package ``pettingzoo``. ``env(game)`` implements the AEC interface with two alternating agents. An action is an
index into ``infos[agent]["moves"]``, and ``action_mask`` marks the valid indices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces  # type: ignore[import-not-found, import-untyped, unused-ignore]
from pettingzoo import AECEnv  # type: ignore[import-not-found, import-untyped, unused-ignore]

from ._kanzen import Game


def env(game: Game, most_plies: int = 200, most_moves: int = 256) -> Solved:
    """Returns an environment for a solved game. Truncates games after ``most_plies`` plies."""
    return Solved(game, most_plies, most_moves)


class Solved(AECEnv):  # type: ignore[misc, unused-ignore]
    """A solved game: observations are ``planes``, rewards come at the end, ``infos`` has the value."""

    def __init__(self, game: Game, most_plies: int, most_moves: int) -> None:
        super().__init__()
        self.game, self.most_plies, self.most_moves = game, most_plies, most_moves
        self.metadata = {"name": game.id, "render_modes": ["ansi"]}
        self.render_mode = "ansi"
        self.possible_agents = ["first", "second"]
        shape = game.planes([game.initial]).shape[1:]
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (most_moves,), np.int8),
            }
        )
        self.observation_spaces = {agent: observation for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(most_moves) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = list(self.possible_agents)
        self.agent_selection = "first"
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.position, self.plies = self.game.initial, 0
        self._look()

    def _look(self) -> None:
        # Sorted by text, so that the order does not reveal the best move.
        self.choices = sorted(self.position.moves, key=lambda move: move.text)
        info = {
            "moves": [move.text for move in self.choices],
            "value": self.position.value,
            "distance": self.position.distance,
        }
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = info

    def observe(self, agent: str) -> dict[str, Any]:
        mask = np.zeros(self.most_moves, dtype=np.int8)
        if agent == self.agent_selection:
            mask[: len(self.choices)] = 1
        return {"observation": self.game.planes([self.position])[0], "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < len(self.choices):
            raise ValueError(f"{action} is not the index of a move in {self.position}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.position = self.choices[int(action)].to
        self.plies += 1
        self.agent_selection = "second" if agent == "first" else "first"
        self._look()
        if not self.choices:
            self.rewards = {self.agent_selection: float(self.position.value), agent: -float(self.position.value)}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.plies >= self.most_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self._accumulate_rewards()

    def render(self) -> str:
        return self.position.draw()

    def close(self) -> None:
        """Does nothing: there are no resources to release."""
