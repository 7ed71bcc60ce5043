"""Quiescence stand-pat: what hangs is taken, what is defended is not; and the same values as a plain search's."""

from functools import cache

import attrs
import numpy as np
import pytest
from kernel_calls import few_or_many, game_sfens, generated, playout

from hisshi.core import Position, Registry
from hisshi.core.composition import compose_part
from hisshi.core.kernel.control import NODE_LIMIT
from hisshi.core.kernel.generation import captures
from hisshi.core.kernel.mate import is_mated
from hisshi.core.kernel.material import IN_HAND, ON_BOARD
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.values import INFINITE, MATE, NO_VALUE
from hisshi.core.registry import PartSpec
from hisshi.core.sfen import START_SFEN


@cache
def composed(use_table=True, megabytes=1.0):
    spec = Registry.load().find("classical")
    table = PartSpec("here", use="two-level", settings={"megabytes": megabytes})
    own = PartSpec("here", use="stand-pat", settings={"use_table": use_table, "table": table})
    run = compose_part(attrs.evolve(spec, parts={**spec.parts, "quiescence": own}), "quiescence")
    run.warm()
    return run


def ask(run, record, alpha=-INFINITE, beta=INFINITE):
    return int(run.root.plugin.kernel(run.root.context, record, np.int64(alpha), np.int64(beta)))


def value(sfen, alpha=-INFINITE, beta=INFINITE, use_table=True):
    """Return the value for the side to move, asked with empty tables."""
    run = composed(use_table)
    run.clear()
    return ask(run, Position.from_sfen(sfen, strict=False).copy_record(), alpha, beta)


# Pieces: rook 1040, in hand 1270; silver 640 and 720; pawn 100 and 115, tokin 420; lance 430; gold 690.


def test_without_captures_the_evaluation_stands():
    assert value(START_SFEN) == 0
    assert value("4k4/9/9/9/4P4/9/9/9/4K4 b - 1") == 100
    assert value("4k4/9/9/9/4P4/9/9/9/4K4 w - 1") == -100


def test_a_hanging_piece_is_taken():
    assert value("4k4/9/9/2r6/2R6/9/9/9/4K4 b - 1") == 1040 + 1270
    assert value("4k4/9/9/2r6/2R6/9/9/9/4K4 w - 1") == 1040 + 1270  # whoever comes first


def test_a_defended_piece_that_is_worth_less_is_not_taken():
    assert value("4k4/9/2g6/2p6/2R6/9/9/9/4K4 b - 1") == 1040 - 690 - 100


def test_a_capture_that_promotes_counts_the_promotion():
    assert value("4k4/9/2p6/2P6/9/9/9/9/4K4 b - 1") == 420 + 115


def test_a_pawn_is_won_when_the_taker_is_backed():
    # Silver takes pawn, silver takes silver, lance takes silver: each side has a silver in hand, black a pawn too.
    assert value("k8/9/4s4/4p4/4S4/9/4L4/9/K8 b - 1") == 430 + 115 + 720 - 720


def test_it_is_left_when_the_taker_is_not_backed():
    assert value("k8/9/4s4/4p4/4S4/9/9/9/K8 b - 1") == 640 - 640 - 100


def test_a_pinned_piece_defends_nothing():
    # The bishop pins the gold, which the lance defends: the rook takes the pawn.
    assert value("k1l6/9/2g6/2p6/2R1B4/9/9/9/8K b - 1") == 1040 + 890 + 115 - 430 - 690
    # It pins nothing when the king is elsewhere: all stays as it is.
    assert value("2l1k4/9/2g6/2p6/2R1B4/9/9/9/8K b - 1") == 1040 + 890 - 430 - 690 - 100


def test_a_side_in_check_may_stand_pat():
    assert value("4k4/9/9/9/4r4/9/9/9/4K4 b - 1") == -1040


def test_a_side_that_is_mated_is_mated_whatever_its_pieces():
    assert value("4k4/4G4/4P4/9/9/9/9/9/4K4 w 2r2b3g4s 1") == -MATE


