"""Problem files with one problem a line, read line by line: ``.sfen`` and our ``.tsv``.

A line that is wrong becomes a `BadProblem` and the next one is read; nothing but the current line is held in memory.
"""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from hisshi.core.errors import HisshiError, ProblemFileError
from hisshi.lab.positions import read_position
from hisshi.lab.problem import BadProblem, Item, Problem, located, printable

LONGEST_LINE = 1_000_000  # bytes; the longest line of a real file is a game record's, below 20,000

_BOM = b"\xef\xbb\xbf"

# A line of text with its number, or the reason why that line cannot be read.
Line = tuple[int, str | ProblemFileError]


def read_lines(stream: BinaryIO) -> Iterator[Line]:
    """Yield the lines of `stream`, decoded from UTF-8, a byte order mark left out, blank lines left out."""
    number = 0
    while raw := stream.readline(LONGEST_LINE):
        number += 1
        if number == 1:
            raw = raw.removeprefix(_BOM)
        if len(raw) >= LONGEST_LINE and not raw.endswith(b"\n"):
            _skip_rest_of_line(stream)
            yield number, ProblemFileError(f"longer than {LONGEST_LINE:,} bytes; one problem a line is expected")
            continue
        try:
            text = raw.decode("utf-8").strip("\r\n")
        except UnicodeDecodeError as error:
            yield number, ProblemFileError(f"byte {error.start + 1} of the line is not UTF-8; save the file as UTF-8")
            continue
        if text.strip():
            yield number, text


def _skip_rest_of_line(stream: BinaryIO) -> None:
    while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
        pass


def read_line_problems(stream: BinaryIO, file: str, form: str | None = None) -> Iterator[Item]:
    """Yield the problems of `stream`; `form` is ``"sfen"``, ``"tsv"`` or None, when the first line decides.

    Raises
    ------
    ProblemFileError
        The stream holds no problem at all, or a table has no header.
    """
    lines = read_lines(stream)
    first = next(lines, None)
    if first is None:
        raise ProblemFileError(f"{file}: empty; expected one SFEN or USI position a line, or a table with a header")
    if form is None:
        form = "tsv" if isinstance(first[1], str) and _header(first[1]) else "sfen"
    rows = _chain(first, lines)
    found = False
    for item in _table_problems(rows, file) if form == "tsv" else _position_problems(rows, file):
        found = True
        yield item
    if not found:
        raise ProblemFileError(f"{file}: only comments; expected one problem a line")


def _chain(first: Line, rest: Iterable[Line]) -> Iterator[Line]:
    yield first
    yield from rest


def _position_problems(lines: Iterable[Line], file: str) -> Iterator[Item]:
    """One SFEN or USI position a line; the identity is the file's stem and the line number."""
    stem = file.replace("\\", "/").rsplit("/", 1)[-1].rsplit(".", 1)[0] or "problem"
    for number, text in lines:
        if isinstance(text, str) and text.lstrip().startswith("#"):
            continue
        identity = f"{stem}:{number}"
        try:
            if not isinstance(text, str):
                raise text
            yield Problem(identity, read_position(text.strip()), file=file, line=number)
        except HisshiError as error:
            yield BadProblem(located(file, number, str(error)), identity, file, number)


def _header(text: str) -> list[str] | None:
    """Return the column names if `text` is the header of a problem table.

    A note in brackets behind a name is not part of it: ``plies (strict)`` is ``plies``.
    """
    names = [name.split("(")[0].strip().lower() for name in text.lstrip().removeprefix("#").split("\t")]
    return names if "sfen" in names and len(names) > 1 else None


def _table_problems(lines: Iterable[Line], file: str) -> Iterator[Item]:
    columns: list[str] | None = None
    for number, text in lines:
        if isinstance(text, str) and columns is None:
            columns = _header(text)
            if columns is not None:
                continue
        if isinstance(text, str) and text.lstrip().startswith("#"):
            continue
        if columns is None:
            shown = printable(text[:60]) if isinstance(text, str) else str(text)
            raise ProblemFileError(
                f"{located(file, number, 'no header before it')}; expected a first line such as "
                f"'# id<TAB>sfen<TAB>plies' that names a column 'sfen', got: {shown}"
            )
        yield _row(columns, number, text, file)


def _row(columns: list[str], number: int, text: str | ProblemFileError, file: str) -> Item:
    identity: str | None = None
    try:
        if not isinstance(text, str):
            raise text
        cells = [cell.strip() for cell in text.split("\t")]
        if len(cells) > len(columns):
            raise ProblemFileError(f"{len(cells)} columns, expected at most {len(columns)}: {', '.join(columns)}")
        row = dict(zip(columns, cells, strict=False))
        identity = row.pop("id", "") or f"line {number}"
        if not row.get("sfen"):
            raise ProblemFileError("no sfen in this row")
        sfen = read_position(row.pop("sfen"))
        plies = _plies(row.pop("plies", ""))
        return Problem(identity, sfen, plies, file, number, {name: cell for name, cell in row.items() if cell})
    except HisshiError as error:
        return BadProblem(located(file, number, str(error)), identity, file, number)


def _plies(cell: str) -> int | None:
    if cell in ("", "-"):
        return None
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 6):
        raise ProblemFileError(f"plies is '{printable(cell[:20])}', expected a whole number or nothing")
    return int(cell)
