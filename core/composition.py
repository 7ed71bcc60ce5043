"""Composing a run: plugin instances whose context records point at each other."""

import inspect
import platform
import weakref
from collections.abc import Callable, Mapping
from functools import cache
from importlib import metadata
from typing import Any

import numpy as np
from numba import types
from numba.core.errors import NumbaError
from numba.experimental.function_type import _get_jit_address

from hisshi.core.discovery import PluginCatalogue, PluginInfo, load_plugins
from hisshi.core.errors import PluginError, RegistryError
from hisshi.core.kernel.context import CONTEXT, JIT, TRAITS, forget, register
from hisshi.core.kernel.control import CONTROL_SIZE, NODES
from hisshi.core.kernel.declare import FIRST_FREE_SLOT
from hisshi.core.kernel.roles.search import call_search_at
from hisshi.core.kernel.table import ENTRY, ENTRY_BYTES
from hisshi.core.nearest import listed, suggest
from hisshi.core.options import check_value, read_text
from hisshi.core.registry import PartSpec, RunSpec

MEGABYTE = 1 << 20

# Called with how many kernels are ready, of how many, and the name of the next one.
OnCompile = Callable[[int, int, str], None]


class Instance:
    """A plugin with its options and its parts; owns the memory that compiled code sees."""

    def __init__(self, plugin: PluginInfo, options: dict[str, Any], parts: "dict[str, Instance]") -> None:
        self.plugin, self.options, self.parts = plugin, options, parts
        self._record = np.zeros(1, CONTEXT).view(np.recarray)
        self.context = self._record[0]
        self.arrays: list[np.ndarray] = []
        self.address = self._address_of(self._record, self.context)
        declared = plugin.declared
        for place, option in enumerate(declared.options):
            value = options[option.name]
            number = option.choices.index(value) if option.choices else value
            self.context.options[place] = int(number)
            self.context.reals[place] = float(number)
        self.traits = declared.traits(options) if callable(declared.traits) else declared.traits
        for trait in self.traits:
            self.context.traits |= TRAITS[trait]
        for array in plugin.contract.arrays:
            self._add_array(np.zeros(array.size, array.dtype))
        if plugin.role == "table":
            self._add_table(options["megabytes"], declared.bucket)

    def _address_of(self, array: np.ndarray, stands_for: Any) -> int:
        """Return the address that compiled code uses, or, uncompiled, the number that stands for the object."""
        if JIT:
            return int(array.ctypes.data)
        address = id(stands_for)
        register(address, stands_for)
        weakref.finalize(self, forget, address)
        return address

    def _add_array(self, array: np.ndarray) -> None:
        self.arrays.append(array)
        self._set_array(len(self.arrays) - 1, array)

    def _set_array(self, place: int, array: np.ndarray) -> None:
        array = array.view(np.recarray) if array.dtype.names else array
        self.arrays[place] = array
        self.context.memory[place] = self._address_of(array, array)
        self.context.sizes[place] = len(array)

    def _add_table(self, megabytes: float, bucket: int) -> None:
        buckets = 1 << max(0, int(megabytes * MEGABYTE) // (ENTRY_BYTES * bucket)).bit_length() - 1 if megabytes else 1
        buckets = max(1, buckets)
        try:
            entries = np.zeros(buckets * bucket, ENTRY)
        except MemoryError:
            raise RegistryError(
                f"table '{self.plugin.name}': no memory for {megabytes} megabytes; set table.megabytes lower"
            ) from None
        self._add_array(entries)
        self._add_array(np.zeros(1, ENTRY))
        self.context.bucket = bucket
        self.context.bucket_mask = buckets - 1

    def connect(self) -> None:
        """Write the parts' addresses into the context; every kernel must be compiled."""
        for slot, part in self._slots():
            self.context.code[slot] = part.code()
            self.context.env[slot] = part.address

    def _slots(self) -> "list[tuple[int, Instance]]":
        free = FIRST_FREE_SLOT
        slots = []
        for name, part in self.parts.items():
            if name == part.plugin.role:
                slots.append((part.plugin.contract.slot, part))
            else:
                slots.append((free, part))
                free += 1
        return slots

    def code(self) -> int:
        """Return the address of the compiled kernel."""
        kernel = self.plugin.kernel
        if JIT:
            return int(_get_jit_address(kernel, self.plugin.contract.signature))
        register(id(kernel), kernel)
        return id(kernel)

    def clear(self) -> None:
        """Forget what earlier searches left in tables and counters."""
        if self.plugin.role == "table" and self.context.stores > 0:
            # Fresh memory instead of zeros written over the old: the system hands out pages when they are touched.
            self._set_array(0, np.zeros(len(self.arrays[0]), ENTRY))
        for name in ("calls", "probes", "hits", "stores", "replacements"):
            setattr(self.context, name, 0)

    def describe(self) -> dict[str, Any]:
        """Return plugin, options and parts as plain data."""
        plugin = self.plugin
        return {
            "plugin": plugin.name,
            "distribution": plugin.distribution,
            "version": plugin.version,
            "options": dict(self.options),
            "parts": {name: part.describe() for name, part in self.parts.items()},
        }


class Run:
    """A composed run: from `Registry.compose`, for `solve`. Holds the tables' memory; not for two threads at once."""

    def __init__(self, spec: RunSpec, root: Instance, instances: list[Instance]) -> None:
        self.name, self.goal, self.spec = spec.name, spec.goal, spec
        self.root, self.instances = root, instances
        self.control = np.zeros(CONTROL_SIZE, np.int64)
        self._control_address = root._address_of(self.control, self.control)
        for instance in instances:
            instance.context.control = self._control_address
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
        self._is_ready = True
        return seconds

    def search(self, record: Any, plies: int = 0) -> int:
        """Enter the search, in this thread; return PROVEN, DISPROVEN or UNKNOWN as in `hisshi.core.kernel.table`.

        `record` is the same again afterwards; `plies` limits how far is looked ahead, 0 does not.
        """
        return int(call_search_at(self.root.code(), self.root.address, record, plies))

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

    def statistics(self) -> dict[str, Any]:
        """Return counters of the parts that have any, by the part's place in the run."""
        return {
            f"{instance.plugin.role}.{instance.plugin.name}": {
                name: int(instance.context[name]) for name in ("probes", "hits", "stores", "replacements")
            }
            | {"entries": len(instance.arrays[0]), "used": int(np.count_nonzero(instance.arrays[0]["used"]))}
            for instance in self.instances
            if instance.plugin.role == "table"
        }


def compile_all(plugins: list[PluginInfo], on_compile: OnCompile | None = None) -> float:
    """Compile the kernels of `plugins` and check what they return; return the seconds spent in the compiler."""
    from hisshi.core.kernel.compiling import compile_log

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
    signature = distinct[0].contract.signature
    entry: Any = call_search_at
    entry.compile((*(2 * [signature.return_type]), *_search_arguments()))
    if on_compile is not None:
        on_compile(total, total, "")
    return compile_log.compile_seconds - before


def _search_arguments() -> tuple[Any, ...]:
    from hisshi.core.kernel.roles.search import ROLE

    return tuple(ROLE.signature.args[1:])


def _compile(plugin: PluginInfo) -> None:
    """Compile a kernel at its contract's argument types and compare what is inferred to be returned.

    An explicit signature would convert the result silently (2.7 becomes 2).
    """
    kernel, signature = plugin.kernel, plugin.contract.signature
    where = f"plugin '{plugin.name}', hook {plugin.contract.hook}"
    function = kernel.py_func
    try:
        kernel.compile(signature.args)
    except NumbaError as error:
        file, line = inspect.getsourcefile(function), function.__code__.co_firstlineno
        raise PluginError(
            f"{where}: kernel '{function.__name__}' ({file}, line {line}) does not compile:\n{_essence(str(error))}\n"
            "To step through it as plain Python, set NUMBA_DISABLE_JIT=1."
        ) from error
    got = types.unliteral(kernel.overloads[tuple(signature.args)].signature.return_type)
    if got != signature.return_type:
        raise PluginError(
            f"{where}: kernel '{function.__name__}' returns {got}, the contract wants {signature.return_type}; "
            f"the contract is {plugin.contract.contract}"
        )


def _essence(text: str) -> str:
    """Return the lines of a numba error that an author can use."""
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("Failed in nopython mode")]
    return "\n".join(f"  {line}" for line in lines[:14])


