"""What can go wrong. The sentences are the library's."""

from __future__ import annotations


class Error(Exception):
    """Something that Kanzen could not do."""


class UnknownGame(Error, ValueError):
    """There is no game of this name."""


class BadPosition(Error, ValueError):
    """A text that is no position of the game."""


class BadQuestion(Error, ValueError):
    """A question that cannot be understood, or an answer that there cannot be."""


class NotStored(Error, ValueError):
    """A position that cannot arise, or a game of which only a line is stored."""


class NotSolved(Error, LookupError):
    """The data folder has no database of the game."""


class Busy(Error):
    """Another process works on the game."""


class TooLarge(Error, MemoryError):
    """It does not fit: memory, disk, time, or what a format can hold."""


class Stopped(Error):
    """The work was stopped, or took too long."""


class Damaged(Error):
    """A file that cannot be trusted: damaged, missing, or written for other rules."""


class SystemRefused(Error, OSError):
    """The system refused: a file, a thread."""


class BadRules(Error, ValueError):
    """Rules that do not hold together."""
