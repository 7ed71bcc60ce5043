"""Finding plugins: bundled and third-party ones through the same entry-point group, experiments by file path.

One plugin manager per catalogue; nothing global. A hook is called once here, and what it returns is checked against
its role.
"""

import contextlib
import hashlib
import importlib.util
import inspect
import logging
import sys
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import attrs
import pluggy

from hisshi.core.errors import PluginError
from hisshi.core.hooks import PROJECT
from hisshi.core.kernel.role import KernelInfo, Role
from hisshi.core.kernel.roles import all_roles, role_modules
from hisshi.core.nearest import clipped, listed, shown, suggest

ENTRY_POINTS = "hisshi.plugins"
OWN = "hisshi"  # our distribution, whose names nobody else may take

log = logging.getLogger("hisshi.plugins")
_told: set[str] = set()  # what this process has warned of: plugins are loaded for each run that is composed


@attrs.frozen
class OptionInfo:
    """An option as a listing shows it."""

    name: str
    kind: str
    default: int | float | bool | str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    help: str


@attrs.frozen(eq=False)
class PluginInfo:
    """One kernel that an installed plugin offers."""

    name: str
    role: str
    summary: str
    source: str
    status: str
    options: tuple[OptionInfo, ...]
    distribution: str  # or the file it was loaded from
    version: str
    kernel: Any = attrs.field(repr=False)  # the compiled function
    declared: KernelInfo = attrs.field(repr=False)
    contract: Role = attrs.field(repr=False)

    @property
    def all_options(self) -> tuple[Any, ...]:
        """The plugin's own options, in the order in which its kernel reads them, and then its role's."""
        return (*self.declared.options, *self.contract.options)


_Installed = tuple[str, ModuleType, str, str]  # entry point, module, distribution or file, version


@attrs.frozen
class BrokenPlugin:
    """A plugin of an installed distribution that is not offered, since something is wrong with it."""

    name: str  # its own, or its entry point's where that is all that is known
    distribution: str
    version: str
    problem: str  # names the plugin, says what is wrong and what to do

    def __str__(self) -> str:
        return self.problem


