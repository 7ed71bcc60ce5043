"""What is checked: one plugin with one choice of its options, composed into the default run."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import attrs
import numpy as np

from hisshi.core.composition import Run, compose, compose_part
from hisshi.core.discovery import PluginCatalogue, PluginInfo, load_plugins
from hisshi.core.errors import PluginError
from hisshi.core.instance import Instance
from hisshi.core.kernel.context import CONTEXT
from hisshi.core.nearest import clipped, listed, suggest
from hisshi.core.registry import PartSpec, Registry, RunSpec

DEFAULT_RUNS = (
    "mate",
    "hisshi-full",
    "classical",
)  # the first that fits names a plugin's parts
MEGABYTES = 1.0  # of every table: many runs are alive at once
SMALLEST = 0.001  # of a table that is checked itself: it is to be overfull soon


@attrs.define(eq=False, slots=False)  # slots would leave no room for cached properties
class Subject:
    """One plugin with one choice of its options."""

    plugin: PluginInfo
    options: dict[str, Any]  # that differ from the defaults
    catalogue: PluginCatalogue = attrs.field(repr=False)
    registry: Registry = attrs.field(repr=False)
    path: Path | None = None  # of the file that it was loaded from
    check: str = ""  # the check that is running
    is_unusable: bool = False  # it cannot be composed or compiled, as was reported

    @property
    def name(self) -> str:
        """Return what the subject is called in reports: ``role plugin option=value``."""
        return " ".join(
            [self.plugin.role, self.plugin.name, *(f"{name}={self.options[name]}" for name in self.options)]
        )

    @property
    def where(self) -> str:
        """Return how an error names the subject."""
        options = "".join(f", {name} = {value}" for name, value in self.options.items())
        return f"plugin '{self.plugin.name}', hook {self.plugin.contract.hook}{options}"

    @property
    def traits(self) -> frozenset[str]:
        """Return what the plugin promises with these options."""
        declared = self.plugin.declared.traits
        defaults = {option.name: option.default for option in self.plugin.all_options}
        return declared({**defaults, **self.options}) if callable(declared) else declared

    @cached_property
    def run(self) -> Run:
        """The subject composed and compiled: its own instance is the root of the run."""
        role = self.plugin.role
        spec = self._spec()
        run = compose(spec, None, self.catalogue) if role == "search" else compose_part(spec, role, self.catalogue)
        run.warm()
        return run

    @property
    def instance(self) -> Instance:
        """The plugin's instance."""
        return self.run.root

    @cached_property
    def caller(self) -> Any:
        """The context record of a caller that has the subject as a part: what the role's accessor takes."""
        slot = self.plugin.contract.slot
        record = np.zeros(1, CONTEXT).view(np.recarray)
        context = record[0]
        context.code[slot], context.env[slot] = self.instance.code(), self.instance.address
        context.control = self.instance.context.control
        return context

    def part_run(self, megabytes: float) -> Run:
        """Return the subject, a part of a search, composed alone; `megabytes`, of it or of the tables in it."""
        spec = self._spec()
        parts = {name: _with_table(part, name, None, megabytes) for name, part in spec.parts.items()}
        return compose_part(attrs.evolve(spec, parts=parts), self.plugin.role, self.catalogue)

    def search_run(self, table: str | None = None, megabytes: float = MEGABYTES) -> Run:
        """Return a search that has the subject in it, compiled: itself, or else the default run with it swapped in.

        `table`, another replacement policy for all the run's tables, and `megabytes`, of each.
        """
        spec = self._spec()
        parts = {name: _with_table(part, name, table, megabytes) for name, part in spec.parts.items()}
        run = compose(attrs.evolve(spec, parts=parts), None, self.catalogue)
        run.warm()
        return run

    def with_little(self) -> Iterator["Subject"]:
        """Yield the subject with each number among its options, one at a time, as low as is allowed."""
        for option in self.plugin.declared.options:
            if option.kind in ("int", "float") and option.low is not None and option.low != option.default:
                yield attrs.evolve(self, options={**self.options, option.name: option.low})

    def _spec(self) -> RunSpec:
        """Return a run with the subject in its role: one that has it already, or else the default run."""
        role = self.plugin.role
        base = self._base()
        parts = {name: _with_table(part, name, None, MEGABYTES) for name, part in base.parts.items()}
        for other in self.catalogue.roles:
            if other not in parts and (names := sorted(self.catalogue.names(other))):
                parts[other] = _with_table(PartSpec(base.where, use=names[0]), other, None, MEGABYTES)
        settings: dict[str, Any] = {**self._parts_of_its_own(parts.get(role)), **self.options}
        if role == "table":
            settings["megabytes"] = SMALLEST
        parts[role] = PartSpec("hisshi.conformance", self.plugin.name, self.path, settings)
        return attrs.evolve(base, name="conformance", where="hisshi.conformance", shortest=False, parts=parts)

    def _parts_of_its_own(self, theirs: PartSpec | None) -> dict[str, Any]:
        """Return the parts inside the base run's plugin of the role that the subject has too."""
        inner = theirs.settings if theirs else {}
        return {name: inner[name] for name in inner if _is_part(inner[name]) and name in self.plugin.declared.parts}

    def _base(self) -> RunSpec:
        """Return the run that has the plugin, if it is a search; else the default run of its goal or with its role."""
        role, goal = self.plugin.role, self.plugin.declared.goal
        defaults = [self.registry.find(name) for name in DEFAULT_RUNS]
        if role != "search":
            return next((run for run in defaults if role in run.parts), defaults[0])
        runs = [self.registry.runs[name] for name in sorted(self.registry.runs)]
        used = (run for run in runs if role in run.parts and run.parts[role].use == self.plugin.name)
        return next(used, None) or next((run for run in defaults if run.goal == goal), defaults[0])

    def fail(self, problem: str, sfen: str = "") -> NoReturn:
        """End the check: the plugin does not conform."""
        position = f"; position {sfen}" if sfen else ""
        raise AssertionError(f"{self.where}, check '{self.check}': {problem}{position}")


