"""Which flavour of kernels this process uses: plain, or with a clock read around each call of a part.

Decided once, before anything is compiled: the flavours are different machine code and have caches of their own. No
numba here, so that the command line can choose before the kernels are imported.
"""

import os
import platform

VARIABLE = "HISSHI_PROFILE"  # set to 1 for the profiled flavour; worker processes inherit it
HAVE_A_CLOCK = ("x86_64", "AMD64")  # processors whose cycle counter an ordinary program may read


def wants_profile() -> bool:
    """Tell whether the profiled flavour is asked for."""
    return os.environ.get(VARIABLE) == "1"


def can_profile() -> bool:
    """Tell whether there is a clock: the processor's cycle counter, or Python's where nothing is compiled."""
    return platform.machine() in HAVE_A_CLOCK or os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
