"""Exceptions of the package."""

from __future__ import annotations


class Error(Exception):
    """Base class of all errors of Kanzen."""


class UnknownGame(Error, ValueError):
    """No game has this name."""


class BadPosition(Error, ValueError):
    """The string is not a position of the game."""


class BadQuestion(Error, ValueError):
    """The query is malformed or not supported by the game."""


class NotStored(Error, ValueError):
    """The position is not in the database: it cannot arise, or only a line of the game is stored."""


class NotSolved(Error, LookupError):
    """The data folder has no database of the game."""


class Busy(Error):
    """Another process is using the game's folder."""


class TooLarge(Error, MemoryError):
    """A limit is exceeded: memory, disk, time or the file format."""


class Stopped(Error):
    """The work was interrupted or timed out."""


class Damaged(Error):
    """A file is damaged, missing or written for other rules."""


class SystemRefused(Error, OSError):
    """A system error, such as a failed file access or thread start."""


class BadRules(Error, ValueError):
    """Inconsistent game rules."""
