"""Checks of role `table`: the replacement policy, alone on a bucket and inside a small table."""

import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from hisshi.conformance.positions import position_of, positions, positions_in_check
from hisshi.conformance.subjects import MEGABYTES, SMALLEST, Subject
from hisshi.core.instance import MEGABYTE
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.roles.table import NOT_FOUND, call_table, entry_at, probe, store
from hisshi.core.kernel.table import ENTRIES_ARRAY, ENTRY, ENTRY_BYTES, PROVEN, TAG_BYTES, UNKNOWN
from hisshi.core.position import Position

ROLES = ("table",)

READ = ("move", "length", "budget", "value", "mark", "first", "second")  # what a search reads of an entry
STORES = 600 if JIT else 150  # entries that come in: a table of 0.001 megabytes has about 13


@cache
def _positions() -> tuple[Position, ...]:
    """Return STORES positions that differ, or fewer if there are not so many."""
    known: dict[bytes, Position] = {}
    for sfen in (*positions(), *positions_in_check()):
        start = position_of(sfen)
        for position in (start, *(start.play(move) for move in start.legal_moves()[:: 7 if JIT else 20])):
            known.setdefault(position.record.tobytes(), position)
        if len(known) >= STORES:
            break
    return tuple(known.values())[:STORES]


def _new_entry(number: int, worth: int) -> Any:
    """Return an entry whose move and length tell which it is."""
    entry = np.zeros(1, ENTRY).view(np.recarray)[0]
    entry.value = PROVEN if number % 3 == 0 else UNKNOWN
    entry.move, entry.length, entry.budget = number + 1, number % 1000, 2 * number
    entry.mark, entry.first, entry.second = number % 100 + 1, number + 3, number + 5
    entry.worth, entry.effort = worth, (7 * worth + 3) % 20 + 1  # not in the same order
    return entry


def _store(subject: Subject, position: Position, number: int, worth: int) -> None:
    store(subject.caller, position.record, position.record.side, _new_entry(number, worth))


def _find(subject: Subject, position: Position) -> Any:
    """Return the entry of a position, None if the table has none."""
    index = probe(subject.caller, position.record, position.record.side)
    return None if index == NOT_FOUND else entry_at(subject.caller, index)


def _overfill(subject: Subject) -> list[Position]:
    """Empty the table and store many positions, position i with number i; return them."""
    subject.run.clear()
    chance = random.Random(1)
    chosen = list(_positions())
    chance.shuffle(chosen)
    for number, position in enumerate(chosen):
        _store(subject, position, number, chance.randrange(20))
        if chance.random() < 0.3:
            _find(subject, chosen[chance.randrange(number + 1)])
    return chosen


def _identity(entry: Any) -> tuple[int, ...]:
    return int(entry.board_key), *(int(hand) for hand in entry.hands)


def _rounds(subject: Subject) -> Any:
    """Let entries come into one bucket, empty at first; yield what was there, what came, what is there, the result."""
    chance = random.Random(2)
    size = int(subject.instance.context.bucket)
    bucket = np.zeros(size, ENTRY).view(np.recarray)
    for number in range(4 * size + 20):
        entry = _new_entry(number, chance.randrange(20))
        entry.board_key, entry.used = number + 1, 1
        before, came = bucket.copy(), entry.tobytes()
        lost = int(call_table(subject.caller, bucket, entry))
        yield before, came, entry, bucket, lost
        for i in range(size):
            bucket[i].hits += chance.randrange(3)


def test_finds_what_came_into_an_empty_table(subject: Subject) -> None:
    """While there is room, what is stored is found again."""
    for number, position in enumerate(_positions()[:20]):
        subject.run.clear()
        _store(subject, position, number, 1)
        if _find(subject, position) is None:
            subject.fail("an entry that came into an empty table is not found", position.sfen)


