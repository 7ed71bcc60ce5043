"""SFEN and USI positions: what is read, what is refused, and that the refusal says where."""

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hisshi.core.errors import InvalidPositionError
from hisshi.core.kernel.pieces import (
    BLACK,
    GOLD,
    HORSE,
    KING,
    LANCE,
    NO_SQUARE,
    PAWN,
    ROOK,
    SILVER,
    WHITE,
    piece_of,
    square_from_name,
)
from hisshi.core.movement import is_attacked
from hisshi.core.sfen import (
    LOOSE_LIMIT,
    START_SFEN,
    Placement,
    check_placement,
    format_sfen,
    is_usi_move,
    parse_sfen,
    parse_usi_position,
)

REST = "/9/9/9/9/9/9/9/9 b - 1"  # eight empty ranks
KING_ALONE = "4k4" + REST


def refusal(text: str, strict: bool = True) -> str:
    with pytest.raises(InvalidPositionError) as caught:
        parse_sfen(text, strict)
    return str(caught.value)


# What is read.


def test_the_start_position_has_its_pieces_where_they_belong():
    placement = parse_sfen(START_SFEN)
    at = {name: placement.board[square_from_name(name)] for name in ("5i", "5a", "2h", "8b", "7g", "1a", "5e")}
    assert at == {
        "5i": piece_of(BLACK, KING),
        "5a": piece_of(WHITE, KING),
        "2h": piece_of(BLACK, ROOK),
        "8b": piece_of(WHITE, ROOK),
        "7g": piece_of(BLACK, PAWN),
        "1a": piece_of(WHITE, LANCE),
        "5e": 0,
    }
    assert placement.side == BLACK
    assert placement.move_number == 1


def test_a_plus_promotes_the_next_piece():
    assert parse_sfen("+B3k4" + REST).board[square_from_name("9a")] == HORSE


def test_hands_are_counted_by_colour_and_kind():
    placement = parse_sfen("4k4/9/9/9/9/9/9/9/9 w G2Sr17p 30")
    assert placement.hands[BLACK][GOLD] == 1
    assert placement.hands[BLACK][SILVER] == 2
    assert placement.hands[WHITE][PAWN] == 17
    assert placement.side == WHITE
    assert placement.move_number == 30


def test_hands_may_come_in_any_order_and_are_written_in_one():
    text = "4k4/9/9/9/9/9/9/9/9 b 3pPbSR 1"
    assert format_sfen(parse_sfen(text)).split()[2] == "RSPb3p"


def test_a_count_of_one_may_be_written_out():
    assert parse_sfen("4k4/9/9/9/9/9/9/9/9 b 1P1b 1") == parse_sfen("4k4/9/9/9/9/9/9/9/9 b Pb 1")


def test_a_missing_move_number_is_one():
    assert parse_sfen("4k4/9/9/9/9/9/9/9/9 b -").move_number == 1


def test_blanks_round_and_between_the_fields_do_not_matter():
    assert parse_sfen("  4k4/9/9/9/9/9/9/9/9  b\t-  1\r\n") == parse_sfen(KING_ALONE)


def test_digits_in_a_row_add_up():
    assert parse_sfen("4k22" + REST) == parse_sfen(KING_ALONE)


def test_one_king_or_none_is_a_position():
    assert parse_sfen(KING_ALONE).king_square(BLACK) == NO_SQUARE
    assert parse_sfen("4B4" + REST).king_square(WHITE) == NO_SQUARE


def test_fewer_pieces_than_a_set_are_a_position():
    assert sum(parse_sfen("4k4/9/4P4/9/9/9/9/9/9 b G 1").hands[BLACK]) == 1


def test_a_side_to_move_that_is_in_check_is_a_position():
    assert parse_sfen("4k4/4G4/9/9/9/9/9/9/9 w - 1").side == WHITE


# What is refused, and how.


