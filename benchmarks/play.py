"""Play search: runs side by side at equal nodes, and what single options are worth.

For each run, with each of five node limits about `--nodes` (0.8 to 1.2 times it), over all positions of the tables:

* solved: how often the recorded move is played (column `recorded best move`, if the table has one), mean and range
  over the limits;
* deepest: plies of the longest line looked at, mean, standard deviation over the positions, and largest; whole:
  iterations finished, mean;
* per position: nodes keyed by quiescence search, and the share of those whose moves and keys the table knew, that an
  early cut ended, and of the root's nodes that went into the first move;
* millions of nodes a second, search and quiescence together.

Behind the runs come variants of them, ``--set RUN:OPTION=VALUE``.

    python benchmarks/play.py FILE game-positions
    python benchmarks/play.py game-positions --every 20 --run abc --set abc:early_cut=false --set abc:window=full
"""

import argparse
import statistics
import sys
import time
from dataclasses import dataclass

from support import Row, machine, read

from hisshi.core import Registry
from hisshi.core.composition import Run
from hisshi.core.kernel.control import NODE_LIMIT
from hisshi.core.kernel.play_search import (
    COUNTS_ARRAY,
    DEEPEST,
    EARLY,
    FIRST_NODES,
    ITERATIONS,
    KEYED,
    ROOT_NODES,
    SAVED,
)
from hisshi.core.large_stack import on_a_large_stack
from hisshi.core.position import move_to_usi

LIMITS = (0.8, 0.9, 1.0, 1.1, 1.2)
RUNS = ("classical", "abc")
COLUMNS = ("run", "solved", "range", "deepest", "s.d.", "largest", "whole", "keyed", "known", "early cuts")
COLUMNS += ("first move", "M nodes/s")


@dataclass(frozen=True)
class Searched:
    """One search of one position."""

    is_solved: bool
    counts: list[int]
    nodes: int
    seconds: float


def searched(run: Run, row: Row, nodes: int) -> Searched:
    run.clear()
    run.control[NODE_LIMIT] = nodes
    record, begun = row.position.copy_record(), time.process_time()
    run.search(record)
    seconds, move = time.process_time() - begun, int(run.root.context.answer_move)
    is_solved = bool(move) and move_to_usi(move) == row.recorded
    return Searched(is_solved, [int(count) for count in run.root.arrays[COUNTS_ARRAY]], run.nodes, seconds)


def line(name: str, run: Run, rows: list[Row], nodes: int) -> str:
    by_limit = [[searched(run, row, int(nodes * factor)) for row in rows] for factor in LIMITS]
    solved = [sum(one.is_solved for one in those) for those in by_limit]
    every = [one for those in by_limit for one in those]
    total = [sum(one.counts[place] for one in every) for place in range(len(every[0].counts))]
    deepest = [one.counts[DEEPEST] for one in every]
    cells = [
        f"`{name}`",
        f"{statistics.mean(solved):.1f} of {sum(bool(row.recorded) for row in rows)}",
        f"{min(solved)} to {max(solved)}",
        f"{statistics.mean(deepest):.1f}",
        f"{statistics.pstdev(deepest):.1f}",
        str(max(deepest)),
        f"{total[ITERATIONS] / len(every):.2f}",
        f"{total[KEYED] / len(every):,.0f}",
        f"{total[SAVED] / max(total[SAVED] + total[KEYED], 1):.0%}",
        f"{total[EARLY] / max(total[KEYED], 1):.0%}",
        f"{total[FIRST_NODES] / max(total[ROOT_NODES], 1):.0%}",
        f"{sum(one.nodes for one in every) / sum(one.seconds for one in every) / 1e6:.2f}",
    ]
    return f"| {' | '.join(cells)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", nargs="+", metavar="FILE", help="tables of positions, or bundled sets")
    parser.add_argument("--run", action="append", metavar="NAME", help="a run; may be repeated (classical, abc)")
    parser.add_argument("--set", action="append", default=[], metavar="RUN:OPTION=VALUE", help="also a run so")
    parser.add_argument("--nodes", type=int, default=300_000, metavar="N", help="for each position (300,000)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth position")
    given = parser.parse_args()
    registry = Registry.load()
    variants = [(setting.partition(":")[0], setting.partition(":")[2]) for setting in given.set]
    print(machine(), end="\n\n")
    for table in given.tables:
        rows = read([table])[:: given.every]
        print(f"{table}: {len(rows)} positions, {given.nodes:,} nodes\n\n| {' | '.join(COLUMNS)} |")
        print(f"|{' --- |' * len(COLUMNS)}", flush=True)
        for name, setting in [*((name, "") for name in given.run or RUNS), *variants]:
            option, _, value = setting.partition("=")
            run = registry.compose(name, {option: value} if setting else {})
            run.warm()
            searched(run, rows[0], 1000)
            print(line(f"{name} {setting}".strip(), run, rows, given.nodes), flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(on_a_large_stack(main))
