"""The list of all checks, read from the test files of this folder."""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

import hisshi.conformance


@attrs.frozen
class Check:
    """One check: a test function that gets a `Subject`."""

    name: str
    roles: tuple[str, ...]
    traits: frozenset[str]  # of the plugins that it is for; none: for all
    function: Callable[[Any], None]


@cache
def all_checks() -> tuple[Check, ...]:
    """Return every check, by file and in the order in which they stand there."""
    found = []
    for file in sorted(module.name for module in pkgutil.iter_modules(hisshi.conformance.__path__)):
        if not file.startswith("test_"):
            continue
        module = importlib.import_module(f"{hisshi.conformance.__name__}.{file}")
        for name, function in vars(module).items():
            if name.startswith("test_"):
                traits = {mark.args[0] for mark in getattr(function, "pytestmark", ()) if mark.name == "hisshi_trait"}
                found.append(Check(name.removeprefix("test_"), module.ROLES, frozenset(traits), function))
    return tuple(found)
