"""Mate as a question about one position: is there an evasion, is there a mate in one."""

import pytest
from kernel_calls import (
    checking_moves,
    evading_moves,
    few_or_many,
    game_sfens,
    mate_problem_sfens,
    mating_move,
    playout,
    problem_rows,
    record_of,
)

from hisshi.core.kernel.mate import has_evasion, is_mated
from hisshi.core.position import Position
from hisshi.core.reference import ReferenceBoard


def mates_by_trying(position: Position) -> set[str]:
    return {move for move in checking_moves(position) if not position.play(move).legal_moves()}


def assert_mate_in_one_is_complete(position: Position) -> bool:
    expected = mates_by_trying(position)
    found = mating_move(position.sfen)
    assert (found in expected) if expected else (found is None), (position.sfen, found, expected)
    return bool(expected)


def assert_evasions(sfen: str, expected: bool) -> None:
    assert bool(has_evasion(record_of(sfen))) is expected
    assert bool(evading_moves(sfen)) is expected
    assert ReferenceBoard.from_sfen(sfen).has_legal_move() is expected
    assert bool(is_mated(record_of(sfen))) is not expected


@pytest.mark.parametrize(
    ("sfen", "expected", "why"),
    [
        ("k8/P8/1G7/9/9/9/9/9/9 w - 1", True, "the king steps to 8a"),
        ("kn7/P8/1G7/9/9/9/9/9/9 w - 1", False, "the knight cannot take"),
        ("kg7/P8/1G7/9/9/9/9/9/9 w - 1", True, "a gold takes the checker"),
        ("kg6R/P8/1G7/9/9/9/9/9/9 w - 1", False, "the gold is pinned"),
        ("k7R/9/K8/9/9/9/9/9/9 w - 1", False, "no piece to put between"),
        ("k7R/9/K8/9/9/9/9/9/9 w p 1", True, "a pawn is put between"),
        ("k7R/9/K8/9/9/9/9/9/9 w n 1", True, "even a knight"),
        ("k7R/8p/K8/9/9/9/9/9/9 w - 1", False, "the pawn walks the other way"),
        ("k7R/7s1/K8/9/9/9/9/9/9 w - 1", True, "a silver takes or steps between"),
        ("9/9/9/9/9/9/k8/9/K7r b P 1", True, "black puts a pawn between on his first rank"),
        ("k7R/P8/1G7/9/9/9/9/9/9 w rbgsnlp 1", False, "double check: nothing put between helps"),
    ],
)
def test_whether_a_side_in_check_has_an_evasion(sfen, expected, why):
    assert_evasions(sfen, expected)


def test_a_pawn_put_between_needs_a_file_without_one():
    every_file = "k7R/9/KppppppppP/9/9/9/9/9/9".replace("KppppppppP", "Kpppppppp")
    assert_evasions(f"{every_file} w p 1", False)
    assert_evasions(f"{every_file} w l 1", True)


def test_no_legal_move_without_a_check_is_no_mate_but_a_loss():
    sfen = "k8/9/1GN6/9/9/9/9/9/9 w - 1"
    position = Position.from_sfen(sfen)
    assert position.legal_moves() == []
    assert not is_mated(record_of(sfen))
    assert not position.is_mate()
    assert not ReferenceBoard.from_sfen(sfen).has_legal_move()


def test_a_side_without_a_king_is_never_mated():
    assert not is_mated(record_of("9/9/9/9/9/9/9/9/4K4 w - 1"))


def test_has_evasion_agrees_with_the_generator_on_checks_of_games_and_problems():
    asked = 0
    for sfen in game_sfens(few_or_many(3, 80), seed=30) + mate_problem_sfens(few_or_many(3, 80), seed=30):
        position = Position.from_sfen(sfen)
        for check in checking_moves(position)[: few_or_many(4, 40)]:
            after = position.play(check)
            asked += 1
            assert bool(has_evasion(after.record)) == bool(after.legal_moves()), after.sfen
            assert bool(is_mated(after.record)) == after.is_mate(), after.sfen
    assert asked > few_or_many(4, 400)


@pytest.mark.parametrize(
    ("sfen", "expected"),
    [
        ("kn7/9/1G7/9/9/9/9/9/9 b P 1", None),  # only a pawn drop would mate
        ("kn7/9/1G7/9/9/9/9/9/9 b L 1", "L*9b"),
        ("kn7/9/PG7/9/9/9/9/9/9 b - 1", "8c9b"),
        ("9/9/9/9/9/9/9/9/4K4 b G 1", None),  # no king to mate
        ("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b"),
        ("4K4/9/9/9/9/4p4/9/9/4k4 w g 1", None),
        ("4K4/9/9/9/9/9/4p4/9/4k4 b G 1", None),
    ],
)
def test_a_mate_in_one_and_none(sfen, expected):
    assert mating_move(sfen) == expected
    assert Position.from_sfen(sfen).mate_in_one() == expected


def test_a_side_in_check_may_mate_by_its_evasion():
    sfen = "4k4/9/4P4/9/9/4r4/9/9/4K3R b - 1"
    assert_mate_in_one_is_complete(Position.from_sfen(sfen))


@pytest.mark.parametrize("seed", range(3))
def test_mate_in_one_is_complete_on_problems_and_what_follows_their_checks(seed):
    mates = 0
    for number, sfen in enumerate(mate_problem_sfens(few_or_many(2, 60), seed=40 + seed)):
        for position in playout(number, few_or_many(4, 8), sfen, prefer_checks=True):
            mates += assert_mate_in_one_is_complete(position)
    assert mates >= few_or_many(0, 20)


def test_mate_in_one_is_complete_on_games():
    for sfen in game_sfens(few_or_many(5, 300), seed=50):
        assert_mate_in_one_is_complete(Position.from_sfen(sfen))


def test_mate_in_one_is_complete_one_move_before_every_sample_ends():
    """The last attacker move of each listed line mates, and the kernel finds a mating move there."""
    ends = 0
    for row in problem_rows("tsume-classic.tsv")[: few_or_many(5, 127)]:
        line = row.get("line", "").split()
        if len(line) % 2 == 0:
            continue
        position = Position.from_sfen(row["sfen"]).play_all(line[:-1])
        ends += assert_mate_in_one_is_complete(position)
    assert ends > few_or_many(2, 80)
