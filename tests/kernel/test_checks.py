"""Moves that give check: direct, uncovered, dropped; the generator, and the question about one move."""

import numpy as np
import pytest
from kernel_calls import (
    checks,
    few_or_many,
    game_sfens,
    generated,
    legal_moves,
    mate_problem_sfens,
    playout,
    problem_rows,
    record_of,
)

from hisshi.core.kernel.checks import check_moves, gives_check
from hisshi.core.kernel.generation import all_moves
from hisshi.core.position import Position, move_to_usi
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import START_SFEN


def checks_by_trying(sfen: str) -> set[str]:
    position = Position.from_sfen(sfen, strict=False)
    return {move for move in position.legal_moves() if position.play(move).is_check()}


def asked_one_by_one(sfen: str) -> set[str]:
    record = record_of(sfen)
    return {move_to_usi(move) for move in generated(all_moves, record, False) if gives_check(record, move)}


def assert_checks(sfen: str, expected: set[str]) -> None:
    assert checks(sfen) == expected
    assert asked_one_by_one(sfen) == expected
    assert set(ReferenceBoard.from_sfen(sfen).checks()) == expected


def test_the_start_position_has_no_checks():
    assert_checks(START_SFEN, set())


def test_checks_are_direct_uncovered_and_dropped():
    assert_checks("4k4/9/9/9/4G4/9/9/9/4R4 b N 1", {"5e4d", "5e6d", "5e4e", "5e6e", "N*4c", "N*6c"})


def test_a_king_uncovers_a_check_but_gives_none_itself():
    uncovered = {"5e4d", "5e4e", "5e4f", "5e6d", "5e6e", "5e6f"}
    assert_checks("4k4/9/9/9/4K4/9/9/9/4R4 b - 1", uncovered)
    assert_checks("4k4/9/4K4/9/9/9/9/9/9 b - 1", set())


def test_a_check_that_promotion_gives_and_one_that_it_takes_away():
    assert_checks("4k4/9/5S3/9/9/9/9/9/9 b - 1", {"4c4b", "4c4b+", "4c5b", "4c5b+"})
    assert_checks("9/4k4/9/3S5/9/9/9/9/9 b - 1", {"6d5c", "6d5c+", "6d6c", "6d6c+"})
    assert_checks("4k4/9/9/3N5/9/9/9/9/9 b - 1", {"6d5b+"})


def test_a_pinned_piece_checks_only_along_its_pin():
    assert_checks("4k4/9/9/9/9/r2R1K3/9/9/9 b - 1", {"6f5f"})
    assert_checks("5k3/9/9/9/9/r3RK3/9/9/9 b - 1", set())  # free, it would check from 5a


def test_in_check_only_evasions_count():
    sfen = "4k4/9/9/9/9/4r4/9/9/4K3R b G 1"
    assert checks(sfen) <= legal_moves(sfen)
    assert checks(sfen) == set(ReferenceBoard.from_sfen(sfen).checks())
    answering = "4k4/9/9/9/4r4/9/9/1B7/4K4 b R 1"  # a capture that is no check, and drops in between
    assert_checks(answering, set(ReferenceBoard.from_sfen(answering).checks()))


def test_a_pawn_drop_that_mates_is_no_check_to_offer_and_one_that_does_not_is():
    assert "P*9b" not in checks("kn7/9/1G7/9/9/9/9/9/9 b P 1")
    assert checks("k8/9/9/9/9/9/9/9/9 b P 1") == {"P*9b"}


def test_an_enemy_without_a_king_cannot_be_checked():
    assert_checks("9/9/9/9/4R4/9/9/9/4K4 b GP 1", set())


def test_a_double_check_is_written_once():
    sfen = "4k4/9/9/9/9/4B4/9/9/4R4 b - 1"  # the bishop uncovers the rook and checks from 1b or 9b as well
    assert_checks(sfen, set(ReferenceBoard.from_sfen(sfen).checks()))


@pytest.mark.parametrize("seed", range(3))
def test_checks_are_the_legal_moves_after_which_the_enemy_is_in_check(seed):
    for sfen in game_sfens(few_or_many(3, 60), seed=10 + seed) + mate_problem_sfens(few_or_many(3, 40), seed=10 + seed):
        expected = checks_by_trying(sfen)
        assert checks(sfen) == expected, sfen
        assert asked_one_by_one(sfen) == expected, sfen


def test_checks_in_long_chases_and_from_in_check():
    in_check = 0
    for number, sfen in enumerate(mate_problem_sfens(few_or_many(1, 20), seed=20)):
        for position in playout(number, few_or_many(4, 12), sfen, prefer_checks=True):
            in_check += position.is_check()
            assert checks(position.sfen) == checks_by_trying(position.sfen), position.sfen
    assert in_check >= few_or_many(1, 60)


def test_checks_in_the_rule_file():
    for row in problem_rows("rules.tsv"):
        assert checks(row["sfen"]) == checks_by_trying(row["sfen"]) == asked_one_by_one(row["sfen"])


def test_the_generator_writes_behind_what_is_there():
    record = record_of("4k4/9/9/9/4G4/9/9/9/4R4 b N 1")
    moves = generated(check_moves, record, False)
    buffer = np.full(100, -1, dtype=np.int32)
    assert check_moves(record, buffer, 7, False) == 7 + len(moves)
    assert buffer[7 : 7 + len(moves)].tolist() == moves
    assert set(buffer[:7]) | set(buffer[7 + len(moves) :]) == {-1}
