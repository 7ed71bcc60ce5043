"""A problem as it was read from somewhere, or the reason why it could not be read."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Problem:
    """A position to search.

    `plies` is the length that the source claims, None if it claims none. `line` is the line number in `file`; both are
    None for a position given on the command line. `extra` holds every other column of a table, or what a game record
    tells, as text; the solution that the source gives, if any, is ``extra["line"]``: USI moves with blanks between.
    """

    id: str
    sfen: str
    plies: int | None = None
    file: str | None = None
    line: int | None = None
    extra: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BadProblem:
    """A line or a file that holds no problem. `id` is None where none could be read; `error` names the place."""

    error: str
    id: str | None = None
    file: str | None = None
    line: int | None = None


Item = Problem | BadProblem


def located(file: str, line: int | None, text: str) -> str:
    """Return ``file, line n: text``, the beginning that every message about a problem file has."""
    return f"{file}, line {line}: {text}" if line is not None else f"{file}: {text}"


def printable(text: str) -> str:
    """Return `text` with everything a terminal could act on, or cannot show, replaced by ``?``."""
    return "".join(character if character.isprintable() else "?" for character in text)
