"""Shared fixtures: a temporary data folder and the command to compare with."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

import kanzen


@pytest.fixture(autouse=True)
def ctrl_c() -> None:
    """Restores Ctrl-C, which the shell disables in background jobs."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of all tests, including docstring examples."""
    folder = tmp_path_factory.mktemp("data")
    os.environ["KANZEN_DATA"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def command() -> str:
    """The command ``kanzen``, built from the same sources."""
    path = os.environ.get("KANZEN_COMMAND", "")
    if not path or not Path(path).exists():
        pytest.skip("KANZEN_COMMAND does not name the command")
    return path


@pytest.fixture
def tictactoe(data: Path) -> kanzen.Game:
    return kanzen.open("tictactoe", solve=True)


@pytest.fixture
def nocca(data: Path) -> kanzen.Game:
    return kanzen.open("nocca-3x3", solve=True)


def lines(command: str, *arguments: str, given: str = "") -> list[Any]:
    """Returns the JSON lines that the command prints."""
    import json

    done = subprocess.run([command, *arguments, "--json", "--quiet"], input=given, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
