"""What the problem miner is made of: changes, retraction, what is needless, and when two problems are alike."""

import random

import pytest

from hisshi.core import Position
from hisshi.core.errors import HisshiError
from hisshi.core.reference import ReferenceBoard
from hisshi.core.sfen import parse_sfen
from hisshi.lab.mining.changes import with_king
from hisshi.lab.mining.composer import played_on, takes_part
from hisshi.lab.mining.likeness import likeness
from hisshi.lab.mining.needless import without_needless
from hisshi.lab.mining.retraction import retracted
from hisshi.lab.mining.sources import Source, choose, read_sources

BELLY_SILVER = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S 1"


def board_of(sfen):
    return " ".join(sfen.split()[:3])


def is_alike(one, other, moves=(), others=()):
    return likeness(one, moves).is_like(likeness(other, others))


def test_a_mirror_image_is_the_same_problem():
    assert is_alike(BELLY_SILVER, "ln1+B5/1k7/1pp6/p8/9/9/9/9/9 b S 1")


def test_a_problem_for_white_is_the_same_problem_turned_round():
    assert is_alike(BELLY_SILVER, "9/9/9/9/9/P8/1PP6/1K7/LN1+b5 w s 1")


def test_a_problem_moved_by_a_file_is_the_same_problem():
    assert is_alike("4k4/9/4P4/9/9/9/9/9/9 b GS 1", "3k5/9/3P5/9/9/9/9/9/9 b GS 1")


def test_the_attackers_king_makes_no_new_problem():
    assert is_alike(BELLY_SILVER, "5+B1nl/7k1/6pp1/8p/9/9/9/9/4K4 b S 1")


def test_one_piece_that_differs_makes_no_new_problem():
    assert is_alike(BELLY_SILVER, "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b SP 1")
    assert is_alike(BELLY_SILVER, "5+B1nl/7k1/6pp1/7p1/9/9/9/9/9 b S 1")


def test_two_pieces_that_differ_make_a_new_problem_if_the_solution_is_another():
    other = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b SGN 1"
    assert not is_alike(BELLY_SILVER, other, ("S*3b",), ("G*3b",))
    assert is_alike(BELLY_SILVER, other, ("S*3b",), ("S*3b",))
    assert is_alike(BELLY_SILVER, "ln1+B5/1k7/1pp6/p8/9/9/9/9/9 b SGN 1", ("S*3b",), ("S*7b",))  # seen in a mirror


def test_an_unknown_solution_is_not_the_same_solution():
    assert not is_alike(BELLY_SILVER, "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b SGN 1")


def test_needless_pieces_go_and_needed_ones_stay():
    needed = "7k1/9/7s1/5N2+P/9/9/9/9/9 b P 1"
    full = "7k1/9/7s1/5N2+P/9/2p6/9/9/3G5 b PL2r2b3g2s 1"

    def is_same(sfen):
        return needed.split()[2][0] in sfen.split()[2] and all(part in sfen for part in ("7k1/9/7s1/5N2+P/9/",))

    assert without_needless(full, is_same) == needed


def test_an_attackers_king_that_is_not_needed_goes():
    def is_same(sfen):
        return "k" in sfen and "G" in sfen

    assert without_needless("4k4/9/4G4/9/9/9/9/9/4K4 b - 1", is_same) == "4k4/9/4G4/9/9/9/9/9/9 b - 1"


def test_retraction_keeps_the_side_to_move_and_the_number_of_pieces_or_adds_what_was_taken():
    placement, found = parse_sfen(BELLY_SILVER), 0
    for seed in range(200):
        sfen = retracted(placement, random.Random(seed))
        if sfen is None:
            continue
        try:
            before = parse_sfen(sfen)
        except HisshiError:
            continue
        found += 1
        assert before.side == placement.side
        men = sum(piece != 0 for piece in before.board) + sum(map(sum, before.hands))
        assert 8 <= men <= 10
    assert found > 50


def test_some_retraction_leads_back_by_legal_moves():
    target = ReferenceBoard.from_sfen(BELLY_SILVER).key()
    for seed in range(60):
        sfen = retracted(parse_sfen(BELLY_SILVER), random.Random(seed))
        try:
            board = ReferenceBoard.from_sfen(sfen or "")
        except HisshiError:
            continue
        for move in board.legal_moves():
            after = board.after(move)
            if any(after.after(reply).key() == target for reply in after.legal_moves()):
                return
    raise AssertionError("none of 60 leads back")


def test_a_source_two_plies_shorter_is_chosen_most_often():
    sources = [Source("one", "", 1), Source("three", "", 3), Source("game", "", None)]
    chance = random.Random(1)
    chosen = [choose(sources, 3, chance).id for _ in range(300)]
    assert chosen.count("one") > chosen.count("three") > 0 < chosen.count("game")


def test_for_the_shortest_problems_sources_two_plies_longer_are_chosen_most_often():
    sources = [Source("three", "", 3, ("G*3b",)), Source("five", "", 5, ("G*3b",)), Source("game", "", None)]
    chance = random.Random(1)
    chosen = [choose(sources, 1, chance).id for _ in range(300)]
    assert chosen.count("three") > 200


def test_a_source_whose_first_moves_are_not_known_is_not_played_on():
    sources = [Source("three", "", 3), Source("one", "", 1)]
    assert {choose(sources, 1, random.Random(seed)).id for seed in range(50)} == {"one"}


def test_a_source_is_played_on_by_a_first_move_and_a_legal_reply():
    three = "7nl/7k1/6p2/7Pp/9/9/9/9/9 b GS2r2b3g3s3n3l15p 1"
    found = {board_of(played_on(three, ["S*2c"], random.Random(seed))) for seed in range(20)}
    after = ReferenceBoard.from_sfen(three).after("S*2c")
    assert found == {board_of(after.after(reply).sfen()) for reply in after.legal_moves()}


def test_lengths_of_sources_are_those_of_the_goal():
    assert {source.plies for source in read_sources(["hisshi-sample"], "hisshi")} == {1, 3}
    assert {source.plies for source in read_sources(["hisshi-sample"], "mate")} == {None}
    assert {source.plies for source in read_sources(["mate-sample"], "mate")} == {1, 3, 5, 7}
    assert {source.plies for source in read_sources(["mate-sample"], "hisshi")} == {None}


def test_an_attackers_king_far_from_everything_plays_no_part():
    silver = "5+B1nl/7k1/6pp1/8p/9/9/9/9/{} b S{} 1"
    assert not takes_part(Position.from_sfen(silver.format("4K4", "")), "S*3b")
    assert takes_part(Position.from_sfen(silver.format("4K4", "r")), "S*3b")  # R*5h and others are checks
    assert takes_part(Position.from_sfen("5+B1nl/7k1/6pp1/5K2p/9/9/9/9/9 b S 1"), "S*3b")


def test_a_kings_square_is_drawn_for_the_side_to_move():
    for seed in range(20):
        placement = parse_sfen(BELLY_SILVER)
        sfen = with_king(placement, random.Random(seed))
        assert sfen.split()[0].count("K") == 1 and sfen.split()[1] == "b"


def test_a_source_that_cannot_be_read_is_named():
    with pytest.raises(HisshiError, match="no-such-file"):
        read_sources(["no-such-file.tsv"], "hisshi")