class PluginCatalogue:
    """Every kernel on offer, by role and name; and the installed plugins that could not be loaded."""

    def __init__(self) -> None:
        self.roles = all_roles()
        self.plugins: list[PluginInfo] = []
        self.broken: list[BrokenPlugin] = []
        self._by_file: dict[Path, list[PluginInfo]] = {}

    def names(self, role: str) -> list[str]:
        """Return the names of the installed plugins of `role`."""
        return [plugin.name for plugin in self.plugins if plugin.role == role]

    def find(self, role: str, name: str, where: str) -> PluginInfo:
        """Return the installed plugin; `where` begins the text of the error if there is none."""
        for plugin in self.plugins:
            if plugin.role == role and plugin.name == name:
                return plugin
        names = self.names(role)
        raise PluginError(
            f"{where}: no '{role}' plugin named '{clipped(name)}'; installed: {listed(names)}{suggest(name, names)}"
            f"{self.not_loaded()}"
        )

    def not_loaded(self) -> str:
        """Return what an error adds that misses a plugin: those that are installed and broken; "" without any."""
        return "".join(f"; not loaded: {broken}" for broken in self.broken)

    def from_file(self, path: Path, role: str, name: str | None, where: str) -> PluginInfo:
        """Return the plugin of `role` in a Python file; `name` may be left out if the file has only one."""
        path, plugins = self.all_from_file(path, where)
        offered = [plugin for plugin in plugins if plugin.role == role]
        wanted = [plugin for plugin in offered if name is None or plugin.name == name]
        if len(wanted) == 1:
            return wanted[0]
        names = listed(plugin.name for plugin in offered)
        if not wanted:
            called = f" named '{clipped(name)}'" if name is not None else ""
            raise PluginError(f"{where}: {path.name} offers no '{role}' plugin{called}; it offers: {names}")
        raise PluginError(f"{where}: {path.name} offers several '{role}' plugins ({names}); add use = \"NAME\"")

    def all_from_file(self, path: Path, where: str) -> tuple[Path, list[PluginInfo]]:
        """Return the whole path of a Python file and all plugins in it; it is loaded once."""
        try:
            path = path.resolve()
            is_file = path.is_file()
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise PluginError(f"{where}: {shown(path.name)} is no path of a plugin file: {reason}") from None
        if not is_file:
            raise PluginError(f"{where}: there is no plugin file {path}")
        if path not in self._by_file:
            plugins = self._collect([(path.stem, _load_file(path, where), str(path), "")])
            _refuse_twins(plugins)
            self._by_file[path] = plugins
        return path, self._by_file[path]

    def add_installed(self) -> None:
        """Load every plugin of the entry-point group; one that is broken is left out, and kept in `broken`."""
        modules: dict[int, _Installed] = {}
        named: dict[int, tuple[str, str]] = {}  # reading a distribution's name means parsing its whole metadata
        for entry_point in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
            distribution = entry_point.dist
            if id(distribution) not in named:
                known = distribution.metadata if distribution is not None else {"Name": "?", "Version": "?"}
                named[id(distribution)] = known["Name"], known["Version"]
            name, version = named[id(distribution)]
            try:
                module = _load_entry_point(entry_point, name, version)
                if id(module) in modules:
                    raise PluginError(
                        f"plugin '{entry_point.name}' of {name} {version}: {entry_point.value} is behind another "
                        "entry point too; leave one of them out"
                    )
                modules[id(module)] = (entry_point.name, module, name, version)
            except PluginError as error:
                self.broken.append(BrokenPlugin(entry_point.name, name, version, str(error)))
        self._add_without_twins(self._collect_sound(list(modules.values())))

    def _collect_sound(self, modules: list[_Installed]) -> list[PluginInfo]:
        """Return what the modules offer; one that is wrong is left out, and kept in `broken`."""
        with contextlib.suppress(Exception):
            return self._collect(modules)
        plugins = []  # which one it is shows when each is asked alone, which takes longer
        for module in modules:
            name, _, distribution, version = module
            try:
                plugins += self._collect([module])
            except PluginError as error:
                self.broken.append(BrokenPlugin(name, distribution, version, str(error)))
            except Exception as error:  # noqa: BLE001  whatever it is, other plugins are not to blame
                problem = f"plugin '{name}' of {distribution} {version}: {_describe(error)}"
                self.broken.append(BrokenPlugin(name, distribution, version, problem))
        return plugins

    def _add_without_twins(self, found: list[PluginInfo]) -> None:
        """Keep what has a name of its own: a run could not say which of two it means, nor a result which it used.

        A name of ours stays ours, so that a distribution beside it changes no run.
        """
        by_name: dict[tuple[str, str], list[PluginInfo]] = {}
        for plugin in found:
            by_name.setdefault((plugin.role, plugin.name), []).append(plugin)
        for plugin in found:
            others = [other for other in by_name[plugin.role, plugin.name] if other is not plugin]
            if not others or (plugin.distribution == OWN and all(other.distribution != OWN for other in others)):
                self.plugins.append(plugin)
            else:
                problem = _twins(plugin, *others)
                self.broken.append(BrokenPlugin(plugin.name, plugin.distribution, plugin.version, problem))

    def _collect(self, modules: Iterable[_Installed]) -> list[PluginInfo]:
        manager = pluggy.PluginManager(PROJECT)
        for role_module in role_modules():
            manager.add_hookspecs(role_module)
        origin = {}
        for name, module, distribution, version in modules:
            _refuse_unmarked(name, module)
            try:
                manager.register(module, name=f"{distribution}:{name}")
            except (ValueError, pluggy.PluginValidationError) as error:  # registered twice; arguments that no hook has
                text = " ".join(str(error).split())
                raise PluginError(f"plugin '{name}' of {distribution} {version}".rstrip() + f": {text}") from None
            origin[f"{distribution}:{name}"] = (name, distribution, version)
        self._check_hook_names(manager)
        plugins = []
        for role in self.roles.values():
            for implementation in manager.hook.__getattribute__(role.hook).get_hookimpls():
                name, distribution, version = origin[implementation.plugin_name]
                plugins += self._ask(role, implementation.function, name, distribution, version)
        return plugins

    def _check_hook_names(self, manager: pluggy.PluginManager) -> None:
        try:
            manager.check_pending()
        except pluggy.PluginValidationError as error:
            hooks = [role.hook for role in self.roles.values()]
            unknown = next((word.strip("'") for word in str(error).split() if word.startswith("'hisshi_")), str(error))
            text = f"unknown hook '{unknown}'; there are: {listed(hooks)}{suggest(unknown, hooks)}"
            raise PluginError(f"plugin {manager.get_name(error.plugin)}: {text}") from None

    def _ask(self, role: Role, hook: Any, name: str, distribution: str, version: str) -> list[PluginInfo]:
        where = f"plugin '{name}', hook {role.hook}"
        try:
            offered = hook()
        except (Exception, SystemExit) as error:
            code = getattr(hook, "__code__", None)
            raise PluginError(
                f"{where}: raised {_describe(error, Path(code.co_filename) if code is not None else None)}"
            ) from error
        kernels = offered if isinstance(offered, list | tuple) else [offered]
        return [self._inspect(role, kernel, where, distribution, version) for kernel in kernels]

    def _inspect(self, role: Role, kernel: Any, where: str, distribution: str, version: str) -> PluginInfo:
        declared = getattr(kernel, "hisshi_kernel", None)
        if not isinstance(declared, KernelInfo):
            raise PluginError(
                f"{where}: returns {type(kernel).__name__}, the hook wants a kernel; "
                f'decorate the function with @implements("{role.name}")'
            )
        if declared.role != role.name:
            raise PluginError(
                f"{where}: kernel '{declared.name}' is declared with role '{declared.role}', "
                f"the hook wants '{role.name}'"
            )
        function = getattr(kernel, "py_func", kernel)
        got = list(inspect.signature(function).parameters)
        if len(got) != len(role.arguments):
            raise PluginError(
                f"{where}: kernel '{declared.name}' takes ({', '.join(got)}), "
                f"the contract wants ({', '.join(role.arguments)})"
            )
        for option in role.options:
            if option.name in (*(own.name for own in declared.options), *declared.parts):
                raise PluginError(
                    f"{where}: kernel '{declared.name}' declares '{option.name}', which every '{role.name}' plugin has"
                )
        for part, part_role in declared.parts.items():
            if part in self.roles and part != part_role:
                raise PluginError(
                    f"{where}: part '{part}' of kernel '{declared.name}' is named after a role, "
                    f"but its role is '{part_role}'"
                )
            if part_role not in self.roles:
                raise PluginError(
                    f"{where}: part '{part}' of kernel '{declared.name}' has the unknown role '{part_role}'"
                    f"{suggest(part_role, self.roles)}"
                )
        options = tuple(
            OptionInfo(option.name, option.kind, option.default, option.low, option.high, option.choices, option.help)
            for option in (*declared.options, *role.options)
        )
        return PluginInfo(
            declared.name,
            role.name,
            declared.summary,
            declared.source,
            declared.status,
            options,
            distribution,
            version,
            kernel,
            declared,
            role,
        )


