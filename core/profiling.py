"""Choosing the profiled flavour of the kernels, in which a result says which part took how much of the time."""

import os
import platform
import sys

from hisshi.core.errors import HisshiError
from hisshi.core.kernel.flavour import VARIABLE, can_profile, wants_profile


def switch_on() -> None:
    """Have this process, and those that it starts, use the profiled flavour of the kernels.

    Raises
    ------
    HisshiError
        The plain kernels are imported already, or there is no clock for them.
    """
    if not can_profile():
        raise HisshiError(
            f"no profile: compiled code cannot read a clock on this processor ({platform.machine()}); "
            "with NUMBA_DISABLE_JIT=1, uncompiled, it works"
        )
    if "hisshi.core.kernel.compiling" in sys.modules and not wants_profile():
        raise HisshiError(
            f"no profile: this process has imported the kernels without it; start one with {VARIABLE}=1 set"
        )
    os.environ[VARIABLE] = "1"
