"""What the benchmarks share: the machine in a line, problems by argument, runs."""

import os
import platform
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from hisshi.core import Position, Registry
from hisshi.core.errors import HisshiError
from hisshi.lab.bundled import describe_sets, find_bundled


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def machine(*packages: str) -> str:
    """Return what the figures depend on, in a line; `packages` are named with their versions."""
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in ("numba", *packages))
    return f"{processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, {versions}"


@dataclass(frozen=True)
class Row:
    """A problem of a table: `plies` is the length that it claims, `group` the table's name without its suffix.

    `recorded` is the move of its column ``recorded best move``, "" without one.
    """

    id: str
    sfen: str
    plies: int | None
    group: str
    recorded: str = ""

    @property
    def position(self) -> Position:
        return Position.from_sfen(self.sfen, strict=False)


def read(arguments: Iterable[str], only: Iterable[str] = ()) -> list[Row]:
    """Return the rows of problem tables, named by path or as a bundled set.

    Odd positions (doubled pawns) are kept, unlike in `hisshi solve`: collections made by machines have them. What is no
    position is told and left out. `only` are ids; one that no row has ends the program.
    """
    arguments, wanted = list(arguments), set(only)
    rows = [row for argument in arguments for row in rows_of(argument) if not wanted or row.id in wanted]
    if missing := wanted - {row.id for row in rows}:
        raise SystemExit(f"no problem is called {', '.join(sorted(missing))} in {', '.join(arguments)}")
    if not rows:
        raise SystemExit(f"no problems in {', '.join(arguments)}")
    return rows


def rows_of(argument: str) -> Iterator[Row]:
    try:
        path = Path(argument) if Path(argument).exists() else find_bundled(argument)
        lines = path.read_text(encoding="utf-8").splitlines() if path else None
    except (OSError, ValueError, HisshiError) as error:
        raise SystemExit(f"{argument}: {error}") from None
    if lines is None:
        raise SystemExit(f"{argument}: neither a file nor a bundled set; {describe_sets(argument)}")
    columns = [name.split("(")[0].strip() for name in lines[0].lstrip("# ").split("\t")] if lines else []
    if "id" not in columns or "sfen" not in columns:
        raise SystemExit(f"{argument}: the first line names no columns id and sfen; see docs/problem-files.md")
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip() or line.startswith("#"):
            continue
        cells = dict(zip(columns, line.split("\t"), strict=False))
        try:
            sfen = cells.get("sfen", "")
            Position.from_sfen(sfen, strict=False)
        except HisshiError as error:
            print(f"left out: {argument}, line {number}: {error}", file=sys.stderr)
            continue
        plies = cells.get("plies", "")
        yield Row(
            cells["id"], sfen, int(plies) if plies.isdigit() else None, path.stem, cells.get("recorded best move", "")
        )


def overrides(settings: Iterable[str]) -> dict[str, str]:
    """Return settings OPTION=VALUE as `Registry.compose` takes them."""
    pairs = [text.partition("=") for text in settings]
    for name, equals, _ in pairs:
        if not (name and equals):
            raise SystemExit(f"{name}: expected OPTION=VALUE, for example epsilon=0.5")
    return {name: value for name, _, value in pairs}


def compose(name: str, changed: dict[str, str] | None = None) -> Any:
    """Return a run, compiled; a mistake in its name or options ends the program with one line."""
    try:
        run = Registry.load().compose(name, changed)
        run.warm()
    except HisshiError as error:
        raise SystemExit(str(error)) from None
    return run