@pytest.mark.parametrize(
    ("rank", "words"),
    [
        ("4k41", "rank 1 has 10 squares, expected 9"),
        ("4k3", "rank 1 has 8 squares, expected 9"),
        ("k", "rank 1 has 1 square, expected 9"),
        ("", "rank 1 has 0 squares, expected 9"),
        ("4k3x", "rank 1 has 'x', expected pieces PLNSBRGK"),
        ("4k30", "rank 1 has '0', expected pieces"),
        ("4k4.", "rank 1 has '.', expected pieces"),
        ("4k3+", "rank 1 ends with '+', expected a piece after it"),
        ("4+k4", "rank 1 has '+k', but only P, L, N, S, B and R promote"),
        ("4k3+G", "rank 1 has '+G', but only P, L, N, S, B and R promote"),
        ("4k2+1P", "rank 1 has '+1', but only P, L, N, S, B and R promote"),
        ("4k2++P", "rank 1 has '++', but only P, L, N, S, B and R promote"),
    ],
)
def test_a_bad_rank_is_named_with_what_was_found_and_expected(rank, words):
    assert words in refusal(rank + REST)


def test_the_rank_is_counted_from_the_top():
    assert "rank 7 has 8 squares" in refusal("4k4/9/9/9/9/9/8/9/9 b - 1")


@pytest.mark.parametrize(
    ("board", "count"), [("9/9/9/9/9/9/9/9", "8 ranks"), ("9/" * 9 + "9", "10 ranks"), ("9", "1 rank")]
)
def test_a_board_has_nine_ranks(board, count):
    assert f"board has {count}, expected 9" in refusal(f"{board} b - 1")


@pytest.mark.parametrize("side", ["B", "x", "bw", "black"])
def test_the_side_is_b_or_w(side):
    assert f"side to move is '{side}', expected b or w" in refusal(f"4k4/9/9/9/9/9/9/9/9 {side} - 1")


@pytest.mark.parametrize(
    ("hands", "words"),
    [
        ("0p", "hands have '0p', expected a count from 1 to 99"),
        ("01p", "hands have '01p', expected a count from 1 to 99"),
        ("100p", "hands have '100p', expected a count from 1 to 99"),
        ("pp", "hands name 'p' twice"),
        ("2pb3p", "hands name 'p' twice"),
        ("2", "hands have '2' at the end"),
        ("x", "hands have 'x'"),
        ("+P", "hands have '+'"),
        ("-P", "hands have '-'"),
        ("K", "hands have a king ('K')"),
        ("2k", "hands have a king ('k')"),
    ],
)
def test_bad_hands_are_named(hands, words):
    assert words in refusal(f"4k4/9/9/9/9/9/9/9/9 b {hands} 1")


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "one", "100000", pytest.param("9" * 60, id="endless")])
def test_a_move_number_is_a_whole_number_from_1(number):
    assert "move number is" in refusal(f"4k4/9/9/9/9/9/9/9/9 b - {number}")


@pytest.mark.parametrize("text", ["", "   ", "4k4/9/9/9/9/9/9/9/9", "4k4/9/9/9/9/9/9/9/9 b", KING_ALONE + " moves"])
def test_an_sfen_has_three_or_four_fields(text):
    assert "fields, expected board, side, hands and move number" in refusal(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("4k4/9/9/9/9/9/9/9/9 b 19P 1", "19 pawns on the board and in hand, a set holds 18"),
        ("4k4/9/9/9/9/9/9/9/9 b 18Pp 1", "19 pawns"),
        ("4k4/4+p4/9/9/9/9/9/9/9 b 18P 1", "19 pawns"),
        ("4k4/9/9/9/9/9/2+R6/9/R8 b r 1", "3 rooks on the board and in hand, a set holds 2"),
        ("4k4/9/9/9/9/9/9/9/9 b 3G2g 1", "5 golds on the board and in hand, a set holds 4"),
    ],
)
def test_more_pieces_than_a_set_holds_are_refused(text, words):
    assert words in refusal(text)


def test_two_kings_of_a_colour_are_refused_even_if_not_strict():
    for strict in (True, False):
        assert "white has 2 kings, expected at most 1" in refusal("k7k" + REST, strict)


def test_doubled_pawns_are_refused():
    assert "file 5 has two unpromoted pawns of black" in refusal("k8/9/4P4/9/9/4P4/9/9/9 b - 1")


