"""Memory for tables: large pages where the system has them, since a table is read at random."""

import mmap

import numpy as np

LARGE = 4 << 20  # bytes from which on large pages are worth asking for


def large_zeros(count: int, dtype: np.dtype) -> np.ndarray:
    """Return an array of `count` zeros of `dtype`; MemoryError if there is no room.

    The system hands out memory when it is first touched.
    """
    size = count * dtype.itemsize
    if size < LARGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(count, dtype)
    try:
        block = mmap.mmap(-1, size)
        block.madvise(mmap.MADV_HUGEPAGE)
    except (OSError, OverflowError, ValueError) as error:
        raise MemoryError(str(error)) from None
    return np.frombuffer(block, dtype)
