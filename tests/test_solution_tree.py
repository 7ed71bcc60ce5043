"""The solution tree: the longest defences and no shorter variation, in two stages; limits that are owned up to."""

import json
from functools import cache

import pytest
from kernel_calls import problem_rows

from hisshi.core import Position, Registry, solution_tree, solve
from hisshi.core.kernel.control import CONTROL_SIZE, STOP
from hisshi.core.shortest import Length
from hisshi.core.solution import Builder, Unanswered
from hisshi.core.solution_tree import TREE_DEPTH, _Maker

compiled = pytest.mark.compiled  # ten thousands of nodes

MATE_IN_ONE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"
TWO_DEFENCES = "9/P1l+R5/pk7/N1P6/1S7/2p6/1R7/9/9 b 2P2b4g3s3n3l12p 1"
# df-pn claims 7 plies, which is right, and takes for one of the longest a reply that is mated in 5.
SHORTER_VARIATION = "2B1n1R2/7Gp/9/6rk1/4sNl2/9/2+p2Ns2/5+B3/1s1P3s1 b 3gn3l15p 1"
CLAIMED_TOO_LONG = "4+LgB2/3+P1+R3/4+blRg1/8k/5p1p1/7+p1/9/9/9 b 2G4s4n2l14p 1"  # 7 plies, df-pn claims 9
HISSHI_1 = "5+B1nl/7k1/6pp1/8p/9/9/9/9/9 b S2rb4g3s3n3l15p 1"
HISSHI_5 = "2k6/3s1+P3/3p5/p1p3G2/1P1P5/9/9/9/9 b 2Sp 1"


@cache
def composed(name, **settings):
    return Registry.load().compose(name, {"table.megabytes": "4", **settings} if name.startswith("mate") else settings)


def tree_of(sfen, name="mate", **more):
    settings = {"max_plies": more.pop("max_plies")} if "max_plies" in more else {}
    return solve(Position.from_sfen(sfen), composed(name, **settings), want_tree=True, **more)


def lines(node):
    """Return every line of a tree, as tuples of moves."""
    if not node["replies"]:
        return [(node["move"],)]
    return [(node["move"], reply, *line) for reply, child in node["replies"].items() for line in lines(child)]


def defenders(node, position):
    """Yield the defender's positions of a tree, each with its node."""
    after = position.play(node["move"])
    yield after, node
    for reply, child in node["replies"].items():
        yield from defenders(child, after.play(reply))


def exact(position):
    """Return the length of the shortest mate."""
    result = solve(position, composed("mate"))
    assert (result.verdict, result.length_is) == ("proven", "shortest")
    return result.plies


# What is in a tree.


def test_a_mate_with_two_longest_defences_shows_both():
    result = tree_of(TWO_DEFENCES)
    assert (result.plies, len(result.tree["replies"]), result.tree_report["complete"]) == (3, 2, True)
    found = lines(result.tree)
    assert result.moves in found and {len(line) for line in found} == {3}
    after = Position.from_sfen(TWO_DEFENCES).play(result.tree["move"])
    assert all(exact(after.play(reply)) == 1 for reply in after.legal_moves())


def test_a_mate_in_one_is_a_single_node():
    result = tree_of(MATE_IN_ONE)
    assert result.tree == {"move": "G*5b", "replies": {}}
    assert result.tree_report["nodes"] == 1 and result.tree_report["complete"]


def test_no_tree_without_a_solution_or_without_asking():
    result = tree_of("4k4/9/9/9/9/9/9/9/9 b P 1")
    assert (result.verdict, result.tree, result.tree_report) == ("disproven", None, None)
    assert solve(Position.from_sfen(MATE_IN_ONE), composed("mate")).tree is None


