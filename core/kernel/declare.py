"""The decorator that turns a function into a plugin's kernel."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hisshi.core.kernel.compiling import compiled
from hisshi.core.kernel.context import OPTIONS, SLOTS, TRAITS
from hisshi.core.kernel.role import RESERVED, Array, KernelInfo, Option

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
    arrays: Iterable[Array] = (),
    bucket: int = 1,
    goal: str = "mate",
    source: str = "",
    status: str = "stable",
    deviations: Mapping[str, str] | None = None,
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
    arrays
        Memory of its own: in ``context.memory`` and ``context.sizes`` behind the arrays of its role.
    bucket
        Role table only: entries per bucket.
    goal
        Role search only: what it looks for, the `goal` of the runs that it fits.
    source
        Where the idea comes from.
    status
        "stable" or "experimental".
    deviations
        Checks of `hisshi.conformance` that the kernel is known to fail, each with the reason. Such a check must then
        fail; a kernel that passes it must take the deviation back.

    Returns
    -------
    The compiled function (a numba dispatcher), which carries the declaration as `.hisshi_kernel`.

    The first line of the function's docstring, or else of its module's, is its summary.
    """

    def declare(function: Callable[..., Any]) -> Any:
        for text, argument in ((parts, "parts"), (traits, "traits")):
            if isinstance(text, str):
                raise TypeError(f"{argument} is the text {text!r}, expected a list: [{text!r}]")
        docstring = function.__doc__ or function.__globals__.get("__doc__") or ""
        info = KernelInfo(
            role=role,
            name=name or function.__name__.replace("_", "-"),
            options=tuple(options),
            parts=dict(parts) if isinstance(parts, Mapping) else {part: part for part in parts},
            traits=traits if callable(traits) else frozenset(traits),
            arrays=tuple(arrays),
            bucket=bucket,
            goal=goal,
            summary=docstring.strip().split("\n")[0],
            source=source,
            status=status,
            deviations=dict(deviations or {}),
        )
        if problem := _problem(info):
            raise ValueError(f"kernel '{info.name}': {problem}")
        result: Any = compiled(function)
        result.hisshi_kernel = info
        return result

    return declare


def check_traits(traits: frozenset[str]) -> str:
    """Return what is wrong with a plugin's traits, "" if nothing is."""
    unknown = sorted(set(traits) - TRAITS.keys())
    return f"no trait named {', '.join(map(repr, unknown))}; there are: {', '.join(TRAITS)}" if unknown else ""


def _problem(info: KernelInfo) -> str:
    names = [*(option.name for option in info.options), *info.parts]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        return f"'{twice[0]}' is declared twice; options and parts need different names"
    if len(info.options) > OPTIONS:
        return f"{len(info.options)} options, a context has room for {OPTIONS}"
    own_names = [part for part, role in info.parts.items() if part != role]
    if len(own_names) > SLOTS - FIRST_FREE_SLOT:
        return f"{len(own_names)} parts with names of their own, a context has room for {SLOTS - FIRST_FREE_SLOT}"
    for part in info.parts:
        if not part.isidentifier() or part in RESERVED:
            return (
                f"part '{part}': expected a name of letters, digits and underscores, not one of: {', '.join(RESERVED)}"
            )
    if info.bucket < 1:
        return f"bucket is {info.bucket}, expected 1 or more"
    return "" if callable(info.traits) else check_traits(info.traits)
