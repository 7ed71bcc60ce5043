"""Context records: what a kernel gets as its first argument, and how it reaches its parts and its memory.

A plugin instance is the address of compiled code plus one of these records: its options, the addresses of its parts'
code and contexts, its arrays, its counters. Composing a run means filling records so that they point at each other;
nothing is compiled again for another option or another part. Python keeps records and arrays alive
(`hisshi.core.composition`).

Uncompiled (``NUMBA_DISABLE_JIT=1``) an "address" is a number under which the Python object itself is kept, and the
same kernels run as plain Python.
"""

import numpy as np
from llvmlite import ir
from numba import config, from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from hisshi.core.kernel.compiling import PROFILED, compiled
from hisshi.core.kernel.profiling import TimedCall, begin_part, end_part

JIT = not config.DISABLE_JIT

OPTIONS = 16  # options of one plugin
SLOTS = 24  # parts of one plugin: one slot a role, the rest for parts with names of their own
ARRAYS = 8  # arrays of one plugin

CONTEXT = np.dtype(
    [
        ("options", np.int64, (OPTIONS,)),  # whole numbers, truth values and choices, in the order of declaration
        ("reals", np.float64, (OPTIONS,)),  # the same options as float64: read a fractional option here
        ("code", np.int64, (SLOTS,)),  # address of each part's kernel
        ("env", np.int64, (SLOTS,)),  # address of each part's context
        ("memory", np.int64, (ARRAYS,)),  # address of each array
        ("sizes", np.int64, (ARRAYS,)),  # number of elements of each array
        ("control", np.int64),  # address of the run's control array, see hisshi.core.kernel.control
        ("bucket", np.int64),  # a table: entries per bucket
        ("generation", np.int64),  # a table: entries with another one are free
        ("buckets", np.int64),  # a table: number of buckets, less than 2**31
        ("tie_seed", np.int64),  # a move order: what draws the order of moves of equal key, 0 for none
        ("traits", np.int64),  # bits of the plugin's traits, see TRAITS
        ("answer_move", np.int64),  # a search's answer: the first move
        ("answer_plies", np.int64),  # a search's answer: length of the line in plies
        ("answer_exact", np.int64),  # a search's answer: 1 if no shorter line exists
        ("answer_score", np.int64),  # a search's answer: its score, where its kind of search has one
        # Counters, from here to the end.
        ("calls", np.int64),  # how often a search was entered; for statistics
        ("tests", np.int64),  # a hisshi search: mate searches asked for
        ("searched_tests", np.int64),  # those that entered more than one node: no table knew
        ("undecided_tests", np.int64),  # those that ended without a verdict
        ("probes", np.int64),  # a table's statistics
        ("hits", np.int64),
        ("stores", np.int64),
        ("replacements", np.int64),
        ("collections", np.int64),  # see hisshi.core.kernel.garbage
        ("next_look", np.int64),  # a table: the number of stores at which its fill is looked at again
        ("profile_calls", np.int64),  # written in the profiled flavour only, see hisshi.core.kernel.profiling
        ("profile_time", np.int64),
    ],
    align=True,
)
ContextType = from_dtype(CONTEXT)
assert CONTEXT.fields is not None
FIRST_COUNTER = CONTEXT.fields["calls"][1] // 8  # in words of 64 bits

# What a plugin may declare of itself. The first column is what kernels test in `context.traits`.
COMPLETE = 1 << 0  # a generator that leaves out no legal move of its kind
BUDGET_IS_PLIES = 1 << 1  # a stop rule whose budget is the number of plies left
USELESS_LEFT_OUT = 1 << 2  # a search whose lengths leave out useless interpositions
FINDS_SHORTEST = 1 << 3  # a search that calls each length shortest, if its parts leave out nothing and count plies
KEEPS_NEWEST = 1 << 4  # a table policy: what came in last is in the bucket
KEEPS_OLDEST = 1 << 5  # a table policy: what came in first is in the bucket
KEEPS_DEEPEST = 1 << 6  # a table policy: nothing of more worth is lost than what is in the bucket
KEEPS_LARGEST = 1 << 7  # a table policy: nothing of more effort is lost than what is in the bucket
TRAITS = {
    "complete": COMPLETE,
    "budget-is-plies": BUDGET_IS_PLIES,
    "useless-left-out": USELESS_LEFT_OUT,
    "finds-shortest": FINDS_SHORTEST,
    "keeps-newest": KEEPS_NEWEST,
    "keeps-oldest": KEEPS_OLDEST,
    "keeps-deepest": KEEPS_DEEPEST,
    "keeps-largest": KEEPS_LARGEST,
}

