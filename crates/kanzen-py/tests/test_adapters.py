"""Adapters, if their libraries are installed: random play ends by the rules, and exact values are available."""

from __future__ import annotations

import numpy as np
import pytest

import kanzen


def test_openspiel_plays_a_game_to_its_end(tictactoe: kanzen.Game) -> None:
    pytest.importorskip("pyspiel")
    from kanzen import openspiel

    game = openspiel.load(tictactoe)
    rng = np.random.default_rng(1)
    for _ in range(5):
        state = game.new_initial_state()
        assert state.truth() == (0, None)
        while not state.is_terminal():
            last = state.position.value, state.current_player()
            state.apply_action(int(rng.choice(state.legal_actions())))
        assert sum(state.returns()) == 0 and state.returns()[last[1]] >= -1
        cells = str(state)
        won = any(cells.replace("/", "")[i] == cells.replace("/", "")[j] == cells.replace("/", "")[k] != "."
                  for i, j, k in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)])
        assert (state.returns()[last[1]] == 1) == won


def test_pettingzoo_plays_a_game_to_its_end(tictactoe: kanzen.Game) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test

    from kanzen import pettingzoo

    api_test(pettingzoo.env(tictactoe, most_moves=9), num_cycles=50)