def test_a_promoted_pawn_or_one_of_the_other_side_doubles_nothing():
    parse_sfen("k8/9/4+P4/9/4p4/4P4/9/9/9 b - 1")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("P7k/9/9/9/9/9/9/9/9 w - 1", "rank 1: black's pawn on 9a can never move"),
        ("L7k/9/9/9/9/9/9/9/9 w - 1", "rank 1: black's lance on 9a can never move"),
        ("8k/N8/9/9/9/9/9/9/9 w - 1", "rank 2: black's knight on 9b can never move"),
        ("8k/9/9/9/9/9/9/n8/9 w - 1", "rank 8: white's knight on 9h can never move"),
        ("8k/9/9/9/9/9/9/9/p8 w - 1", "rank 9: white's pawn on 9i can never move"),
    ],
)
def test_pieces_that_can_never_move_are_refused(text, words):
    assert words in refusal(text)
    parse_sfen(text, strict=False)


@pytest.mark.parametrize(
    "text",
    [
        "4k4/4P4/9/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/9/9/9/9/4R4 b - 1",
        "4k4/9/3N5/9/9/9/9/9/9 b - 1",
        "4k4/9/9/9/B8/9/9/9/9 b - 1",
    ],
)
def test_a_king_that_could_be_taken_is_refused_even_if_not_strict(text):
    for strict in (True, False):
        assert "white's king on 5a is in check, but it is black's turn" in refusal(text, strict)


def test_a_piece_between_shields_the_king():
    parse_sfen("4k4/4p4/9/9/9/9/9/9/4R4 b - 1")


def test_loose_reading_keeps_doubled_pawns_and_too_many_pieces_up_to_a_limit():
    loose = parse_sfen(f"k8/9/4P4/9/9/4P4/9/9/9 b {LOOSE_LIMIT - 2}p 1", strict=False)
    assert format_sfen(loose).split()[2] == f"{LOOSE_LIMIT - 2}p"
    words = refusal(f"k8/9/4P4/9/9/4P4/9/9/9 b {LOOSE_LIMIT - 1}p 1", strict=False)
    assert f"{LOOSE_LIMIT + 1} pawns on the board and in hand, the limit is {LOOSE_LIMIT}" in words


def test_unicode_digits_are_no_digits():
    assert "expected plain ASCII text" in refusal("\u0664k4" + REST)
    assert "expected plain ASCII text" in refusal("4k4/9/9/9/9/9/9/9/9 b - \uff11")
    assert "expected plain ASCII text" in refusal("4k4/9/9/9/9/9/9/9/9 b \u00b2p 1")


@pytest.mark.parametrize(
    "text",
    ["9/" * 1_000_000, "\0" * 1_000_000, "4k4/9 b " + "9" * 1_000_000, "é" * 5000],
    ids=["ranks", "binary", "digits", "accents"],
)
def test_endless_or_binary_text_is_refused_quickly_and_briefly(text):
    begin = time.perf_counter()
    for read in (parse_sfen, parse_usi_position):
        with pytest.raises(InvalidPositionError) as caught:
            read(text)
        message = str(caught.value)
        assert len(message) < 250
        assert message.isprintable()
    assert time.perf_counter() - begin < 1


def test_a_placement_from_elsewhere_is_held_to_the_same_rules():
    board = [0] * 81
    board[0] = board[80] = piece_of(WHITE, KING)
    none = (0,) * 8
    with pytest.raises(InvalidPositionError, match=r"record 3: white has 2 kings"):
        check_placement(Placement(tuple(board), (none, none), BLACK), where="record 3")


# USI positions.


@pytest.mark.parametrize(
    "text",
    [
        "startpos",
        "position startpos",
        START_SFEN,
        f"sfen {START_SFEN}",
        f"position sfen {START_SFEN}",
        f"  position   {START_SFEN}\n",
        "position startpos moves",
    ],
)
def test_every_form_of_a_usi_position_is_read(text):
    assert parse_usi_position(text) == (parse_sfen(START_SFEN), [])


