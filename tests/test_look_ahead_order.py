"""Move order `king-freedom` with `look_ahead`: freedom is counted after the reply that leaves the king freest."""

import numpy as np
import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.evasions import call_evasions
from hisshi.core.kernel.roles.move_order import call_move_order
from hisshi.core.position import move_to_usi

# A king that flees from the edge or along it, a mate in one among other checks, long interpositions.
POSITIONS = [
    "6k2/9/9/7+R1/9/9/9/9/9 b G 1",
    "4k4/9/4P4/9/9/9/9/9/9 b GS 1",
    "9/9/4k4/9/9/9/9/2R6/9 b B2Gg 1",
    "2B2l3/5lg2/5p1n1/6k1g/5P2+B/5Sg1N/6N+l1/9/9 b G2r3snl16p 1",
]


def compose(**overrides):
    run = Registry.load().compose("mate", {"table.megabytes": "1"} | overrides)
    run.warm()
    return run


@pytest.fixture(scope="module")
def run():
    return compose(look_ahead="true")


def keys_of_checks(run, position):
    record, context = position.copy_record(), run.root.context
    moves, keys = np.zeros(4000, np.int32), np.zeros(4000, np.int64)
    end = call_checks(context, record, moves, np.int64(0))
    checks = moves[:end].tolist()
    call_move_order(context, record, moves, keys, np.int64(0), end)
    assert record.tobytes() == position.record.tobytes() and moves[:end].tolist() == checks
    return dict(zip((move_to_usi(move) for move in checks), keys[:end].tolist(), strict=True))


def free(run, position):
    """Return how free white's king is."""
    part = run.root.parts["move_order"].parts["king_freedom"]
    return int(part.plugin.kernel(part.context, position.record, 1))


@pytest.mark.parametrize("sfen", POSITIONS)
def test_a_check_counts_the_freedom_that_its_best_reply_leaves(run, sfen):
    position = Position.from_sfen(sfen)
    for move, key in keys_of_checks(run, position).items():
        after = position.play(move)
        left = [free(run, after.play(reply)) for reply in after.legal_moves()]
        # The key is -32 times the freedom, less up to 16 for distance, and 1 for a capture or promotion.
        assert -round((key + 8) / 32) == max(left, default=-1), move


def test_a_mate_comes_first(run):
    keys = keys_of_checks(run, Position.from_sfen(POSITIONS[1]))
    assert max(keys, key=keys.get) == "G*5b" and len(keys) > 1
    assert keys["G*5b"] > max(key for move, key in keys.items() if move != "G*5b") + 8


def test_evasions_are_ordered_as_without(run):
    record = Position.from_sfen("6k2/6G2/9/7+R1/9/9/9/9/9 w 2g 1").copy_record()
    written = []
    for each in (run, compose()):
        moves, keys = np.zeros(4000, np.int32), np.zeros(4000, np.int64)
        end = call_evasions(each.root.context, record, moves, np.int64(0))
        call_move_order(each.root.context, record, moves, keys, np.int64(0), end)
        written.append((moves[:end].tolist(), keys[:end].tolist()))
    assert written[0] == written[1] and written[0][0]


def test_it_is_off_by_default():
    assert compose().root.parts["move_order"].options["look_ahead"] is False


@pytest.mark.parametrize("sfen", POSITIONS[: None if JIT else 2])
def test_it_changes_no_verdict_and_no_length(run, sfen):
    without, with_it = (solve(Position.from_sfen(sfen), each, node_limit=20_000) for each in (compose(), run))
    assert (with_it.verdict, with_it.plies) == (without.verdict, without.plies)