def load_plugins() -> PluginCatalogue:
    """Return a catalogue of every installed plugin.

    One that cannot be imported, or whose hook returns something that is not its role's, must not stop the others: it is
    left out with a warning (logger ``hisshi.plugins``), once a process, and an error that misses a plugin names it.
    """
    catalogue = PluginCatalogue()
    catalogue.add_installed()
    for broken in catalogue.broken:
        if str(broken) not in _told:
            _told.add(str(broken))
            log.warning("warning: left out: %s", broken)
    return catalogue


def _load_entry_point(entry_point: metadata.EntryPoint, distribution: str, version: str) -> ModuleType:
    where = f"plugin '{entry_point.name}' of {distribution} {version} ({entry_point.value})"
    try:
        module = entry_point.load()
    except (Exception, SystemExit) as error:
        raise PluginError(
            f"{where} cannot be imported: {_describe(error)}; mend it, or uninstall {distribution}"
        ) from error
    if not isinstance(module, ModuleType):
        raise PluginError(
            f"{where} is of type {type(module).__name__}, expected a module: leave out what is behind the colon"
        )
    return module


def _refuse_twins(plugins: list[PluginInfo]) -> None:
    """Refuse two plugins of one file under one name."""
    seen: dict[tuple[str, str], PluginInfo] = {}
    for plugin in plugins:
        other = seen.setdefault((plugin.role, plugin.name), plugin)
        if other is not plugin:
            raise PluginError(_twins(other, plugin))


def _twins(*plugins: PluginInfo) -> str:
    homes = " and ".join(_home(plugin) for plugin in plugins)
    return f"two '{plugins[0].role}' plugins are named '{plugins[0].name}': {homes}; rename one of them"


def _refuse_unmarked(name: str, module: ModuleType) -> None:
    """Refuse a hook without its marker, which would silently do nothing."""
    for attribute, value in vars(module).items():
        is_own = inspect.isfunction(value) and value.__module__ == module.__name__
        is_known = hasattr(value, f"{PROJECT}_impl") or hasattr(value, "hisshi_kernel")  # a function if uncompiled
        if is_own and attribute.startswith(f"{PROJECT}_") and not is_known:
            raise PluginError(f"plugin '{name}': {attribute} is not marked; write @hookimpl above it")


def _home(plugin: PluginInfo) -> str:
    function = getattr(plugin.kernel, "py_func", plugin.kernel)
    place = f"{function.__module__}, line {function.__code__.co_firstlineno}"
    return f"{plugin.distribution} {plugin.version}".rstrip() + f" ({place})"


def _load_file(path: Path, where: str) -> ModuleType:
    name = f"hisshi_file_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"{where}: {path.name} is not a Python file; a plugin file ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise PluginError(f"{where}: plugin file {path.name} cannot be imported: {_describe(error, path)}") from error
    return module


def _describe(error: BaseException, path: Path | None = None) -> str:
    """Return kind and text of an error, with the last line of the plugin's files that it passed through.

    Those are `path`, or else what lies in the folder of the first file behind the import system.
    """
    place, home = "", None
    is_imported = False
    traceback = error.__traceback__
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        file = Path(name)
        if name.startswith("<frozen importlib"):
            is_imported = True
        elif path is None and home is None and is_imported:
            home = file.parent
        if file == path or (home is not None and file.is_relative_to(home)):
            place = f" ({file.name}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {' '.join(str(error).split())}{place}"
