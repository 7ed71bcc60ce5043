"""The board kernel, contracts, registry and composition that every plugin builds on.

The names below are the public ones; each is imported when it is first used, so that importing this package costs
nothing. Compiled building blocks are in `hisshi.core.kernel`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hisshi.core.hooks import hookimpl as hookimpl
    from hisshi.core.kernel.compiling import compiled as compiled
    from hisshi.core.kernel.declare import implements as implements
    from hisshi.core.kernel.role import Option as Option
    from hisshi.core.playing import choose_move as choose_move
    from hisshi.core.position import Position as Position
    from hisshi.core.registry import Registry as Registry
    from hisshi.core.results import MoveResult as MoveResult
    from hisshi.core.results import SearchResult as SearchResult
    from hisshi.core.solving import solve as solve

_HOMES = {
    "MoveResult": "hisshi.core.results",
    "Option": "hisshi.core.kernel.role",
    "Position": "hisshi.core.position",
    "Registry": "hisshi.core.registry",
    "SearchResult": "hisshi.core.results",
    "choose_move": "hisshi.core.playing",
    "compiled": "hisshi.core.kernel.compiling",
    "hookimpl": "hisshi.core.hooks",
    "implements": "hisshi.core.kernel.declare",
    "solve": "hisshi.core.solving",
}

__all__ = [
    "MoveResult",
    "Option",
    "Position",
    "Registry",
    "SearchResult",
    "choose_move",
    "compiled",
    "hookimpl",
    "implements",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'hisshi.core' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
