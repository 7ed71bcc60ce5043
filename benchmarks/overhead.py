"""What composition costs: the same search with its kernels called directly and through contexts, side by side.

    python benchmarks/overhead.py [--rounds 15] [--problems 40]

The direct version is made from the sources of the bundled plugins when this runs: each accessor, such as
``call_checks(context,``, becomes a call of the bundled kernel, ``every_check(part(context, roles.checks.SLOT),``, which
the compiler sees and may inline. Everything else is the same, so both enter the same nodes; that is checked.
"""

import argparse
import inspect
import re
import sys
import tempfile
import time
from pathlib import Path

from hisshi.core import Position, Registry
from hisshi.core.kernel.roles import table
from hisshi.plugins.ordering import king_freedom
from hisshi.plugins.search import mate_depth_first

PROBLEMS = Path(__file__).parent.parent / "problems" / "tsume-derived.tsv"
MOST = 1.10  # the ratio that is promised

# Accessor -> bundled kernel, and the role whose context it gets.
DIRECT = {
    "call_checks": ("every_check", "checks"),
    "call_evasions": ("every_evasion", "evasions"),
    "call_move_order": ("king_freedom", "move_order"),
    "call_king_freedom": ("modified", "king_freedom"),
    "call_stop": ("depth", "stop"),
    "call_table": ("two_level", "table"),
}
NAMES = """
from hisshi.core.kernel import roles
from hisshi.core.kernel.table import bucket_start, bucket_to_write, copy_entry, same_position, set_position, written
from hisshi.plugins.freedom.modified import modified
from hisshi.plugins.movegen.legal import every_check, every_evasion
from hisshi.plugins.stop.depth import depth
from hisshi.plugins.tables.two_level import two_level
"""


def direct_source():
    """Return the text of a plugin file: the bundled search, whose parts are called by name."""
    # The move order as a function like any other; its own declaration would offer a second plugin.
    order = source_of(king_freedom)
    order = order[: order.index("@hookimpl")]
    order = re.sub(r"@implements\(.*\)", "@compiled", order)
    # The table's `store`, which calls the replacement policy.
    store = inspect.getsource(table.store.py_func).replace("table", "policy").replace("SLOT", "table.SLOT")
    store = store.replace("call_policy(", "call_table(")
    search = source_of(mate_depth_first)
    head, first = search.split("\nMATE_IN_ONE", 1)
    text = "\n\n".join([order, head, NAMES, store, "MATE_IN_ONE" + first])
    for accessor, (kernel, role) in DIRECT.items():
        text = text.replace(f"{accessor}(context,", f"{kernel}(part(context, roles.{role}.SLOT),")
    return text


def source_of(module):
    """Return a module's text without its docstring."""
    return inspect.getsource(module).split('"""', 2)[2]


def problems(count):
    rows = [line.split("\t") for line in PROBLEMS.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    chosen = [Position.from_sfen(row[1]) for row in rows if row[2] in ("7", "9")]
    return chosen[:: max(1, len(chosen) // count)][:count]


def measure(run, position):
    """Return processor seconds and nodes of one search."""
    run.clear()
    record = position.copy_record()
    begun = time.thread_time()  # the processor's time: other programs may run meanwhile
    run.search(record)
    return time.thread_time() - begun, run.nodes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--problems", type=int, default=40)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "direct.py").write_text(direct_source(), encoding="utf-8")
        (Path(folder) / "direct.toml").write_text(
            "[run.direct]\nextends = 'mate'\nsearch = { path = 'direct.py', use = 'mate-depth-first' }\n",
            encoding="utf-8",
        )
        registry = Registry.load(Path(folder) / "direct.toml")
        small = {"table.megabytes": "1"}  # fresh memory costs the same on both sides, and would hide a difference
        runs = {"contexts": registry.compose("mate", small), "direct": registry.compose("direct", small)}
        for run in runs.values():
            run.warm()
        positions = problems(asked.problems)
        nodes = {}
        best = {name: [float("inf")] * len(positions) for name in runs}
        for number in range(asked.rounds):
            for place, position in enumerate(positions):
                for name in list(runs)[:: 1 if (number + place) % 2 else -1]:  # whoever is second finds warmer caches
                    seconds, entered = measure(runs[name], position)
                    best[name][place] = min(best[name][place], seconds)
                    assert nodes.setdefault(place, entered) == entered, "the two do not search the same nodes"
    total = sum(nodes.values())
    for name, each in best.items():
        print(f"{name:10} {sum(each):8.3f} s {total / sum(each):12,.0f} nodes/s")
    ratio = sum(best["contexts"]) / sum(best["direct"])
    print(
        f"{len(positions)} problems, {total:,} nodes, best of {asked.rounds} rounds each; "
        f"contexts / direct: {ratio:.3f}"
    )
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
