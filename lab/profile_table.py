"""The table of ``--profile``: which part was called how often, and whose the time was."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import Console


class Profiled(Protocol):
    """An outcome with a profile, or without one."""

    @property
    def profile(self) -> dict[str, dict[str, Any]] | None:
        """As in `hisshi.core.composition.Run.profile`."""

    @property
    def seconds(self) -> float:
        """Of the search."""


def profile_rows(outcomes: Iterable[Profiled]) -> list[tuple[str, str, int, float]]:
    """Return part, plugin, calls and seconds of all searches together, the largest time first."""
    calls: dict[tuple[str, str], int] = {}
    seconds: dict[tuple[str, str], float] = {}
    for outcome in outcomes:
        for part, row in (outcome.profile or {}).items():
            key = (part, row["plugin"])
            calls[key] = calls.get(key, 0) + row["calls"]
            seconds[key] = seconds.get(key, 0.0) + row["share"] * outcome.seconds
    return sorted(((*key, calls[key], seconds[key]) for key in calls), key=lambda row: (-row[3], row[0]))


def print_profile(outcomes: Iterable[Profiled], console: "Console") -> None:
    """Print the table, if there is a profile."""
    from rich.table import Table
    from rich.text import Text

    rows = profile_rows(outcomes)
    if not rows:
        return
    whole = sum(seconds for *_, seconds in rows) or 1.0
    table = Table(title="time by part")
    for header in ("part", "plugin", "calls", "share", "seconds"):
        table.add_column(header, justify="left" if header in ("part", "plugin") else "right")
    for part, plugin, calls, seconds in rows:
        cells = (part, plugin, f"{calls:,}", f"{100 * seconds / whole:.1f} %", f"{seconds:.2f}")
        table.add_row(*(Text(cell) for cell in cells))
    console.print(table)
    console.print("Each part's own time, without that of the parts it calls; see docs/architecture.md.", soft_wrap=True)
