"""The plain rules, one by one."""

import time

import pytest

from hisshi.core.errors import IllegalMoveError
from hisshi.core.reference import ReferenceBoard, repetition_outcome
from hisshi.core.sfen import START_SFEN


def board(sfen: str) -> ReferenceBoard:
    return ReferenceBoard.from_sfen(sfen)


def moves(sfen: str) -> set[str]:
    return set(board(sfen).legal_moves())


def line(sfen: str, text: str) -> ReferenceBoard:
    position = board(sfen)
    for move in text.split():
        position = position.play(move)
    return position


# One rule, one test.


def test_the_start_position_has_30_moves_and_none_is_check():
    start = board(START_SFEN)
    assert len(start.legal_moves()) == 30
    assert start.checks() == []
    assert start.sfen() == START_SFEN


def test_perft_2_of_the_start_position_is_quick():
    begin = time.perf_counter()
    assert board(START_SFEN).perft(2) == 900
    assert time.perf_counter() - begin < 1


def test_play_returns_a_new_board_and_leaves_the_old_one():
    start = board(START_SFEN)
    assert start.play("7g7f").sfen() == "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"
    assert start.sfen() == START_SFEN


def test_a_captured_piece_goes_unpromoted_into_the_hand_of_the_captor():
    assert line("4k4/9/9/9/4+p4/4G4/9/9/9 b - 1", "5f5e").sfen() == "4k4/9/9/9/4G4/9/9/9/9 w P 2"
    assert line("4k4/9/9/9/4G4/4r4/9/9/9 w - 1", "5f5e").sfen() == "4k4/9/9/9/4r4/9/9/9/9 b g 2"


def test_an_illegal_move_is_refused_with_the_position():
    with pytest.raises(IllegalMoveError, match=r"move '7g7e' is not legal in lnsgkgsnl/"):
        board(START_SFEN).play("7g7e")
    with pytest.raises(IllegalMoveError, match=r"'hello' .* expected a USI move such as 7g7f"):
        board(START_SFEN).gives_check("hello")


def test_a_pawn_on_the_last_rank_must_promote():
    assert {"9b9a+"} == {move for move in moves("4k4/P8/9/9/9/9/9/9/4K4 b - 1") if move.startswith("9b")}


def test_a_knight_that_reaches_the_last_two_ranks_must_promote():
    assert {"8d9b+", "8d7b+"} == {move for move in moves("4k4/9/9/1N7/9/9/9/9/4K4 b - 1") if move.startswith("8d")}


def test_a_piece_may_promote_on_entering_the_zone_and_on_leaving_it():
    entering = moves("9/9/9/4S4/9/9/9/k8/4K4 b - 1")
    assert {"5d5c", "5d5c+"} <= entering
    assert not entering & {"5d4e+", "5d6e+"}
    leaving = moves("9/9/4S4/9/9/9/9/k8/4K4 b - 1")
    assert {"5c5b", "5c5b+", "5c4d", "5c4d+"} <= leaving


def test_gold_king_and_promoted_pieces_do_not_promote():
    assert not [move for move in moves("k8/9/4G+BK+P1/9/9/9/9/9/9 b - 1") if move.endswith("+")]


def test_bishop_and_rook_may_decline_promotion():
    assert {"5e5c", "5e5c+"} <= moves("k8/9/9/9/4R4/9/9/9/4K4 b - 1")


def test_white_promotes_on_ranks_g_to_i():
    assert {"5f5g", "5f5g+"} <= moves("k8/9/9/9/9/4s4/9/9/9 w - 1")
    assert "5e5f+" not in moves("k8/9/9/9/4s4/9/9/9/9 w - 1")


def test_no_second_pawn_is_dropped_on_a_file():
    drops = {move for move in moves("8k/9/9/9/9/9/9/9/P8 b P 1") if move.startswith("P*")}
    assert len(drops) == 64  # 8 files, ranks b to i
    assert not any(move.startswith("P*9") for move in drops)


def test_pieces_are_not_dropped_where_they_could_never_move():
    dropped = moves("4k4/9/9/9/9/9/9/9/4K4 b PLN 1")
    assert not dropped & {"P*1a", "L*1a", "N*1a", "N*1b"}
    assert {"P*1b", "L*1b", "N*1c"} <= dropped


def test_a_drop_needs_an_empty_square():
    assert "G*5a" not in moves("4k4/9/9/9/9/9/9/9/4K4 b G 1")
    assert "G*5i" not in moves("4k4/9/9/9/9/9/9/9/4K4 b G 1")


def test_a_pawn_drop_must_not_mate():
    assert "P*9b" not in moves("kn7/9/1G7/9/9/9/9/9/9 b P 1")


def test_a_pawn_drop_that_only_seems_to_mate_is_legal():
    for sfen in (
        "k8/9/9/9/9/9/9/9/9 b P 1",  # the king walks away
        "kn7/1n7/9/9/9/9/9/9/9 b P 1",  # the king takes the pawn
        "kg7/9/1G7/9/9/9/9/9/9 b P 1",  # a gold takes it
    ):
        assert "P*9b" in moves(sfen)


