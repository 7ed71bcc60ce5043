"""The list of all checks, read from the test files of this folder."""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

import hisshi.conformance
from hisshi.conformance.subjects import Subject
from hisshi.core.discovery import PluginInfo


@attrs.frozen
class Check:
    """One check: a test function that gets a `Subject`."""

    name: str
    roles: tuple[str, ...]
    goal: str  # of the searches that it is for; "": of all
    traits: frozenset[str]  # of the plugins that it is for; none: for all
    function: Callable[[Any], None]

    def is_about(self, plugin: PluginInfo) -> bool:
        """Tell whether it is for plugins of this role and goal; the traits aside."""
        return plugin.role in self.roles and self.goal in ("", plugin.declared.goal)

    def is_for(self, subject: Subject) -> bool:
        """Tell whether it is run on the subject."""
        return self.is_about(subject.plugin) and self.traits <= subject.traits


def check_of(module: Any, function: Any) -> Check:
    """Return the check that a test function is, from its markers and what its module says of all its checks."""
    traits = {mark.args[0] for mark in getattr(function, "pytestmark", ()) if mark.name == "hisshi_trait"}
    name = function.__name__.removeprefix("test_")
    return Check(name, module.ROLES, getattr(module, "GOAL", ""), frozenset(traits), function)


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
                found.append(check_of(module, function))
    return tuple(found)
