"""Bitboards: a set of squares as one 128-bit integer, bit n for square n.

Compiled, a bitboard is LLVM's i128 (two machine words, no calls); uncompiled it is a Python integer, and the same
code runs. A complement has bits above square 80, so it must be met with a mask before its squares are listed.

Bitboards live inside compiled code only: kernels never get or return one through a contract. In arrays and records a
bitboard is a row of two uint64 (`load`, `store`).
"""

import operator

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

from hisshi.core.kernel.compiling import compiled

JIT = not config.DISABLE_JIT
WORD = (1 << 64) - 1

_I64, _I128 = ir.IntType(64), ir.IntType(128)


class BitboardType(types.Type):
    """Numba's type of a bitboard."""

    def __init__(self):
        super().__init__(name="Bitboard")


bitboard_type = BitboardType()


@register_model(BitboardType)
class _BitboardModel(models.PrimitiveModel):
    def __init__(self, manager, frontend_type):
        super().__init__(manager, frontend_type, _I128)


def _binary(operation, emit):
    """Let `operation` combine two bitboards by the LLVM instruction that `emit` builds."""

    @infer_global(operation)
    class _Typing(ConcreteTemplate):
        cases = [signature(bitboard_type, bitboard_type, bitboard_type)]

    @lower_builtin(operation, bitboard_type, bitboard_type)
    def _lower(context, builder, sig, args):
        return emit(builder, args[0], args[1])


for _operation in (operator.and_, operator.iand):
    _binary(_operation, lambda builder, a, b: builder.and_(a, b))
for _operation in (operator.or_, operator.ior):
    _binary(_operation, lambda builder, a, b: builder.or_(a, b))
for _operation in (operator.xor, operator.ixor):
    _binary(_operation, lambda builder, a, b: builder.xor(a, b))


@infer_global(operator.invert)
class _InvertTyping(ConcreteTemplate):
    cases = [signature(bitboard_type, bitboard_type)]


@lower_builtin(operator.invert, bitboard_type)
def _lower_invert(context, builder, sig, args):
    return builder.not_(args[0])


@infer_global(bool)
class _BoolTyping(ConcreteTemplate):
    cases = [signature(types.boolean, bitboard_type)]


@lower_builtin(bool, bitboard_type)
def _lower_bool(context, builder, sig, args):
    return builder.icmp_unsigned("!=", args[0], ir.Constant(_I128, 0))


def _count_zeros(name):
    """Return an intrinsic: the number of zero bits below the lowest (cttz) or above the highest (ctlz) member."""

    @intrinsic
    def count(typing_context, bitboard):
        def emit(context, builder, _signature, args):
            zero_is_undefined = ir.Constant(ir.IntType(1), 1)
            result = getattr(builder, name)(args[0], zero_is_undefined)
            return builder.trunc(result, _I64)

        return types.int64(bitboard_type), emit

    return count


_cttz, _ctlz = _count_zeros("cttz"), _count_zeros("ctlz")


@intrinsic
def _join(typing_context, low, high):
    def emit(context, builder, _signature, args):
        low, high = (builder.zext(word, _I128) for word in args)
        return builder.or_(low, builder.shl(high, ir.Constant(_I128, 64)))

    return bitboard_type(types.uint64, types.uint64), emit


@intrinsic
def _low(typing_context, bitboard):
    def emit(context, builder, _signature, args):
        return builder.trunc(args[0], _I64)

    return types.uint64(bitboard_type), emit


@intrinsic
def _high(typing_context, bitboard):
    def emit(context, builder, _signature, args):
        return builder.trunc(builder.lshr(args[0], ir.Constant(_I128, 64)), _I64)

    return types.uint64(bitboard_type), emit


@intrinsic
def _bit(typing_context, square):
    def emit(context, builder, _signature, args):
        return builder.shl(ir.Constant(_I128, 1), builder.zext(args[0], _I128))

    return bitboard_type(types.int64), emit


@intrinsic
def _contains(typing_context, bitboard, square):
    def emit(context, builder, _signature, args):
        shifted = builder.lshr(args[0], builder.zext(args[1], _I128))
        return builder.trunc(shifted, ir.IntType(1))

    return types.boolean(bitboard_type, types.int64), emit


@intrinsic
def _up_to_lowest(typing_context, bitboard):
    def emit(context, builder, _signature, args):
        return builder.xor(args[0], builder.sub(args[0], ir.Constant(_I128, 1)))

    return bitboard_type(bitboard_type), emit


@intrinsic
def _rest(typing_context, bitboard):
    def emit(context, builder, _signature, args):
        return builder.and_(args[0], builder.sub(args[0], ir.Constant(_I128, 1)))

    return bitboard_type(bitboard_type), emit


@intrinsic
def _from_highest(typing_context, bitboard):
    def emit(context, builder, _signature, args):
        some = builder.or_(args[0], ir.Constant(_I128, 1))
        zeros = builder.ctlz(some, ir.Constant(ir.IntType(1), 1))
        return builder.ashr(ir.Constant(_I128, 1 << 127), zeros)

    return bitboard_type(bitboard_type), emit


@intrinsic
def _popcount(typing_context, bitboard):
    def emit(context, builder, _signature, args):
        return builder.trunc(builder.ctpop(args[0]), _I64)

    return types.int64(bitboard_type), emit


@intrinsic
def _shift(typing_context, bitboard, amount):
    """Towards higher squares for a positive amount, which must be a compile-time constant."""
    if not isinstance(amount, types.IntegerLiteral):
        return None
    by = amount.literal_value

    def emit(context, builder, _signature, args):
        if by >= 0:
            return builder.shl(args[0], ir.Constant(_I128, by))
        return builder.lshr(args[0], ir.Constant(_I128, -by))

    return bitboard_type(bitboard_type, amount), emit


if JIT:
    join, low, high, lowest, rest, contains = _join, _low, _high, _cttz, _rest, _contains
    bit, up_to_lowest, from_highest, popcount, shift = _bit, _up_to_lowest, _from_highest, _popcount, _shift

    @compiled
    def load(rows, index):
        """Return row `index` of `rows`, a uint64 array of shape (n, 2), as a bitboard."""
        at = np.uint64(index)  # unsigned: numba then emits no wrap-around for negative indices
        return join(rows[at, 0], rows[at, 1])

    @compiled
    def store(rows, index, bitboard):
        """Write `bitboard` to row `index` of `rows`."""
        at = np.uint64(index)
        rows[at, 0] = low(bitboard)
        rows[at, 1] = high(bitboard)

else:

    def join(low, high):
        return int(low) | int(high) << 64

    def low(bitboard):
        return np.uint64(bitboard & WORD)

    def high(bitboard):
        return np.uint64(bitboard >> 64 & WORD)

    def lowest(bitboard):
        return (bitboard & -bitboard).bit_length() - 1

    def rest(bitboard):
        return bitboard & (bitboard - 1)

    def contains(bitboard, square):
        return bool(bitboard >> int(square) & 1)

    def bit(square):
        return 1 << int(square)

    def up_to_lowest(bitboard):
        return bitboard ^ (bitboard - 1)

    def from_highest(bitboard):
        return -1 << max(bitboard.bit_length() - 1, 0)

    def popcount(bitboard):
        return bitboard.bit_count()

    def shift(bitboard, amount):
        return bitboard << amount if amount >= 0 else bitboard >> -amount

    def load(rows, index):
        return join(rows[index, 0], rows[index, 1])

    def store(rows, index, bitboard):
        rows[index, 0] = low(bitboard)
        rows[index, 1] = high(bitboard)
