"""Quiescence search alone: nodes and seconds for the values of all moves of positions, with and without its table.

Each position is valued with a full window, then each of its moves with a window of `--width` either side of that; and
all of it once more, tables as they are, as deepening does. The time of an evaluation is measured on the same positions.

    python benchmarks/quiescence.py game-positions
"""

import argparse
import time

import attrs
import numpy as np
from support import machine, read

from hisshi.core import Registry, compiled
from hisshi.core.composition import Run, compose_part
from hisshi.core.kernel.context import CONTEXT
from hisshi.core.kernel.generation import MAX_MOVES, all_moves
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.roles import evaluation, quiescence
from hisshi.core.kernel.roles.evaluation import call_evaluation
from hisshi.core.kernel.roles.quiescence import call_quiescence
from hisshi.core.kernel.state import POSITION
from hisshi.core.kernel.values import INFINITE
from hisshi.core.registry import PartSpec


@compiled
def value_moves(context, records, moves, width):
    for record in records:
        value = call_quiescence(context, record, np.int64(-INFINITE), np.int64(INFINITE))
        for i in range(all_moves(record, moves, 0, False)):
            move = np.int64(moves[i])
            captured = do_move(record, move)
            call_quiescence(context, record, -value - width, width - value)
            undo_move(record, move, captured)


@compiled
def evaluate(context, records, times):
    total = np.int64(0)
    for _ in range(times):
        for record in records:
            total += call_evaluation(context, record, record.side)
    return total


def composed(role: str, name: str, use_table: bool) -> tuple[Run, np.ndarray]:
    """Return a part of the run classical, and a context that has it as a part."""
    spec = Registry.load().find("classical")
    table = PartSpec("here", use="two-level", settings={"megabytes": 64.0})
    search = PartSpec("here", use="stand-pat", settings={"use_table": use_table, "table": table})
    parts = {**spec.parts, "evaluation": PartSpec("here", use=name), "quiescence": search}
    run = compose_part(attrs.evolve(spec, parts=parts), role)
    run.warm()
    caller = np.zeros(1, CONTEXT).view(np.recarray)
    slot = {"evaluation": evaluation.SLOT, "quiescence": quiescence.SLOT}[role]
    caller[0].code[slot], caller[0].env[slot] = run.root.code(), run.root.address
    return run, caller


def seconds(function, *arguments) -> float:
    begun = time.process_time()
    function(*arguments)
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="+", help="tables of positions, or bundled sets")
    parser.add_argument("--width", type=int, default=300, help="of the window, either side (default 300)")
    parser.add_argument("--rounds", type=int, default=3, help="the least time counts (default 3)")
    chosen = parser.parse_args()
    positions = [row.position for row in read(chosen.problems)]
    records = np.zeros(len(positions), POSITION).view(np.recarray)
    for i, position in enumerate(positions):
        records[i] = position.record
    moves = np.zeros(MAX_MOVES, np.int32)
    print(f"{machine()}; {len(positions)} positions, window {chosen.width}")
    for name in ("material", "material-king"):
        _, caller = composed("evaluation", name, False)
        evaluate(caller[0], records, 1)
        times = 1 + 100_000 // len(records)
        least = min(seconds(evaluate, caller[0], records, times) for _ in range(chosen.rounds))
        print(f"{name}: {least / times / len(records) * 1e9:.0f} ns a call")
        for use_table in (False, True):
            run, caller = composed("quiescence", name, use_table)
            value_moves(caller[0], records, moves, chosen.width)
            first, again = [], []
            for _ in range(chosen.rounds):
                run.clear()
                first.append(seconds(value_moves, caller[0], records, moves, chosen.width))
                nodes = run.nodes
                again.append(seconds(value_moves, caller[0], records, moves, chosen.width))
            print(
                f"{name}, table {'used' if use_table else 'not used'}: {nodes:,} nodes, {min(first):.3f} s, "
                f"{nodes / max(min(first), 1e-9) / 1e6:.1f} M nodes/s; once more {min(again):.3f} s"
            )


if __name__ == "__main__":
    main()