@compiled
@pytest.mark.parametrize("name", ["mate", "mate-df-pn", "mate-pn-multi-id", "mate-count-budget"])
def test_where_several_replies_stay_they_are_the_longest_and_equally_long(name):
    several = 0
    for row in problem_rows("mate-sample.tsv"):
        position = Position.from_sfen(row["sfen"])
        result = tree_of(row["sfen"], name)
        assert result.tree_report["complete"], row["id"]
        for after, node in defenders(result.tree, position):
            lengths = {reply: exact(after.play(reply)) for reply in after.legal_moves()}
            assert bool(lengths) == bool(node["replies"]), row["id"]
            if len(node["replies"]) > 1 or (name == "mate" and lengths):
                longest = max(lengths.values())
                wanted = {reply for reply in lengths if lengths[reply] == longest}
                assert set(node["replies"]) == wanted, (row["id"], after.sfen)
                several += len(wanted) > 1
    assert several >= 5


@compiled
def test_a_shortest_line_is_in_its_tree_and_all_lines_are_as_long():
    for row in problem_rows("tsume-derived.tsv")[::9]:
        result = tree_of(row["sfen"], node_limit=100_000)
        if result.verdict == "proven":
            found = lines(result.tree)
            assert result.moves in found and {len(line) for line in found} == {result.plies}, row["id"]


@compiled
def test_hisshi_end_with_the_last_threatmate_and_mates_are_no_resistance():
    run, branches = composed("hisshi-full", max_plies="3"), 0
    for row in problem_rows("hisshi-sample.tsv"):
        position = Position.from_sfen(row["sfen"])
        result = solve(position, run, node_limit=60_000, want_tree=True)
        if result.verdict != "proven":
            continue
        found = lines(result.tree)
        assert result.moves in found and {len(line) for line in found} == {int(row["plies"])}, row["id"]
        assert result.tree["move"] in row["first moves"].split(","), row["id"]
        branches += len(found) > 1
        for after, node in defenders(result.tree, position):
            assert node["replies"] or not after.is_check(), row["id"]
            for reply in after.legal_moves():  # the rule is the strong one: all of them count
                mate = solve(after.play(reply), composed("mate-df-pn")).verdict
                assert mate == ("disproven" if reply in node["replies"] else "proven"), (row["id"], reply)
    assert branches >= 1


@compiled
def test_a_mate_asked_for_a_hisshi_has_the_tree_of_the_mate():
    result = tree_of(TWO_DEFENCES, "hisshi-full")
    assert (result.plies, result.reason) == (0, "a mate")
    for line in lines(result.tree):  # by a search that does not find the shortest mate first
        assert Position.from_sfen(TWO_DEFENCES).play_all(line).is_mate()


@compiled
def test_useless_interpositions_are_not_in_a_tree_that_leaves_them_out():
    sfen = "8l/7sk/7R1/6B2/9/8b/9/9/9 b Sr4g2s4n3l18p 1"
    assert {len(line) for line in lines(tree_of(sfen, "mate-published").tree)} == {3}
    assert {len(line) for line in lines(tree_of(sfen).tree)} == {5}


# Stage 2: shorter variations.


@compiled
def test_a_reply_that_loses_sooner_than_claimed_is_taken_out():
    result = tree_of(SHORTER_VARIATION, "mate-df-pn")
    position = Position.from_sfen(SHORTER_VARIATION)
    assert (result.plies, exact(position)) == (7, 7)
    assert result.tree_report["removed"] == 1 and result.tree_report["complete"]
    assert {len(line) for line in lines(result.tree)} == {7}
    assert sum(bool(node["replies"]) for _, node in defenders(result.tree, position)) == 3


@compiled
def test_where_every_reply_loses_sooner_the_then_longest_stay():
    result = tree_of(CLAIMED_TOO_LONG, "mate-df-pn")
    assert (result.plies, exact(Position.from_sfen(CLAIMED_TOO_LONG))) == (9, 7)
    assert {len(line) for line in lines(result.tree)} == {7} and result.tree_report["removed"] > 0


@compiled
def test_lengths_that_are_all_overstated_give_the_same_tree(monkeypatch):
    answer, removed = Builder.answer, 0

    def overstated(builder, position, plies):
        return answer(builder, position, plies)[0], Length(plies, False)

    for row in problem_rows("mate-sample.tsv"):
        exact_tree = tree_of(row["sfen"]).tree
        with monkeypatch.context() as patch:
            patch.setattr(Builder, "answer", overstated)
            result = tree_of(row["sfen"])
        assert result.tree == exact_tree, row["id"]
        removed += result.tree_report["removed"]
    assert removed >= 5