def test_answers_for_no_other_position(subject: Subject) -> None:
    """What is found for a position is what was stored for it, whatever else came in."""
    for number, position in enumerate(_overfill(subject)):
        entry, stored = _find(subject, position), _new_entry(number, 0)
        if entry is not None and (wrong := [name for name in READ if entry[name] != stored[name]]):
            name = wrong[0]
            subject.fail(f"finds an entry whose '{name}' is {entry[name]}, stored was {stored[name]}", position.sfen)


def test_holds_no_position_twice(subject: Subject) -> None:
    """Overfull, the table has at most one entry of each position."""
    _overfill(subject)
    entries = subject.instance.arrays[ENTRIES_ARRAY].view(np.recarray)
    used = [_identity(entry) for entry in entries if entry.used == subject.instance.context.generation]
    if len(set(used)) != len(used):
        subject.fail(f"{len(used)} entries in use are of {len(set(used))} positions only, so some are there twice")


def test_counts_what_is_lost(subject: Subject) -> None:
    """The result is the number of entries that were in the bucket and are not any more."""
    for before, _, _, bucket, lost in _rounds(subject):
        gone = {_identity(e) for e in before if e.used} - {_identity(e) for e in bucket if e.used}
        if lost != len(gone):
            subject.fail(f"returns {lost}, but {len(gone)} of the bucket's entries are lost")


def test_leaves_the_incoming_entry_alone(subject: Subject) -> None:
    """The entry that comes in is not written."""
    for _, came, entry, _, _ in _rounds(subject):
        if entry.tobytes() != came:
            subject.fail("the entry that comes in is not as it was before")


def test_takes_no_more_memory_than_allowed(subject: Subject) -> None:
    """`megabytes` is all that entries and arrays of its own take, but for one bucket and the entry that comes in."""
    for megabytes in (SMALLEST, MEGABYTES):
        instance = subject.part_run(megabytes=megabytes).root
        least = (ENTRY_BYTES + TAG_BYTES) * subject.plugin.declared.bucket + ENTRY_BYTES
        allowed = max(int(megabytes * MEGABYTE) + ENTRY_BYTES, least)
        if (taken := sum(array.nbytes for array in instance.arrays)) > allowed:
            subject.fail(f"takes {taken} bytes with megabytes = {megabytes}, expected {allowed} at most")


def _check_that_survives(subject: Subject, trait: str, which: Callable[[list[Any]], list[int]]) -> None:
    """After each entry that came into the bucket, one of those that `which` chooses from all so far is there."""
    came: list[Any] = []
    for _, _, entry, bucket, _ in _rounds(subject):
        came.append(entry)
        kept = {int(there.move) for there in bucket if there.used}
        wanted = [int(came[i].move) for i in which(came)]
        if not kept & set(wanted):
            subject.fail(f"has the trait '{trait}', but after {len(came)} entries none of number {wanted} is there")


def _largest(values: list[int]) -> list[int]:
    return [i for i, value in enumerate(values) if value == max(values)]


@pytest.mark.hisshi_trait("keeps-newest")
def test_keeps_the_newest(subject: Subject) -> None:
    """Trait keeps-newest: what came in last is there."""
    _check_that_survives(subject, "keeps-newest", lambda came: [len(came) - 1])


@pytest.mark.hisshi_trait("keeps-oldest")
def test_keeps_the_oldest(subject: Subject) -> None:
    """Trait keeps-oldest: what came in first is there."""
    _check_that_survives(subject, "keeps-oldest", lambda _: [0])


@pytest.mark.hisshi_trait("keeps-deepest")
def test_keeps_the_deepest(subject: Subject) -> None:
    """Trait keeps-deepest: an entry of the largest worth so far is there."""
    _check_that_survives(subject, "keeps-deepest", lambda came: _largest([int(entry.worth) for entry in came]))


@pytest.mark.hisshi_trait("keeps-largest")
def test_keeps_the_largest(subject: Subject) -> None:
    """Trait keeps-largest: an entry of the largest effort so far is there."""
    _check_that_survives(subject, "keeps-largest", lambda came: _largest([int(entry.effort) for entry in came]))
