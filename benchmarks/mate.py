"""Mates by hisshi's df-pn and by cshogi's DfPn, measured side by side in one process on one core.

    python benchmarks/mate.py [FILE …] [--first 100] [--rounds 5] [--run mate-df-pn] [--set OPTION=VALUE]

FILE is a problem table or a bundled set; without one it is the bundled tsume-derived. Of each file and length the first
problems are taken. Both solvers are made once and stay warm, as in a program that asks them again and again; in each
round they take turns at the problems of one file and length, whoever begins changing from one to the next. A time is
processor time of one search from a cleared table; of each problem the median over the rounds counts. Exit status 1 if
hisshi is slower than wanted.

cshogi's DfPn says "no mate" and "gave up" alike, and its claims are not taken for mates: where one of the two proves a
mate and the other does not, times say nothing. Nor do they where cshogi claims a mate by a line that is refuted: the
derived problems that `problems/README.md` names as wrongly listed by it. Both are listed and left out of times and
nodes; the total with the latter is printed as well.
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field

from support import Row, compose, machine, overrides, read

from hisshi.core.kernel.control import NODE_LIMIT
from hisshi.core.kernel.table import PROVEN
from hisshi.core.large_stack import on_a_large_stack

NODES = 2**20  # most nodes of either solver
DEPTH = 63  # of cshogi, in plies
MOST_TOTAL = 0.8  # hisshi's total time over cshogi's
MEDIAN_AT = 11  # plies at which hisshi's median is to be cshogi's at most

# Listed with 11 plies, by cshogi, which claims them after about 60 nodes; none has a mate within 13.
FALSELY_CLAIMED = {f"derived-m11-{n:03}" for n in (6, 10, 13, 23, 24, 35, 38, 45, 49, 52, 62, 67, 68)}
DEAREST = 5  # problems named at the end
SIDES = ("ours", "theirs")


@dataclass
class Timed:
    """One solver on one problem."""

    proven: bool = False
    nodes: int = 0
    seconds: list[float] = field(default_factory=list)  # by round

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


@dataclass
class Pair:
    """One problem, and what became of it in both solvers' hands."""

    row: Row
    ours: Timed = field(default_factory=Timed)
    theirs: Timed = field(default_factory=Timed)

    @property
    def agree(self) -> bool:
        return self.ours.proven == self.theirs.proven

    @property
    def counts(self) -> bool:
        return self.agree and self.row.id not in FALSELY_CLAIMED


Solver = Callable[[Row, Timed], None]


def hisshi_solver(name: str, changed: dict[str, str]) -> Solver:
    run = compose(name, changed)

    def solve(row: Row, timed: Timed) -> None:
        record = row.position.copy_record()
        begun = time.thread_time()
        run.clear()
        run.control[NODE_LIMIT] = NODES
        verdict = run.search(record)
        timed.seconds.append(time.thread_time() - begun)
        timed.proven, timed.nodes = verdict == PROVEN, run.nodes

    return solve


def cshogi_solver(always_new: bool) -> Solver:
    try:
        import cshogi
    except ModuleNotFoundError:
        raise SystemExit("cshogi is not installed; pip install 'hisshi[test]', or pip install cshogi") from None

    def new():
        solver = cshogi.DfPn()
        solver.set_max_search_node(NODES)
        solver.set_max_depth(DEPTH)
        return solver

    kept = new()

    def solve(row: Row, timed: Timed) -> None:
        board = cshogi.Board(row.sfen)
        solver = new() if always_new else kept
        begun = time.thread_time()
        proven = solver.search(board)
        timed.seconds.append(time.thread_time() - begun)
        timed.proven, timed.nodes = bool(proven), int(solver.searched_node)

    return solve


def choose(rows: list[Row], first: int) -> dict[tuple[str, int], list[Pair]]:
    """Return the first problems by file and length, in this order."""
    groups: dict[tuple[str, int], list[Pair]] = defaultdict(list)
    for row in rows:
        if row.plies is not None and len(groups[row.group, row.plies]) < first:
            groups[row.group, row.plies].append(Pair(row))
    return dict(sorted(groups.items()))


def measure(groups: dict[tuple[str, int], list[Pair]], rounds: int, ours: Solver, theirs: Solver) -> None:
    for number in range(-1, rounds):  # one round more than counts: it warms up code and the memory of the tables
        for place, pairs in enumerate(groups.values()):
            for solver, side in [(ours, "ours"), (theirs, "theirs")][:: 1 if (number + place) % 2 else -1]:
                for pair in pairs:
                    solver(pair.row, Timed() if number < 0 else getattr(pair, side))


def counted(pairs: list[Pair]) -> list[Pair]:
    return [pair for pair in pairs if pair.counts]


