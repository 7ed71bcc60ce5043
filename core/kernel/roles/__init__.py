"""The roles that a plugin can be plugged in as: one module each, found by its place in this folder.

To add a role, add one module here with its contract (`ROLE`), its accessor (``call_…``) and its hook specification
(``hisshi_…``). Nothing else lists the roles.
"""

import importlib
import pkgutil
from types import ModuleType

from hisshi.core.kernel.declare import FIRST_FREE_SLOT
from hisshi.core.kernel.role import Role


def role_modules() -> list[ModuleType]:
    """Return the modules of all roles, in the order of their slots."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    modules = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return sorted(modules, key=lambda module: module.ROLE.slot)


def all_roles() -> dict[str, Role]:
    """Return every role by name; two roles in one slot are an error."""
    roles: dict[str, Role] = {}
    for module in role_modules():
        role: Role = module.ROLE
        if not 0 <= role.slot < FIRST_FREE_SLOT:
            raise ValueError(f"role '{role.name}' has slot {role.slot}, expected 0 to {FIRST_FREE_SLOT - 1}")
        for other in roles.values():
            if other.slot == role.slot:
                raise ValueError(f"roles '{other.name}' and '{role.name}' both have slot {role.slot}")
        roles[role.name] = role
    return roles
