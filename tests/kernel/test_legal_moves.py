"""The rules of moving, one by one, through the compiled generators."""

import pytest
from kernel_calls import (
    capturing_moves,
    evading_moves,
    few_or_many,
    game_sfens,
    legal_moves,
    mate_problem_sfens,
    playout,
    problem_rows,
)

from hisshi.core.kernel.pieces import EMPTY, square_name
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import START_SFEN


def drops(sfen: str, letter: str) -> set[str]:
    return {move for move in legal_moves(sfen) if move.startswith(f"{letter}*")}


def from_square(sfen: str, square: str) -> set[str]:
    return {move for move in legal_moves(sfen) if move.startswith(square)}


def assert_equal_to_the_plain_rules(sfen: str) -> None:
    board = ReferenceBoard.from_sfen(sfen, strict=False)
    legal = set(board.legal_moves())
    empty = {square_name(square) for square, piece in enumerate(board.board) if piece == EMPTY}
    assert legal_moves(sfen) == legal, sfen
    assert capturing_moves(sfen) == {move for move in legal if move[1] != "*" and move[2:4] not in empty}, sfen
    if board.in_check():
        assert evading_moves(sfen) == legal, sfen


# Against the plain rules, many positions.


def test_games_have_the_moves_of_the_plain_rules():
    for sfen in game_sfens(few_or_many(4, 20), seed=2):
        assert_equal_to_the_plain_rules(sfen)


def test_mate_problems_and_what_follows_them_have_the_moves_of_the_plain_rules():
    for number, sfen in enumerate(mate_problem_sfens(few_or_many(2, 15), seed=2)):
        for position in playout(number, 3, sfen):
            assert_equal_to_the_plain_rules(position.sfen)


def test_the_rule_file_has_the_moves_of_the_plain_rules():
    for row in problem_rows("rules.tsv"):
        assert_equal_to_the_plain_rules(row["sfen"])


# Promotion.


def test_the_start_position_has_30_moves():
    assert len(legal_moves(START_SFEN)) == 30


@pytest.mark.parametrize(
    ("sfen", "square", "expected"),
    [
        ("4k4/P8/9/9/9/9/9/9/4K4 b - 1", "9b", {"9b9a+"}),
        ("4k4/L8/9/9/9/9/9/9/4K4 b - 1", "9b", {"9b9a+"}),
        ("4k4/9/L8/9/9/9/9/9/4K4 b - 1", "9c", {"9c9a+", "9c9b", "9c9b+"}),
        ("4k4/9/1N7/9/9/9/9/9/4K4 b - 1", "8c", {"8c7a+", "8c9a+"}),
        ("4k4/9/9/1N7/9/9/9/9/4K4 b - 1", "8d", {"8d7b+", "8d9b+"}),
        ("4k4/9/9/9/1N7/9/9/9/4K4 b - 1", "8e", {"8e7c", "8e7c+", "8e9c", "8e9c+"}),
        ("4k4/9/9/9/9/9/9/p8/4K4 w - 1", "9h", {"9h9i+"}),
        ("4k4/9/9/9/9/n8/9/9/4K4 w - 1", "9f", {"9f8h+"}),
    ],
)
def test_pawn_lance_and_knight_must_promote_where_they_could_never_move_again(sfen, square, expected):
    assert from_square(sfen, square) == expected


def test_a_piece_may_promote_on_entering_inside_and_on_leaving_the_zone():
    assert {"5d5c", "5d5c+"} <= legal_moves("9/9/9/4S4/9/9/9/k8/4K4 b - 1")
    leaving = legal_moves("9/9/4S4/9/9/9/9/k8/4K4 b - 1")
    assert {"5c5b", "5c5b+", "5c4d", "5c4d+"} <= leaving
    assert {"5f5g", "5f5g+"} <= legal_moves("k8/9/9/9/9/4s4/9/9/9 w - 1")


def test_gold_king_and_promoted_pieces_do_not_promote():
    assert not [move for move in legal_moves("k8/9/4G+BK+P1/9/9/9/9/9/9 b - 1") if move.endswith("+")]


# Drops.


def test_no_second_unpromoted_pawn_on_a_file():
    assert len(drops("8k/9/9/9/9/9/9/9/P8 b P 1", "P")) == 64  # 8 files, ranks b to i
    assert not [m for m in drops("8k/9/9/9/9/9/9/9/P8 b P 1", "P") if m.startswith("P*9")]
    assert "P*9e" in drops("8k/9/9/9/9/9/9/9/+P8 b P 1", "P")  # a tokin is no pawn
    assert "P*9e" in drops("8k/9/9/9/9/9/9/9/p8 b P 1", "P")  # nor is the enemy's


