"""The clock of the profiled flavour: calls of each part, and the time that is its own.

A part's time is its own when no part that it calls is running. For that a cell of the control array, `BELOW`, gathers
the time of the parts called since the present one began. Time is the processor's cycle counter, which also goes on
while another process has the processor; uncompiled, nanoseconds.

`begin_part` and `end_part` are for what core does for a part without calling its kernel, such as looking into a table;
calls of kernels are timed by `hisshi.core.kernel.context.caller_of`. In the plain flavour nothing calls either.
"""

import time

from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from hisshi.core.kernel.compiling import compiled

BELOW = 15  # place in the control array: time of the parts that the present part has called
_INT64 = ir.IntType(64)


@intrinsic
def _cycles(typing_context):
    """Read the processor's cycle counter."""

    def emit(context, builder, _signature, _args):
        return emit_cycles(builder)

    return types.int64(), emit


if config.DISABLE_JIT:

    def cycles():
        return time.perf_counter_ns()

else:
    cycles = _cycles


@compiled
def begin_part(control):
    """Begin to time a part; return what `end_part` needs."""
    outside = control[BELOW]
    control[BELOW] = 0
    return outside, cycles()


@compiled
def end_part(control, context, begun):
    """Add a call, and the time since `begin_part` less that of other parts, to the part of `context`."""
    outside, at = begun
    spent = cycles() - at
    context.profile_calls += 1
    context.profile_time += spent - control[BELOW]
    control[BELOW] = outside + spent


def emit_cycles(builder):
    """Write the instruction that reads the cycle counter."""
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(_INT64, []), "llvm.readcyclecounter")
    return builder.call(function, [])


class TimedCall:
    """Writes, around a call through an address, what `begin_part` and `end_part` do."""

    def __init__(self, builder, record_type, record):
        self.builder, self.record_type = builder, record_type
        self.address = builder.ptrtoint(record, _INT64)
        control = builder.load(self._field("control"))
        self.below = builder.inttoptr(builder.add(control, _INT64(8 * BELOW)), _INT64.as_pointer())
        self.outside = builder.load(self.below)
        builder.store(_INT64(0), self.below)
        self.at = emit_cycles(builder)

    def end(self):
        """Write what follows the call."""
        builder = self.builder
        spent = builder.sub(emit_cycles(builder), self.at)
        self._add("profile_calls", _INT64(1))
        self._add("profile_time", builder.sub(spent, builder.load(self.below)))
        builder.store(builder.add(self.outside, spent), self.below)

    def _field(self, name):
        place = self.builder.add(self.address, _INT64(self.record_type.offset(name)))
        return self.builder.inttoptr(place, _INT64.as_pointer())

    def _add(self, name, value):
        field = self._field(name)
        self.builder.store(self.builder.add(self.builder.load(field), value), field)
