"""What each option or part of a search is worth: changed one at a time, on the classics, with a limit in nodes.

    python benchmarks/ablation.py [FILE …] [--run mate-df-pn] [--nodes 300000] [--megabytes 256]
                                  [--only OPTION,OPTION] [--values OPTION=VALUE,VALUE] [--part search]
                                  [--swap ROLE=PLUGIN,PLUGIN]

FILE is a problem table or a bundled set; without one it is the bundled tsume-classic. Options and their types are read
from the plugin's declaration, so a new option is measured without a change here: a switch is turned over, a choice gets
each of its other values, a number its least value, half and twice what it is. --values gives others. --swap puts other
plugins in a part's place instead. Ratios are to the run as registered, over the problems that both solve: of total
nodes, of total processor time, and the geometric mean of the problems' ratios, in which every problem weighs the same.
"""

import argparse
import math
import sys
from dataclasses import dataclass
from typing import Any

from classics import Solved, solve_one
from support import Row, compose, machine, overrides, read


@dataclass
class Measured:
    """One setting on all problems."""

    name: str
    solved: dict[str, Solved]


def other_values(option: Any, present: Any) -> list[str]:
    """Return what to try in the place of an option's present value, as ``--set`` takes it."""
    if option.kind == "bool":
        return ["false" if present else "true"]
    if option.kind == "choice":
        return [choice for choice in option.choices if choice != present]
    least = [option.low] if option.low is not None else []
    numbers = [*least, present / 2, present * 2] if present else [*least, 1]
    high = math.inf if option.high is None else option.high
    low = -math.inf if option.low is None else option.low
    kind = int if option.kind == "int" else float
    tried = dict.fromkeys(kind(number) for number in numbers if low <= number <= high)
    return [f"{number:g}" if kind is float else str(number) for number in tried if number != present]


def plan(run: Any, part: str, only: list[str], values: dict[str, str]) -> list[tuple[str, str]]:
    """Return option and value of each setting to measure."""
    instance = next((each for each in run.instances if each.plugin.role == part), None)
    if instance is None:
        raise SystemExit(f"--part {part}: the run has no such part")
    known = {option.name: option for option in instance.plugin.declared.options}
    if unknown := [name for name in (*only, *values) if name not in known]:
        raise SystemExit(f"'{instance.plugin.name}' has no option {', '.join(unknown)}; it has: {', '.join(known)}")
    return [
        (name, value)
        for name, option in known.items()
        if not only or name in only
        for value in (values[name].split(",") if name in values else other_values(option, instance.options[name]))
    ]


def measure(name: str, run: Any, rows: list[Row], nodes: int) -> Measured:
    solved = {}
    for place, row in enumerate(rows):
        if sys.stderr.isatty():
            print(f"\r{name}: {place + 1} of {len(rows)} \033[K", end="", file=sys.stderr, flush=True)
        solved[row.id] = solve_one(row, run, 0, nodes)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)
    return Measured(name, solved)


def is_solved(solved: Solved) -> bool:
    return solved.verdict in ("proven", "disproven", "found")


def line(base: Measured, other: Measured) -> str:
    """Return a row of the table."""
    ours = {name for name, each in base.solved.items() if is_solved(each)}
    theirs = {name for name, each in other.solved.items() if is_solved(each)}
    cells = [other.name, str(len(theirs)), f"+{len(theirs - ours)} -{len(ours - theirs)}"]
    both = sorted(ours & theirs)
    cells.append(str(len(both)))
    for what in ("nodes", "seconds"):
        pairs = [(getattr(other.solved[name], what), getattr(base.solved[name], what)) for name in both]
        pairs = [(a, b) for a, b in pairs if a > 0 and b > 0]  # times below the clock's resolution
        if not pairs:
            cells += ["-", "-"]
            continue
        total = sum(a for a, _ in pairs) / sum(b for _, b in pairs)
        mean = math.exp(sum(math.log(a / b) for a, b in pairs) / len(pairs))
        cells += [f"{total:.2f}", f"{mean:.2f}"]
    seconds = sum(each.seconds for each in other.solved.values())
    rate = sum(each.nodes for each in other.solved.values()) / seconds / 1e6 if seconds else 0.0
    return f"| {' | '.join([*cells, f'{rate:.2f}'])} |"


HEADS = ["setting", "solved", "gained, lost", "both", "nodes, total", "nodes, mean", "time, total", "time, mean"]
HEADS += ["M nodes/s"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("problems", nargs="*", metavar="FILE", help="problem tables or bundled sets")
    parser.add_argument("--run", default="mate-df-pn", metavar="NAME")
    parser.add_argument("--part", default="search", metavar="ROLE", help="whose options: search, checks, table, …")
    parser.add_argument("--nodes", type=int, default=300_000, metavar="N", help="most nodes each")
    parser.add_argument("--megabytes", type=float, default=256, metavar="N", help="of the table")
    parser.add_argument("--only", default="", metavar="OPTION,OPTION", help="these options alone")
    parser.add_argument("--values", action="append", default=[], metavar="OPTION=VALUE,VALUE", help="what to try")
    parser.add_argument("--swap", action="append", default=[], metavar="ROLE=PLUGIN,PLUGIN", help="parts to try")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="for every setting")
    parser.add_argument("--first", type=int, metavar="N", help="the first problems alone")
    given = parser.parse_args()
    if given.nodes < 1:
        parser.error("--nodes: at least 1")
    rows = read(given.problems or ["tsume-classic"])[: given.first]
    always = {"table.megabytes": f"{given.megabytes:g}"} | overrides(given.set)
    run = compose(given.run, always)
    only = [name for name in given.only.split(",") if name]
    todo = [(role, name) for role, names in overrides(given.swap).items() for name in names.split(",")]
    if not todo or only or given.values:
        todo += [
            (f"{given.part}.{name}", value) for name, value in plan(run, given.part, only, overrides(given.values))
        ]
    settings = "".join(f", {text}" for text in given.set)
    print(machine())
    print(
        f"run {given.run}{settings}, {given.megabytes:g} megabytes, {given.nodes:,} nodes each, {len(rows)} problems\n"
    )
    print(f"| {' | '.join(HEADS)} |\n|{' --- |' * len(HEADS)}")
    base = measure("as registered", run, rows, given.nodes)
    print(line(base, base), flush=True)
    for name, value in todo:
        changed = compose(given.run, always | {name: value})
        shown = f"`{name.removeprefix(f'{given.part}.')} = {value}`"
        print(line(base, measure(shown, changed, rows, given.nodes)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