_objects: dict[int, object] = {}  # uncompiled: what the "addresses" stand for


def register(address, thing):
    """Uncompiled: let `address` stand for a kernel, a context record or an array."""
    _objects[address] = thing


def forget(address):
    """Uncompiled: undo `register`."""
    _objects.pop(address, None)


def caller_of(signature):
    """Return a function ``(address, *arguments)`` that calls the kernel of `signature` at an int64 address.

    An exception raised in the kernel propagates: it is called as compiled code calls compiled code. Called through a C
    wrapper it would be printed, swallowed and become the result 0. numba's own type for functions does the same with
    more checks at each call. In the profiled flavour, calls that hand over a context are timed.
    """
    timed = PROFILED and signature.args[0] == ContextType
    if not JIT:
        call_object = _call_object_timed if timed else _call_object
        return lambda address, *arguments: call_object(_objects[int(address)], arguments)

    @intrinsic
    def call(typing_context, address, *arguments):
        packed = types.StarArgTuple(signature.args)

        def emit(context, builder, _signature, args):
            convention = context.call_conv
            kind = convention.get_function_type(signature.return_type, signature.args).as_pointer()
            values = cgutils.unpack_tuple(builder, args[1])
            clock = TimedCall(builder, ContextType, values[0]) if timed else None
            status, result = convention.call_function(
                builder, builder.inttoptr(args[0], kind), signature.return_type, signature.args, values
            )
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            if clock is not None:
                clock.end()
            return result

        return signature.return_type(types.int64, packed), emit

    return call


def _call_object(kernel, arguments):
    return kernel(*arguments)


def _call_object_timed(kernel, arguments):
    context = arguments[0]
    control = _objects[int(context.control)]
    begun = begin_part(control)
    result = kernel(*arguments)
    end_part(control, context, begun)
    return result


@intrinsic
def _context_at(typing_context, address):
    def emit(context, builder, _signature, args):
        return builder.inttoptr(args[0], context.get_value_type(ContextType))

    return ContextType(types.int64), emit


@intrinsic
def _fresh(typing_context, array, index):
    """Read an int64 array element so that the compiler may not keep an earlier value in a register."""

    def emit(context, builder, sig, args):
        array_type = sig.args[0]
        proxy = context.make_array(array_type)(context, builder, args[0])
        pointer = cgutils.get_item_pointer(context, builder, array_type, proxy, [args[1]], wraparound=False)
        return builder.load_atomic(pointer, "monotonic", 8)

    return types.int64(array, types.int64), emit


@intrinsic
def _prefetch(typing_context, address):
    """Ask the processor to fetch the cache line at an address; nothing is read."""

    def emit(context, builder, _signature, args):
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        i32 = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, i32, i32, i32])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, i32(0), i32(3), i32(1)])
        return context.get_dummy_value()

    return types.void(types.int64), emit


if JIT:
    context_at, fresh, prefetch = _context_at, _fresh, _prefetch

    def array_reader(dtype):
        """Return a compiled function ``(address, size) -> array`` for one-dimensional arrays of `dtype`."""
        numba_dtype = from_dtype(dtype) if isinstance(dtype, np.dtype) else dtype

        @intrinsic
        def view(typing_context, address, size):
            array_type = types.Array(numba_dtype, 1, "C")

            def emit(context, builder, _signature, args):
                make = context.make_array(array_type)(context, builder)
                itemsize = context.get_abi_sizeof(context.get_data_type(numba_dtype))
                size = args[1]
                populate_array(
                    make,
                    data=builder.inttoptr(args[0], make.data.type),
                    shape=cgutils.pack_array(builder, [size]),
                    strides=cgutils.pack_array(builder, [ir.Constant(ir.IntType(64), itemsize)]),
                    itemsize=ir.Constant(ir.IntType(64), itemsize),
                    meminfo=None,
                )
                return make._getvalue()

            return array_type(types.int64, types.int64), emit

        return view

else:

    def context_at(address):
        return _objects[int(address)]

    def fresh(array, index):
        return array[index]

    def prefetch(address):
        pass

    def array_reader(dtype):
        return lambda address, _size: _objects[int(address)]


@compiled
def part(context, slot):
    """Return the context of the part in `slot`."""
    return context_at(context.env[np.uint64(slot)])


@compiled
def part_has(context, slot, trait):
    """Say whether the part in `slot` has a trait, one of the bits in TRAITS."""
    return part(context, slot).traits & trait != 0
