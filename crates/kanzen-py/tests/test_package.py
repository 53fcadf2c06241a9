"""Docstrings, types, Ctrl-C, progress, regret and notebooks."""

from __future__ import annotations

import doctest
import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import kanzen

HERE = Path(__file__).parent
MODULES = ["kanzen", "kanzen._open", "kanzen._regret", "kanzen._rules", "kanzen._progress"]


def documented() -> list[tuple[str, str]]:
    """Returns every docstring with an example. doctest cannot find those of native classes by itself."""
    found = [(name, importlib.import_module(name).__doc__ or "") for name in MODULES]
    for name in kanzen.__all__:
        thing = getattr(kanzen, name)
        found.append((name, getattr(thing, "__doc__", None) or ""))
        if isinstance(thing, type):
            found += [(f"{name}.{part}", getattr(vars(thing)[part], "__doc__", None) or "") for part in vars(thing)]
    return [(name, text) for name, text in found if ">>>" in text]


@pytest.mark.parametrize(("name", "text"), documented(), ids=lambda value: value if len(value) < 40 else "")
def test_the_examples_of_docstrings_hold(name: str, text: str) -> None:
    example = doctest.DocTestParser().get_doctest(text, {"kanzen": kanzen}, name, None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL | doctest.ELLIPSIS)
    assert runner.run(example).failed == 0, name


def test_every_public_thing_is_documented() -> None:
    for name in kanzen.__all__:
        thing = getattr(kanzen, name)
        assert isinstance(thing, str) or thing.__doc__, name
        for part, what in vars(thing).items() if isinstance(thing, type) else []:
            if not part.startswith("_") and thing.__module__.startswith("kanzen") and not isinstance(what, (int, str)):
                assert what is None or isinstance(what, tuple) or what.__doc__, f"{name}.{part}"


def test_the_stubs_match_the_module() -> None:
    pytest.importorskip("mypy")
    stubs = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "kanzen._kanzen", "--ignore-missing-stub", "--ignore-disjoint-bases"],
        capture_output=True, text=True,
    )
    assert stubs.returncode == 0, stubs.stdout + stubs.stderr


def test_the_package_passes_mypy() -> None:
    pytest.importorskip("mypy")
    package = Path(kanzen.__file__).parent
    mypy = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(package)], capture_output=True, text=True)
    assert mypy.returncode == 0, mypy.stdout + mypy.stderr


def test_ctrl_c_interrupts_a_solve_that_resumes_later(tmp_path: Path) -> None:
    game = "nocca-4x4"
    program = f"import kanzen, sys; print('on', flush=True); kanzen.open({game!r}, {str(tmp_path)!r}, solve=True)"
    solve = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # The shell disables Ctrl-C in background jobs and their children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert solve.stdout is not None and solve.stdout.readline() == "on\n"
    part = tmp_path / f"{game}.part"
    until = time.monotonic() + 60
    while not part.exists() and time.monotonic() < until:
        time.sleep(0.01)
    time.sleep(0.2)
    solve.send_signal(signal.SIGINT)
    _, stderr = solve.communicate(timeout=120)
    assert "KeyboardInterrupt" in stderr and solve.returncode != 0
    assert part.exists() and not (tmp_path / game).exists()
    assert kanzen.open(game, tmp_path, solve=True).verify(1000)["passed"]


def test_a_progress_callback_gets_updates_and_can_abort(tmp_path: Path) -> None:
    updates: list[tuple[str, float | None]] = []
    kanzen.open("nocca-4x3", tmp_path / "a", solve=True, progress=lambda stage, share: updates.append((stage, share)))
    assert all(share is None or 0 <= share <= 1 for _, share in updates)

    def refuse(stage: str, share: float | None) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kanzen.open("nocca-4x4", tmp_path / "b", solve=True, progress=refuse)


def test_regret_is_zero_for_best_moves_and_positive_for_worst_moves(nocca: kanzen.Game) -> None:
    numbers = nocca.sample(300, seed=9)
    best = kanzen.regret(nocca, lambda position: position.moves[0].text, numbers)
    worst = kanzen.regret(nocca, lambda position: position.moves[-1].text, numbers)
    assert best.mean == 0 and float(best) == 0 and not best.delay.any()
    assert worst.mean > 0.1 and 0 < worst.share <= 1 and len(worst) == len(best) <= 300
    by_hand = [nocca.position(text).value - next(m.value for m in nocca.position(text).moves if m.text == move)
               for text, move in zip(worst.positions, worst.moves)]
    assert worst.loss.tolist() == by_hand
    with pytest.raises(ValueError, match="is not a move in"):
        kanzen.regret(nocca, lambda position: "z9", numbers)
    with pytest.raises(ValueError, match="answered 0 of"):
        kanzen.regret(nocca, lambda positions, moves: [], numbers, batched=True)
    first = kanzen.regret(nocca, lambda positions, moves: np.zeros(len(moves), dtype=int), numbers, batched=True)
    assert first.mean >= 0


@pytest.mark.parametrize("notebook", sorted((HERE.parent / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_runs_from_top_to_bottom(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KANZEN_QUICK", "1")
    cells = json.loads(notebook.read_text())["cells"]
    names: dict[str, object] = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{notebook.name}, cell {number}", "exec"), names)
    assert any(cell["cell_type"] == "code" for cell in cells)


@pytest.mark.parametrize("page", ["README.md", "../../README.md", "../../docs/python.md"])
def test_the_examples_of_a_page_hold(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = (HERE.parent / page).read_text()
    blocks = [block.split("```")[0] for block in text.split("```python\n")[1:]]
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:  # a page is read from top to bottom
        exec(compile(block, page, "exec"), names)


def test_the_data_folder_is_that_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    from kanzen._open import data_folder

    monkeypatch.setenv("KANZEN_DATA", "here")
    assert data_folder() == Path("here")
    monkeypatch.delenv("KANZEN_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", os.sep + "xdg")
    if sys.platform != "darwin":
        assert data_folder() == Path(os.sep + "xdg/kanzen")