def test_a_pinned_piece_cannot_take_the_pawn_that_mates():
    assert "P*9b" not in moves("kg6R/9/1G7/9/9/9/9/9/9 b P 1")


def test_a_pawn_push_may_mate():
    assert line("kn7/9/PG7/9/9/9/9/9/9 b - 1", "9c9b").is_mated()


def test_a_pinned_piece_moves_only_along_the_pin():
    found = {move for move in moves("4r3k/9/9/9/4R4/9/9/9/4K4 b - 1") if move.startswith("5e")}
    assert found == {"5e5a", "5e5a+", "5e5b", "5e5b+", "5e5c", "5e5c+", "5e5d", "5e5f", "5e5g", "5e5h"}


def test_in_double_check_only_the_king_moves():
    double = board("4r3k/9/9/9/9/9/5n3/9/4K4 b RG2P 1")  # rook on 5a and knight on 4g
    assert double.in_check()
    assert set(double.evasions()) == {"5i4h", "5i4i", "5i6h", "5i6i"}


def test_a_king_may_not_step_back_along_the_line_of_check():
    assert "5e5f" not in moves("4r3k/9/9/9/4K4/9/9/9/9 b - 1")


def test_kings_may_not_touch():
    assert "5c5b" not in moves("4k4/9/4K4/9/9/9/9/9/9 b - 1")


def test_a_king_may_not_take_a_defended_piece():
    assert "5i5h" not in moves("k3r4/9/9/9/9/9/9/4g4/4K4 b - 1")
    assert "5i5h" in moves("k8/9/9/9/9/9/9/4g4/4K4 b - 1")


def test_evasions_are_king_moves_captures_and_interpositions():
    assert set(board("8k/9/9/9/4r4/9/9/6B2/4K4 b G 1").evasions()) == {
        "5i4h", "5i4i", "5i6h", "5i6i", "G*5f", "G*5g", "G*5h", "3h5f",
    }  # fmt: skip


def test_there_are_no_evasions_without_a_check():
    assert board(START_SFEN).evasions() == []


def test_checks_are_direct_discovered_and_by_drop():
    found = set(board("4k4/9/9/9/4G4/9/9/9/4R4 b N 1").checks())
    assert found == {"5e4d", "5e6d", "5e4e", "5e6e", "N*4c", "N*6c"}
    assert board("4k4/9/9/9/4G4/9/9/9/4R4 b N 1").gives_check("5e4d")
    assert not board("4k4/9/9/9/4G4/9/9/9/4R4 b N 1").gives_check("5e5d")


def test_a_side_without_a_king_is_never_in_check():
    alone = board("4k4/4G4/9/9/9/9/9/9/9 w - 1")
    assert alone.in_check()
    assert not alone.play("5a5b").in_check()


def test_no_move_without_check_is_a_loss_but_no_mate():
    stuck = board("k8/9/1GN6/9/9/9/9/9/9 w - 1")
    assert stuck.legal_moves() == []
    assert not stuck.has_legal_move()
    assert not stuck.in_check()
    assert not stuck.is_mated()


def test_dead_pieces_and_doubled_pawns_do_not_disturb_the_rules():
    odd = ReferenceBoard.from_sfen("P7k/9/4P4/9/9/4P4/9/9/8K b P 1", strict=False)
    assert not [move for move in odd.legal_moves() if move.startswith(("9a", "P*9", "P*5"))]
    assert {"5c5b", "5c5b+", "5f5e"} <= set(odd.legal_moves())


def test_the_widest_position_known_has_593_moves():
    assert len(moves("R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1")) == 593


# Repetition.


def visits(text: str) -> list[tuple[str, bool]]:
    """``a b! a`` is a history of three positions; in b the side to move is in check."""
    return [(word.rstrip("!"), word.endswith("!")) for word in text.split()]


@pytest.mark.parametrize(
    ("history", "outcome"),
    [
        ("", None),
        ("a", None),
        ("a b c d a b c d a", None),
        ("a b c d a b c d a b c d a", "draw"),
        ("x y a b c d a b c d a b c d a", "draw"),
        ("a b c d a b c d a b c d a b", "draw"),
        ("a b! c d! a b! c d! a b! c d! a", "loss"),  # the side to move in a gave every check
        ("a! b c! d a! b c! d a! b c! d a!", "win"),  # it was checked all along
        ("a b! c d a b! c d! a b! c d! a", "draw"),  # one move was no check
        ("a b c! d a! b c! d a! b c! d a!", "win"),  # whether the first of the four was reached by check is not asked
        ("a! b! a! b! a! b! a!", "draw"),  # both check with every move
        ("a! b c! d a! b c! d a! b x d a! b c! d a!", "draw"),
    ],
)
def test_a_position_that_occurs_four_times_ends_the_game(history, outcome):
    assert repetition_outcome(visits(history)) == outcome


def test_perpetual_check_on_the_board_loses_for_the_checker():
    position = board("8k/9/9/9/9/9/9/9/K6R1 b - 1")
    history = [(position.key(), position.in_check())]
    outcome = None
    for move in ["2i1i", "1a2a", "1i2i", "2a1a"] * 3:
        position = position.play(move)
        history.append((position.key(), position.in_check()))
        outcome = repetition_outcome(history)
    assert outcome == "loss"
