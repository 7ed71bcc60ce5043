"""Composing a run: plugin instances whose context records point at each other."""

import platform
import threading
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np

from hisshi.core.compilation import OnCompile, compile_all
from hisshi.core.discovery import PluginCatalogue, PluginInfo, load_plugins
from hisshi.core.errors import RegistryError
from hisshi.core.instance import Instance
from hisshi.core.kernel.cache_units import kernel_unit
from hisshi.core.kernel.compiling import PROFILED
from hisshi.core.kernel.context import JIT
from hisshi.core.kernel.control import CONTROL_SIZE, NODES
from hisshi.core.kernel.role import Option
from hisshi.core.kernel.roles.search import call_search_at
from hisshi.core.nearest import clipped, listed, shown, suggest
from hisshi.core.options import check_value, read_text
from hisshi.core.play_memory import play_statistics
from hisshi.core.registry import DEEPEST_NESTING, RUN_KEYS, PartSpec, RunSpec

SHORTEST = Option("shortest", False, "search on until the length is proven minimal")  # of a run, not of a plugin


class Run:
    """A composed run: from `Registry.compose`, for `solve`. It holds tables, so it searches one position at a time."""

    def __init__(self, spec: RunSpec, root: Instance, instances: list[Instance], shortest: bool = False) -> None:
        self.name, self.goal, self.spec, self.shortest = spec.name, spec.goal, spec, shortest
        self.root, self.instances = root, instances
        self.control = np.zeros(CONTROL_SIZE, np.int64)
        self._control_address = root._address_of(self.control, self.control)
        for instance in instances:
            instance.context.control = self._control_address
        self.in_use = threading.Lock()  # held by `solve`
        self._is_ready = False

    def warm(self, on_compile: OnCompile | None = None) -> float:
        """Compile every kernel, or load it from the cache; return the seconds that compiling took.

        Raises
        ------
        PluginError
            A kernel does not compile, or returns another type than its contract says.
        """
        if self._is_ready:
            return 0.0
        seconds = 0.0
        if JIT:
            seconds = compile_all([instance.plugin for instance in self.instances], on_compile)
        for instance in self.instances:
            instance.connect()
        self._code = self.root.code()
        self._is_ready = True
        return seconds

    def search(self, record: Any, plies: int = 0) -> int:
        """Enter the search, in this thread; return PROVEN, DISPROVEN or UNKNOWN as in `hisshi.core.kernel.table`.

        `record` is the same again afterwards; `plies` limits how far is looked ahead, 0 does not.
        """
        return int(call_search_at(self._code, self.root.address, record, plies))

    def clear(self) -> None:
        """Forget what earlier searches left: the next one is as if it were the first."""
        self.control[:] = 0
        for instance in self.instances:
            instance.clear()

    @property
    def nodes(self) -> int:
        """Nodes entered since `clear`."""
        return int(self.control[NODES])

    def has_only(self, role: str, trait: str) -> bool:
        """Tell whether all parts of `role` have `trait`."""
        return all(trait in instance.traits for instance in self.instances if instance.plugin.role == role)

    def unseen_answers(self) -> str:
        """Return the role that leaves out moves of the defender, "" for none: without them all a run proves nothing."""
        roles = ("evasions", "defence_candidates")
        return next((role for role in roles if not self.has_only(role, "complete")), "")

    def statistics(self) -> dict[str, Any]:
        """Return counters of the parts that have any, by the part's place in the run and its plugin."""
        counted = {
            f"{instance.place}.{instance.plugin.name}": instance.table_statistics()
            for instance in self.instances
            if instance.plugin.role == "table"
        }
        if self.goal == "hisshi":
            counted[f"{self.root.place}.{self.root.plugin.name}"] = self.root.test_statistics()
        if self.goal == "play":
            counted[f"{self.root.place}.{self.root.plugin.name}"] = play_statistics(self.root)
        return counted

    def provenance(self) -> dict[str, Any]:
        """Return what is needed to repeat a search, as plain data."""
        return {
            "run": self.name,
            "goal": self.goal,
            "shortest": self.shortest,
            "search": self.root.describe(),
            "kernel": kernel_unit().digest,
            **versions(),
        }

    def profile(self) -> dict[str, dict[str, Any]] | None:
        """Return calls and share of the time of each part, by its place in the run; None in the plain flavour."""
        if not PROFILED:
            return None
        whole = sum(int(instance.context.profile_time) for instance in self.instances)
        return {
            instance.place: {
                "plugin": instance.plugin.name,
                "calls": int(instance.context.profile_calls),
                "share": round(int(instance.context.profile_time) / max(whole, 1), 6),
            }
            for instance in reversed(self.instances)  # callers first
        }


