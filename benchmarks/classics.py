"""The classic mates one after the other with a large table and a time limit each: what is proven, what it takes.

    python benchmarks/classics.py [FILE …] [--run mate-df-pn] [--megabytes 1024] [--seconds 60] [--nodes N]
                                  [--only ID,ID] [--longest PLIES] [--set OPTION=VALUE] [--results FILE]

FILE is a problem table or a bundled set; without one it is the bundled tsume-classic. The limit is processor time, so a
busy machine proves as much as an idle one. With --results each row is also appended to a file; started again with the
same file and settings, the program goes on behind the last row, so that hours can be had in pieces. Exit status 1 if a
problem is not proven, 130 after Ctrl-C.
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from support import Row, compose, machine, overrides, read

from hisshi.core import solve
from hisshi.core.kernel.control import STOP

MANY_NODES = 1_000_000  # what needs more is listed
MANY_LENGTHS = 12  # with more lengths than these a count by length says nothing


@dataclass
class Solved:
    """One problem and what became of it; `published` is the length that the table claims, 0 if none."""

    id: str
    verdict: str
    plies: int
    published: int
    nodes: int
    seconds: float
    fill: float  # of the table, at the end of the search

    @property
    def cells(self) -> str:
        rate = f"{self.nodes / self.seconds / 1e6:.2f}" if self.seconds >= 0.01 else "-"
        return " | ".join(
            [
                *(self.id, self.verdict, str(self.plies or "-"), str(self.published or "-"), f"{self.nodes:,}"),
                *(f"{self.seconds:.3f}", rate, f"{100 * self.fill:.1f} %"),
            ]
        )


HEADS = ["id", "verdict", "plies", "published", "nodes", "seconds", "M nodes/s", "table fill"]


def solve_one(row: Row, run: Any, seconds: float, nodes: int) -> Solved:
    """Solve one problem; `seconds` are the processor's; 0 is no limit."""
    begun = time.process_time()

    def watch(_: object) -> None:
        if seconds and time.process_time() - begun >= seconds:
            run.control[STOP] = 1

    result = solve(row.position, run, node_limit=nodes or None, on_progress=watch, confirm=False)
    fill = max((table["fill"] for table in result.statistics.values()), default=0.0)
    used = round(result.processor_seconds, 4)
    return Solved(row.id, result.verdict, result.plies or 0, row.plies or 0, result.nodes, used, fill)


class ResultsFile:
    """Rows that outlive the program: a table whose first line names the settings they were made with."""

    def __init__(self, path: Path, settings: str) -> None:
        self.path, self.heading = path, f"# {settings}"
        self.done: dict[str, Solved] = {}
        if not path.exists():
            path.write_text(f"{self.heading}\n", encoding="utf-8")
            return
        lines = path.read_text(encoding="utf-8").splitlines()
        if not lines or lines[0] != self.heading:
            was = lines[0].lstrip("# ") if lines else "nothing"
            raise SystemExit(f"{path}: made with other settings ({was}; now: {settings}); name another file")
        for line in lines[1:]:
            cells = line.split("\t")
            if len(cells) == len(Solved.__dataclass_fields__):  # else it was cut off
                known = Solved(*cells[:2], *map(int, cells[2:5]), *map(float, cells[5:]))
                self.done[known.id] = known

    def append(self, solved: Solved) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\t".join(map(str, asdict(solved).values())) + "\n")


def report(solved: list[Solved]) -> None:
    """Print totals, and the ids that deserve a look."""
    proven = [each for each in solved if each.verdict == "proven"]
    nodes, seconds = sum(each.nodes for each in solved), sum(each.seconds for each in solved)
    print(f"\nproven: {len(proven)} of {len(solved)}; {nodes:,} nodes, {seconds:.1f} s of processor time", end="")
    print(f", {nodes / seconds / 1e6:.2f} M nodes/s" if seconds else "")
    lengths = Counter(each.published for each in solved)
    if len(lengths) <= MANY_LENGTHS:
        shares = (
            f"{plies}: {sum(each.published == plies for each in proven)} of {count}"
            for plies, count in sorted(lengths.items())
        )
        print(f"proven by length: {', '.join(shares)}")
    dear = [each for each in proven if each.nodes > MANY_NODES]
    lists = {
        "not proven": [each.id for each in solved if each.verdict not in ("proven", "disproven")],
        "disproven": [each.id for each in solved if each.verdict == "disproven"],
        "shorter than claimed": [f"{each.id} ({each.plies})" for each in proven if each.plies < each.published],
        f"more than {MANY_NODES:,} nodes": [f"{each.id} ({each.nodes:,})" for each in dear],
    }
    for what, ids in lists.items():
        if ids:
            print(f"{what}: {len(ids)}: {', '.join(ids)}")
    longer = sum(each.plies > each.published > 0 for each in proven)
    print(f"of the claimed length: {sum(each.plies == each.published for each in proven)}, longer: {longer}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", metavar="FILE", help="problem tables or bundled sets")
    parser.add_argument("--run", default="mate-df-pn", metavar="NAME")
    parser.add_argument("--megabytes", type=float, default=1024, metavar="N", help="of the table")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="of the processor, each; 0: no limit")
    parser.add_argument("--nodes", type=int, default=0, metavar="N", help="most nodes each; 0: no limit")
    parser.add_argument("--only", default="", metavar="ID,ID", help="these problems alone")
    parser.add_argument("--longest", type=int, default=0, metavar="PLIES", help="leave out problems that claim more")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the run")
    parser.add_argument("--results", type=Path, metavar="FILE", help="append rows to FILE, and go on behind its last")
    parser.add_argument("--quiet", action="store_true", help="no row for each problem")
    given = parser.parse_args()
    if given.seconds < 0 or given.nodes < 0:
        parser.error("--seconds and --nodes: 0 or more")
    rows = read(given.problems or ["tsume-classic"], [name for name in given.only.split(",") if name])
    if given.longest:
        rows = [row for row in rows if row.plies is not None and row.plies <= given.longest]
    run = compose(given.run, {"table.megabytes": f"{given.megabytes:g}"} | overrides(given.set))
    limits = [f"{given.seconds:g} s"] * bool(given.seconds) + [f"{given.nodes:,} nodes"] * bool(given.nodes)
    settings = ", ".join([f"run {given.run}", *given.set, f"{given.megabytes:g} megabytes", *limits])
    results = ResultsFile(given.results, settings) if given.results else None
    print(f"{machine()}\n{settings}\n")
    if not given.quiet:
        print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    solved = []
    try:
        for row in rows:
            known = results.done.get(row.id) if results else None
            solved.append(known or solve_one(row, run, given.seconds, given.nodes))
            if results and not known:
                results.append(solved[-1])
            if not given.quiet:
                print(f"| {solved[-1].cells} |", flush=True)
    except KeyboardInterrupt:
        report(solved)
        print(f"stopped before {rows[len(solved)].id}")
        return 130
    report(solved)
    return int(any(each.verdict != "proven" for each in solved))


if __name__ == "__main__":
    sys.exit(main())