@compiled
def test_hisshi_whose_lengths_are_overstated_give_the_same_tree(monkeypatch):
    exact = tree_of(HISSHI_5, "hisshi-full")
    answer = solution_tree._Hisshi.answer

    def overstated(questions, position, plies):
        move, found = answer(questions, position, plies)
        return move, plies if found else 0

    monkeypatch.setattr(solution_tree._Hisshi, "answer", overstated)
    result = tree_of(HISSHI_5, "hisshi-full")
    assert result.tree == exact.tree and lines(exact.tree) == [exact.moves]
    assert result.tree_report["removed"] > 0


class Scripted:
    """An attacker who wins in `plies`, whatever happens; the defender's first `width` moves are as long as claimed.

    Those named in `sooner` lose two plies sooner, if asked. What is asked is noted as depth and plies.
    """

    def __init__(self, plies, width, sooner=()):
        self.whole, self.width, self.sooner = plies, width, sooner
        self.asked, self.unanswered = [], 0

    def answer(self, position, plies):
        depth, last = position.move_number - 1, position.last
        self.asked.append((depth, plies))
        left = self.whole - depth
        least = left - 2 if last in self.sooner else left
        if plies < least:
            raise Unanswered
        return position.legal_moves()[0], min(plies, left)

    def lengths(self, position, plies):
        return {reply: plies - 2 for reply in position.legal_moves()[: self.width] if plies > 2}


class Played(Position):
    """A position that knows the move that led to it."""

    last = ""

    def after(self, move):
        position = super().after(move)
        played = Played(position.record, position.move_number)
        played.last = next(usi for usi, each in self.usi_moves().items() if each == move)
        return played


def scripted(plies, width, sooner=(), depth=TREE_DEPTH):
    start = Position.from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    questions = Scripted(plies, width, sooner)
    tree = _Maker([0] * CONTROL_SIZE, questions, depth).make(Played(start.record), plies)
    return tree, questions.asked


def test_two_or_more_replies_are_searched_for_two_plies_less_than_is_left():
    """With n = 5, a defender's node at d = 1 asks n - d - 3 = 1 ply of both attacker's nodes below."""
    tree, asked = scripted(5, 2)
    assert [plies for depth, plies in asked if depth == 2 and plies < 3] == [1, 1]
    assert [plies for depth, plies in asked if depth == 4 and plies < 1] == []  # there n - d - 3 = -1: none is asked
    assert len(lines(tree.root)) == 4 and tree.report["removed"] == 0


def test_a_single_reply_is_not_searched_again():
    tree, asked = scripted(7, 1)
    assert {depth + plies for depth, plies in asked} == {7} and len(lines(tree.root)) == 1


def test_with_three_plies_there_is_nothing_to_search_for():
    _, asked = scripted(3, 4)
    assert {depth + plies for depth, plies in asked} == {3}


def test_a_reply_proven_with_two_plies_less_goes_with_its_subtree():
    first, second = "5a4a", "5a4b"
    everything, _ = scripted(5, 2)
    assert set(everything.root["replies"]) == {first, second}
    tree, _ = scripted(5, 2, sooner=(first,))
    assert list(tree.root["replies"]) == [second]
    assert tree.report["removed"] == 1


def test_never_all_replies_go():
    first, second = "5a4a", "5a4b"
    tree, _ = scripted(5, 2, sooner=(first, second))
    assert set(tree.root["replies"]) == {first, second}
    assert {len(line) for line in lines(tree.root)} == {3}  # the root's length was not the shortest


# Stage 1 ends at `tree_depth`.


def test_what_was_cut_is_searched_with_the_plies_left_and_hung_on():
    whole, _ = scripted(9, 2)
    for depth in (1, 2, 3, 4, 6):
        tree, asked = scripted(9, 2, depth=depth)
        assert tree.root == whole.root and tree.report["complete"]
        assert (depth, 9 - depth) in asked or depth % 2


@compiled
@pytest.mark.parametrize("name", ["mate", "mate-df-pn"])
def test_a_cut_tree_equals_the_uncut_one(name):
    for row in problem_rows("mate-sample.tsv"):
        whole = tree_of(row["sfen"], name)
        for depth in (1, 2, 4):
            assert tree_of(row["sfen"], name, tree_depth=depth).tree == whole.tree, (row["id"], depth)