def test_the_moves_of_a_usi_position_come_as_a_list():
    assert parse_usi_position("position startpos moves 7g7f 3c3d 8h2b+")[1] == ["7g7f", "3c3d", "8h2b+"]
    assert parse_usi_position(f"{KING_ALONE} moves P*5e")[1] == ["P*5e"]
    assert parse_usi_position("sfen 4k4/9/9/9/9/9/9/9/9 b - moves 1a1b")[1] == ["1a1b"]


@pytest.mark.parametrize("move", ["7g7j", "0g7f", "7g7f++", "K*5e", "p*5e", "P*5e+", "7g", "resign", "+", "\uff17g7f"])
def test_a_word_that_is_no_usi_move_is_named_with_its_number(move):
    assert not is_usi_move(move)
    if move.isascii():
        with pytest.raises(InvalidPositionError) as caught:
            parse_usi_position(f"startpos moves 7g7f {move}")
        assert f"move 2 is '{move}', expected a USI move such as 7g7f" in str(caught.value)


@pytest.mark.parametrize("text", ["", "position", "position startpos 7g7f", "moves 7g7f", "position sfen", "start"])
def test_an_incomplete_usi_position_is_refused(text):
    with pytest.raises(InvalidPositionError):
        parse_usi_position(text)


def test_a_bad_sfen_inside_a_usi_position_is_named_like_any_other():
    with pytest.raises(InvalidPositionError, match=r"^sfen 4k41/9/.*: rank 1 has 10 squares, expected 9$"):
        parse_usi_position("position sfen 4k41/9/9/9/9/9/9/9/9 b - 1 moves 7g7f")


# Any text at all.

SFENS = [
    START_SFEN,
    KING_ALONE,
    "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
    "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1",
]
NEAR_SFEN = st.text(alphabet="PLNSBRGKplnsbrgk+-/ 0123456789bwx", max_size=120)


@st.composite
def damaged_sfens(draw):
    text = draw(st.sampled_from(SFENS))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 3))
        text = text[:at] + draw(st.one_of(NEAR_SFEN.map(lambda t: t[:3]), st.text(max_size=2))) + text[at + cut :]
    return text


@settings(max_examples=2000, deadline=None)
@given(text=st.one_of(st.text(max_size=200), NEAR_SFEN, damaged_sfens()), strict=st.booleans())
@example(text="position sfen", strict=True)
def test_no_text_raises_anything_but_a_refusal(text, strict):
    for read in (parse_sfen, parse_usi_position):
        message = ""
        try:
            read(text, strict)
        except InvalidPositionError as refused:
            message = str(refused)
        assert len(message) < 300
        assert message.isprintable()


@st.composite
def placements(draw):
    """Sparse boards of any pieces with any hands: anything that loose reading accepts."""
    board = [0] * 81
    pieces = [piece_of(colour, kind) for colour in (BLACK, WHITE) for kind in range(1, 15) if kind != KING]
    for square, piece in draw(st.dictionaries(st.integers(0, 80), st.sampled_from(pieces), max_size=30)).items():
        board[square] = piece
    for colour in (BLACK, WHITE):
        if draw(st.booleans()):
            board[draw(st.integers(0, 80))] = piece_of(colour, KING)
    hand = st.tuples(st.just(0), *[st.integers(0, 5)] * 7)
    return Placement(
        tuple(board), (draw(hand), draw(hand)), draw(st.sampled_from((BLACK, WHITE))), draw(st.integers(1, 999))
    )


@settings(max_examples=500, deadline=None)
@given(placement=placements())
def test_what_is_written_is_read_back_the_same(placement):
    waiting = 1 - placement.side
    king = placement.king_square(waiting)
    if king != NO_SQUARE and is_attacked(placement.board, king, placement.side):
        assert "is in check" in refusal(format_sfen(placement), strict=False)
    else:
        assert parse_sfen(format_sfen(placement), strict=False) == placement


@pytest.mark.parametrize("text", SFENS)
def test_canonical_text_is_written_back_letter_for_letter(text):
    fields = text.split()
    written = format_sfen(parse_sfen(text)).split()
    assert written[0] == fields[0]
    assert sorted(written[2]) == sorted(fields[2])
    assert format_sfen(parse_sfen(" ".join(written))).split() == written