def test_pawn_lance_and_knight_are_not_dropped_where_they_could_never_move():
    both = "4k4/9/9/9/9/9/9/9/4K4 {} 1"
    dropped = legal_moves(both.format("b PLN"))
    assert not dropped & {"P*1a", "L*1a", "N*1a", "N*1b"}
    assert {"P*1b", "L*1b", "N*1c"} <= dropped
    dropped = legal_moves(both.format("w pln"))
    assert not dropped & {"P*1i", "L*1i", "N*1i", "N*1h"}
    assert {"P*1h", "L*1h", "N*1g"} <= dropped


def test_a_drop_needs_an_empty_square():
    assert len(drops("4k4/9/9/9/9/9/9/9/4K4 b G 1", "G")) == 79


@pytest.mark.parametrize(
    ("sfen", "drop"),
    [
        ("kn7/9/1G7/9/9/9/9/9/9 b P 1", "P*9b"),
        ("kg6R/9/1G7/9/9/9/9/9/9 b P 1", "P*9b"),  # the only capturer is pinned
        ("9/9/9/9/9/9/1g7/9/KN7 w p 1", "P*9h"),  # white is bound by the rule too
        ("9/9/9/9/9/9/1g7/9/KG6r w p 1", "P*9h"),
        ("4l4/4p4/4k4/2G3G2/2G3G2/9/9/9/9 b P 1", None),  # no drop in front of the king can mate: it flees
    ],
)
def test_a_pawn_drop_must_not_mate(sfen, drop):
    board = ReferenceBoard.from_sfen(sfen)
    assert (drop in legal_moves(sfen)) is False
    assert drops(sfen, "P") == {move for move in board.legal_moves() if move.startswith("P*")}


@pytest.mark.parametrize(
    ("sfen", "why"),
    [
        ("k8/9/9/9/9/9/9/9/9 b P 1", "the king walks away"),
        ("kn7/1n7/9/9/9/9/9/9/9 b P 1", "the king takes the pawn"),
        ("kg7/9/1G7/9/9/9/9/9/9 b P 1", "a gold takes it"),
        ("k8/l8/1G7/9/9/9/9/9/9 b P 1", "the square is taken: nothing to forbid"),
        ("knB6/9/1G7/9/9/9/9/9/9 b P 1", "the knight leaves: no piece of the corner is pinned by a bishop on its rank"),
    ],
)
def test_a_pawn_drop_that_does_not_mate_is_judged_as_by_the_plain_rules(sfen, why):
    board = ReferenceBoard.from_sfen(sfen)
    assert drops(sfen, "P") == {move for move in board.legal_moves() if move.startswith("P*")}, why


def test_a_capturer_pinned_along_the_file_of_the_pawn_may_take_it():
    # Rook 5d is pinned by the rook on 5i, and the pawn on 5c stands on that very line.
    sfen = "3lkl3/3p1p3/9/4r4/9/9/9/9/4R4 b P 1"
    assert ReferenceBoard.from_sfen(sfen).is_legal("P*5b")
    assert "P*5b" in legal_moves(sfen)


def test_a_pawn_may_be_pushed_to_mate():
    assert "9c9b" in legal_moves("kn7/9/PG7/9/9/9/9/9/9 b - 1")


def test_the_dropped_pawn_may_close_the_line_that_guards_a_flight_square():
    # The rook on 1b guards 4b, 5b and 6b; with the pawn on 5b the king flees to 6b, unless a gold guards that too.
    assert "P*5b" in drops("3lkl3/8R/9/9/9/9/9/9/9 b P 1", "P")
    assert "P*5b" not in drops("3lkl3/8R/2G6/9/9/9/9/9/9 b P 1", "P")


# Pins and checks.


def test_a_pinned_piece_moves_only_along_the_pin():
    on_file = {"5e5a", "5e5a+", "5e5b", "5e5b+", "5e5c", "5e5c+", "5e5d", "5e5f", "5e5g", "5e5h"}
    assert from_square("4r3k/9/9/9/4R4/9/9/9/4K4 b - 1", "5e") == on_file
    assert from_square("k8/9/9/b8/9/2P6/3K5/9/9 b - 1", "7f") == set()
    assert from_square("k8/9/9/b8/9/2P6/4K4/9/9 b - 1", "7f") == {"7f7e"}  # the king is not on the line
    assert from_square("k8/9/9/b8/1P7/2K6/9/9/9 b - 1", "8e") == set()
    assert from_square("4r3k/9/9/9/4P4/9/9/9/4K4 b - 1", "5e") == {"5e5d"}  # along the pin
    assert from_square("4r3k/9/9/9/4N4/9/9/9/4K4 b - 1", "5e") == set()


