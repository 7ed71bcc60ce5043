"""Finding plugins: bundled and third-party ones through the same entry-point group, experiments by file path.

One plugin manager per catalogue; nothing global. A hook is called once here, and what it returns is checked against
its role.
"""

import hashlib
import importlib.util
import inspect
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


class PluginCatalogue:
    """Every kernel on offer, by role and name."""

    def __init__(self) -> None:
        self.roles = all_roles()
        self.plugins: list[PluginInfo] = []
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
        )

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
        """Load every plugin of the entry-point group."""
        found = []
        named: dict[int, tuple[str, str]] = {}  # reading a distribution's name means parsing its whole metadata
        for entry_point in sorted(metadata.entry_points(group=ENTRY_POINTS), key=lambda point: point.name):
            distribution = entry_point.dist
            if id(distribution) not in named:
                known = distribution.metadata if distribution is not None else {"Name": "?", "Version": "?"}
                named[id(distribution)] = known["Name"], known["Version"]
            name, version = named[id(distribution)]
            try:
                module = entry_point.load()
            except (Exception, SystemExit) as error:
                raise PluginError(
                    f"plugin '{entry_point.name}' of {name} {version} ({entry_point.value}) cannot be imported: "
                    f"{_describe(error)}; mend it, or uninstall {name}"
                ) from error
            found.append((entry_point.name, module, name, version))
        self.plugins.extend(self._collect(found))
        _refuse_twins(self.plugins)

    def _collect(self, modules: Iterable[tuple[str, ModuleType, str, str]]) -> list[PluginInfo]:
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
            raise PluginError(f"{where}: raised {_describe(error)}") from error
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

    Raises
    ------
    PluginError
        A plugin cannot be imported, or a hook of it returns something that is not its role's.
    """
    catalogue = PluginCatalogue()
    catalogue.add_installed()
    return catalogue


def _refuse_twins(plugins: list[PluginInfo]) -> None:
    """Two plugins under one name: a run could not say which it means, nor a result which it used."""
    seen: dict[tuple[str, str], PluginInfo] = {}
    for plugin in plugins:
        other = seen.setdefault((plugin.role, plugin.name), plugin)
        if other is not plugin:
            homes = " and ".join(_home(each) for each in (other, plugin))
            raise PluginError(f"two '{plugin.role}' plugins are named '{plugin.name}': {homes}; rename one of them")


def _refuse_unmarked(name: str, module: ModuleType) -> None:
    """Refuse a hook without its marker, which would silently do nothing."""
    for attribute, value in vars(module).items():
        is_own = inspect.isfunction(value) and value.__module__ == module.__name__
        if is_own and attribute.startswith(f"{PROJECT}_") and not hasattr(value, f"{PROJECT}_impl"):
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
    """Return kind and text of an error, with the last line of `path` (or of any file) that it passed through."""
    traceback = error.__traceback__
    place = ""
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not file.startswith("<") and (path is None or Path(file) == path):
            place = f" ({Path(file).name}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {' '.join(str(error).split())}{place}"
