"""What a role is: the contract of one kind of plugin, in terms that can be checked."""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numba import types

from hisshi.core.kernel.context import ContextType
from hisshi.core.kernel.stack import StackType
from hisshi.core.kernel.state import PositionType
from hisshi.core.kernel.table import EntryType

CONTEXT = ContextType
POSITION = PositionType
INT = types.int64
MOVES = types.Array(types.int32, 1, "C")
KEYS = types.Array(types.int64, 1, "C")
CONTROL = types.Array(types.int64, 1, "C")
STACK = types.Array(StackType, 1, "C")
BUCKET = types.Array(EntryType, 1, "C")
ENTRY = EntryType


LARGEST_WHOLE = 2**63 - 1  # what an option, kept as an int64, may be at most
LONGEST_TYPE = 100  # letters of a type in an error
RESERVED = ("use", "path")  # keys of a registry's tables that are no options


@attrs.frozen
class Array:
    """An array that every plugin of a role gets: its name, element type and length."""

    name: str
    dtype: np.dtype
    size: int


@attrs.frozen
class Option:
    """An option of a plugin.

    A kernel reads it as ``context.options[i]`` (or ``context.reals[i]``), i being its place in the declaration. The
    type is that of `default`: int, float, bool, or str, which means one of `choices` (its index is what the kernel
    reads). `low` and `high` are inclusive.
    """

    name: str
    default: int | float | bool | str
    help: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    def __attrs_post_init__(self) -> None:
        problem = self._name_problem() or (self._choice_problem() if self.choices else self._value_problem())
        if problem:
            raise ValueError(f"option '{self.name}': {problem}")

    def _name_problem(self) -> str:
        if not self.name.isidentifier():
            return "expected a name of letters, digits and underscores"
        return "a registry needs that name itself" if self.name in RESERVED else ""

    def _choice_problem(self) -> str:
        if self.default not in self.choices:
            return f"default {self.default!r} is not among its choices {', '.join(map(repr, self.choices))}"
        return "" if len(set(self.choices)) == len(self.choices) else "a choice is listed twice"

    def _value_problem(self) -> str:
        if isinstance(self.default, str):
            return f"default {self.default!r} is a text; expected choices for it"
        if type(self.default) not in (int, float, bool):
            return f"default {self.default!r} is a {type(self.default).__name__}, expected int, float, bool or str"
        low = -LARGEST_WHOLE if self.low is None else self.low
        high = LARGEST_WHOLE if self.high is None else self.high
        if not low <= self.default <= high:  # nor NaN
            return f"default {self.default} is out of its range, {low} to {high}"
        return ""

    @property
    def kind(self) -> str:
        """Return "int", "float", "bool" or "choice"."""
        return "choice" if self.choices else type(self.default).__name__


@attrs.frozen
class Role:
    """A role: the signature of its kernel, what the arguments mean, and the hook that offers it.

    Every role of the program is one module of `hisshi.core.kernel.roles`, whose `ROLE` is one of these.
    """

    name: str
    slot: int  # index of the part in a context's `code` and `env`
    signature: Any  # numba signature; the first argument is the plugin's own context
    arguments: tuple[str, ...]
    options: tuple[Option, ...] = ()  # options that every plugin of the role has, after its own
    arrays: tuple[Array, ...] = ()

    @property
    def hook(self) -> str:
        """Return the name of the hook."""
        return f"hisshi_{self.name}"

    @property
    def contract(self) -> str:
        """Return the signature as a plugin author reads it."""
        named = (f"{name}: {readable(type_)}" for name, type_ in zip(self.arguments, self.signature.args, strict=True))
        return f"({', '.join(named)}) -> {self.signature.return_type}"


def readable(type_: Any) -> str:
    """Return a numba type as a plugin author knows it: records by their names, not by their fields."""
    names = {CONTEXT: "context record", POSITION: "position record", ENTRY: "ENTRY record", StackType: "STACK record"}
    if isinstance(type_, types.Array) and type_.ndim == 1:
        return f"array of {readable(type_.dtype)}"
    text = names.get(type_) or str(type_)
    return text if len(text) <= LONGEST_TYPE else text[:LONGEST_TYPE] + "…"


@attrs.frozen
class KernelInfo:
    """What a plugin says of one of its kernels, see `hisshi.core.kernel.declare.implements`."""

    role: str
    name: str
    options: tuple[Option, ...]
    parts: dict[str, str]  # part name -> role
    traits: frozenset[str] | Callable[[dict[str, Any]], frozenset[str]]
    arrays: tuple[Array, ...]
    bucket: int
    goal: str
    summary: str
    source: str
    status: str
    deviations: dict[str, str] = attrs.field(factory=dict)  # checks that it is known to fail -> the reason
