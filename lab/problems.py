"""Everything that ``hisshi solve`` accepts as a problem: positions, files, bundled sets and standard input."""

import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from hisshi.core.errors import HisshiError, ProblemFileError
from hisshi.lab.bundled import PREFIX, describe_sets, find_bundled
from hisshi.lab.game_records import LARGEST_RECORD, SUFFIXES, read_record_problems
from hisshi.lab.positions import read_position
from hisshi.lab.problem import BadProblem, Item, Problem, printable
from hisshi.lab.problem_lines import read_line_problems

STDIN = "-"

_LINE_FORMS = {".sfen": "sfen", ".usi": "sfen", ".tsv": "tsv"}


def read_problems(arguments: Iterable[str]) -> Iterator[Item]:
    """Yield the problems of all `arguments`, in order; an argument that cannot be read is one `BadProblem`.

    An argument is standard input if it is ``-``, a file if one of that name exists or its suffix is a problem file's, a
    bundled set if it is called like one, and else a position.
    """
    for number, argument in enumerate(arguments, start=1):
        try:
            yield from _read_argument(argument, number)
        except HisshiError as error:
            yield BadProblem(str(error), None, printable(argument))


def read_file(path: Path, name: str | None = None) -> Iterator[Item]:
    """Yield the problems of one file, called `name` in messages. A bad line is a `BadProblem`.

    Raises
    ------
    ProblemFileError
        There is no such file, it cannot be read, or it holds no problems.
    """
    name = name or printable(str(path))
    suffix = path.suffix.lower()
    _check_readable(path, name, suffix)
    try:
        with path.open("rb") as stream:
            if suffix in SUFFIXES:
                yield from read_record_problems(stream.read(), name, suffix, printable(path.stem))
                return
            if b"\0" in stream.peek(8192)[:8192]:
                raise ProblemFileError(f"{name}: a binary file; expected text: {_known_suffixes()}")
            yield from read_line_problems(stream, name, _LINE_FORMS.get(suffix))
    except OSError as error:
        raise ProblemFileError(f"{name}: cannot be read: {error.strerror or error}") from error


def _check_readable(path: Path, name: str, suffix: str) -> None:
    try:
        status = path.stat()
    except FileNotFoundError:
        raise ProblemFileError(f"{name}: no such file; give a file, a position in quotes or a bundled set") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise ProblemFileError(f"{name}: cannot be read: {error}") from error
    if stat.S_ISDIR(status.st_mode):
        raise ProblemFileError(f"{name}: a folder; name the files in it, for example {name.rstrip('/')}/*.tsv")
    if suffix in SUFFIXES and status.st_size > LARGEST_RECORD:
        raise ProblemFileError(f"{name}: {status.st_size:,} bytes; a record of at most {LARGEST_RECORD:,} is expected")


def _read_argument(argument: str, number: int) -> Iterator[Item]:
    if argument == STDIN:
        yield from read_line_problems(sys.stdin.buffer, "standard input")
    elif argument.startswith(PREFIX) or not _is_file(argument):
        bundled = find_bundled(argument)
        if bundled is not None:
            yield from read_file(bundled, bundled.name)
        elif Path(argument).suffix.lower() in (*SUFFIXES, *_LINE_FORMS) and " " not in argument.strip():
            yield from read_file(Path(argument))  # says that there is no such file
        else:
            yield Problem(f"position {number}", _read_typed_position(argument))
    else:
        yield from read_file(Path(argument))


def _is_file(argument: str) -> bool:
    try:
        return bool(argument.strip()) and Path(argument).exists()  # the path "" would be this folder
    except (OSError, ValueError):  # longer than a file name may be, or with a NUL in it
        return False


def _read_typed_position(text: str) -> str:
    words = text.split()
    if len(words) == 1 and text.count("/") == 8:
        raise ProblemFileError(f"{printable(text)}: only the board of a position; put the whole SFEN in quotes")
    if not words or (len(words) == 1 and words[0] not in ("startpos", "position")):
        shown = printable(text[:80])
        raise ProblemFileError(
            f"'{shown}' is neither a file, nor a position in quotes, nor a bundled set; {describe_sets(text)}"
        )
    return read_position(text)


def _known_suffixes() -> str:
    return " ".join((*_LINE_FORMS, *SUFFIXES))
