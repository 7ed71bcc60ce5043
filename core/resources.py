"""Find the data that hisshi brings along: the registry of runs and the problem sets.

An installed hisshi carries registry.toml inside hisshi.core; an editable checkout has it at the top of the tree only.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from hisshi.core.errors import RegistryError

REGISTRY_NAME = "registry.toml"


def bundled_registry() -> Traversable:
    """Return the bundled registry.toml: the wheel's, or the checkout's in an editable install."""
    inside = files("hisshi.core") / REGISTRY_NAME
    if inside.is_file():
        return inside
    beside = Path(__file__).resolve().parent.parent / REGISTRY_NAME
    if beside.is_file():
        return beside
    raise RegistryError(
        f"hisshi's own {REGISTRY_NAME} is missing: neither {inside} nor {beside} exists; reinstall hisshi"
    )


def bundled_problems() -> Traversable:
    """Return the folder of the bundled problem files."""
    return files("hisshi.problems")
