"""The decorator that turns a function into a plugin's kernel."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import TRAITS
from hisshi.core.kernel.role import KernelInfo, Option

FIRST_FREE_SLOT = (
    16  # parts that are not named after their role take the slots from here on, in the order of declaration
)


def implements(
    role: str,
    *,
    name: str | None = None,
    options: Iterable[Option] = (),
    parts: Iterable[str] | Mapping[str, str] = (),
    traits: Iterable[str] | Callable[[dict[str, Any]], frozenset[str]] = (),
    bucket: int = 1,
    source: str = "",
    status: str = "stable",
) -> Callable[[Callable[..., Any]], Any]:
    """Declare a function to be a kernel of `role`, and have it compiled when a run uses it.

    Parameters
    ----------
    role
        One of the roles of `hisshi.core.kernel.roles`; the contract is checked when a run is composed.
    name
        What registries call it; by default the function's name with dashes.
    options
        Its options, read in the kernel as ``context.options[i]`` or, with a fraction, ``context.reals[i]``.
    parts
        The roles it calls, each through the role's accessor (``call_king_freedom(context, …)``). A mapping from part
        names to roles gives it several parts of one role; those not named after their role are in slots 16, 17, ….
    traits
        Promises, keys of `hisshi.core.kernel.context.TRAITS`; or a function of the options that returns them.
    bucket
        Role table only: entries per bucket.
    source
        Where the idea comes from.
    status
        "stable" or "experimental".

    Returns
    -------
    The compiled function (a numba dispatcher), which carries the declaration as `.hisshi_kernel`.

    The first line of the function's docstring, or else of its module's, is its summary.
    """

    def declare(function: Callable[..., Any]) -> Any:
        docstring = function.__doc__ or function.__globals__.get("__doc__") or ""
        info = KernelInfo(
            role=role,
            name=name or function.__name__.replace("_", "-"),
            options=tuple(options),
            parts=dict(parts) if isinstance(parts, Mapping) else {part: part for part in parts},
            traits=traits if callable(traits) else frozenset(traits),
            bucket=bucket,
            summary=docstring.strip().split("\n")[0],
            source=source,
            status=status,
        )
        if not callable(info.traits) and (unknown := info.traits - TRAITS.keys()):
            raise ValueError(f"kernel '{info.name}': no trait named {sorted(unknown)}; there are: {', '.join(TRAITS)}")
        result: Any = compiled(function)
        result.hisshi_kernel = info
        return result

    return declare