def compose(spec: RunSpec, overrides: Mapping[str, str] | None = None, catalogue: PluginCatalogue | None = None) -> Run:
    """Build a run; see `hisshi.core.registry.Registry.compose`."""
    return _Composer(spec, catalogue or load_plugins()).build(dict(overrides or {}))


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
        for name, text in overrides.items():
            self._override(name, text)
        root = self._run_part("search", "search", self.spec.where)
        self._check_unused()
        return Run(self.spec, root, self.instances)

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
                    f"{self.spec.where}: part '{name}' would contain itself: {' -> '.join((*self.building, name))}"
                )
            self.building.append(name)
            self.shared[name] = self._instance(self.parts[name], role, name)
            self.building.pop()
        return self.shared[name]

    def _instance(self, spec: PartSpec, role: str, name: str) -> Instance:
        plugin = self._find(spec, role, name)
        where = f"{spec.where}: {name} '{plugin.name}'"
        options = {option.name: option.default for option in plugin.all_options}
        known = [*options, *plugin.declared.parts]
        for key in spec.settings:
            if key not in known:
                raise RegistryError(
                    f"{spec.where}: '{name}' plugin '{plugin.name}' has no option '{key}'; "
                    f"it has: {listed(known)}{suggest(key, known)}"
                )
        by_name = {option.name: option for option in plugin.all_options}
        for key, option in by_name.items():
            if key in spec.settings:
                options[key] = check_value(option, spec.settings[key], f"{spec.where}: {name}.{key}")
        parts = {}
        for part, part_role in plugin.declared.parts.items():
            own = spec.settings.get(part)
            if own is None:
                known_as = part if part in self.parts else part_role
                parts[part] = self._run_part(known_as, part_role, where)
            else:
                own = own if isinstance(own, PartSpec) else _named(own, spec, f"{name}.{part}")
                parts[part] = self._instance(own.over(self.parts.get(part)), part_role, f"{name}.{part}")
        instance = Instance(plugin, options, parts)
        self.instances.append(instance)
        return instance

    def _override(self, name: str, text: str) -> None:
        """Apply one ``--set``: a part's plugin, a part's option, or an option that only one part has."""
        where = f"--set {name}={text}"
        if name in self.catalogue.roles or name in self.parts:
            self.parts[name] = PartSpec(where, use=text)
            return
        part, _, option_name = name.rpartition(".")
        owners = (
            [part] if part else [key for key in self.parts if key in self.catalogue.roles and self._option(key, name)]
        )
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
            known = [f"{key}.{option}" for key in self.parts for option in self._option_names(key)]
            raise RegistryError(
                f"{where}: no part of run '{self.spec.name}' has such an option; "
                f"there are: {listed(known)}{suggest(name, known)}"
            )
        spec = self.parts[owners[0]]
        value = read_text(option, text, f"{where}: {owners[0]}.{option_name}")
        self.parts[owners[0]] = PartSpec(spec.where, spec.use, spec.path, {**spec.settings, option_name: value})

    def _options(self, part: str) -> tuple[Any, ...]:
        role = part if part in self.catalogue.roles else None
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
                self._find(spec, name, name)
            elif name not in asked:
                known = [*self.catalogue.roles, *asked, "goal", "summary", "extends"]
                raise RegistryError(
                    f"{spec.where}: unknown key '{name}'; "
                    f"roles are: {listed(self.catalogue.roles)}{suggest(name, known)}"
                )


def _named(value: Any, spec: PartSpec, name: str) -> PartSpec:
    if not isinstance(value, str):
        raise RegistryError(f"{spec.where}: '{name}' is {value!r}, expected a plugin's name or a table")
    return PartSpec(spec.where, use=value)


@cache
def _versions() -> dict[str, str]:
    installed = {name: metadata.version(name) for name in ("hisshi", "numpy", "numba")}
    return {"python": platform.python_version(), **installed}


def versions() -> dict[str, str]:
    """Return the versions that a result depends on."""
    return dict(_versions())
