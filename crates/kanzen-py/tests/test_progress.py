"""Progress display: a line in a terminal, a bar in a notebook, nothing elsewhere."""

from __future__ import annotations

import io
import sys
import types
from typing import Any

import pytest

from kanzen._progress import Progress


class Terminal(io.StringIO):
    """A fake terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shows every update immediately."""
    monkeypatch.setattr("kanzen._progress._TIMEOUT", 0)
    monkeypatch.setattr("kanzen._progress._BETWEEN", 0)


def test_a_terminal_gets_a_line_that_is_gone_at_the_end(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with Progress("nocca-3x3", None) as shown:
        shown("solve", 0.5)
        shown("write", None)
    output = sys.stderr.getvalue()
    assert "\rnocca-3x3  solve  [##########..........]  50%" in output and "\rnocca-3x3  write" in output
    assert output.endswith("\r" + " " * 78 + "\r")


@pytest.mark.parametrize("wanted", [False, None])
def test_it_is_quiet_without_a_terminal(
    wanted: bool | None, at_once: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal() if wanted is False else io.StringIO())
    with Progress("nocca-3x3", wanted) as shown:
        shown("solve", 0.5)
    assert sys.stderr.getvalue() == ""


def test_quick_work_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    with Progress("nocca-3x3", True) as shown:
        shown("solve", 0.5)
    assert sys.stderr.getvalue() == ""


def test_a_notebook_gets_a_bar(at_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shown_html: list[str] = []

    class Handle:
        def update(self, html: str) -> None:
            shown_html.append(html)

    def display(html: str, display_id: bool) -> Handle:
        shown_html.append(html)
        return Handle()

    # Fakes a notebook, which is detected by the class of its shell.
    shell: Any = type("ZMQInteractiveShell", (), {})()
    ipython, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: shell  # type: ignore[attr-defined]
    module.HTML, module.display = str, display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    with Progress("a < b", None) as shown:
        shown("solve", 0.25)
        shown("write", None)
    assert shown_html == [
        "<progress max='1' value='0.250'></progress> a &lt; b: solve",
        "<progress></progress> a &lt; b: write",
        "",
    ]


def test_a_callback_gets_every_update() -> None:
    updates: list[tuple[str, float | None]] = []
    with Progress("nocca-3x3", lambda stage, share: updates.append((stage, share))) as shown:
        shown("solve", 0.5)
        shown("write", None)
    assert updates == [("solve", 0.5), ("write", None)]