@compiled
def test_a_cut_hisshi_tree_equals_the_uncut_one():
    whole = tree_of(HISSHI_5, "hisshi-full")
    cut = tree_of(HISSHI_5, "hisshi-full", tree_depth=2)
    assert cut.tree == whole.tree and len(lines(whole.tree)[0]) == 5
    assert (cut.tree_report["tree_depth"], whole.tree_report["tree_depth"]) == (2, TREE_DEPTH)


def test_a_depth_that_allows_nothing_is_refused():
    with pytest.raises(ValueError, match="tree_depth is 0, expected 1 or more"):
        tree_of(MATE_IN_ONE, tree_depth=0)


# Limits.


def test_too_many_nodes_leave_a_tree_that_says_so(monkeypatch):
    monkeypatch.setattr(solution_tree, "MOST_NODES", 4)
    tree, _ = scripted(9, 2)
    assert not tree.report["complete"] and tree.report["cut"] > 0
    assert json.dumps(tree.root).count('"cut": true') >= tree.report["cut"]
    monkeypatch.setattr(solution_tree, "MOST_NODES", 1_000)
    assert scripted(9, 2)[0].report["complete"]


@compiled
def test_a_question_that_takes_too_long_leaves_its_reply_in_and_is_counted(monkeypatch):
    monkeypatch.setattr(solution_tree, "LEAST_EFFORT", 0)  # as many nodes as the search: some 50
    monkeypatch.setattr(solution_tree, "QUESTIONS", 50)
    result = tree_of(SHORTER_VARIATION, "mate-df-pn")
    assert result.tree_report["undecided"] + result.tree_report["cut"] > 0
    assert not result.tree_report["complete"]


def test_replies_that_the_search_has_no_answer_to_are_counted():
    class Missing(Scripted):
        def lengths(self, position, plies):
            self.unanswered += 1
            return super().lengths(position, plies)

    start = Position.from_sfen("4k4/9/9/9/9/9/9/9/4K4 b P 1")
    report = _Maker([0] * CONTROL_SIZE, Missing(3, 1), 10).make(Played(start.record), 3).report
    assert (report["complete"], report["unanswered"]) == (False, 2)


@pytest.fixture
def stopped_after(monkeypatch):
    """Let Ctrl-C or the time limit come after so many questions for replies."""

    def set_up(run, count):
        lengths, asked = solution_tree._Mates.lengths, []

        def slow(questions, position, plies):
            asked.append(plies)
            if len(asked) > count:
                run.control[STOP] = 1
                raise Unanswered
            return lengths(questions, position, plies)

        monkeypatch.setattr(solution_tree._Mates, "lengths", slow)

    return set_up


def test_a_stop_keeps_the_verdict_the_line_and_what_there_is_of_the_tree(stopped_after):
    run = composed("mate")
    stopped_after(run, 1)
    result = solve(Position.from_sfen(TWO_DEFENCES), run, want_tree=True)
    assert (result.verdict, result.plies, len(result.moves)) == ("proven", 3, 3)
    assert len(result.tree["replies"]) == 2
    assert all(child["cut"] for child in result.tree["replies"].values())
    assert (result.tree_report["complete"], result.tree_report["cut"]) == (False, 2)


def test_a_stop_before_the_tree_keeps_all_else(monkeypatch):
    run, make = composed("mate"), _Maker.make

    def late(maker, position, plies):
        run.control[STOP] = 1
        return make(maker, position, plies)

    monkeypatch.setattr(_Maker, "make", late)
    result = solve(Position.from_sfen(MATE_IN_ONE), run, want_tree=True, want_proof=True)
    assert (result.verdict, result.moves, result.tree, result.tree_report) == ("proven", ("G*5b",), None, None)
    assert result.proof is not None and result.reason == "the solution tree was stopped"


def test_the_seconds_of_both_stages_are_told_apart():
    first, second = tree_of(TWO_DEFENCES).tree_report["seconds"]
    assert first > 0 and second > 0
