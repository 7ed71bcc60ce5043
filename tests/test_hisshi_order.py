"""Move order `hisshi`: freedom of the kings first; then nearness, attacks, kind of piece, captures; evasions apart."""

import numpy as np
import pytest

from hisshi.core import Position, Registry
from hisshi.core.kernel.roles.move_order import call_move_order
from hisshi.core.kernel.stack import sort_moves

ATTACKER = "9/7k1/9/9/6S2/9/9/9/9 b GP 1"
DEFENDER = "9/4k4/8R/9/B8/9/9/9/9 w p 1"  # drops into the lines of rook and bishop give squares back


def compose(**options):
    run = Registry.load().compose(
        "mate", {"move_order": "hisshi", "table.megabytes": "0.001"} | {name: str(n) for name, n in options.items()}
    )
    run.warm()
    return run


@pytest.fixture(scope="module")
def run():
    return compose()


@pytest.fixture(scope="module")
def bare():
    """The order with nothing to tell moves of equal freedom apart."""
    return compose(distance=0, attacks=0, kind=0, capture=0)


def ordered(run, sfen, moves=None):
    """Return USI moves in the order in which they are tried, all legal ones by default, and their keys."""
    position = Position.from_sfen(sfen)
    record, numbers = position.copy_record(), position.usi_moves()
    names = {number: usi for usi, number in numbers.items()}
    chosen = [numbers[usi] for usi in moves or position.legal_moves()]
    buffer, keys = np.zeros(2000, np.int32), np.zeros(2000, np.int64)
    buffer[: len(chosen)] = chosen
    call_move_order(run.root.context, record, buffer, keys, np.int64(0), np.int64(len(chosen)))
    assert record.tobytes() == position.record.tobytes()
    sort_moves(buffer, keys, 0, len(chosen))
    return {names[int(move)]: int(key) for move, key in zip(buffer[: len(chosen)], keys, strict=False)}


def freedoms(run, sfen, moves):
    """Return how free each move leaves black's and white's king, 8 for one that is not there."""
    part = run.root.parts["move_order"].parts["king_freedom"]
    after = [Position.from_sfen(sfen).play(move).record for move in moves]
    return [[int(part.plugin.kernel(part.context, record, colour)) for colour in (0, 1)] for record in after]


def test_the_attacker_tries_first_what_leaves_the_hunted_king_the_fewest_squares(run):
    moves = ordered(run, ATTACKER)
    left = [white for _, white in freedoms(run, ATTACKER, moves)]
    assert left == sorted(left) and len(set(left)) > 2


def test_the_defender_tries_first_what_leaves_his_king_the_most_squares(run):
    moves = ordered(run, DEFENDER)
    left = [white for _, white in freedoms(run, DEFENDER, moves)]
    assert left == sorted(left, reverse=True) and len(set(left)) > 2


def test_with_two_kings_what_counts_is_the_difference(run):
    sfen = "9/7k1/9/6S2/9/9/2r6/9/4K4 b GP 1"
    moves = ordered(run, sfen)
    difference = [black - white for black, white in freedoms(run, sfen, moves)]
    assert difference == sorted(difference, reverse=True) and len(set(difference)) > 3


def test_both_sides_are_ordered_alike(run):
    sfen, turned = "9/7k1/9/9/6S2/9/9/9/9 b GP 1", "9/9/9/9/2s6/9/9/1K7/9 w gp 1"
    assert list(ordered(run, sfen).values()) == list(ordered(run, turned).values())


def test_of_moves_that_leave_equal_freedom_the_nearest_to_the_hunted_king_comes_first(run):
    sfen = "9/7k1/9/9/9/9/9/9/9 b P 1"
    moves = ordered(run, sfen, ["P*9h", "P*3f", "P*3g", "P*2e"])
    assert list(moves) == ["P*2e", "P*3f", "P*3g", "P*9h"]
    assert len({white for _, white in freedoms(run, sfen, moves)}) == 1


# Two moves as far from the king, which leave him as free: what else tells them apart.
APART = {
    "a target that the enemy does not attack": ("k8/9/9/9/9/9/9/2r6/9 b P 1", "P*8g", "P*7g"),
    "a target that an own piece attacks": ("k8/9/9/9/9/9/9/9/2N6 b P 1", "P*8g", "P*7g"),
    "a source that the enemy attacks": ("k8/9/9/9/9/6p2/6S2/9/3S5 b - 1", "3g4h", "6i5h"),
    "the cheaper piece": ("k8/9/9/9/9/9/9/9/9 b PL 1", "P*5h", "L*4h"),
    "the dearer of two captures": ("k8/9/9/9/9/9/s8/2p6/P1P6 b - 1", "7i7h", "9i9h"),
}


@pytest.mark.parametrize("rule", APART)
def test_of_moves_as_near_the_next_rule_decides(run, bare, rule):
    sfen, first, second = APART[rule]
    for listed in ([first, second], [second, first]):
        assert list(ordered(run, sfen, listed)) == [first, second]
        assert list(ordered(bare, sfen, listed)) == listed


def test_a_negative_weight_turns_a_rule_round():
    sfen, first, second = APART["the cheaper piece"]
    assert list(ordered(compose(kind=-16), sfen, [first, second])) == [second, first]


@pytest.mark.parametrize("option", ["distance", "attacks", "kind", "capture"])
def test_no_weight_outweighs_freedom(option):
    for weight in (-100_000, 100_000):
        moves = ordered(compose(**{option: weight}), ATTACKER)
        left = [white for _, white in freedoms(compose(), ATTACKER, moves)]
        assert left == sorted(left)


def test_evasions_are_captures_then_king_moves_then_moves_between_then_drops(run):
    moves = list(ordered(run, "4k4/9/9/9/1b7/9/9/4L4/9 w p 1"))
    captures, kings = ["8e5h+", "8e5h"], ["5a4a", "5a4b", "5a6a", "5a6b"]
    assert set(moves[:2]) == set(captures) and set(moves[2:6]) == set(kings)
    assert moves[6:] == ["8e5b", "P*5b", "P*5c", "P*5d", "P*5e", "P*5f", "P*5g"]


def test_the_checker_is_taken_by_another_piece_before_the_king_takes_it(run):
    moves = list(ordered(run, "3gk4/4R4/9/9/9/9/9/9/9 w - 1"))
    assert moves[:2] == ["6a5b", "5a5b"]


def test_without_any_king_moves_are_still_told_apart(run):
    assert list(ordered(run, "9/9/9/9/9/9/9/2r6/9 b P 1", ["P*7g", "P*8g"])) == ["P*8g", "P*7g"]
