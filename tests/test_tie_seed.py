"""``tie_seed``: moves of equal key in an order drawn from a number, so that an effect can be told from luck."""

import numpy as np
import pytest

from hisshi.core import Position, Registry, solve
from hisshi.core.errors import RegistryError
from hisshi.core.kernel.context import JIT, part
from hisshi.core.kernel.roles.checks import call_checks
from hisshi.core.kernel.roles.move_order import SLOT, call_move_order
from hisshi.core.kernel.ties import tie_hash

MATES = {
    "6k2/9/9/7+R1/9/9/9/9/9 b G 1": 3,
    "9/9/k8/2G6/9/9/9/9/9 b GS 1": 5,
    "2B2l3/5lg2/5p1n1/6k1g/5P2+B/5Sg1N/6N+l1/9/9 b G2r3snl16p 1": 3,
    "2G1gr3/+R1+P6/sp2k1+P2/2S2pp2/3np4/+p1NlS1S2/1+b7/6B2/9 b N2gn3l11p 1": 5,
}
FEW = dict(list(MATES.items())[:2])
RUNS = ["mate", "mate-unordered", "mate-pn-multi-id"]
SEEDS = range(1, 6)


def compose(name, seed):
    return Registry.load().compose(name, {"table.megabytes": "1", "tie_seed": str(seed)})


def answers(name, seed, problems=None):
    """Return verdict, length and nodes of each problem."""
    run = compose(name, seed)
    results = [
        solve(Position.from_sfen(sfen), run, node_limit=20_000) for sfen in problems or MATES if JIT or sfen in FEW
    ]
    return [(result.verdict, result.plies, result.nodes) for result in results]


@pytest.mark.parametrize("name", RUNS)
def test_the_same_seed_visits_the_same_nodes(name):
    assert answers(name, 7) == answers(name, 7)


@pytest.mark.parametrize("name", RUNS)
def test_seed_0_is_the_order_of_generation(name):
    run = Registry.load().compose(name, {"table.megabytes": "1"})
    for sfen, (verdict, plies, nodes) in zip(FEW, answers(name, 0, FEW), strict=True):
        result = solve(Position.from_sfen(sfen), run, node_limit=20_000)
        assert (result.verdict, result.plies, result.nodes) == (verdict, plies, nodes)


@pytest.mark.compiled
@pytest.mark.parametrize("name", RUNS)
def test_different_seeds_visit_different_nodes_and_say_the_same(name):
    found = [answers(name, seed) for seed in SEEDS]
    assert len({tuple(nodes for *_, nodes in each) for each in found}) > 1
    for each in found:
        for (verdict, plies, _), shortest in zip(each, MATES.values(), strict=True):
            assert verdict == "proven"
            assert plies >= shortest if "pn" in name else plies == shortest


def ordered(run, sfen):
    """Return the checks of a position and their keys, as the run's order leaves them."""
    record, context = Position.from_sfen(sfen).copy_record(), run.root.context
    moves, keys = np.zeros(2000, np.int32), np.full(2000, -1, np.int64)
    end = call_checks(context, record, moves, np.int64(3))
    call_move_order(context, record, moves, keys, np.int64(3), end)
    assert not moves[:3].any() and (keys[:3] == -1).all() and (keys[end:] == -1).all()
    return moves[3:end].tolist(), keys[3:end].tolist()


@pytest.mark.parametrize("name", ["mate", "mate-unordered"])
@pytest.mark.parametrize("sfen", MATES)
def test_a_seed_changes_the_order_and_neither_the_moves_nor_their_keys(name, sfen):
    orders = []
    for seed in (0, *SEEDS):
        run = compose(name, seed)
        run.warm()
        assert part(run.root.context, SLOT).tie_seed == seed
        orders.append(ordered(run, sfen))
    generated = dict(zip(*orders[0], strict=True))
    assert all(dict(zip(*order, strict=True)) == generated for order in orders)
    assert len({tuple(moves) for moves, _ in orders}) > 1


def test_the_hash_depends_on_move_seed_and_position():
    keys = [np.uint64(0x123456789ABCDEF0), np.uint64(0xFEDCBA9876543211)]
    found = {
        int(tie_hash(np.int64(move), np.int64(seed), key)) for move in range(20) for seed in range(5) for key in keys
    }
    assert len(found) == 200 and min(found) >= 0


@pytest.mark.parametrize("seed", ["-1", "1.5", "luck", str(2**63)])
def test_another_seed_than_a_whole_number_is_refused(seed):
    with pytest.raises(RegistryError, match=r"move_order\.tie_seed is .*, "):
        Registry.load().compose("mate", {"tie_seed": seed})
