"""The files of ``hisshi compose``: problems, proofs, and how far it is; what is there is gone on with.

A line is handed to the system as soon as it is written. The progress file counts the candidates that are done and is
written last, so that whatever belongs to a later candidate was cut off in the middle, and goes when mining goes on.
"""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from hisshi.core.errors import HisshiError
from hisshi.lab.outcome import Outcome, json_line
from hisshi.lab.problem import Problem, printable
from hisshi.lab.problems import read_file

COLUMNS = ("id", "sfen", "plies", "length is", "first moves", "unique", "kings", "origin", "line")

_PREFIX = "composed-"


def candidate_id(number: int) -> str:
    """Return the id of what candidate `number` finds."""
    return f"{_PREFIX}{number:06}"


def candidate_number(identity: str) -> int:
    """Return the number of the candidate that found the problem `identity`, 0 if it is not one of ours."""
    digits = identity.removeprefix(_PREFIX)
    return int(digits) if identity.startswith(_PREFIX) and digits.isdigit() else 0


def table_row(outcome: Outcome) -> str:
    """Return a problem as a line of the table, without the line end."""
    first = outcome.first_moves or {}
    moves = first.get("moves", [])
    unique = "no" if len(moves) > 1 else "yes" if first.get("complete") else "unknown"
    board = str(outcome.sfen).split()[0]
    kings = board.count("k") + board.count("K")
    provenance = outcome.provenance
    cells = (
        outcome.id,
        outcome.sfen,
        outcome.plies,
        provenance["length"],
        ",".join(moves),
        unique,
        kings,
        provenance["origin"],
        " ".join(outcome.moves),
    )
    return "\t".join(printable(str(cell)) for cell in cells)


class Record:
    """What was mined so far, in `table`, in `proofs` if that is wanted, and in `table` + ``.progress``.

    `options` are those that the problems depend on: to go on with others would be another mining.

    Raises
    ------
    HisshiError
        A file cannot be written, or the table is not one of ours, or was mined with other options.
    """

    def __init__(self, table: Path, proofs: Path | None, options: dict[str, Any]) -> None:
        self.table, self.proofs, self.options = table, proofs, options
        self.progress = table.with_name(table.name + ".progress")
        self.done = 0  # candidates
        self.problems: list[Problem] = []
        try:
            self._go_on()
        except OSError as error:
            raise self._failure(error) from error
        self._table: TextIO = self._open(table)
        self._proofs: TextIO | None = None if proofs is None else self._open(proofs)

    def _go_on(self) -> None:
        if not self.progress.exists():
            for file in (self.table, *([self.proofs] if self.proofs else [])):
                if file.exists() and file.stat().st_size:
                    raise HisshiError(f"{file}: exists, and no {self.progress.name} says how far; name another file")
            self._save()
            self.table.write_text("# " + "\t".join(COLUMNS) + "\n", encoding="utf-8")
            if self.proofs:
                self.proofs.write_text("", encoding="utf-8")
            return
        try:
            state = json.loads(self.progress.read_text(encoding="utf-8"))
            then, self.done = dict(state["options"]), int(state["candidates"])
        except (ValueError, KeyError, TypeError) as error:
            raise HisshiError(f"{self.progress}: not a progress file ({error}); remove it and {self.table}") from None
        for name, value in self.options.items():
            if then.get(name) != value:
                raise HisshiError(
                    f"{self.table}: was composed with {name} {then.get(name)}, not {value}; "
                    f"name another --out, or remove it and {self.progress.name}"
                )
        _keep_lines(self.table, self._is_done_row, "# " + "\t".join(COLUMNS) + "\n")
        if self.proofs:
            _keep_lines(self.proofs, self._is_done_proof, "")
        if self.done:
            self.problems = [item for item in self._read() if candidate_number(item.id) <= self.done]

    def _read(self) -> list[Problem]:
        if self.table.read_text(encoding="utf-8").count("\n") < 2:  # nothing was found yet, which is no problem file
            return []
        return [item for item in read_file(self.table) if isinstance(item, Problem)]

    def _is_done_row(self, line: str) -> bool:
        return line.startswith("#") or 0 < candidate_number(line.partition("\t")[0]) <= self.done

    def _is_done_proof(self, line: str) -> bool:
        identity = line[len('{"id": "') :].partition('"')[0]
        return 0 < candidate_number(identity) <= self.done

    def _open(self, file: Path) -> TextIO:
        try:
            return file.open("a", encoding="utf-8")
        except OSError as error:
            raise self._failure(error) from error

    def add(self, outcome: Outcome) -> None:
        """Write a problem; it counts when its candidate is done."""
        try:
            if self._proofs is not None:
                self._proofs.write(json_line(outcome, with_proof=True) + "\n")
                self._proofs.flush()
            self._table.write(table_row(outcome) + "\n")
            self._table.flush()
        except OSError as error:
            raise self._failure(error) from error
        self.problems.append(
            Problem(str(outcome.id), str(outcome.sfen), outcome.plies, extra={"line": " ".join(outcome.moves)})
        )

    def finish(self, number: int) -> None:
        """Take note that candidate `number` is done."""
        self.done = number
        try:
            self._save()
        except OSError as error:
            raise self._failure(error) from error

    def _save(self) -> None:
        """Replace the progress file at one stroke: half of one would be none."""
        new = self.progress.with_name(self.progress.name + ".new")
        new.write_text(json.dumps({"options": self.options, "candidates": self.done}) + "\n", encoding="utf-8")
        os.replace(new, self.progress)  # noqa: PTH105  Path.replace, but it says what it does

    def close(self) -> None:
        """Close the files."""
        self._table.close()
        if self._proofs is not None:
            self._proofs.close()

    def _failure(self, error: OSError) -> HisshiError:
        file = error.filename or self.table
        return HisshiError(f"{file}: cannot be written: {error.strerror or error}; name another --out")


def _keep_lines(file: Path, keep: Callable[[str], bool], head: str) -> None:
    """Rewrite `file` with the whole lines that `keep` says are to stay, if it has others; make it if it is missing."""
    if not file.exists():
        file.write_text(head, encoding="utf-8")
        return
    lines = file.read_bytes().decode("utf-8", "replace").split("\n")
    whole = lines[:-1]  # what follows the last line end was cut off in the middle, or is nothing
    kept = "".join(f"{line}\n" for line in whole if keep(line)) or head
    if kept != "\n".join(lines):
        new = file.with_name(file.name + ".new")
        new.write_text(kept, encoding="utf-8")
        os.replace(new, file)  # noqa: PTH105