def report(groups: dict[tuple[str, int], list[Pair]], rounds: int) -> bool:
    """Print the table and what differs; return whether hisshi is as fast as wanted."""
    pairs = [pair for group in groups.values() for pair in group]
    heads = ["set", "plies", "problems", "timed", "hisshi, s", "cshogi, s", "ratio", "hisshi, median ms"]
    heads += ["cshogi, median ms", "unsolved", "cshogi unsolved", "nodes", "cshogi's nodes"]
    print(f"| {' | '.join(heads)} |\n|{' --- |' * len(heads)}")
    for (name, plies), some in groups.items():
        print(line(name, str(plies), some))
    if len({name for name, _ in groups}) > 1:
        for length in sorted({plies for _, plies in groups}):
            print(line("all", str(length), [pair for pair in pairs if pair.row.plies == length]))
    print(line("all", "all", pairs) + "\n")
    for pair in pairs:
        if not pair.agree:
            one, other = ("hisshi", "cshogi") if pair.ours.proven else ("cshogi", "hisshi")
            print(
                f"verdicts differ, left out: {pair.row.id}: {one} claims a mate, {other} does not "
                f"(hisshi {pair.ours.nodes:,} nodes, {1000 * pair.ours.median:.1f} ms, "
                f"cshogi {pair.theirs.nodes:,} nodes, {1000 * pair.theirs.median:.1f} ms)"
            )
        elif not pair.counts:
            print(
                f"cshogi's claim is refuted, left out: {pair.row.id} "
                f"(hisshi {pair.ours.nodes:,} nodes, {1000 * pair.ours.median:.1f} ms, "
                f"cshogi {pair.theirs.nodes:,} nodes, {1000 * pair.theirs.median:.1f} ms)"
            )
        elif not pair.ours.proven:
            print(f"proven by neither, timed all the same: {pair.row.id}")
    timed = counted(pairs)
    if not timed:
        print("no problem has the same verdict from both: nothing to compare")
        return False
    in_rounds = [
        sum(pair.ours.seconds[number] for pair in timed) / sum(pair.theirs.seconds[number] for pair in timed)
        for number in range(rounds)
    ]
    total = statistics.median(in_rounds)
    spread = f"{min(in_rounds):.2f} to {max(in_rounds):.2f}"
    print(f"total time, hisshi / cshogi: {total:.2f} ({spread} in single rounds); wanted: {MOST_TOTAL} or less")
    good = total <= MOST_TOTAL
    with_claims = [sum(getattr(pair, side).median for pair in pairs if pair.agree) for side in SIDES]
    if len(timed) < sum(pair.agree for pair in pairs):
        print(f"the same with the refuted claims: {with_claims[0] / with_claims[1]:.2f}")
    for name, plies in groups:
        at = counted(groups[name, plies])
        if plies == MEDIAN_AT and at:
            ours, theirs = (1000 * statistics.median(getattr(pair, side).median for pair in at) for side in SIDES)
            print(f"median, {name} at {plies} plies: {ours:.3f} ms, cshogi {theirs:.3f} ms; wanted: cshogi's or less")
            good &= ours <= theirs
    dearest = sorted(timed, key=lambda pair: pair.theirs.median - pair.ours.median)[:DEAREST]
    told = (f"{pair.row.id} ({1000 * (pair.ours.median - pair.theirs.median):.1f} ms more)" for pair in dearest)
    print(f"where hisshi loses most: {', '.join(told)}")
    return good


def line(name: str, plies: str, pairs: list[Pair]) -> str:
    timed = [[getattr(pair, side) for pair in counted(pairs)] for side in SIDES]
    totals = [sum(each.median for each in side) for side in timed]
    cells = [name, plies, len(pairs), len(timed[0]), *(f"{total:.4f}" for total in totals)]
    cells.append(f"{totals[0] / totals[1]:.2f}" if totals[1] else "-")
    cells += [f"{1000 * statistics.median(each.median for each in side):.3f}" if side else "-" for side in timed]
    cells += [sum(not getattr(pair, side).proven for pair in pairs) for side in SIDES]
    cells += [f"{sum(each.nodes for each in side):,}" for side in timed]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", metavar="FILE", help="problem tables or bundled sets")
    parser.add_argument("--first", type=int, default=100, metavar="N", help="problems of each file and length")
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--run", default="mate-df-pn", metavar="NAME")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="an option of the run")
    parser.add_argument("--new", action="store_true", help="make cshogi's solver anew for each search, untimed")
    given = parser.parse_args()
    if given.rounds < 1 or given.first < 1:
        parser.error("--rounds and --first: at least 1")
    files = given.problems or ["tsume-derived"]
    groups = choose(read(files), given.first)
    if not groups:
        raise SystemExit(f"no problem of {', '.join(files)} says how many plies it has (column plies)")
    ours, theirs = hisshi_solver(given.run, overrides(given.set)), cshogi_solver(given.new)
    print(machine("cshogi"))
    settings = "".join(f", {text}" for text in given.set)
    print(f"run {given.run}{settings}; {NODES:,} nodes at most, cshogi {DEPTH} plies; {given.rounds} rounds\n")
    measure(groups, given.rounds, ours, theirs)
    return int(not report(groups, given.rounds))


if __name__ == "__main__":
    sys.exit(on_a_large_stack(main))
