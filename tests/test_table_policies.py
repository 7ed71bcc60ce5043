"""Replacement policies, bucket by bucket: which entry goes, compiled and as plain Python."""

import pytest
from table_calls import Bucket

COMPILED = pytest.mark.parametrize("compiled", [True, False], ids=["compiled", "python"])
FREE = None


def one_slot(policy, field, there, comes, compiled):
    bucket = Bucket(policy, compiled)
    bucket.fill(**{field: [there]})
    lost = bucket.put(9, **{field: comes})
    return bucket.order[0], lost


@COMPILED
@pytest.mark.parametrize(("there", "comes", "lost"), [(FREE, 1, 0), (9, 1, 1), (1, 9, 1)])
def test_always_replace_keeps_the_newest(compiled, there, comes, lost):
    assert one_slot("always-replace", "worth", there, comes, compiled) == (9, lost)


@COMPILED
@pytest.mark.parametrize(("there", "comes", "stays"), [(FREE, 1, 9), (9, 1, 1), (1, 9, 1)])
def test_keep_oldest_keeps_what_came_first(compiled, there, comes, stays):
    assert one_slot("keep-oldest", "worth", there, comes, compiled) == (stays, 0)


@COMPILED
@pytest.mark.parametrize(("policy", "field"), [("depth-preferred", "worth"), ("effort-preferred", "effort")])
@pytest.mark.parametrize(
    ("there", "comes", "stays", "lost"), [(FREE, 1, 9, 0), (5, 4, 1, 0), (5, 5, 9, 1), (5, 6, 9, 1), (-3, -4, 1, 0)]
)
def test_one_slot_keeps_the_deepest_or_largest_and_of_equals_the_newer(
    compiled, policy, field, there, comes, stays, lost
):
    assert one_slot(policy, field, there, comes, compiled) == (stays, lost)


@COMPILED
@pytest.mark.parametrize(("policy", "field"), [("two-level", "worth"), ("two-level-effort", "effort")])
@pytest.mark.parametrize(
    ("there", "comes", "after", "lost"),
    [
        ([FREE, FREE], 5, [9, 0], 0),  # A is filled first
        ([4, FREE], 5, [1, 9], 0),  # then B: nothing moves
        ([9, FREE], 5, [1, 9], 0),
        ([FREE, 4], 5, [9, 2], 0),
        ([9, 4], 5, [1, 9], 1),  # A has more: B is overwritten
        ([5, 4], 5, [9, 1], 1),  # A has no more: it moves to B
        ([4, 9], 5, [9, 1], 1),  # whatever B has
        ([-3, -3], 0, [9, 1], 1),
    ],
)
def test_two_levels_keep_the_most_in_a_and_the_newest_in_b(compiled, policy, field, there, comes, after, lost):
    bucket = Bucket(policy, compiled)
    bucket.fill(**{field: there})
    assert (bucket.put(9, **{field: comes}), bucket.order) == (lost, after)


@COMPILED
def test_effort_and_depth_are_told_apart(compiled):
    for policy, stays in [("depth-preferred", 1), ("effort-preferred", 9)]:
        bucket = Bucket(policy, compiled)
        bucket.fill(worth=[5], effort=[10])
        bucket.put(9, worth=3, effort=20)
        assert bucket.order == [stays]
    for policy, after in [("two-level", [1, 9]), ("two-level-effort", [9, 1])]:
        bucket = Bucket(policy, compiled)
        bucket.fill(worth=[5, 1], effort=[10, 1])
        bucket.put(9, worth=3, effort=20)
        assert bucket.order == after


@COMPILED
@pytest.mark.parametrize(
    ("there", "comes", "after", "lost"),
    [
        ([7, FREE, 3, FREE], 1, [1, 9, 3, 0], 0),  # the first free slot
        ([7, 5, 3, 4], 1, [1, 2, 9, 4], 1),  # the smallest, even if the newcomer's is smaller
        ([7, 3, 3, 4], 8, [1, 9, 3, 4], 1),  # of equals the first
    ],
)
def test_effort_replaces_the_smallest_subtree(compiled, there, comes, after, lost):
    bucket = Bucket("effort", compiled)
    bucket.fill(effort=there)
    assert (bucket.put(9, effort=comes), bucket.order) == (lost, after)


@COMPILED
@pytest.mark.parametrize("stores", [0, 5, 2**40 + 5])
def test_hit_count_fills_sixteen_free_slots_first(compiled, stores):
    bucket = Bucket("hit-count", compiled)
    bucket.instance.context.stores = stores
    assert [bucket.put(key) for key in range(1, 17)] == [0] * 16
    assert sorted(bucket.order) == list(range(1, 17))
    assert bucket.put(17) == 1


@COMPILED
def test_hit_count_replaces_the_entry_that_has_answered_least(compiled):
    bucket = Bucket("hit-count", compiled)
    hits = [9, 8, 7, 6, 5, 4, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    for stores in (0, 7, 8, 15):  # wherever the search for it begins
        bucket.instance.context.stores = stores
        bucket.fill(hits=hits, effort=[100] * 16, worth=[100] * 16)
        assert bucket.put(99) == 1
        assert bucket.order == [*range(1, 8), 99, *range(9, 17)]
        assert int(bucket.entries[7].hits) == 0
        assert [int(entry.hits) for entry in bucket.entries[8:]] == hits[8:]


@COMPILED
@pytest.mark.parametrize(("stores", "goes"), [(0, 2), (2, 2), (3, 5), (5, 5), (6, 11), (12, 2), (16 + 3, 5)])
def test_hit_count_of_equals_the_first_at_or_after_a_moving_slot_goes(compiled, stores, goes):
    bucket = Bucket("hit-count", compiled)
    bucket.fill(hits=[1 if i in (2, 5, 11) else 4 for i in range(16)])
    bucket.instance.context.stores = stores
    bucket.put(99)
    assert bucket.order.index(99) == goes


@COMPILED
def test_hit_count_replaces_equals_in_turn(compiled):
    bucket = Bucket("hit-count", compiled)
    bucket.fill(hits=[0] * 16)
    for stores in range(16):
        bucket.instance.context.stores = stores
        bucket.put(100 + stores)
    assert bucket.order == list(range(100, 116))


@COMPILED
@pytest.mark.parametrize(
    ("ageing", "least", "after"), [("false", 3, [3, 8]), ("true", 3, [1, 4]), ("true", 1, [0, 4]), ("true", 0, [0, 8])]
)
def test_hit_count_halves_hits_if_asked_to_and_all_entries_have_answered(compiled, ageing, least, after):
    bucket = Bucket("hit-count", compiled, ageing=ageing)
    bucket.fill(hits=[least, least] + [8] * 14)
    bucket.instance.context.stores = 0
    assert bucket.put(99) == 1 and bucket.order[:2] == [99, 2]
    assert [int(entry.hits) for entry in bucket.entries] == [0, after[0], *[after[1]] * 14]
