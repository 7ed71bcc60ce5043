"""Play search: its values are plain minimax's, its stop rule is asked at each node, and mates are kept in mind."""

from functools import cache

import numpy as np
import pytest
from kernel_calls import problem_rows

from hisshi.core import Position, Registry
from hisshi.core.kernel.control import NODE_LIMIT
from hisshi.core.kernel.minimax import minimax
from hisshi.core.kernel.play_search import (
    ALLOWING,
    ALLOWING_ARRAY,
    COUNTS_ARRAY,
    DEEPEST,
    EARLY,
    FIRST_NODES,
    LINE_LENGTH,
    LINES_ARRAY,
    ROOT_NODES,
    SAVED,
    THREATENED,
    THREATMATES,
    THREATS_ARRAY,
    from_node,
    from_root,
)
from hisshi.core.kernel.repetition import value_of_repetition
from hisshi.core.kernel.stack import KEYS_ARRAY, MOVES_ARRAY, STACK, STACK_ARRAY
from hisshi.core.kernel.values import HISSHI_VALUE, INFINITE, MATE, NO_VALUE
from hisshi.core.position import move_to_usi

compiled = pytest.mark.compiled  # ten thousands of nodes

ALL = {"width": "0", "width_0": "1000"}
HANGING = "4k4/9/9/4r4/9/4R4/9/9/4K4 b - 1"  # the rook is there to be taken, and black's too
MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
MATED = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"
BELLY_SILVER = "5+B1nl/7k1/6pp1/8p/9/9/9/7K1/9 b SP 1"


@cache
def composed(run, settings):
    made = Registry.load().compose(run, dict(settings))
    made.warm()
    return made


def searched(sfen, run="classical", nodes=0, **settings):
    """Return the run after it has searched `sfen`."""
    made = composed(run, tuple((name.replace("__", "."), str(value)) for name, value in sorted(settings.items())))
    made.clear()
    made.control[NODE_LIMIT] = nodes
    made.search(Position.from_sfen(sfen, strict=False).copy_record())
    return made


def answer(run):
    context = run.root.context
    return move_to_usi(context.answer_move) if context.answer_move else None, int(context.answer_score)


def count(run, place):
    return int(run.root.arrays[COUNTS_ARRAY][place])


def line(run):
    return [move_to_usi(move) for move in run.root.arrays[LINES_ARRAY][: count(run, LINE_LENGTH)]]


def listed(run, array, place):
    return [move_to_usi(move) for move in run.root.arrays[array][: count(run, place)]]


def truth(run, sfen, plies):
    run.clear()
    moves = np.zeros(20_000, np.int32)
    record = Position.from_sfen(sfen, strict=False).copy_record()
    return int(minimax(run.root.context, record, moves, np.int64(0), np.int64(0), np.int64(plies)))


def test_classical_search_and_abc_differ_in_the_stop_rule_alone():
    classical, abc = (Registry.load().find(run).parts for run in ("classical", "abc"))
    assert {part for part in classical if classical[part] != abc[part]} == {"stop"} and classical.keys() == abc.keys()
    assert (classical["stop"].use, abc["stop"].use) == ("depth", "conspiracy")


def test_a_hanging_rook_is_taken():
    run = searched(HANGING, stop__max_plies=1)
    assert answer(run) == ("5f5d", 1270 + 1040) and line(run) == ["5f5d"]


def test_a_mate_is_worth_more_the_nearer_it_is():
    assert answer(searched(MATE_IN_ONE, stop__max_plies=1)) == ("G*5b", MATE - 1)
    assert answer(searched(MATED, stop__max_plies=1)) == (None, -MATE)


@compiled
def test_a_mate_that_quiescence_search_sees_is_counted_from_the_root():
    # Among the moves is a mate, which ends the search; others, such as 3d3c+, are met by a capture that mates.
    sfen = "7n1/7ll/+R2gppn2/1p3kPbp/2p3p2/1P1GBPG2/Ls1KPNS1+s/2P2G1P1/1N+r5L b SP5p 1"
    run = searched(sfen, stop__max_plies=1, **ALL)
    root = run.root.arrays[STACK_ARRAY][0]
    keys = run.root.arrays[KEYS_ARRAY][root.first : root.end]
    assert keys[0] == MATE - 1 and keys[-1] == 2 - MATE


@pytest.mark.parametrize("value", [0, 1000, -1000, HISSHI_VALUE, -HISSHI_VALUE, INFINITE, -INFINITE])
def test_only_mates_count_plies(value):
    assert from_node(value, 7) == value and (abs(value) == INFINITE or from_root(value, 7) == value)


