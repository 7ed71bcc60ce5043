"""How fast hisshi are found: runs side by side on the same problems, and an oracle, in the same process order.

For each run: problems solved, at their listed length, processor time in all, mean and largest, nodes, mate searches
asked for and those that no table knew; and over the problems that it and the first run solve: the mean of the ratios
of time (the text's measure), the geometric mean, and how many it is faster and slower on by more than a tenth.
Confirmation is off. All runs solve a problem in turn, so often as --rounds says; the median counts, everything compiled
before. A run is a name, with options behind it where they are to be others.

With --by-length also lines for the problems of each listed length, and for the long ones together. With --each a line
for each problem and run: the length found, the time, and its ratio.

With --oracle FILE, a program called as ``python FILE --file TABLE --rule RULE`` which prints ``… N s`` at the end of a
line for each row, its time is compared with the first run's.

    python benchmarks/hisshi_speed.py hisshi
    python benchmarks/hisshi_speed.py hisshi --run hisshi-full --run "hisshi-full sort_root=true" --oracle FILE
    python benchmarks/hisshi_speed.py hisshi-mined --run "kfend max_plies=17" --run kfend-pn --by-length
    python benchmarks/hisshi_speed.py "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1" --run kfend --rounds 9
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from support import Row, compose, machine, overrides, read

from hisshi.core import Position, solve
from hisshi.core.composition import Run
from hisshi.core.large_stack import on_a_large_stack
from hisshi.core.results import SearchResult

RUNS = (
    "kfend",
    "kfend-3-9",
    "kfend-5-9",
    "kfend-3-11",
    "kfend-7-11",
    "kfend-9-11",
    "kfend-5-13",
    "kfend-5-15",
    "kfend-no-lookahead",
    "kfend-lookahead-3",
    "kfend-batch",
    "kfend-classical-freedom",
    "kfend-no-pruning",
    "kfend-always-replace",
    "kfend-hit-count",
)
COLUMNS = ("plies", "run", "found", "as listed", "seconds", "mean", "largest", "M nodes", "mates asked for", "searched")
COLUMNS += ("ratio", "geometric", "faster", "slower")
EACH = ("problem", "listed", "run", "found", "seconds", "ratio")
ALIKE = 1.1  # times whose ratio is less are alike: so much do those of the same work differ
LONG = 7  # the text's problems have so many plies and more


@dataclass(frozen=True)
class Solved:
    """What one run needs for one problem; `plies` is None if it finds nothing."""

    plies: int | None
    seconds: float
    nodes: int
    tests: int
    searched: int


def composed(text: str) -> Run:
    """Return the run that `text` describes: its name, then options."""
    name, *settings = text.split() or [""]
    return compose(name, overrides(settings))


def solved(row: Row, runs: dict[str, Run], nodes: int, seconds: float, rounds: int) -> dict[str, Solved]:
    """Solve one problem with all runs in turn, another one first in each round: what slows the machine hits all."""
    results: dict[str, list[SearchResult]] = {name: [] for name in runs}
    names = list(runs)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            result = solve(row.position, runs[name], node_limit=nodes or None, time_limit=seconds, confirm=False)
            results[name].append(result)
    return {name: summary(runs[name], results[name]) for name in names}


def summary(run: Run, results: list[SearchResult]) -> Solved:
    counts = results[0].statistics[f"search.{run.root.plugin.name}"]
    return Solved(
        results[0].plies,
        statistics.median(result.processor_seconds for result in results),
        results[0].nodes,
        counts["tests"],
        counts["searched_tests"],
    )


Results = dict[str, Solved]  # by the problem's id


def ratio(mine: Solved, first: Solved) -> float | None:
    """Return the ratio of time where both have solved the problem."""
    if mine.plies is None or first.plies is None:
        return None
    return max(mine.seconds, 1e-6) / max(first.seconds, 1e-6)


def ratios(rows: list[Row], mine: Results, first: Results) -> list[str]:
    """Return the cells of what is compared: both means of the ratios, how often faster, how often slower."""
    values = [value for row in rows if (value := ratio(mine[row.id], first[row.id])) is not None]
    if not values:
        return ["-"] * 4
    means = statistics.mean(values), statistics.geometric_mean(values)
    faster, slower = sum(value < 1 / ALIKE for value in values), sum(value > ALIKE for value in values)
    return [*(f"{mean:.2f}" for mean in means), str(faster), str(slower)]


def cells_of(name: str, rows: list[Row], mine: Results, first: Results) -> list[str]:
    done = [mine[row.id] for row in rows if mine[row.id].plies is not None]
    listed = sum(mine[row.id].plies == row.plies for row in rows)
    results = [mine[row.id] for row in rows]
    seconds = [result.seconds for result in results]
    return [
        f"`{name}`",
        f"{len(done)} of {len(rows)}",
        str(listed),
        f"{sum(seconds):.2f}",
        f"{statistics.mean(seconds):.4f}",
        f"{max(seconds):.3f}",
        f"{sum(result.nodes for result in results) / 1e6:.2f}",
        f"{sum(result.tests for result in results):,}",
        f"{sum(result.searched for result in results):,}",
        *ratios(rows, mine, first),
    ]


def heading(columns: Sequence[str]) -> str:
    return f"{line(columns)}\n|{' --- |' * len(columns)}"


def line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def by_length(rows: list[Row]) -> dict[str, list[Row]]:
    """Return the problems of each listed length, and the long ones together."""
    known = sorted({row.plies for row in rows if row.plies is not None})
    groups = {str(plies): [row for row in rows if row.plies == plies] for plies in known}
    long = [row for row in rows if (row.plies or 0) >= LONG]
    return groups | ({f"{LONG} and more": long} if long else {})


def print_each(row: Row, done: dict[str, Solved]) -> None:
    first = next(iter(done.values()))
    for name, mine in done.items():
        found, value = "-" if mine.plies is None else str(mine.plies), ratio(mine, first)
        cells = [row.id, str(row.plies or "-"), f"`{name}`", found, f"{mine.seconds:.4f}"]
        print(line([*cells, "-" if value is None else f"{value:.2f}"]), flush=True)


def oracle_seconds(oracle: Path, rows: list[Row], rule: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "asked.tsv"
        table.write_text("".join(f"{row.id}\t{row.sfen}\t{row.plies}\n" for row in rows), encoding="utf-8")
        command = [sys.executable, str(oracle), "--file", str(table), "--rule", rule]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return {text.split("\t")[0]: float(text.split()[-2]) for text in said}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="+", metavar="POSITION|FILE", help="positions, tables, or bundled sets")
    parser.add_argument("--run", action="append", metavar="'NAME OPTION=VALUE …'", help="may be repeated")
    parser.add_argument("--plies", type=int, metavar="N", help="only problems of at most N listed plies")
    parser.add_argument("--nodes", type=int, default=0, metavar="N", help="give up after N nodes (no limit)")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="give up after S seconds (60)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="solve each so often (3)")
    parser.add_argument("--oracle", type=Path, metavar="FILE", help="a program to be compared with")
    parser.add_argument("--each", action="store_true", help="also a line for each problem and run")
    parser.add_argument("--by-length", action="store_true", help="also a line for each listed length")
    given = parser.parse_args()
    rows: list[Row] = []
    for argument in given.problems:
        if "/" in argument and not Path(argument).exists():
            rows.append(Row(argument, Position.from_sfen(argument).sfen, None, "position"))
        else:
            rows += read([argument])
    rows = [row for row in rows if given.plies is None or (row.plies or 0) <= given.plies]
    if not rows:
        raise SystemExit(f"no problem of at most {given.plies} plies in {', '.join(given.problems)}")
    print(machine(), end="\n\n")
    runs = {name: composed(name) for name in given.run or RUNS}
    for run in runs.values():
        solve(rows[0].position, run, node_limit=1000, confirm=False)
    if given.each:
        print(heading(EACH))
    results: dict[str, Results] = {name: {} for name in runs}
    for row in rows:
        done = solved(row, runs, given.nodes, given.seconds, given.rounds)
        for name in runs:
            results[name][row.id] = done[name]
        if given.each:
            print_each(row, done)
    first = next(iter(results.values()))
    if given.each:
        print()
    print(heading(COLUMNS))
    groups = by_length(rows) if given.by_length else {}
    for plies, some in (groups | {"all": rows}).items():
        for name, mine in results.items():
            print(line([plies, *cells_of(name, some, mine, first)]))
    if given.oracle:
        rule = next(iter(runs.values())).root.parts["hisshi_rule"].plugin.name
        theirs = oracle_seconds(given.oracle, rows, rule)
        mine_all, all_ = sum(first[name].seconds for name in theirs), sum(theirs.values())
        values = [max(theirs[name], 1e-6) / max(first[name].seconds, 1e-6) for name in theirs]
        print(
            f"\noracle: {all_:.1f} s for {len(theirs)} problems, {all_ / mine_all:.1f} times the first run's "
            f"{mine_all:.1f} s; geometric mean {statistics.geometric_mean(values):.1f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(on_a_large_stack(main))
