"""Results equal those of the command; errors raise exceptions."""

from __future__ import annotations

import _thread
import shutil
import threading
from pathlib import Path

import numpy as np
import pytest

import kanzen

from conftest import lines

WORDS = {"win": 1, "draw": 0, "loss": -1}
# One quickly solved game for every kind of index and every solver.
SMALL = ["tictactoe", "stones-21", "morris-3", "nocca-3x3", "nocca-4x2", "nocca-4x3", "othello-4x4"]


@pytest.mark.parametrize("name", SMALL)
def test_ten_thousand_positions_equal_the_json_of_the_command(name: str, data: Path, command: str) -> None:
    game = kanzen.open(name, solve=True)
    numbers = game.sample(10_000, seed=3)
    texts = game.texts(numbers)
    probes = lines(command, "probe", name, "-", "--data", str(data), given="\n".join(texts))
    values, distances = game.values(numbers)
    assert values.tolist() == [WORDS[probe["value"]] for probe in probes]
    assert distances.tolist() == [-1 if probe["distance"] is None else probe["distance"] for probe in probes]
    again, plies = game.values(texts)
    assert (again == values).all() and (plies == distances).all()
    for row, probe in zip(game.moves(numbers), probes):
        text, value, _, moves = row
        assert (text, value) == (probe["position"], WORDS[probe["value"]])
        assert {(name, value) for name, value, _ in moves} == {
            (move["move"], WORDS[move["value"]]) for move in probe["moves"]
        }
    one = game.position(texts[0])
    assert [(m.text, m.value, m.distance, str(m.to)) for m in one.moves] == [
        (m["move"], WORDS[m["value"]], m["distance"], m["position"]) for m in probes[0]["moves"]
    ]


@pytest.mark.parametrize("name", [name for name in SMALL])
def test_numbers_and_texts_round_trip(name: str) -> None:
    game = kanzen.open(name, solve=True)
    numbers = np.arange(min(game.positions, 20_000), dtype=np.uint64)
    assert (game.numbers(game.texts(numbers)) == numbers).all()
    number = game.initial.number
    assert number is not None and game.position(number).value == game.initial.value


def test_a_sample_has_distinct_positions_and_depends_on_its_seed_only(nocca: kanzen.Game) -> None:
    one, other = nocca.sample(1000, seed=1), nocca.sample(1000, seed=2)
    assert len(set(one.tolist())) == 1000 and set(one.tolist()) != set(other.tolist())
    assert (nocca.sample(1000, seed=1) == one).all()
    positions = nocca.stats().meta["positions"]
    assert len(nocca.sample(10 * positions)) == positions


def test_eight_threads_get_the_same_answers(nocca: kanzen.Game) -> None:
    numbers = nocca.sample(20_000, seed=5)
    expected = nocca.values(numbers)
    found: list[bool] = []

    def ask() -> None:
        for _ in range(3):
            values, distances = nocca.values(numbers)
            found.append(bool((values == expected[0]).all() and (distances == expected[1]).all()))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [True] * 24


