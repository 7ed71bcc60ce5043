"""Whether play search, with depth for a stop rule and nothing left out, has the values of plain minimax.

Positions: games, bundled problems, and random moves from both, in turn. Each is searched 1, 2, … `--plies` plies deep
by `classical` without forward pruning, with each setting of quiescence window, early cut and table of keys, and by
`hisshi.core.kernel.minimax`; where minimax would take more than `--nodes` nodes, that depth is left out. It ends when
`--positions` are compared at each depth.

    python experiments/equality.py
"""

import argparse
import itertools
import random
import sys
from collections.abc import Iterator

import numpy as np
from positions import GAMES, rows, walk

from hisshi.core import Position, Registry
from hisshi.core.composition import Run
from hisshi.core.errors import HisshiError
from hisshi.core.kernel.control import NODE_LIMIT
from hisshi.core.kernel.minimax import minimax
from hisshi.core.kernel.stack import MOVE_BUFFER

NO_PRUNING = {"width": "0", "width_0": "1000"}
PROBLEMS = ("tsume-derived", "hisshi", "hisshi-two-kings", "hisshi-mined")
SETTINGS = {"window": ("full", "node"), "early_cut": ("true", "false"), "key_table": ("true", "false")}


def places(seed: int) -> Iterator[Position]:
    """Yield positions of games and problems, in turn, and some random moves from them."""
    chance = random.Random(seed)
    games = [row["sfen"] for row in rows(GAMES)]
    problems = [row["sfen"] for name in PROBLEMS for row in rows(name)]
    for number in itertools.count():
        try:
            position = Position.from_sfen(chance.choice(games if number % 2 else problems), strict=False)
            yield walk(position, chance) if chance.random() < 0.5 else position
        except HisshiError:  # what a walk of an odd position may lead to
            continue


def truth(run: Run, position: Position, plies: int, most: int) -> int | None:
    """Return the value by minimax, None if that takes more than `most` nodes."""
    run.clear()
    run.control[NODE_LIMIT] = most
    moves = np.zeros(MOVE_BUFFER, np.int32)
    value = minimax(run.root.context, position.copy_record(), moves, np.int64(0), np.int64(0), np.int64(plies))
    return None if run.nodes >= most else int(value)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500, metavar="N", help="how many at each depth (500)")
    parser.add_argument("--plies", type=int, default=3, metavar="N", help="largest depth (3)")
    parser.add_argument("--nodes", type=int, default=500_000, metavar="N", help="most nodes of minimax (500,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="for the random moves (1)")
    given = parser.parse_args()
    registry = Registry.load()
    runs = {}
    for plies in range(1, given.plies + 1):
        for values in itertools.product(*SETTINGS.values()):
            chosen = dict(zip(SETTINGS, values, strict=True))
            runs[plies, values] = registry.compose(
                "classical", {**NO_PRUNING, **chosen, "stop.max_plies": str(plies), "quiescence.use_table": "true"}
            )
            runs[plies, values].warm()
    compared, left_out, wrong = dict.fromkeys(range(1, given.plies + 1), 0), 0, 0
    for position in places(given.seed):
        if min(compared.values()) >= given.positions:
            break
        for plies in compared:
            if compared[plies] >= given.positions:
                continue
            asked = [run for (depth, _), run in runs.items() if depth == plies]
            expected = truth(asked[0], position, plies, given.nodes)
            if expected is None:
                left_out += 1
                continue
            compared[plies] += 1
            for run in asked:
                run.clear()
                run.search(position.copy_record())
                score = int(run.root.context.answer_score)
                if score != expected:
                    wrong += 1
                    print(f"{position.sfen}: {plies} plies, {run.root.options}: {score}, minimax {expected}")
    counts = ", ".join(f"{count} of {plies}" for plies, count in compared.items())
    print(f"compared {counts} plies, {len(runs) // given.plies} settings each; {left_out} left out, too many nodes")
    print(f"{wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
