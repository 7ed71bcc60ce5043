"""Problems from game records and diagrams: KIF, KI2, CSA, JKF and BOD, all read by rsshogi.

Which position is the problem?

* A record that starts from a diagram (a tsume problem with its solution, a study): the diagram. The moves are kept as
  the source's solution in ``extra["line"]``; where the record says that they end in mate, their number is the claimed
  length.
* A record of a game, that is one that starts from the usual opening position and has moves: the position after its last
  move, as with a USI ``position startpos moves …``.
* A record with neither diagram nor moves holds no problem.
"""

import sys
from collections.abc import Iterator
from typing import Any

from hisshi.core.errors import HisshiError, ProblemFileError
from hisshi.core.sfen import START_SFEN
from hisshi.lab.positions import play_line, read_position
from hisshi.lab.problem import BadProblem, Item, Problem

SUFFIXES = (".kif", ".kifu", ".ki2", ".ki2u", ".csa", ".jkf", ".bod")
LARGEST_RECORD = 5_000_000  # bytes; read whole, by a parser that Ctrl-C cannot stop at a rate of about 1 MB a second

_ENCODINGS = ("utf-8-sig", "cp932")

# rsshogi ends the whole process when a KI2 move drops a piece that is not in hand.
_TRIAL = """
import sys
from contextlib import suppress
from rsshogi.record import Record
with suppress(Exception):
    Record.from_ki2_str(sys.stdin.buffer.read().decode("utf-8"))
"""


def decode_record(data: bytes, file: str) -> str:
    """Return the text of a record: UTF-8, else Shift_JIS as most Japanese programs write it (code page 932)."""
    for encoding in _ENCODINGS:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise ProblemFileError(f"{file}: neither UTF-8 nor Shift_JIS text; save the record in one of them")


def read_record_problems(data: bytes, file: str, suffix: str, stem: str) -> Iterator[Item]:
    """Yield the problems of the record file `data`; only CSA files hold more than one, separated by ``/`` lines.

    Raises
    ------
    ProblemFileError
        The file is no record of this kind, or holds no position.
    """
    text = decode_record(data, file)
    if not text.strip():
        raise ProblemFileError(f"{file}: empty; expected a {suffix[1:].upper()} record")
    records = _parse(text, file, suffix)
    for number, record in enumerate(records, start=1):
        identity = stem if len(records) == 1 else f"{stem}:{number}"
        try:
            yield _problem_of(record, identity, file, suffix)
        except HisshiError as error:
            place = file if len(records) == 1 else f"{file}, game {number}"
            yield BadProblem(f"{place}: {error}", identity, file)


def _parse(text: str, file: str, suffix: str) -> list[Any]:
    from rsshogi.record import Record  # 20 ms, and most problem files need none of it

    kind = suffix[1:].upper()
    try:
        if suffix == ".csa":
            return list(Record.from_csa_games_str(text))
        if suffix == ".jkf":
            return [Record.from_jkf_str(text)]
        if suffix in (".ki2", ".ki2u"):
            if not _survives_reading(text):
                raise ProblemFileError(
                    f"{file}: not a readable {kind} record: the reader gave up on it; "
                    "is there a drop (打) of a piece that is not in hand?"
                )
            return [Record.from_ki2_str(text)]
        return [Record.from_kif_str(text)]  # a BOD diagram is the head of a KIF record
    except HisshiError:
        raise
    except Exception as error:
        raise ProblemFileError(f"{file}: not a readable {kind} record: {_explain(str(error))}") from error
    except BaseException as error:
        # rsshogi is compiled Rust: a bug there surfaces as pyo3's PanicException, which is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        raise ProblemFileError(f"{file}: not a readable {kind} record: the reader gave up on it") from error


def _survives_reading(text: str) -> bool:
    """Read a KI2 record in a process of its own and tell whether that ended as it should."""
    import subprocess  # no other kind of record needs it

    command, data = [sys.executable, "-c", _TRIAL], text.encode("utf-8", "replace")
    return subprocess.run(command, input=data, capture_output=True, check=False).returncode == 0  # noqa: S603  our own


def _explain(message: str) -> str:
    """Return the reader's message; its moves count from 0, ours from 1."""
    shown = " ".join(message.split())[:200]
    head, found, index = shown.rpartition("illegal move at index ")
    if found and index.isdigit():
        return f"{head}move {int(index) + 1} is not legal"
    return shown or "no reason given"


def _problem_of(record: Any, identity: str, file: str, suffix: str) -> Problem:
    start = read_position(str(record.init_position_sfen))
    moves = [entry.move.to_usi() for entry in record.moves]
    if start == START_SFEN:
        if not moves:
            kind = suffix[1:].upper()
            raise ProblemFileError(f"no diagram and no moves found; is this a {kind} record?")
        return Problem(identity, play_line(start, moves), file=file, extra={"game": " ".join(moves)})
    ending = record.main_terminal
    mates = ending is not None and str(ending.kind) == "MATE"
    extra = {"line": " ".join(moves)} if moves else {}
    return Problem(identity, start, len(moves) if moves and mates else None, file, extra=extra)