def test_a_damaged_database_raises_and_never_returns_wrong_values(tmp_path: Path) -> None:
    sound = kanzen.open("nocca-3x3", tmp_path, solve=True)
    numbers = sound.sample(5000)
    expected = sound.values(numbers)[0].tolist()
    raised = 0
    for file in sorted((tmp_path / "nocca-3x3").iterdir()):
        whole = file.read_bytes()
        for at in range(0, len(whole), max(1, len(whole) // 40)):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
            try:
                assert kanzen.open("nocca-3x3", tmp_path).values(numbers)[0].tolist() == expected
            except kanzen.Damaged as damage:
                raised += 1
                assert str(damage)
        file.write_bytes(whole)
    assert raised > 20


def test_unsolved_games_and_bad_input_raise(tmp_path: Path, tictactoe: kanzen.Game) -> None:
    with pytest.raises(kanzen.NotSolved, match="tictactoe is not solved"):
        kanzen.open("tictactoe", tmp_path)
    with pytest.raises(ValueError, match="unknown game"):
        kanzen.open("chess")
    with pytest.raises(kanzen.BadPosition, match="not a position of tictactoe"):
        tictactoe.position("nonsense")
    with pytest.raises(ValueError, match="text 1 of the batch"):
        tictactoe.values(["X../.../... O", "nonsense"])
    with pytest.raises(ValueError, match="there is no number 765"):
        tictactoe.values([765])
    with pytest.raises(ValueError, match="is not a move"):
        tictactoe.initial.play("z9")
    with pytest.raises(ValueError, match="there is no column"):
        tictactoe.find("nothing = 1")


def test_wrong_types_raise_with_a_message(tictactoe: kanzen.Game) -> None:
    for wrong in [3, None, [1.5], ["X../.../... O", 3], "X../.../... O", [None]]:
        with pytest.raises(TypeError, match="expected|mixed"):
            tictactoe.values(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="is not a position number"):
        tictactoe.values([-1])
    with pytest.raises(ValueError, match="is not a position number"):
        tictactoe.values(np.array([-1]))
    with pytest.raises(TypeError):
        tictactoe.position(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a game is a name or rules"):
        kanzen.open(3)  # type: ignore[arg-type]


def test_numbers_out_of_range_raise_with_a_message(tictactoe: kanzen.Game, tmp_path: Path) -> None:
    start = tictactoe.initial
    for call in [
        lambda: tictactoe.position(-1),
        lambda: tictactoe.position(2**70),
        lambda: tictactoe.sample(-1),
        lambda: tictactoe.sample(5, seed=-1),
        lambda: tictactoe.find(limit=-1),
        lambda: tictactoe.find(sample=-3),
        lambda: tictactoe.count(sample=2**65),
        lambda: tictactoe.scan(rows=-1),
        lambda: tictactoe.verify(-1),
        lambda: tictactoe.longest(-1),
        lambda: tictactoe.puzzles(-1),
        lambda: tictactoe.serve(70_000),
        lambda: start.traps(-1),
        lambda: kanzen.open("tictactoe", threads=-1),
        lambda: kanzen.open("tictactoe", memory=-1),
    ]:
        with pytest.raises(ValueError, match="integer"):
            call()
    for wrong in [
        lambda: tictactoe.sample("many"),  # type: ignore[arg-type]
        lambda: tictactoe.sample(1.5),  # type: ignore[arg-type]
        lambda: tictactoe.find(limit="all"),  # type: ignore[arg-type]
        lambda: kanzen.open("tictactoe", threads="two"),  # type: ignore[arg-type]
    ]:
        with pytest.raises(TypeError, match="integer"):
            wrong()
    with pytest.raises(TypeError, match="a position is a string or a number"):
        tictactoe.position([1])  # type: ignore[arg-type]
    for call in [
        lambda: start.play(3),  # type: ignore[arg-type]
        lambda: tictactoe.find(3),  # type: ignore[arg-type]
        lambda: tictactoe.find(columns=3),  # type: ignore[arg-type]
        lambda: tictactoe.numbers([3]),
        lambda: kanzen.open("tictactoe", data=3),  # type: ignore[arg-type]
    ]:
        with pytest.raises(TypeError, match="."):
            call()


@pytest.mark.parametrize("name", SMALL)
def test_legal_moves_are_those_of_the_rules(name: str) -> None:
    game = kanzen.open(name, solve=True)
    numbers = game.sample(50, seed=8)
    for text, legal in zip(game.texts(numbers), game.legal_moves(numbers)):
        assert sorted(legal) == sorted((move.text, str(move.to)) for move in game.position(text).moves)
    assert game.legal_moves([game.initial]) == game.legal_moves([str(game.initial)])
    with pytest.raises(ValueError, match="text 0 of the batch"):
        game.legal_moves(["nonsense"])


def test_a_position_and_its_canonical_form_have_the_same_value(tictactoe: kanzen.Game) -> None:
    images = ["X../.../... O", "..X/.../... O", ".../.../X.. O", ".../.../..X O"]
    numbers = tictactoe.numbers(images)
    assert len(set(numbers.tolist())) == 1
    [canonical] = set(tictactoe.texts(numbers))
    assert canonical in images and set(tictactoe.values([*images, canonical])[0].tolist()) == {0}


def test_a_batch_releases_the_gil(nocca: kanzen.Game) -> None:
    numbers = np.tile(nocca.sample(20_000), 20)
    turns, done = 0, threading.Event()

    def ask() -> None:
        nocca.values(numbers)
        done.set()

    asking = threading.Thread(target=ask)
    asking.start()
    while not done.is_set():
        turns += 1
        done.wait(0.001)
    asking.join()
    # If the batch held the GIL, this thread would get a turn or two.
    assert turns > 10


def test_ctrl_c_interrupts_a_batch(nocca: kanzen.Game) -> None:
    numbers = np.tile(nocca.sample(20_000), 150)
    timer = threading.Timer(0.1, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        nocca.values(numbers)
    timer.join()
    assert len(nocca.values(numbers[:10])[0]) == 10


def test_a_position_has_all_properties(tictactoe: kanzen.Game) -> None:
    start = tictactoe.initial
    assert (str(start), start.to_move, start.value, start.distance, start.score) == (".../.../... X", "X", 0, None, None)
    line = start.line()
    assert len(line) == 9 and {move.value for move in line} == {0}
    assert start.svg() == start._repr_svg_() and start.svg().startswith("<svg ")
    lost = tictactoe.position("XX./OO./... X")
    assert (lost.value, lost.distance, lost.moves[0].text, len(lost.line())) == (1, 1, "c3", 1)
    traps = [move.traps for move in start.traps() if move.traps]
    assert all(trap["replies"] == trap["safe"] + trap["slips"] for trap in traps) and len(traps) == 9
    assert start.draw().count("\n") >= 2 and start.game == "tictactoe"
    assert tictactoe.position(str(start)) == start and hash(tictactoe.position(str(start))) == hash(start)


def test_positions_have_scores(data: Path) -> None:
    game = kanzen.open("othello-4x4", solve=True)
    assert game.initial.score == -8 or game.initial.score is not None
    assert np.sign(game.initial.score or 0) == game.initial.value


def test_verify_finds_nothing_wrong(nocca: kanzen.Game) -> None:
    report = nocca.verify(1000)
    assert report["passed"] and not report["full"] and report["mismatches"] == 0
    full = nocca.verify(full=True)
    assert full["passed"] and full["full"]


def test_planes_hold_the_board(tictactoe: kanzen.Game, nocca: kanzen.Game) -> None:
    planes = tictactoe.planes(["X../.O./... X", ".../.../... X"])
    assert planes.shape == (2, 3, 3, 3) and planes.dtype == np.uint8
    assert tictactoe.layers == ["X", "O", "X to move"]
    assert planes[0, 0].tolist() == [[1, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert planes[0, 1, 1, 1] == 1 and planes[:, 2].all() and not planes[1, :2].any()
    stacked = nocca.planes(["b,.,b/.,wb,./w,w,. w"])
    assert nocca.layers == ["w1", "b1", "w2", "b2", "w3", "b3", "w to move"]
    assert stacked[0, 0, 1, 1] == 1 and stacked[0, 3, 1, 1] == 1 and stacked[0, 1, 1, 1] == 0
    texts = nocca.texts(nocca.sample(500))
    assert len({array.tobytes() for array in nocca.planes(texts)}) == len(set(texts))
    with pytest.raises(ValueError, match="no board"):
        kanzen.open("stones-21", solve=True).planes(["3"])


def test_a_copy_of_a_database_is_read_anywhere(tmp_path: Path, data: Path, tictactoe: kanzen.Game) -> None:
    shutil.copytree(data / "tictactoe", tmp_path / "tictactoe")
    assert kanzen.open("tictactoe", str(tmp_path)).initial.value == 0


def test_the_catalogue_is_that_of_the_command(data: Path, command: str) -> None:
    mine = {game["id"]: game["title"] for game in kanzen.games()}
    [theirs] = lines(command, "games", "--data", str(data))
    assert mine == {game["id"]: game["title"] for game in theirs}
