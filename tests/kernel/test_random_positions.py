"""Properties that hold in any position: random games, and sparse boards made up by hypothesis."""

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from kernel_calls import (
    COMPILED,
    capturing_moves,
    checks,
    evading_moves,
    few_or_many,
    generated,
    legal_moves,
    mating_move,
    record_of,
)

from hisshi.core.errors import InvalidPositionError
from hisshi.core.kernel.generation import all_moves
from hisshi.core.kernel.mate import is_mated
from hisshi.core.kernel.moves import do_move, undo_move
from hisshi.core.kernel.pieces import BLACK, EMPTY, GOLD, HAND_KINDS, KING, PAWN, WHITE, piece_of
from hisshi.core.kernel.state import consistency_problem
from hisshi.core.position import Position, move_to_usi
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import START_SFEN, Placement, check_placement, format_sfen, parse_sfen

# No deadline: the first example compiles.
searching = settings(
    deadline=None,
    derandomize=True,
    max_examples=few_or_many(15, 120),
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)
CORNER = [file * 9 + rank for file in range(4) for rank in range(4)]  # crowded, pieces attack, pin and mate each other
KINDS = [kind for kind in range(1, 15) if kind != KING]


@st.composite
def sparse_sfens(draw) -> str:
    """Return the SFEN of 6 to 16 pieces, each king perhaps missing; odd, but as strict=False lets it pass."""
    anywhere, corner = st.integers(0, 80), st.sampled_from(CORNER)
    squares = draw(st.lists(draw(st.sampled_from((anywhere, corner, corner))), min_size=6, max_size=16, unique=True))
    board = [EMPTY] * 81
    kings = draw(st.sampled_from([(BLACK, WHITE), (WHITE,), (BLACK,), (BLACK, WHITE), ()]))
    for colour in kings:
        board[squares.pop()] = piece_of(colour, KING)
    for square in squares:
        board[square] = piece_of(draw(st.sampled_from((BLACK, WHITE))), draw(st.sampled_from(KINDS)))
    counts = st.lists(st.integers(0, 2), min_size=GOLD, max_size=GOLD).map(lambda hand: (0, *hand))
    hands = draw(counts), draw(counts)
    placement = Placement(tuple(board), hands, draw(st.sampled_from((BLACK, WHITE))))
    try:
        check_placement(placement, strict=False, where="")
    except InvalidPositionError:
        assume(False)
    return format_sfen(placement)


@searching
@given(sparse_sfens())
def test_every_generator_gives_what_the_plain_rules_give(sfen):
    board = ReferenceBoard.from_sfen(sfen, strict=False)
    legal = set(board.legal_moves())
    occupied = {move[2:4] for move in legal if board.board[square(move[2:4])] != EMPTY}
    assert legal_moves(sfen) == legal
    assert checks(sfen) == set(board.checks())
    assert capturing_moves(sfen) == {move for move in legal if move[1] != "*" and move[2:4] in occupied}
    assert bool(is_mated(record_of(sfen))) == board.is_mated()
    assert Position.from_sfen(sfen, strict=False).is_check() == board.in_check()
    if board.in_check():
        assert evading_moves(sfen) == legal


def square(name: str) -> int:
    return (int(name[0]) - 1) * 9 + "abcdefghi".index(name[1])


@searching
@given(sparse_sfens())
def test_mate_in_one_is_complete(sfen):
    board = ReferenceBoard.from_sfen(sfen, strict=False)
    mates = {move for move in board.checks() if board.after(move).is_mated()}
    found = mating_move(sfen)
    assert found in mates if mates else found is None


@searching
@given(sparse_sfens(), st.data())
def test_any_move_keeps_the_record_in_step_and_is_undone_to_the_byte(sfen, data):
    record = record_of(sfen)
    assert consistency_problem(record) == ""
    moves = generated(all_moves, record, False)
    assume(moves)
    move = data.draw(st.sampled_from(moves))
    before = record.tobytes()
    captured = do_move(record, move)
    assert consistency_problem(record) == ""
    assert Position(record, 2).sfen == ReferenceBoard.from_sfen(sfen, strict=False).after(move_to_usi(move)).sfen()
    undo_move(record, move, captured)
    assert record.tobytes() == before


@searching
@given(sparse_sfens())
def test_a_position_is_read_back_from_its_own_sfen(sfen):
    position = Position.from_sfen(sfen, strict=False)
    assert position.sfen == sfen
    assert Position.from_sfen(position.sfen, strict=False) == position
    assert format_sfen(parse_sfen(sfen, strict=False)) == sfen


@settings(searching, max_examples=few_or_many(3, 12))
@given(st.integers(0, 2**32 - 1))
def test_a_random_game_is_undone_to_the_byte_and_every_sfen_is_read_back(seed):
    chance = np.random.default_rng(seed)
    record = record_of(START_SFEN)
    made = []
    for ply in range(few_or_many(20, 120)):
        moves = generated(all_moves, record, False)
        if not moves:
            break
        sfen = Position(record, ply + 1).sfen
        assert Position.from_sfen(sfen).record.tobytes() == record.tobytes()
        move = moves[chance.integers(len(moves))]
        made.append((record.tobytes(), move, do_move(record, move)))
    for before, move, captured in reversed(made):
        undo_move(record, move, captured)
        assert record.tobytes() == before


def test_hypothesis_makes_checks_pins_and_missing_kings():
    """The strategy is worth something: what the rules are about does occur."""
    seen = {"check": 0, "no king": 0, "mate": 0, "dead piece": 0}

    @settings(searching, max_examples=few_or_many(20, 200), database=None)
    @given(sparse_sfens())
    def look(sfen):
        position = Position.from_sfen(sfen, strict=False)
        seen["check"] += position.is_check()
        seen["no king"] += not position.has_king(position.side)
        seen["mate"] += mating_move(sfen) is not None
        seen["dead piece"] += any(position.record.board[file * 9] == piece_of(BLACK, PAWN) for file in range(9))

    look()
    assert seen["check"] > 0
    assert seen["no king"] > 0
    if COMPILED:
        assert min(seen.values()) > 0, seen
    assert HAND_KINDS == GOLD + 1
