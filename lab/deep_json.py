"""JSON for proof trees, which nest as deep as a mate is long: 1,525 plies are deeper than Python's default limit.

The C stack is used up with each level too, hence a thread with a large one and a limit of its own: a file made to crash
the reader ends in an error.
"""

import json
import sys
import threading
from collections.abc import Callable
from typing import Any

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
    outcome: list[Any] = []
    failure: list[BaseException] = []

    def call() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001  handed over to the caller's thread
            failure.append(error)

    old_limit, old_size = sys.getrecursionlimit(), threading.stack_size(_STACK_BYTES)
    sys.setrecursionlimit(max(old_limit, DEEPEST))
    try:
        thread = threading.Thread(target=call, daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(old_size)
        sys.setrecursionlimit(old_limit)
    if failure:
        raise failure[0]
    return outcome[0]
