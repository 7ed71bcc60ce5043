"""Every row of problems/rules.tsv through the run `mate`: what is a mate, how long, and what is none."""

import re

import pytest
from kernel_calls import Row, problem_rows

from hisshi.core import Position, Registry, SearchResult, solve
from hisshi.core.errors import InvalidPositionError
from hisshi.core.kernel.pieces import NO_SQUARE
from hisshi.core.movement import find_king
from hisshi.core.reference import ReferenceBoard

pytestmark = pytest.mark.compiled

NO_MATE_PLIES = 9  # as far as positions without a mate are searched
TAIL = 7  # plies of the end of a long listed line that are searched
LONGER = 4  # its strict length may exceed the published one by so much
STRICT = {"futile-interposition-b": 5}  # the row gives no length; futile interpositions counted


def search(sfen: str, plies: int) -> SearchResult:
    run = Registry.load().compose("mate", {"stop.max_plies": str(plies)})
    return solve(Position.from_sfen(sfen, strict=False), run)


def listed_length(row: Row) -> int | None:
    """Return the length of the mate that the row speaks of; None if it speaks of none."""
    given = re.search(r"^mate in ([0-9]+)|strict ply count ([0-9]+)", row["expectation"])
    if given:
        return int(given[1] or given[2])
    return STRICT.get(row["id"])


def has_long_line(row: Row) -> bool:
    return len(row["line"].split()) > NO_MATE_PLIES


def rows(wanted) -> list[Row]:
    return [row for row in problem_rows("rules.tsv") if wanted(row)]


def by_id(row: Row) -> str:
    return row["id"]


@pytest.mark.parametrize("row", rows(listed_length), ids=by_id)
def test_a_mate_is_proven_at_its_length_and_not_before(row):
    length = listed_length(row)
    result = search(row["sfen"], length)
    assert (result.verdict, result.plies, result.length_is) == ("proven", length, "shortest")
    position = Position.from_sfen(row["sfen"]).play_all(result.moves)
    assert len(result.moves) == length
    assert position.is_mate()
    if length > 1:
        assert search(row["sfen"], length - 2).verdict == "unknown"


@pytest.mark.parametrize("row", rows(has_long_line), ids=by_id)
def test_the_end_of_a_long_listed_line_is_a_mate(row):
    """From some plies before its end; where the last defence is futile, it still counts here."""
    moves = row["line"].split()
    before = Position.from_sfen(row["sfen"]).play_all(moves[: len(moves) - TAIL + (len(moves) - TAIL) % 2])
    assert search(before.sfen, TAIL + LONGER).verdict == "proven"


@pytest.mark.parametrize("row", rows(lambda row: row["expectation"].startswith("no mate")), ids=by_id)
def test_where_there_is_no_mate_none_is_found(row):
    assert search(row["sfen"], NO_MATE_PLIES).verdict in ("disproven", "unknown")


@pytest.mark.parametrize("row", problem_rows("rules.tsv"), ids=by_id)
def test_the_search_finds_the_short_mates_that_the_plain_rules_find(row):
    board = ReferenceBoard.from_sfen(row["sfen"], strict=False)
    if find_king(board.board, 1 - board.side) == NO_SQUARE:
        with pytest.raises(InvalidPositionError, match="has no king to mate"):
            search(row["sfen"], 1)
        return
    result = search(row["sfen"], 3)
    length = next((plies for plies in (1, 3) if mates_within(board, plies)), None)
    assert result.plies == length
    if length:
        assert (result.verdict, result.length_is) == ("proven", "shortest")
    else:
        assert result.verdict == "disproven" or board.checks()


def mates_within(board: ReferenceBoard, plies: int) -> bool:
    """Return whether the side to move mates by checks alone in at most 1 or 3 plies."""
    afters = [board.after(move) for move in board.checks()]
    return any(not after.has_legal_move() for after in afters) or (
        plies > 1 and any(all(mates_within(after.after(e), 1) for e in after.evasions()) for after in afters)
    )
