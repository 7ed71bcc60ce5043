"""JSON for proof trees, which nest as deep as a mate is long: 1,525 plies are deeper than Python's default limit.

The C stack is used up with each level too, hence a thread with a large one and a limit of its own: a file made to crash
the reader ends in an error.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

from hisshi.core.large_stack import on_a_large_stack

DEEPEST = 20_000  # levels; an attacker move and its replies are two
_STACK_BYTES = 128 * 1024 * 1024  # reserved, not used: memory is taken only as deep as the tree goes


def dumps(value: object) -> str:
    """Return `value` as JSON on one line; RecursionError if it nests deeper than `DEEPEST`."""
    return str(run_deep(lambda: json.dumps(value, check_circular=False)))


def loads(text: str) -> Any:
    """Return what `text` says; ValueError if it is no JSON, RecursionError if it nests deeper than `DEEPEST`."""
    return run_deep(lambda: json.loads(text))


def run_deep(work: Callable[[], Any]) -> Any:
    """Call `work` where it may recurse `DEEPEST` levels, and return what it returns or raise what it raises."""
    old_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old_limit, DEEPEST))
    try:
        return on_a_large_stack(work, _STACK_BYTES)
    finally:
        sys.setrecursionlimit(old_limit)