def _with_table(part: PartSpec, name: str, policy: str | None, megabytes: float) -> PartSpec:
    """Return the part `name` of a run with every table in it, itself or a part of a part, `megabytes` large."""
    inner = {key: _with_table(own, key, policy, megabytes) for key, own in part.settings.items() if _is_part(own)}
    settings = {**part.settings, **inner}
    if name != "table":
        return attrs.evolve(part, settings=settings)
    if policy is not None:
        return PartSpec(part.where, use=policy, settings={"megabytes": megabytes})
    return attrs.evolve(part, settings={**settings, "megabytes": megabytes})


def _is_part(setting: Any) -> bool:
    return isinstance(setting, PartSpec)


def select(names: Iterable[str]) -> list[Subject]:
    """Return the subjects of the plugins called `names`, or of all installed ones if there is no name; sorted.

    A name that ends in ``.py`` is a file, all of whose plugins are meant.

    Raises
    ------
    PluginError, RegistryError
        No plugin has a name; a plugin or a registry cannot be loaded.
    """
    catalogue, registry = load_plugins(), Registry.load()
    chosen: dict[int, tuple[PluginInfo, Path | None]] = {}
    for name in names:
        chosen.update((id(plugin), (plugin, path)) for plugin, path in _named(name, catalogue))
    if not list(names):
        chosen = {id(plugin): (plugin, None) for plugin in catalogue.plugins}
    ordered = sorted(chosen.values(), key=lambda pair: (pair[0].role, pair[0].name, str(pair[1] or "")))
    return [
        Subject(plugin, options, catalogue, registry, path)
        for plugin, path in ordered
        for options in option_choices(plugin)
    ]


def _named(name: str, catalogue: PluginCatalogue) -> list[tuple[PluginInfo, Path | None]]:
    if name.endswith(".py"):
        path, plugins = catalogue.all_from_file(Path(name), "--hisshi-plugin")
        if not plugins:
            raise PluginError(f"--hisshi-plugin: {path.name} offers no plugin; it needs a @hookimpl that returns one")
        return [(plugin, path) for plugin in plugins]
    found: list[tuple[PluginInfo, Path | None]] = [
        (plugin, None) for plugin in catalogue.plugins if plugin.name == name
    ]
    if not found:
        known = {plugin.name for plugin in catalogue.plugins}
        raise PluginError(
            f"--hisshi-plugin: no plugin named '{clipped(name)}'; installed: {listed(known)}{suggest(name, known)}"
        )
    return found


def option_choices(plugin: PluginInfo) -> Iterator[dict[str, Any]]:
    """Yield the defaults, and then each other value of each option that has few, one option at a time."""
    yield {}
    for option in plugin.declared.options:
        values: tuple[Any, ...] = option.choices or ((False, True) if option.kind == "bool" else ())
        for value in values:
            if value != option.default:
                yield {option.name: value}
