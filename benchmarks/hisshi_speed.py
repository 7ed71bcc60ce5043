"""How fast hisshi are found: runs side by side on the same problems, and an oracle, in the same process order.

For each run: problems solved, at their listed length, processor time in all, mean and largest, nodes, mate searches
asked for and those that no table knew; and as a ratio to the first run, the mean of the ratios over problems that both
solve (the text's measure) and the geometric mean. Confirmation is off. Each problem is solved so often as --rounds
says, the median counts, everything compiled before.

With --oracle FILE, a program called as ``python FILE --file TABLE --rule RULE`` which prints ``… N s`` at the end of a
line for each row, its time is compared with the first run's.

    python benchmarks/hisshi_speed.py hisshi
    python benchmarks/hisshi_speed.py hisshi --run hisshi-full --set sort_root=true --oracle FILE
    python benchmarks/hisshi_speed.py "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1" --run kfend --rounds 9
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from support import Row, machine, read

from hisshi.core import Position, Registry, solve
from hisshi.core.composition import Run
from hisshi.core.large_stack import on_a_large_stack

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
COLUMNS = ("run", "found", "as listed", "seconds", "mean", "largest", "M nodes", "mates asked for", "searched")
COLUMNS += ("ratio", "geometric")


@dataclass(frozen=True)
class Solved:
    """What one run needs for one problem; `plies` is None if it finds nothing."""

    plies: int | None
    seconds: float
    nodes: int
    tests: int
    searched: int


def solved(row: Row, run: Run, nodes: int, seconds: float, rounds: int) -> Solved:
    results = [
        solve(row.position, run, node_limit=nodes or None, time_limit=seconds, confirm=False) for _ in range(rounds)
    ]
    result = results[0]
    counts = result.statistics[f"search.{run.root.plugin.name}"]
    return Solved(
        result.plies,
        statistics.median(result.processor_seconds for result in results),
        result.nodes,
        counts["tests"],
        counts["searched_tests"],
    )


def ratios(mine: dict[str, Solved], first: dict[str, Solved]) -> str:
    """Return the mean and the geometric mean of the ratios of time over problems that both solve."""
    pairs = [
        (mine[name], first[name]) for name in mine if mine[name].plies is not None and first[name].plies is not None
    ]
    values = [max(a.seconds, 1e-6) / max(b.seconds, 1e-6) for a, b in pairs]
    if not values:
        return "- | -"
    return f"{statistics.mean(values):.2f} | {statistics.geometric_mean(values):.2f}"


def line(name: str, rows: list[Row], mine: dict[str, Solved], first: dict[str, Solved]) -> str:
    done = [mine[row.id] for row in rows if mine[row.id].plies is not None]
    listed = sum(mine[row.id].plies == row.plies for row in rows)
    seconds = [result.seconds for result in mine.values()]
    cells = [
        f"`{name}`",
        f"{len(done)} of {len(rows)}",
        str(listed),
        f"{sum(seconds):.2f}",
        f"{statistics.mean(seconds):.3f}",
        f"{max(seconds):.2f}",
        f"{sum(result.nodes for result in mine.values()) / 1e6:.2f}",
        f"{sum(result.tests for result in mine.values()):,}",
        f"{sum(result.searched for result in mine.values()):,}",
        ratios(mine, first),
    ]
    return f"| {' | '.join(cells)} |"


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
    parser.add_argument(
        "--run", action="append", metavar="NAME", help="a run; may be repeated (kfend and its variants)"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="OPTION=VALUE",
        dest="variants",
        help="also the first run so",
    )
    parser.add_argument("--plies", type=int, metavar="N", help="only problems of at most N listed plies")
    parser.add_argument("--nodes", type=int, default=0, metavar="N", help="give up after N nodes (no limit)")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="give up after S seconds (60)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="solve each so often (3)")
    parser.add_argument("--oracle", type=Path, metavar="FILE", help="a program to be compared with")
    parser.add_argument("--each", action="store_true", help="also a line for each problem")
    given = parser.parse_args()
    rows: list[Row] = []
    for argument in given.problems:
        if "/" in argument and not Path(argument).exists():
            rows.append(Row(argument, Position.from_sfen(argument).sfen, None, "position"))
        else:
            rows += read([argument])
    rows = [row for row in rows if given.plies is None or (row.plies or 0) <= given.plies]
    registry = Registry.load()
    print(machine(), end="\n\n")
    print(f"| {' | '.join(COLUMNS)} |\n|{' --- |' * len(COLUMNS)}", flush=True)
    first: dict[str, Solved] = {}
    names = given.run or list(RUNS)
    for name, setting in [*((name, "") for name in names), *((names[0], setting) for setting in given.variants)]:
        option, _, value = setting.partition("=")
        run = registry.compose(name, {option: value} if setting else {})
        run.warm()
        solve(rows[0].position, run, node_limit=1000, confirm=False)
        mine = {row.id: solved(row, run, given.nodes, given.seconds, given.rounds) for row in rows}
        first = first or mine
        print(line(f"{name} {setting}".strip(), rows, mine, first), flush=True)
        if given.each:
            for row in rows:
                print(f"    {row.id} {row.plies} {mine[row.id]}")
    if given.oracle:
        run = registry.compose(names[0])
        rule = run.root.parts["hisshi_rule"].plugin.name
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