@pytest.mark.parametrize("value", [MATE - 1, 2 - MATE, -MATE])
def test_a_mate_further_from_the_root_is_worth_less(value):
    assert abs(from_root(value, 7)) == abs(value) - 7 and from_node(from_root(value, 7), 7) == value


@pytest.mark.parametrize("nodes", [50, 70, 90])
def test_a_mate_seen_before_the_limit_is_a_mate_in_one(nodes):
    assert answer(searched(MATE_IN_ONE, nodes=nodes)) == ("G*5b", MATE - 1)


@compiled
@pytest.mark.parametrize("window", ["node", "full"])
@pytest.mark.parametrize("early", [True, False])
def test_without_pruning_values_are_those_of_plain_minimax(window, early):
    rows = problem_rows("hisshi-two-kings.tsv")[::9] + problem_rows("game-positions.tsv")[::60]
    for row in rows:
        for plies in (1, 2):
            run = searched(row["sfen"], stop__max_plies=plies, window=window, early_cut=early, **ALL)
            assert answer(run)[1] == truth(run, row["sfen"], plies), (row["sfen"], plies)


@compiled
def test_three_plies_deep_values_are_those_of_plain_minimax():
    for sfen in (HANGING, MATE_IN_ONE, "4k4/2G1g4/9/9/9/9/9/9/4K4 b - 1", "8k/6+P2/9/9/9/9/9/2+r6/K8 w P 1"):
        run = searched(sfen, stop__max_plies=3, **ALL)
        assert answer(run)[1] == truth(run, sfen, 3), sfen


@compiled
def test_values_of_root_moves_are_exact_down_to_the_margin():
    sfen, margin = problem_rows("game-positions.tsv")[5]["sfen"], 300
    run = searched(sfen, stop__max_plies=2, root_margin=margin, window="full", **ALL)
    best, root = answer(run)[1], run.root.arrays[STACK_ARRAY][0]
    exact = 0
    for move, key in zip(kept_moves(run), run.root.arrays[KEYS_ARRAY][root.first : root.end], strict=True):
        after = Position.from_sfen(sfen).play(move).sfen
        run_after = composed("classical", (("stop.max_plies", "1"), ("width", "0"), ("width_0", "1000")))
        value = -truth(run_after, after, 1)
        assert key == value if key > best - margin else key == best - margin >= value
        exact += key > best - margin
    assert exact > 1


@compiled
def test_an_early_cut_saves_nodes_and_changes_nothing():
    sfen = problem_rows("game-positions.tsv")[40]["sfen"]
    short = searched(sfen, stop__max_plies=3, window="full")
    assert count(short, EARLY) > 0
    long = searched(sfen, stop__max_plies=3, window="full", early_cut=False)
    assert answer(long) == answer(short) and long.nodes > short.nodes


@compiled
def test_the_table_of_keys_saves_nodes_and_changes_nothing():
    sfen = problem_rows("game-positions.tsv")[40]["sfen"]
    with_table = searched(sfen, stop__max_plies=3)
    assert count(with_table, SAVED) > 0
    without = searched(sfen, stop__max_plies=3, key_table=False)
    assert answer(without) == answer(with_table) and without.nodes > with_table.nodes


def kept_moves(run):
    root = run.root.arrays[STACK_ARRAY][0]
    return [move_to_usi(move) for move in run.root.arrays[MOVES_ARRAY][root.first : root.end]]


@pytest.mark.parametrize(("width", "extra"), [(1, 0), (2, 2), (3, 1)])
def test_moves_beyond_the_width_stay_if_they_take_or_check(width, extra):
    sfen = "4k4/4p4/9/4r2p1/9/4R2L1/9/9/4K4 b - 1"
    position = Position.from_sfen(sfen)
    best_first = kept_moves(searched(sfen, stop__max_plies=1, **ALL))
    loud = [move for move in best_first[width:] if move in ("5f5d", "2f2d") or position.play(move).is_check()]
    run = searched(sfen, stop__max_plies=1, width=width, width_0=0, extra=extra)
    assert sorted(kept_moves(run)) == sorted(best_first[:width] + loud[:extra])


@pytest.mark.parametrize(
    ("in_check", "value"),
    [
        ((0, 0, 0, 0, 0), 0),
        ((0, 0, 1, 0, 1), MATE - 4),  # the side to move at plies 2 and 4 was checked all the time: the other loses
        ((0, 1, 0, 1, 0), 4 - MATE),  # it was the side to move that checked
        ((1, 0, 0, 0, 1), 0),  # not all the time
    ],
)
def test_a_position_that_comes_back_is_a_draw_unless_by_perpetual_check(in_check, value):
    stack = np.zeros(8, STACK).view(np.recarray)
    for ply, key in enumerate((7, 8, 9, 10, 7)):
        stack[ply].board_key, stack[ply].depends = key, in_check[ply]
    assert value_of_repetition(stack, 4) == value
    assert value_of_repetition(stack, 3) == NO_VALUE


