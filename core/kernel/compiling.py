"""`compiled`: a function at native speed, found again on disk by the next process, and never stale.

numba compiles; the cache on disk is our own, set on each function alone, because numba's looks only at the file that
defines a function and lets two processes mix up each other's files. No setting of numba is changed.

The folder's name holds hashes of core/kernel, of the versions of everything that generates code, of the processor and
of numba's code generation flags; below it each unit (see `cache_units`) has a folder with its own hash. So an edit in
core/kernel compiles everything anew, an edit in a plugin that plugin alone. A file's name comes from the function,
its signature and options, and the constants that it sees (see `cache_facts`).
"""

import contextlib
import hashlib
import itertools
import pickle
import platform
import re
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, TypeVar, overload

import llvmlite
import numba
import numpy as np
from llvmlite import binding as llvm
from numba.core import config, event
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.serialize import dumps

from hisshi.core.kernel.cache_facts import ADDRESS, Facts
from hisshi.core.kernel.cache_store import Store, log
from hisshi.core.kernel.cache_units import Unit, kernel_unit, unit_of
from hisshi.core.kernel.flavour import can_profile, wants_profile

UNRESOLVED = ".numba.unresolved$"  # how numba's names for calls that are resolved in memory only begin

PROFILED = wants_profile() and can_profile()  # see hisshi.core.kernel.profiling

F = TypeVar("F", bound=Callable[..., Any])

# numba settings that change the code it generates.
CODE_FLAGS = (
    "BOUNDSCHECK",
    "OPT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "ENABLE_AVX",
    "CPU_NAME",
    "CPU_FEATURES",
    "DEBUGINFO_DEFAULT",
    "EXTEND_VARIABLE_LIFETIMES",
    "ENABLE_PROFILING",
    "USING_SVML",
    "DISABLE_INTEL_SVML",
    "LLVM_REFPRUNE_PASS",
    "LLVM_REFPRUNE_FLAGS",
    "DEBUG_JIT",
    "DEBUG_NRT",
    "DEBUG_ARRAY_OPT_RUNTIME",
    "PARFOR_MAX_TUPLE_SIZE",
)


def code_flags() -> tuple[str, ...]:
    """Return the present values of `CODE_FLAGS`; numba reads its environment variables again at each compilation."""
    return tuple(f"{name}={getattr(config, name, None)!s}" for name in CODE_FLAGS)


_FLAGS = code_flags()


@cache
def store() -> Store:
    """Return this process's cache on disk."""
    description = {
        "kernel": kernel_unit().digest,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__,
        "python": f"{sys.implementation.cache_tag} {platform.python_version()} {getattr(sys, 'abiflags', '')}",
        "platform": f"{sys.platform} {platform.machine()}",
        "processor": f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}",
        "flags": " ".join((*_FLAGS, f"PROFILED={PROFILED}")),
    }
    surroundings = hashlib.sha256(repr(sorted(description.items())).encode()).hexdigest()
    return Store(f"{sys.implementation.cache_tag}-numba{numba.__version__}-{surroundings[:20]}", description)


class CompileLog:
    """What this process has compiled and what it has loaded; for progress lines and tests."""

    def __init__(self) -> None:
        self.decorated = 0  # functions given to `compiled`
        self.compiled = 0  # functions (one per signature) compiled
        self.loaded = 0  # the same, loaded from disk
        self.saved = 0  # the same, saved to disk
        self.uncached = 0  # compiled, of a function that cannot be cached
        self.compile_seconds = 0.0  # time in the compiler, each moment counted once
        self.load_seconds = 0.0
        self.names: list[str] = []  # of the functions compiled, in the order in which they began
        self._watchers: list[Callable[[str, str], None]] = []

    @contextlib.contextmanager
    def watch(self, watcher: Callable[[str, str], None]) -> Iterator[None]:
        """Call ``watcher(what, name)`` before each compilation (what: "compile") and after each load ("load")."""
        self._watchers.append(watcher)
        try:
            yield
        finally:
            self._watchers.remove(watcher)

    def tell(self, what: str, name: str) -> None:
        """Call every watcher."""
        for watcher in tuple(self._watchers):
            watcher(what, name)


