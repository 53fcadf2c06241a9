"""Rules in Python: solved like those in Rust; errors name the position."""

from __future__ import annotations

import inspect
import json
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import kanzen

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


# From here to the end of the class: a game in under thirty lines.
class ThreeInARow(kanzen.Rules):
    """Three in a row, a column or a diagonal win; a full board is a draw."""

    name, initial, stuck, board = "three", ".../.../... X", 0, (3, 3)

    def moves(self, position: str) -> dict[str, str]:
        cells, side = position.replace("/", "").split()
        other = "O" if side == "X" else "X"
        children = {}
        for at in range(9):
            if cells[at] == ".":
                new = cells[:at] + side + cells[at + 1 :]
                children["abc"[at % 3] + "321"[at // 3]] = f"{new[:3]}/{new[3:6]}/{new[6:]} {other}"
        return children

    def ended(self, position: str) -> int | None:
        cells = position.replace("/", "")
        return -1 if any(cells[a] == cells[b] == cells[c] != "." for a, b, c in LINES) else None


class Walk(kanzen.Rules):
    """A loopy game: two pieces walk round a ring of seven; stepping on the other piece wins. Passing is not allowed."""

    initial = "0 3 a"

    def moves(self, position: str) -> list[tuple[str, str]]:
        mine, yours, side = position.split()
        other = "b" if side == "a" else "a"
        steps = [1, 2] if side == "a" else [1, -1]
        return [(f"{step:+}", f"{yours} {(int(mine) + step) % 7} {other}") for step in steps]

    def ended(self, position: str) -> int | None:
        mine, yours, _ = position.split()
        return -1 if mine == yours else None


def by_definition(rules: kanzen.Rules) -> dict[str, tuple[int, int]]:
    """Computes values and distances by definition: simple and slow."""
    children: dict[str, list[str]] = {}
    found = [rules.initial]
    for position in found:
        over = rules.ended(position) is not None
        children[position] = [] if over else [to for _, to in dict(rules.moves(position)).items()]
        found += [to for to in children[position] if to not in children and to not in found]
    values: dict[str, tuple[int, int]] = {}
    for position in found:
        ended = rules.ended(position)
        if ended is not None or not children[position]:
            values[position] = (rules.stuck if ended is None else ended, 0)
    for plies in range(1, len(found) + 2):
        new = {}
        for position in found:
            if position in values:
                continue
            theirs = [values.get(to) for to in children[position]]
            if any(answer == (-1, plies - 1) for answer in theirs):
                new[position] = (1, plies)
            elif all(answer is not None and answer[0] == 1 for answer in theirs):
                new[position] = (-1, plies)
        values |= new
    return {position: values.get(position, (0, -1)) for position in found}


def test_tic_tac_toe_takes_less_than_thirty_lines() -> None:
    assert len(inspect.getsource(ThreeInARow).splitlines()) + 1 < 30  # and one for LINES


def test_tic_tac_toe_equals_the_built_in_one_in_all_765_positions(tictactoe: kanzen.Game) -> None:
    mine = kanzen.open(ThreeInARow)
    texts = tictactoe.texts(np.arange(tictactoe.positions, dtype=np.uint64))
    assert len(texts) == 765
    # The built-in game stores one canonical form per symmetry class; these rules store every position.
    known = set(mine.texts(np.arange(mine.positions)))
    assert set(texts) <= known and len(known) == 5478
    for ours, theirs in zip(mine.values(texts), tictactoe.values(texts)):
        assert (ours == theirs).all()
    assert mine.verify(full=True)["passed"]
    assert mine.conformance is not None and mine.conformance["values_compared"]
    assert mine.initial.svg().startswith("<svg ") and mine.planes([mine.initial]).shape == (1, 3, 3, 3)


def test_mirror_images_are_stored_once(tictactoe: kanzen.Game) -> None:
    class Mirrored(ThreeInARow):
        name = "mirrored"

        def canonical(self, position: str) -> str:
            cells, side = position.replace("/", "").split()
            images = []
            for _ in range(4):
                cells = "".join(cells[3 * (2 - column) + row] for row in range(3) for column in range(3))
                images += [cells, "".join(cells[3 * row + 2 - column] for row in range(3) for column in range(3))]
            best = min(images)
            return f"{best[:3]}/{best[3:6]}/{best[6:]} {side}"

    assert kanzen.open(Mirrored).positions == 765


def test_the_order_of_moves_changes_nothing(tmp_path: Path) -> None:
    class Backwards(ThreeInARow):
        def moves(self, position: str) -> dict[str, str]:
            return dict(reversed(super().moves(position).items()))

    one, other = (kanzen.open(rules, tmp_path / rules.__name__, solve=True) for rules in (ThreeInARow, Backwards))
    assert one.texts(range(one.positions)) == other.texts(range(other.positions))
    # The databases are interchangeable as well.
    assert kanzen.open(Backwards, tmp_path / "ThreeInARow").initial.value == 0


def test_a_loopy_game_equals_its_definition() -> None:
    game, expected = kanzen.open(Walk), by_definition(Walk())
    values, distances = game.values(list(expected))
    decided = [(int(v), int(d) if v else -1) for v, d in zip(values, distances)]
    assert decided == list(expected.values())
    assert {0, 1, -1} >= set(values.tolist()) and len(expected) == game.positions
    assert game.verify(full=True)["passed"]


def test_an_exception_in_the_rules_names_the_position() -> None:
    class Broken(kanzen.Rules):
        initial = "2"

        def moves(self, position: str) -> dict[str, str]:
            return {"on": str(int(position) - 1)} if position != "0" else {"on": str(1 // 0)}

    with pytest.raises(Exception) as raised:
        kanzen.open(Broken)
    message = str(raised.value) + "".join(getattr(raised.value, "__notes__", []))
    assert "division" in message and "'0'" in message.replace('"', "'")


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (lambda position: [("a", 3)], "must be a str"),
        (lambda position: ["a"], "pairs"),
        (lambda position: [("a", "x"), ("a", "y")], "two moves"),
        (lambda position: None, "not iterable"),
    ],
)
def test_malformed_rules_raise_type_or_value_errors(moves: object, sentence: str) -> None:
    rules = type("Wrong", (kanzen.Rules,), {"initial": "s", "moves": staticmethod(moves)})
    with pytest.raises((TypeError, ValueError), match=sentence):
        kanzen.open(rules)


def test_the_conformance_check_finds_a_wrong_canonical_form() -> None:
    class Lying(kanzen.Rules):
        initial = "5"

        def moves(self, position: str) -> dict[str, str]:
            return {f"take{n}": str(int(position) - n) for n in (1, 2) if n <= int(position)}

        def canonical(self, position: str) -> str:
            return "4" if position == "5" else "2" if position == "3" else position

    with pytest.raises(kanzen.BadRules):
        kanzen.open(Lying)


def test_too_many_positions_raise() -> None:
    class Endless(kanzen.Rules):
        initial, limit = "0", 1000

        def moves(self, position: str) -> dict[str, str]:
            return {"on": str(int(position) + 1)}

    with pytest.raises(kanzen.TooLarge, match="more than 1000 positions"):
        kanzen.open(Endless)


def test_a_database_of_other_rules_raises(tmp_path: Path) -> None:
    class Pile(kanzen.Rules):
        name, initial, most = "pile", "9", 3

        def moves(self, position: str) -> dict[str, str]:
            return {f"take{n}": str(int(position) - n) for n in range(1, self.most + 1) if n <= int(position)}

    assert kanzen.open(Pile, tmp_path, solve=True).initial.value == 1
    assert kanzen.open(Pile, tmp_path).initial.distance == 5
    with pytest.raises(kanzen.Damaged, match="other rules"):
        kanzen.open(type("Other", (Pile,), {"most": 4}), tmp_path, solve=True)


def test_serve_shows_the_game() -> None:
    with kanzen.open(ThreeInARow).serve() as server:
        with urllib.request.urlopen(server.url + "api/three/probe") as answer:
            assert json.load(answer)["value"] == "draw"
        with urllib.request.urlopen(server.url) as page:
            assert b"<html" in page.read().lower()
