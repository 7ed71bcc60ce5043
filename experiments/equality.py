"""Whether play search, with depth for a stop rule and nothing left out, has the values of plain minimax.

Positions: games, random walks from them and bundled problems, `--positions` in all. Each is searched 1, 2, … `--plies`
plies deep by `classical` without forward pruning, with each setting of quiescence window, early cut and table of keys,
and by `hisshi.core.kernel.minimax`; where minimax would take more than `--nodes` nodes, that depth is left out.

    python experiments/equality.py
"""

import argparse
import itertools
import random
import sys

import numpy as np
from positions import GAMES, rows

from hisshi.core import Position, Registry
from hisshi.core.composition import Run
from hisshi.core.errors import HisshiError
from hisshi.core.kernel.control import NODE_LIMIT
from hisshi.core.kernel.minimax import minimax
from hisshi.core.kernel.stack import MOVE_BUFFER

NO_PRUNING = {"width": "0", "width_0": "1000"}
SETTINGS = {"window": ("full", "node"), "early_cut": ("true", "false"), "key_table": ("true", "false")}


def places(most: int, seed: int) -> list[Position]:
    """Return positions of games, some random moves from them, and problems, in turn."""
    chance = random.Random(seed)
    games = [row["sfen"] for row in rows(GAMES)]
    problems = [row["sfen"] for name in ("tsume-derived", "hisshi", "hisshi-two-kings") for row in rows(name)]
    found: list[Position] = []
    while len(found) < most:
        try:
            position = Position.from_sfen(chance.choice(games if len(found) % 2 else problems), strict=False)
            for _ in range(chance.choice((0, 0, 4, 20))):
                position = position.play(chance.choice(position.legal_moves()))
        except (HisshiError, IndexError):
            continue
        found.append(position)
    return found


def truth(run: Run, position: Position, plies: int, most: int) -> int | None:
    """Return the value by minimax, None if that takes more than `most` nodes."""
    run.clear()
    run.control[NODE_LIMIT] = most
    moves = np.zeros(MOVE_BUFFER, np.int32)
    value = minimax(run.root.context, position.copy_record(), moves, np.int64(0), np.int64(0), np.int64(plies))
    return None if run.nodes >= most else int(value)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--positions", type=int, default=500, metavar="N", help="how many (500)")
    parser.add_argument("--plies", type=int, default=3, metavar="N", help="largest depth (3)")
    parser.add_argument("--nodes", type=int, default=2_000_000, metavar="N", help="most nodes of minimax (2,000,000)")
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
    for position in places(given.positions, given.seed):
        for plies in compared:
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