def compose(spec: RunSpec, overrides: Mapping[str, str] | None = None, catalogue: PluginCatalogue | None = None) -> Run:
    """Build a run; see `hisshi.core.registry.Registry.compose`."""
    return _Composer(spec, catalogue or load_plugins()).build(dict(overrides or {}))


def compose_part(spec: RunSpec, part: str, catalogue: PluginCatalogue | None = None) -> Run:
    """Build `part` of a run alone, with the parts that it calls: to look at a plugin without a search.

    It is the `root` of the run that is returned, which `Run.search` is not for, unless `part` is a search.
    """
    return _Composer(spec, catalogue or load_plugins()).build_part(part)


class _Composer:
    def __init__(self, spec: RunSpec, catalogue: PluginCatalogue) -> None:
        self.spec, self.catalogue = spec, catalogue
        self.parts = dict(spec.parts)
        self.shared: dict[str, Instance] = {}
        self.instances: list[Instance] = []
        self.building: list[str] = []

    def build(self, overrides: dict[str, str]) -> Run:
        if "search" not in self.parts:
            raise RegistryError(
                f"{self.spec.where}: names no 'search'; installed: {listed(self.catalogue.names('search'))}"
            )
        shortest = self._shortest(overrides.pop(SHORTEST.name, None))
        for name in sorted(overrides, key=lambda name: not self._is_part(name)):  # plugins first, then their options
            self._override(name, overrides[name])
        root = self._run_part("search", "search", self.spec.where)
        if root.plugin.declared.goal != self.spec.goal:
            raise RegistryError(
                f"{self.spec.where}: goal is '{self.spec.goal}', but search '{root.plugin.name}' looks for "
                f"'{root.plugin.declared.goal}'"
            )
        self._check_unused()
        return Run(self.spec, root, self.instances, shortest)

    def build_part(self, part: str) -> Run:
        return Run(self.spec, self._run_part(part, part, self.spec.where), self.instances)

    def _shortest(self, text: str | None) -> bool:
        if text is None:
            return self.spec.shortest
        return bool(read_text(SHORTEST, text, f"--set shortest={clipped(text)}"))

    def _find(self, spec: PartSpec, role: str, name: str) -> PluginInfo:
        if spec.path is not None:
            return self.catalogue.from_file(spec.path, role, spec.use, spec.where)
        if spec.use is None:
            raise RegistryError(
                f"{spec.where}: '{name}' names no plugin; add use = \"NAME\"; "
                f"installed: {listed(self.catalogue.names(role))}"
            )
        return self.catalogue.find(role, spec.use, spec.where)

    def _run_part(self, name: str, role: str, asked_by: str) -> Instance:
        """Return the run's own part `name`, which all plugins share that have none of their own."""
        if name not in self.parts:
            raise RegistryError(
                f"{asked_by} needs a part '{name}'; add {name} = \"NAME\" to [run.{self.spec.name}]; "
                f"installed: {listed(self.catalogue.names(role))}"
            )
        if name not in self.shared:
            if name in self.building:
                raise RegistryError(
                    f"{self.spec.where}: part '{name}' would contain itself: {' -> '.join((*self.building, name))}; "
                    f"{asked_by} needs a {role} of its own, in its own table"
                )
            self.building.append(name)
            self.shared[name] = self._instance(self.parts[name], role, name)
            self.building.pop()
        if self.shared[name].plugin.role != role:
            raise RegistryError(
                f"{asked_by} needs a part '{name}' of role '{role}', where the run's '{name}' is a "
                f"'{self.shared[name].plugin.role}'; give the part in the plugin's own table"
            )
        return self.shared[name]

    def _instance(self, spec: PartSpec, role: str, name: str) -> Instance:
        if name.count(".") > DEEPEST_NESTING:
            raise RegistryError(f"{spec.where}: part '{name}' is nested more than {DEEPEST_NESTING} deep")
        plugin = self._find(spec, role, name)
        options = self._checked_options(plugin, spec, name)
        where = f"{spec.where}: {name} '{plugin.name}'"
        parts = {}
        for part, part_role in plugin.declared.parts.items():
            own = spec.settings.get(part)
            if own is None:
                known_as = part if part in self.parts else part_role
                parts[part] = self._run_part(known_as, part_role, where)
            else:
                own = own if isinstance(own, PartSpec) else _named(own, spec, f"{name}.{part}")
                parts[part] = self._instance(own.over(self.parts.get(part)), part_role, f"{name}.{part}")
        instance = Instance(plugin, options, parts, name)
        self.instances.append(instance)
        return instance

    def _checked_options(self, plugin: PluginInfo, spec: PartSpec, name: str) -> dict[str, Any]:
        """Return the values of all the plugin's options, those that `spec` sets checked."""
        options = {option.name: option.default for option in plugin.all_options}
        known = [*options, *plugin.declared.parts]
        for key in spec.settings:
            if key not in known:
                raise RegistryError(
                    f"{spec.where}: '{name}' plugin '{plugin.name}' has no option '{key}'; "
                    f"it has: {listed(known)}{suggest(key, known)}"
                )
        for option in plugin.all_options:
            if option.name in spec.settings:
                place = f"{spec.where}: {name}.{option.name}"
                options[option.name] = check_value(option, spec.settings[option.name], place)
        return options

    def _is_part(self, name: str) -> bool:
        return name in self.catalogue.roles or name in self.parts

    def _role_of(self, part: str) -> str | None:
        """Return the role of a part of the run; one with a name of its own has the role that a plugin asks for."""
        if part in self.catalogue.roles:
            return part
        for name, spec in self.parts.items():
            if name in self.catalogue.roles:
                asked = self._find(spec, name, name).declared.parts
                if part in asked:
                    return asked[part]
        return None

    def _override(self, name: str, text: str) -> None:
        """Apply one ``--set``: a part's plugin, a part's option, or an option that only one part has."""
        where = f"--set {clipped(name)}={clipped(text)}"
        if self._is_part(name):
            self.parts[name] = PartSpec(where, use=text)
            return
        part, _, option_name = name.rpartition(".")
        owners = [part] if part else [key for key in self.parts if self._option(key, name)]
        if part and part not in self.parts:
            raise RegistryError(
                f"{where}: run '{self.spec.name}' has no part '{part}'; "
                f"it has: {listed(self.parts)}{suggest(part, self.parts)}"
            )
        if len(owners) > 1:
            raise RegistryError(
                f"{where}: several parts have such an option; "
                f"say which: {listed(f'{owner}.{name}' for owner in owners)}"
            )
        option = self._option(owners[0], option_name) if owners else None
        if option is None:
            known = [f"{key}.{option}" for key in self.parts for option in self._option_names(key)] + [SHORTEST.name]
            raise RegistryError(
                f"{where}: no part of run '{self.spec.name}' has such an option; "
                f"there are: {listed(known)}{suggest(name, known)}"
            )
        spec = self.parts[owners[0]]
        value = read_text(option, text, f"{where}: {owners[0]}.{option_name}")
        self.parts[owners[0]] = PartSpec(spec.where, spec.use, spec.path, {**spec.settings, option_name: value})

    def _options(self, part: str) -> tuple[Any, ...]:
        role = self._role_of(part)
        if role is None:
            return ()
        return self._find(self.parts[part], role, part).all_options

    def _option_names(self, part: str) -> list[str]:
        return [option.name for option in self._options(part)]

    def _option(self, part: str, name: str) -> Any:
        return next((option for option in self._options(part) if option.name == name), None)

    def _check_unused(self) -> None:
        """Refuse a part that is neither a role that exists nor one that a plugin asks for."""
        asked = {part for instance in self.instances for part in instance.plugin.declared.parts}
        for name, spec in self.parts.items():
            if name in self.catalogue.roles:
                self._checked_options(self._find(spec, name, name), spec, name)
            elif name not in asked:
                known = [*self.catalogue.roles, *asked, *RUN_KEYS]
                raise RegistryError(
                    f"{spec.where}: unknown key '{name}'; "
                    f"roles are: {listed(self.catalogue.roles)}{suggest(name, known)}"
                )


def _named(value: Any, spec: PartSpec, name: str) -> PartSpec:
    if not isinstance(value, str):
        raise RegistryError(f"{spec.where}: '{name}' is {shown(value)}, expected a plugin's name or a table")
    return PartSpec(spec.where, use=value)


@cache
def _versions() -> dict[str, str]:
    installed = {name: metadata.version(name) for name in ("hisshi", "numpy", "numba")}
    return {"python": platform.python_version(), **installed}


def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    return dict(_versions())