def test_a_capture_that_mates_is_worth_a_mate_in_one():
    assert value("4k4/4p4/4PG3/9/9/9/9/9/4K4 b - 1") == MATE - 1


def test_giving_up_returns_no_value_and_the_table_keeps_nothing_of_it():
    run = composed()
    record = Position.from_sfen("k8/9/4s4/4p4/4S4/9/4L4/9/K8 b - 1").copy_record()
    run.clear()
    run.control[NODE_LIMIT] = 3
    assert ask(run, record) == NO_VALUE
    run.control[:] = 0
    assert ask(run, record) == 545


def test_the_table_answers_the_second_time_and_only_if_it_is_used():
    record = Position.from_sfen("k8/9/4s4/4p4/4S4/9/4L4/9/K8 b - 1").copy_record()
    entered = []
    for use_table in (True, False):
        run = composed(use_table)
        run.clear()
        ask(run, record)
        once = run.nodes
        ask(run, record)
        entered.append((once, run.nodes - once))
    assert entered[0] == (entered[1][0], 1)
    assert entered[1][0] == entered[1][1] > 1


def test_a_bound_in_the_table_is_no_exact_value():
    run = composed()
    record = Position.from_sfen("k8/9/4s4/4p4/4S4/9/4L4/9/K8 b - 1").copy_record()
    run.clear()
    assert ask(run, record, 900, 901) <= 900
    assert ask(run, record, 0, 400) >= 400
    assert ask(run, record) == 545


# The plain search: the same rules without alpha-beta, order and table, the pieces counted square by square.


BOARD_VALUES, HAND_VALUES = ON_BOARD.tolist(), IN_HAND.tolist()


class TooLargeError(Exception):
    pass


def counted(record):
    black = 0
    for piece in record.board.tolist():
        black += BOARD_VALUES[piece & 15] * (1 if piece < 16 else -1)
    for hand, sign in zip(record.hand.tolist(), (1, -1), strict=True):
        black += sign * sum(HAND_VALUES[kind] * count for kind, count in enumerate(hand))
    return black if record.side == 0 else -black


def plain(record, left=None):
    """Return the value for the side to move; raise TooLargeError when `left`, nodes in a list, runs out."""
    left = left if left is not None else [100_000]
    left[0] -= 1
    if left[0] < 0:
        raise TooLargeError
    if is_mated(record):
        return -MATE
    best = counted(record)
    for move in generated(captures, record, False):
        captured = do_move(record, move)
        below = plain(record, left)
        undo_move(record, move, captured)
        best = max(best, MATE - 1 if below == -MATE else -below)
    return best


def many_positions():
    """Yield positions of games, in check after a random game's checks, and of random games."""
    for sfen in game_sfens(few_or_many(16, 320), seed=7):
        yield Position.from_sfen(sfen).copy_record()
    for seed in range(few_or_many(1, 10)):
        for number, position in enumerate(playout(seed, few_or_many(12, 120), prefer_checks=seed % 2 == 0)):
            if number % few_or_many(6, 6) == 0:
                yield position.copy_record()


def test_values_are_those_of_the_plain_search_whatever_window_and_table():
    compared = 0
    runs = [composed(), composed(False), composed(True, 0.001)]
    for run in runs:
        run.clear()
    for record in many_positions():
        try:
            truth = plain(record, [few_or_many(100, 400)])
        except TooLargeError:
            continue
        compared += 1
        for run in runs:
            for alpha, beta in ((truth - 200, truth + 1), (truth + 5, truth + 50), (truth - 50, truth - 5)):
                got = ask(run, record, alpha, beta)
                if truth <= alpha:
                    assert truth <= got <= alpha
                elif truth >= beta:
                    assert beta <= got <= truth
                else:
                    assert got == truth
            assert ask(run, record) == truth
    assert compared >= few_or_many(3, 200)


@pytest.mark.compiled
def test_a_thousand_game_positions_have_the_same_value_with_and_without_table():
    with_table, without = composed(), composed(False)
    with_table.clear()
    for sfen in game_sfens(1000, seed=3):
        record = Position.from_sfen(sfen).copy_record()
        assert ask(with_table, record) == ask(without, record)
