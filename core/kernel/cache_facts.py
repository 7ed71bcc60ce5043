"""What a function's machine code depends on besides the files that are hashed: constants, and the functions it calls.

numba freezes global constants when it compiles. A constant may come from a file outside the unit, from the
environment, or be set by a test; so the values that a function and its callees see are part of its key in the cache.
"""

import enum
import hashlib
import re
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types

_SIMPLE = (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype, enum.Enum, types.Type)
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")  # in the text of something that exists in this process only


class Facts:
    """What `function` and everything it calls depends on, as it is now."""

    def __init__(self, function: FunctionType) -> None:
        self.cycle: tuple[str, ...] = ()  # names of functions that call each other, if there are any
        self._whole = hashlib.sha256()
        self._done: set[FunctionType] = set()
        self._path: list[FunctionType] = []
        self._visit(function)
        self.digest = self._whole.hexdigest()

    def _visit(self, function: FunctionType) -> None:
        if function in self._path:
            cycle = self._path[self._path.index(function) :]
            if len(cycle) > 1:  # calling oneself is fine
                self.cycle = tuple(sorted(f"{each.__module__}.{each.__qualname__}" for each in cycle))
            return
        if function in self._done:
            return
        self._done.add(function)
        self._path.append(function)
        self._note("function", f"{function.__module__}.{function.__qualname__}")
        callees = []
        for code in _codes(function.__code__):
            self._whole.update(code.co_code)
            for constant in code.co_consts:
                self._note("const", text_of(constant))
            for name, value in _globals_of(code, function):
                callee = getattr(value, "py_func", None)
                if isinstance(callee, FunctionType):
                    callees.append(callee)
                else:
                    self._note(name, text_of(value))
        for callee in callees:
            self._visit(callee)
        self._path.pop()

    def _note(self, name: str, text: str | None) -> None:
        if text is not None:
            self._whole.update(f"{name}={text}\n".encode())


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield `code` and the code of functions and comprehensions inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _globals_of(code: CodeType, function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the globals that `code` names, and what it may name as attributes of modules among them."""
    modules = []
    for name in code.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType):
            modules.append(value)
        elif value is not None:
            yield name, value
    for module in modules:
        for name in code.co_names:
            value = vars(module).get(name)
            if isinstance(value, ModuleType) and value not in modules:
                modules.append(value)
            elif value is not None:
                yield f"{module.__name__}.{name}", value


def text_of(value: Any) -> str | None:
    """Return a text that tells a constant from others, the same in each process; None if `value` is no constant."""
    if isinstance(value, np.ndarray):
        if value.dtype.hasobject:
            return None
        content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return f"{value.dtype!r}{value.shape}{content}"
    if isinstance(value, tuple):
        return f"{type(value).__name__}({','.join(str(text_of(item)) for item in value)})"
    if isinstance(value, _SIMPLE):
        return ADDRESS.sub("", f"{type(value).__name__}:{value!r}")
    return None
