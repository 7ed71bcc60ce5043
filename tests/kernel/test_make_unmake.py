"""Making and taking back moves: every part of the record stays in step, and the keys tell positions apart."""

import random

import numpy as np
import pytest
from kernel_calls import few_or_many, game_sfens, generated, mate_problem_sfens, playout, record_of

from hisshi.core.kernel.generation import all_moves
from hisshi.core.kernel.moves import (
    PROMOTE,
    do_move,
    do_pass,
    is_drop,
    is_promotion,
    kind_after,
    kind_of,
    source_of,
    target_of,
    undo_move,
)
from hisshi.core.kernel.pieces import EMPTY, PROMOTED, SQUARE_COUNT
from hisshi.core.kernel.state import LARGEST_HAND, consistency_problem, position_key
from hisshi.core.position import Position
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import LOOSE_LIMIT

START_KEY = 1309482678054300005  # a change means that stored keys and node counts change too


def sfen_of(record: np.record) -> str:
    return Position(record).sfen


def test_every_move_keeps_all_parts_in_step_and_can_be_taken_back():
    for sfen in game_sfens(few_or_many(1, 6), seed=1) + mate_problem_sfens(few_or_many(1, 6), seed=1):
        record = record_of(sfen)
        before = record.tobytes()
        for move in generated(all_moves, record, False):
            captured = do_move(record, move)
            assert consistency_problem(record) == ""
            undo_move(record, move, captured)
            assert record.tobytes() == before


def test_a_whole_game_can_be_taken_back():
    chance = random.Random(5)
    record = record_of("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1")
    before, made = record.tobytes(), []
    for _ in range(few_or_many(30, 300)):
        moves = generated(all_moves, record, False)
        if not moves:
            break
        move = chance.choice(moves)
        made.append((move, do_move(record, move)))
        assert consistency_problem(record) == ""
    for move, captured in reversed(made):
        undo_move(record, move, captured)
        assert consistency_problem(record) == ""
    assert record.tobytes() == before


def test_a_made_move_gives_the_position_that_the_plain_rules_give():
    for position in playout(3, few_or_many(8, 60)):
        for move in position.legal_moves()[:: few_or_many(9, 3)]:
            after = ReferenceBoard.from_sfen(position.sfen).after(move)
            assert position.play(move).sfen == after.sfen()


def test_the_parts_of_a_move():
    record = record_of("9/9/4p4/9/4R4/9/9/9/9 b G 1")
    moves = {
        (source_of(m), target_of(m), kind_of(m), kind_after(m), bool(is_promotion(m)), bool(is_drop(m)))
        for m in generated(all_moves, record, False)
    }
    rook, gold = 6, 7
    assert (40, 38, rook, rook + PROMOTED, True, False) in moves  # 5e5c+
    assert (40, 38, rook, rook, False, False) in moves
    assert (SQUARE_COUNT + gold, 0, gold, gold, False, True) in moves  # G*1a
    assert all(move < 1 << 19 for move in generated(all_moves, record, False))
    assert PROMOTE == 1 << 14


def test_a_promoted_piece_goes_unpromoted_into_the_hand_and_comes_back_promoted():
    record = record_of("4k4/9/9/9/4+b4/4G4/9/9/4K4 b - 1")
    (move,) = [m for m in generated(all_moves, record, False) if source_of(m) == 41 and target_of(m) == 40]
    captured = do_move(record, move)
    assert sfen_of(record) == "4k4/9/9/9/4G4/9/9/9/4K4 w B 1"
    undo_move(record, move, captured)
    assert sfen_of(record) == "4k4/9/9/9/4+b4/4G4/9/9/4K4 b - 1"


def test_a_pass_changes_only_the_side_and_a_second_one_takes_it_back():
    record = record_of("4k4/9/9/9/9/9/9/9/4K4 b G 1")
    before = record.tobytes()
    do_pass(record)
    assert sfen_of(record) == "4k4/9/9/9/9/9/9/9/4K4 w G 1"
    assert consistency_problem(record) == ""
    do_pass(record)
    assert record.tobytes() == before


# Keys.


def test_keys_are_the_same_whichever_way_a_position_is_reached():
    one = Position.from_usi("startpos moves 7g7f 3c3d 2g2f")
    other = Position.from_usi("startpos moves 2g2f 3c3d 7g7f")
    fresh = Position.from_sfen(one.sfen)
    assert one == other == fresh
    assert position_key(one.record) == position_key(other.record) == position_key(fresh.record)


def test_board_and_hand_keys_can_be_told_apart():
    board = "4k4/9/9/9/9/9/9/9/4K4 b"
    keys = {hands: record_of(f"{board} {hands} 1") for hands in ("-", "G", "2G", "g", "Gg", "P", "p")}
    assert len({int(record.board_key) for record in keys.values()}) == 1
    assert len({int(record.hand_key) for record in keys.values()}) == len(keys)
    assert int(keys["-"].hand_key) == 0
    elsewhere = record_of("3k5/9/9/9/9/9/9/9/4K4 b G 1")
    assert elsewhere.hand_key == keys["G"].hand_key
    assert elsewhere.board_key != keys["G"].board_key


def test_the_side_to_move_is_in_the_board_key():
    black, white = (record_of(f"4k4/9/9/9/9/9/9/9/4K4 {side} G 1") for side in "bw")
    assert black.board_key != white.board_key
    assert black.hand_key == white.hand_key


def test_different_positions_have_different_keys():
    positions = {p.sfen.rsplit(" ", 1)[0]: p for seed in range(few_or_many(1, 20)) for p in playout(seed, 80)}
    assert len({int(position_key(p.record)) for p in positions.values()}) == len(positions)


def test_keys_are_the_same_in_every_process():
    start = Position.from_sfen()
    assert (int(start.record.board_key), int(start.record.hand_key)) == (START_KEY, 0)


def test_hands_have_room_for_the_most_pieces_that_a_loose_position_may_hold():
    assert LOOSE_LIMIT <= LARGEST_HAND
    record = record_of(f"4k4/9/9/9/9/4p4/4G4/9/4K4 b {LOOSE_LIMIT - 1}P 1")
    (move,) = [m for m in generated(all_moves, record, False) if source_of(m) == 42 and target_of(m) == 41]
    assert do_move(record, move) != EMPTY
    assert consistency_problem(record) == ""
    assert record.hand[0, 1] == LOOSE_LIMIT


def test_consistency_problem_names_the_part_that_is_wrong():
    record = record_of("4k4/9/9/9/9/9/9/9/4K4 b G 1")
    record.hand_key ^= np.uint64(1)
    assert consistency_problem(record).startswith("hand_key: ")


@pytest.mark.parametrize("part", ["kinds", "colours", "board_key", "king"])
def test_no_part_of_the_record_is_beyond_the_consistency_check(part):
    record = record_of("4k4/9/9/9/9/9/9/9/4K4 b G 1")
    if part == "board_key":
        record.board_key ^= np.uint64(2)
    else:
        getattr(record, part)[1] += 1
    assert consistency_problem(record).startswith(f"{part}: ")