compile_log = CompileLog()


class _Serializer(CompileResultCacheImpl):
    """numba's way of turning a compiled function into data; only its search for a place to keep it is left out."""

    def __init__(self, function: FunctionType) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = self  # asked only for `_py_file`, to say where an uncacheable function is
        self._py_file = function.__code__.co_filename


_cycles: set[tuple[str, ...]] = set()  # warned of
_NOWHERE = ModuleType("nowhere")


class KernelCache(FunctionCache):
    """The cache of one function."""

    def __init__(self, function: FunctionType, unit: Unit | None, options: dict[str, Any]) -> None:
        self._name, self._py_func, self._impl = repr(function), function, _Serializer(function)
        self.label = f"{function.__module__}.{function.__qualname__}"
        # numba cannot find a function with a closure again; a closure's value is not in its source either.
        self.unit = unit if function.__closure__ is None else None
        self.line, self.options = function.__code__.co_firstlineno, repr(sorted(options.items()))
        self.enable()

    @property
    def cache_path(self) -> str | None:
        """Return the folder that is written to; None if nothing is."""
        folder = store().home or next(iter(store().folders), None)
        return str(folder / self._folder()) if folder and self.unit else None

    def flush(self) -> None:
        """Stop caching: numba calls this to recompile, when a global has changed that the source does not show."""
        self.unit = None

    def usable(self) -> bool:
        """Tell whether what runs in this process is what the folder's name says."""
        unit = self.unit
        return (
            self._enabled
            and unit is not None
            # numba finds a function's module by name: of two files loaded under one name, the later one is there
            and vars(sys.modules.get(self._py_func.__module__) or _NOWHERE) is self._py_func.__globals__
            and unit.is_current()
            and (unit is kernel_unit() or kernel_unit().is_current())
            and code_flags() == _FLAGS
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature if it is on disk; numba asks this before it compiles."""
        target_context.refresh()
        if not self.usable():
            return None
        begun = time.perf_counter()
        key = self._key(sig, target_context.codegen())
        if key is None:
            return None
        body = store().read(self._folder(), self._file(key))
        if body is None:
            return None
        try:
            saved_key, payload = pickle.loads(body)  # noqa: S301 - only what this user or root wrote is read
            if saved_key != key:
                return None
            result = self._impl.rebuild(target_context, payload)
            # numba tells its linker of functions that it compiles only: a function that calls itself with other
            # types, loaded for some and compiled for others, would end in "unresolved symbol".
            target_context.codegen()._rtlinker.scan_defined_symbols(result.library._shared_module)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with the data, compiling helps
            log.debug("%s: cached code is unusable (%r)", self.label, error)
            return None
        compile_log.loaded += 1
        compile_log.load_seconds += time.perf_counter() - begun
        compile_log.tell("load", self.label)
        return result

    def save_overload(self, sig: Any, data: Any) -> None:
        """Save what numba has just compiled, if another process may load it."""
        if not self.usable() or not self._impl.check_cachable(data) or _has_unresolved_calls(data.library):
            compile_log.uncached += 1
            return
        key = self._key(sig, data.codegen)
        if key is None:
            compile_log.uncached += 1
        elif store().write(self._folder(), self._file(key), dumps((key, self._impl.reduce(data)))):
            compile_log.saved += 1

    def _folder(self) -> str:
        assert self.unit is not None
        return "core" if self.unit.name == "core" else self.unit.folder

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...] | None:
        """Return what the code depends on besides the unit; None if it could not be loaded by another process."""
        if ADDRESS.search(repr(sig)):
            return None
        facts = Facts(self._py_func)
        if facts.cycle:  # loading one of them crashes: each refers to the other's symbol
            if facts.cycle not in _cycles:
                _cycles.add(facts.cycle)
                log.warning("%s call each other: compiled in each process, never loaded", " and ".join(facts.cycle))
            return None
        return sig, codegen.magic_tuple(), self.label, self.line, self.options, facts.digest

    def _file(self, key: tuple[Any, ...]) -> str:
        readable = re.sub(r"[^A-Za-z0-9_]", "", self._py_func.__name__)[:40]
        return f"{readable}-{hashlib.sha256(repr(key).encode()).hexdigest()[:24]}.nbc"


def _has_unresolved_calls(library: Any) -> bool:
    """Tell whether the code calls through a symbol that only this process resolves.

    So do functions that call each other, and a recursive function whose first call has another signature than its own
    calls, say a literal 0 where they pass an int64. Loading such code ends the process.
    """
    return any(variable.name.startswith(UNRESOLVED) for variable in library._final_module.global_variables)


class _Listener(event.Listener):
    """Counts and times compilations of our functions, and gives them symbols that no other process gives.

    numba tells functions of one name apart by a counter that each process starts at 1. So code from two processes,
    loaded into a third, may meet under one symbol, and the address of one function is then silently that of the other
    (two plugins with the same file name; one plugin before and after an edit). While we compile, the counter starts
    at random. All of this happens under numba's compiler lock.
    """

    depth = 0  # a callee is compiled while its caller is
    begun = 0.0
    numba_ids: Any = None

    def on_start(self, happened: event.Event) -> None:
        own = happened.data["dispatcher"]._cache
        if not isinstance(own, KernelCache):
            return
        if self.depth == 0:
            self.begun = time.perf_counter()
            self.numba_ids = FunctionIdentity._unique_ids
            FunctionIdentity._unique_ids = itertools.count(secrets.randbits(62))
        self.depth += 1
        compile_log.compiled += 1
        compile_log.names.append(own.label)
        compile_log.tell("compile", own.label)

    def on_end(self, happened: event.Event) -> None:
        if not isinstance(happened.data["dispatcher"]._cache, KernelCache):
            return
        self.depth -= 1
        if self.depth == 0:
            FunctionIdentity._unique_ids = self.numba_ids
            compile_log.compile_seconds += time.perf_counter() - self.begun


event.register("numba:compile", _Listener())


def _take_numbers_as_numbers(dispatcher: Any) -> None:
    """Let a call with a constant (``f(0)``) use the same machine code as one with a variable.

    numba would compile the function once more for the constant. That is time lost, and for a recursive function it is
    worse: the two versions call each other, and such code cannot be loaded from disk.
    """
    fold, template = dispatcher.fold_argument_types, dispatcher.get_call_template

    def fold_argument_types(args: Any, kws: Any) -> Any:
        signature, folded = fold(args, kws)
        return signature, tuple(numba.types.unliteral(argument) for argument in folded)

    def get_call_template(args: Any, kws: Any) -> Any:
        return template(
            tuple(numba.types.unliteral(argument) for argument in args),
            {name: numba.types.unliteral(argument) for name, argument in kws.items()},
        )

    dispatcher.fold_argument_types, dispatcher.get_call_template = fold_argument_types, get_call_template


@overload
def compiled(function: F) -> F: ...


@overload
def compiled(**options: Any) -> Callable[[F], F]: ...


def compiled(function: Any = None, **options: Any) -> Any:
    """Compile `function` with numba (nopython, nogil) when it is first called; a later process loads it from disk.

    Use as ``@compiled`` or ``@compiled(fastmath=True, …)`` with numba's options. With ``NUMBA_DISABLE_JIT=1`` the plain
    Python function comes back. A function in ``__main__``, typed in, or with a closure is compiled in each process.

    Raises
    ------
    TypeError
        The function is in hisshi.core but not below core/kernel, `cache` is among the options, or a signature is given:
        numba would silently convert arguments and results to it.
    """
    if function is None:
        return lambda decorated: compiled(decorated, **options)
    if not isinstance(function, FunctionType):
        raise TypeError(f"compiled takes a function, got {function!r}; argument types are found at the first call")
    if "cache" in options:
        raise TypeError(f"{function.__qualname__}: 'compiled' does the caching; leave out 'cache'")
    unit = unit_of(function)  # also when nothing is compiled, so that the mistake is seen there too
    if getattr(config, "DISABLE_JIT", 0):
        return function
    options = {"nogil": True, **options}
    dispatcher = numba.njit(**options)(function)
    dispatcher._cache = KernelCache(function, unit, options)
    _take_numbers_as_numbers(dispatcher)
    compile_log.decorated += 1
    return dispatcher
