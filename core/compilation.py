"""Compiling the kernels of a run, and checking what the compiler finds against their contracts."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types
from numba.core.errors import NumbaError
from numba.core.ir import Loc

from hisshi.core.discovery import PluginInfo
from hisshi.core.errors import PluginError
from hisshi.core.kernel.compiling import compile_log
from hisshi.core.kernel.role import readable
from hisshi.core.kernel.roles.search import ROLE as SEARCH
from hisshi.core.kernel.roles.search import call_search_at

# Called with how many kernels are ready, of how many, and the name of the next one.
OnCompile = Callable[[int, int, str], None]


def compile_all(plugins: list[PluginInfo], on_compile: OnCompile | None = None) -> float:
    """Compile the kernels of `plugins` and check what they return; return the seconds spent in the compiler."""
    before = compile_log.compile_seconds
    distinct = list({id(plugin.kernel): plugin for plugin in plugins}.values())
    # Kernels that call no part first: they are small, and an author's mistake is found in seconds.
    distinct.sort(key=lambda plugin: len(plugin.declared.parts))
    total = len(distinct) + 1
    for done, plugin in enumerate(distinct):
        if on_compile is not None:
            on_compile(done, total, f"{plugin.role} '{plugin.name}'")
        _compile(plugin)
    if on_compile is not None:
        on_compile(total - 1, total, "entry")
    entry: Any = call_search_at
    entry.compile((types.int64, types.int64, *SEARCH.signature.args[1:]))
    if on_compile is not None:
        on_compile(total, total, "")
    return compile_log.compile_seconds - before


def _compile(plugin: PluginInfo) -> None:
    """Compile a kernel at its contract's argument types and compare what is inferred to be returned.

    An explicit signature would convert the result silently (2.7 becomes 2).
    """
    kernel, signature = plugin.kernel, plugin.contract.signature
    where = f"plugin '{plugin.name}', hook {plugin.contract.hook}"
    function = kernel.py_func
    try:
        kernel.compile(signature.args)
    except Exception as error:
        file, line = function.__code__.co_filename, function.__code__.co_firstlineno
        raise PluginError(
            f"{where}: kernel '{function.__name__}' ({file}, line {line}) does not compile"
            f"{_place(error)}:\n{_essence(error)}\nTo step through it as plain Python, set NUMBA_DISABLE_JIT=1."
        ) from error
    got = types.unliteral(kernel.overloads[tuple(signature.args)].signature.return_type)
    if got != signature.return_type:
        raise PluginError(
            f"{where}: kernel '{function.__name__}' returns {readable(got)}, "
            f"the contract wants {signature.return_type}; the contract is {plugin.contract.contract}; "
            f"{_returns(function)}"
        )


def _returns(function: Any) -> str:
    """Return where a kernel returns something, so that its author can look which of these it is."""
    file, first = Path(function.__code__.co_filename).name, function.__code__.co_firstlineno
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError):
        return f"look at what it returns in {file}, from line {first} on"
    lines = sorted({first - 1 + node.lineno for node in ast.walk(tree) if isinstance(node, ast.Return | ast.Yield)})
    if not lines:
        return f"it never returns anything in {file}, from line {first} on; end it with a return"
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {', '.join(map(str, lines))}"
    return f"mend what it returns in {file}, {where}"


def _place(error: BaseException) -> str:
    """Return where in the source a compilation failed, as far as numba knows."""
    found = getattr(error, "loc", None)
    traceback = error.__traceback__
    while traceback is not None and not isinstance(error, NumbaError):
        # numba lets an error of its own making through, such as KeyError for a field that no record has.
        found = next((each for each in list(traceback.tb_frame.f_locals.values()) if isinstance(each, Loc)), found)
        traceback = traceback.tb_next
    return f" at line {found.line} of {Path(found.filename).name}" if isinstance(found, Loc) else ""


def _essence(error: BaseException) -> str:
    """Return the lines of a numba error that an author can use."""
    if isinstance(error, KeyError):
        return f"  a record has no field {error}"
    text = str(error) if isinstance(error, NumbaError) else f"{type(error).__name__}: {error}"
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("Failed in nopython mode")]
    return "\n".join(f"  {line}" for line in lines[:14])
