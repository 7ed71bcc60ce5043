"""Mate search against brute force on random small positions: every search, table and stop rule, limits in plies.

Brute force is the plain definition on rules that share no code with the search: the attacker has a move after which the
defender, in check, has none that avoids the mate. It is slow, so its answers are kept in a file; to make them anew:
``python tests/test_mate_search_random.py``.
"""

import random
from pathlib import Path

import pytest

from hisshi.core import Position, Registry
from hisshi.core.errors import InvalidPositionError
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import EXHAUSTED, GAVE_UP_NODES, NODE_LIMIT, NODES
from hisshi.core.kernel.table import DISPROVEN, PROVEN
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import parse_sfen

TABLES = [
    {"table": table, "table.megabytes": megabytes}
    for table in ("two-level", "always-replace")
    for megabytes in ("0.001", "0.5")
]
VARIANTS = [
    ("mate", {"stop": stop, "mate_in_one": mate_in_one} | table)
    for stop in ("depth", "count-budget")
    for table in TABLES
    for mate_in_one in ("true", "false")
]
VARIANTS += [("mate", {"stop": stop, "counter_checks": "unknown"}) for stop in ("depth", "count-budget")]
VARIANTS += [
    ("mate-pn-multi-id", {"static": static, "iterate": iterate, "mate_in_one": mate_in_one} | table)
    for static in ("true", "false")
    for iterate, mate_in_one in (("attacker", "true"), ("attacker", "false"), ("defender", "true"), ("both", "false"))
    for table in TABLES[::3]
]
LONGEST = 5  # plies that brute force looks ahead
FILE = Path(__file__).with_name("golden") / "small-positions.tsv"
MADE = 200


def random_sfen(random):
    """A king near the upper edge, a few attackers near it, fewer defenders, a piece or two in hand."""
    king = random.randrange(9), random.choice([0, 0, 0, 1, 1, 2])
    board = {king: "k"}
    for count, letters, reach in ((random.randint(1, 3), "LNSGBRPSG", 3), (random.randint(0, 3), "pgsnl", 1)):
        for _ in range(count):
            square = king[0] + random.randint(-reach, reach), king[1] + random.randint(-1, reach)
            if 0 <= square[0] < 9 and 0 <= square[1] < 9 and square not in board:
                letter = random.choice(letters)
                promoted = letter not in "Gg" and (random.random() < 0.3 or (letter in "PLN" and square[1] < 2))
                board[square] = "+" * promoted + letter
    rows = []
    for rank in range(9):
        cells = [board.get((file, rank), ".") for file in range(8, -1, -1)]
        row = "".join(cells)
        for empty in range(9, 0, -1):
            row = row.replace("." * empty, str(empty))
        rows.append(row)
    hand = "".join(sorted(random.choice(["", "G", "S", "N", "L", "P", "R", "B", "GS"])))
    return f"{'/'.join(rows)} b {hand or '-'} 1"


class TooLargeError(Exception):
    pass


def shortest_mate(sfen, budget=3000):
    """Return the shortest mate's length, None if there is none within LONGEST; TooLargeError if that takes too long."""
    left = [budget]

    def attacker(board, plies):
        return any(defender(board.after(move), plies - 1) for move in board.checks())

    def defender(board, plies):
        left[0] -= 1
        if left[0] < 0:
            raise TooLargeError
        evasions = board.evasions()
        return not evasions or (plies >= 2 and all(attacker(board.after(move), plies - 1) for move in evasions))

    root = ReferenceBoard(parse_sfen(sfen))
    return next((plies for plies in range(1, LONGEST + 1, 2) if attacker(root, plies)), None)


def make(count):
    """Return random positions with their shortest mates; more with a mate of several plies than without."""
    chance = random.Random(20001130)
    found = {}
    while len(found) < count:
        sfen = random_sfen(chance)
        try:
            length = shortest_mate(sfen)
        except (InvalidPositionError, TooLargeError):
            continue
        if length in (3, 5) or chance.random() < 0.03:
            found[sfen] = length
    return found


def known():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {sfen: None if length == "-" else int(length) for sfen, length in rows}


POSITIONS = dict(list(known().items())[:: 1 if JIT else 20]) if FILE.exists() else {}


@pytest.mark.parametrize("sfen", list(POSITIONS)[:: 20 if JIT else 5])
def test_the_known_lengths_are_those_of_brute_force(sfen):
    assert shortest_mate(sfen) == POSITIONS[sfen]


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_verdicts_and_lengths_agree_with_brute_force(variant):
    name, overrides = VARIANTS[variant]
    run = Registry.load().compose(name, overrides)
    run.warm()
    by_plies = overrides.get("stop") == "depth"
    finds_all = name == "mate-pn-multi-id" or (by_plies and "counter_checks" not in overrides)
    chance = random.Random(variant)
    for sfen, length in POSITIONS.items():
        position = Position.from_sfen(sfen)
        run.clear()
        for plies in [0, *chance.sample(range(1, LONGEST + 1), 3)]:
            run.control[[EXHAUSTED, NODES]] = 0
            run.control[NODE_LIMIT] = 3000 if JIT else 150
            record = position.copy_record()
            verdict = run.search(record, plies)
            context, place = run.root.context, f"{sfen} within {plies} plies, {name}, {overrides}"
            assert record.tobytes() == position.record.tobytes(), place
            if verdict == PROVEN:
                found = int(context.answer_plies)
                assert found % 2 == 1 and (plies == 0 or found <= plies), place
                assert found > LONGEST or (length is not None and found >= length), place
                if context.answer_exact:
                    assert by_plies and (found == length or (length is None and found > LONGEST)), place
            elif verdict == DISPROVEN:
                assert length is None, place
            elif finds_all and length is not None and (plies == 0 or plies >= length):
                assert run.control[EXHAUSTED] & GAVE_UP_NODES, place  # else the mate was there to be found


if __name__ == "__main__":
    made = "".join(f"{sfen}\t{length or '-'}\n" for sfen, length in make(MADE).items())
    heading = f"# random positions and their shortest mate in plies, - for none within {LONGEST}\n"
    FILE.write_text(heading + made, encoding="utf-8")
