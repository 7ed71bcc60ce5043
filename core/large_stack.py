"""Threads with room to recurse deep: a search of 2,000 plies needs more than the system gives a thread by itself."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TypeVar

STACK_BYTES = 512 << 20  # address space only: memory is taken as deep as the recursion goes

_starting = threading.Lock()  # the stack size of new threads is one setting for all of them

T = TypeVar("T")


@contextmanager
def large_stack(size: int = STACK_BYTES) -> Iterator[None]:
    """Give threads that are started inside a stack of `size` bytes; other threads wait to start theirs this way."""
    with _starting:
        old = threading.stack_size(size)
        try:
            yield
        finally:
            threading.stack_size(old)


def on_a_large_stack(function: Callable[[], T], size: int = STACK_BYTES) -> T:
    """Return ``function()``, or raise what it raises, called in a thread with a stack of `size` bytes."""
    called: Future[T] = Future()

    def call() -> None:
        try:
            called.set_result(function())
        except BaseException as error:  # noqa: BLE001  raised below, in the thread that asked
            called.set_exception(error)

    with large_stack(size):
        threading.Thread(target=call, daemon=True).start()  # daemon: Ctrl-C does not wait for it
    return called.result()