def test_a_pinned_piece_may_take_the_pinner_but_not_another_checker():
    assert from_square("4r3k/9/9/9/4L4/9/9/9/4K4 b - 1", "5e") >= {"5e5a+"}
    double = "4r3k/9/9/9/4G4/9/5n3/9/4K4 b - 1"  # the knight on 4g checks, the rook pins the gold
    assert from_square(double, "5e") == set()


def test_in_double_check_only_the_king_moves():
    sfen = "4r3k/9/9/9/9/9/5n3/9/4K4 b RG2P 1"
    assert legal_moves(sfen) == evading_moves(sfen) == {"5i4h", "5i4i", "5i6h", "5i6i"}


def test_evasions_are_king_moves_captures_and_interpositions():
    expected = {"5i4h", "5i4i", "5i6h", "5i6i", "G*5f", "G*5g", "G*5h", "3h5f"}
    assert evading_moves("8k/9/9/9/4r4/9/9/6B2/4K4 b G 1") == expected
    assert capturing_moves("8k/9/9/9/4r4/9/9/1B7/4K4 b G 1") == {"8h5e"}


def test_nothing_can_be_put_between_a_knight_or_a_neighbour_and_the_king():
    assert not [m for m in evading_moves("8k/9/9/9/9/9/3n5/9/4K4 b RBGSNLP 1") if "*" in m]
    assert not [m for m in evading_moves("8k/9/9/9/9/9/9/4l4/4K4 b RBGSNLP 1") if "*" in m]


def test_a_king_may_not_step_back_along_the_line_of_check():
    assert "5e5f" not in legal_moves("4r3k/9/9/9/4K4/9/9/9/9 b - 1")


def test_kings_may_not_touch():
    assert "5c5b" not in legal_moves("4k4/9/4K4/9/9/9/9/9/9 b - 1")


def test_a_king_may_not_take_a_defended_piece():
    assert "5i5h" not in legal_moves("k3r4/9/9/9/9/9/9/4g4/4K4 b - 1")
    assert "5i5h" in legal_moves("k8/9/9/9/9/9/9/4g4/4K4 b - 1")


def test_an_interposing_pawn_drop_must_not_mate_either():
    for row in problem_rows("perft.tsv"):
        if "double_check" in row["id"]:
            assert_equal_to_the_plain_rules(row["sfen"])
    sfen = "9/9/9/9/9/1g7/kn1+R5/9/K6r1 b P 1"  # black interposes; white's king is nowhere near
    assert_equal_to_the_plain_rules(sfen)


# Kings missing, no moves at all, odd positions.


@pytest.mark.parametrize(
    "sfen",
    [
        "4r4/9/9/9/4P4/9/9/9/9 b P 1",  # neither has one
        "4k4/9/9/9/3R5/9/9/9/9 b GP 1",  # only the defender has one
        "4k4/4G4/9/9/9/9/9/9/9 w p 1",  # the side to move has one and is in check
        "9/9/9/9/4r4/9/9/9/4K4 b GP 1",  # the side to move alone has one, in check
        "9/9/9/9/4r4/4P4/9/9/4K4 b GP 1",  # the same with a pin
    ],
)
def test_a_side_without_a_king_is_never_in_check_and_has_no_pins(sfen):
    assert_equal_to_the_plain_rules(sfen)


def test_a_side_without_legal_moves_has_none_though_it_is_not_in_check():
    assert legal_moves("k8/9/1GN6/9/9/9/9/9/9 w - 1") == set()


def test_pieces_that_can_never_move_stay_and_do_not_wrap_to_the_next_file():
    for sfen in ("P7k/9/4P4/9/9/4P4/9/9/8K b P 1", "4k4/9/9/9/9/9/9/9/p3K3p w - 1", "N3k3L/1N7/9/9/9/9/9/9/4K4 b - 1"):
        assert_equal_to_the_plain_rules(sfen)


def test_two_pawns_on_a_file_both_move_and_forbid_a_third():
    sfen = "8k/9/4P4/9/9/4P4/9/9/8K b P 1"
    assert {"5c5b", "5c5b+", "5f5e"} <= legal_moves(sfen)
    assert not [move for move in drops(sfen, "P") if move.startswith("P*5")]