@compiled
def test_forced_lines_go_deeper_with_conspiracy_than_with_depth_at_equal_nodes():
    sfens = [row["sfen"] for row in problem_rows("game-positions.tsv")[40::300]]
    classical, abc = (
        [count(searched(sfen, run, nodes=100_000), DEEPEST) for sfen in sfens] for run in ("classical", "abc")
    )
    assert sum(abc) > 2 * sum(classical)


def test_nodes_of_the_first_root_move_are_counted():
    run = searched(HANGING, stop__max_plies=2)
    assert 0 < count(run, FIRST_NODES) < count(run, ROOT_NODES) < run.nodes


@compiled
def test_a_search_that_is_stopped_answers_with_the_best_so_far():
    for nodes in (1, 5, 40, 1000):
        run = searched(BELLY_SILVER, "abc", nodes=nodes)
        move, _ = answer(run)
        assert run.nodes <= nodes and (move is None or move in Position.from_sfen(BELLY_SILVER).legal_moves())
    assert move is not None


def test_there_is_a_move_though_mate_searches_took_all_nodes():
    run = searched(BELLY_SILVER, "abc-mates", nodes=20)
    move, score = answer(run)
    assert move in Position.from_sfen(BELLY_SILVER).legal_moves() and score == -INFINITE


@compiled
def test_a_budget_with_which_no_move_is_searched_is_followed_by_the_next():
    settings = {"stop": "count-budget", "stop.first": 1, "stop.step": 44, "stop.last": 45, "width": 3, "extra": 0}
    run = searched(HANGING, nodes=100_000, **settings)
    assert count(run, ROOT_NODES) > 0
    run = searched(HANGING, **settings | {"stop.last": 1})  # no other follows: the best key
    assert count(run, ROOT_NODES) == 0 and answer(run) == ("5f5d", 1270 + 1040)


@compiled
def test_moves_that_are_to_be_cut_away_do_not_end_a_node_early():
    # With one move left at a node no other backs it, so with a threshold above 3, the root's share at most, none ends.
    settings = {"width": 1, "width_0": 4, "extra": 0, "window": "full", "stop__first": 4, "stop__threshold": 4}
    run = searched("4k4/4p4/9/4r2p1/9/4R2L1/9/9/4K4 b - 1", "abc", nodes=20_000, **settings)
    assert count(run, DEEPEST) > 4 and count(run, EARLY) == 0


@compiled
def test_a_mate_that_the_mate_search_finds_is_played_and_counted():
    run = searched("4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1", "abc-mates", nodes=10_000)
    assert answer(run) == ("G*5b", MATE - 1)


@compiled
def test_a_hisshi_is_played():
    run = searched(BELLY_SILVER, "abc-mates", nodes=200_000)
    assert answer(run)[0] == "S*3b" and line(run) == ["S*3b"]


@compiled
def test_moves_that_allow_a_mate_are_marked_and_not_played():
    sfen = "4k4/9/9/9/9/p8/P3p4/9/4K4 b g 1"  # white threatens G*5h; a pawn that is taken meanwhile is worth nothing
    assert answer(searched(sfen, stop__max_plies=1, **ALL))[0] == "9g9f"
    run = searched(sfen, "abc-mates", nodes=200_000)
    allowing = listed(run, ALLOWING_ARRAY, ALLOWING)
    assert "9g9f" in allowing and answer(run)[0] not in allowing
    assert count(run, THREATENED) == 1


@compiled
def test_a_threatmate_by_pass_may_merely_lose_a_piece():
    # S*1b threatens S*2c or the like if white passes; he does not, but takes it. Told as a threatmate, not played.
    run = searched(BELLY_SILVER, "abc-mates", nodes=400_000, hisshi_nodes=0)
    threats = listed(run, THREATS_ARRAY, THREATMATES)
    assert {"S*1b", "S*3b"} <= set(threats)
    after = Position.from_sfen(BELLY_SILVER).play("S*1b").sfen
    lost = -answer(searched(after, stop__max_plies=1, **ALL))[1]
    kept = answer(searched(BELLY_SILVER, stop__max_plies=2, **ALL))[1]
    assert kept - lost > 1000 and answer(run)[0] != "S*1b"
