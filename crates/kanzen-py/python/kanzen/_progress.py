"""Shows the progress of long work: a line in a terminal, a bar in a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Callable

Callback = Callable[[str, "float | None"], object]

# Shorter work shows no progress.
_TIMEOUT = 0.4
_BETWEEN = 0.2


def _in_notebook() -> bool:
    """Returns whether the code runs in a notebook, without importing IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class Progress:
    """Receives progress updates and displays them.

    ``wanted`` is True to show progress, False to hide it, None to show it in a terminal or a notebook only, or a function
    that is called with the stage and the completed share (None if unknown).
    """

    def __init__(self, title: str, wanted: bool | Callback | None) -> None:
        self.title = title
        self.callback: Callback | None = wanted if callable(wanted) else None
        self.notebook = wanted is not False and self.callback is None and _in_notebook()
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self.line = self.callback is None and not self.notebook and (wanted is True or (wanted is None and terminal))
        self.started = time.monotonic()
        self.shown_at = 0.0
        self.handle: Any = None

    def __call__(self, stage: str, share: float | None) -> None:
        if self.callback is not None:
            self.callback(stage, share)
            return
        now = time.monotonic()
        if now - self.started < _TIMEOUT or now - self.shown_at < _BETWEEN:
            return
        self.shown_at = now
        if self.line:
            sys.stderr.write("\r" + self.text(stage, share).ljust(78)[:78])
            sys.stderr.flush()
        elif self.notebook:
            self.display(stage, share)

    def text(self, stage: str, share: float | None) -> str:
        """Returns the line for a terminal."""
        if share is None:
            return f"{self.title}  {stage}"
        filled = round(20 * share)
        return f"{self.title}  {stage}  [{'#' * filled}{'.' * (20 - filled)}] {100 * share:3.0f}%"

    def display(self, stage: str, share: float | None) -> None:
        """Shows the bar of a notebook."""
        from html import escape

        from IPython.display import HTML, display  # type: ignore[import-not-found, import-untyped, unused-ignore]

        bar = "<progress></progress>" if share is None else f"<progress max='1' value='{share:.3f}'></progress>"
        shown = HTML(f"{bar} {escape(self.title)}: {escape(stage)}")
        if self.handle is None:
            self.handle = display(shown, display_id=True)
        else:
            self.handle.update(shown)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.line and self.shown_at:
            sys.stderr.write("\r" + " " * 78 + "\r")
            sys.stderr.flush()
        if self.handle is not None:
            from IPython.display import HTML

            self.handle.update(HTML(""))
