"""One plugin in a run: its context record, its arrays, its parts."""

import weakref
from typing import Any

import numpy as np
from numba.experimental.function_type import _get_jit_address

from hisshi.core.discovery import PluginInfo
from hisshi.core.errors import PluginError, RegistryError
from hisshi.core.kernel.context import CONTEXT, FIRST_COUNTER, JIT, TRAITS, forget, register
from hisshi.core.kernel.declare import FIRST_FREE_SLOT, check_traits
from hisshi.core.kernel.moves import NO_MOVE
from hisshi.core.kernel.table import ENTRIES_ARRAY, ENTRY, ENTRY_BYTES, TAG_BYTES
from hisshi.core.memory import large_zeros

MEGABYTE = 1 << 20
TABLE_COUNTERS = ("probes", "hits", "stores", "replacements", "collections")
MOST_BUCKETS = (1 << 31) - 1  # that `bucket_start` can tell apart


class Instance:
    """A plugin with its options and its parts; owns the memory that compiled code sees."""

    def __init__(self, plugin: PluginInfo, options: dict[str, Any], parts: "dict[str, Instance]", place: str) -> None:
        self.plugin, self.options, self.parts = plugin, options, parts
        self.place = place  # in the run: "table", or "move_order.king_freedom" for a part of a part alone
        self._registered: set[int] = set()  # uncompiled: what stands for this instance's records and arrays
        weakref.finalize(self, _forget_all, self._registered)
        self._record = np.zeros(1, CONTEXT).view(np.recarray)
        self.context = self._record[0]
        self._counters = self._record.view(np.ndarray).view(np.int64)[FIRST_COUNTER:]  # cleared before each search
        self.arrays: list[np.ndarray] = []
        self.address = self._address_of(self._record, self.context)
        declared = plugin.declared
        for index, option in enumerate(declared.options):
            value = options[option.name]
            number = option.choices.index(value) if option.choices else value
            self.context.options[index] = int(number)
            self.context.reals[index] = float(number)
        for option in plugin.contract.options:  # of the role: in a field of its own, if kernels read it
            if option.name in (CONTEXT.names or ()):
                setattr(self.context, option.name, options[option.name])
        self.traits = _traits(plugin, options)
        if problem := check_traits(self.traits):
            raise PluginError(f"plugin '{plugin.name}', hook {plugin.contract.hook}: {problem}")
        for trait in self.traits:
            self.context.traits |= TRAITS[trait]
        for array in plugin.contract.arrays:
            self._add_array(np.zeros(array.size, array.dtype))
        if plugin.role == "table":
            self._add_table(options["megabytes"], declared.bucket)
        for array in declared.arrays:  # behind those of its role, whose places the kernel knows
            self._add_array(np.zeros(array.size, array.dtype))

    def _address_of(self, array: np.ndarray, stands_for: Any) -> int:
        """Return the address that compiled code uses, or, uncompiled, the number that stands for the object."""
        if JIT:
            return int(array.ctypes.data)
        address = id(stands_for)
        register(address, stands_for)
        self._registered.add(address)
        return address

    def _add_array(self, array: np.ndarray) -> None:
        self.arrays.append(array)
        self._set_array(len(self.arrays) - 1, array)

    def _set_array(self, place: int, array: np.ndarray) -> None:
        array = array.view(np.recarray) if array.dtype.names else array
        if not JIT and id(self.arrays[place]) in self._registered:
            _forget_all({id(self.arrays[place])})
            self._registered.discard(id(self.arrays[place]))
        self.arrays[place] = array
        self.context.memory[place] = self._address_of(array, array)
        self.context.sizes[place] = len(array)

    def _add_table(self, megabytes: float, bucket: int) -> None:
        buckets = min(max(1, int(megabytes * MEGABYTE) // ((ENTRY_BYTES + TAG_BYTES) * bucket)), MOST_BUCKETS)
        try:
            entries = large_zeros(buckets * bucket, ENTRY)
            tags = large_zeros(buckets * bucket, np.dtype(np.uint64))
        except MemoryError:
            raise RegistryError(
                f"table '{self.plugin.name}': no memory for {megabytes} megabytes; set table.megabytes lower"
            ) from None
        self._add_array(entries)
        self._add_array(np.zeros(1, ENTRY))
        self._add_array(tags)
        self.context.bucket = bucket
        self.context.buckets = buckets
        self.context.generation = 1

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
        """Forget what earlier searches left in tables and counters, and their answer."""
        if self.plugin.role == "table":
            self.context.generation += 1
        self.context.answer_move = NO_MOVE
        self._counters[:] = 0

    def table_statistics(self) -> dict[str, Any]:
        """Return a table's counters; `fill` is the share of its entries that is in use."""
        counters = {name: int(self.context[name]) for name in TABLE_COUNTERS}
        entries = self.arrays[ENTRIES_ARRAY]
        used = int(np.count_nonzero(entries["used"] == self.context.generation))
        return counters | {"entries": len(entries), "used": used, "fill": round(used / len(entries), 6)}

    def test_statistics(self) -> dict[str, int]:
        """Return how many mates a hisshi search asked about, how many no table knew, and how many stayed undecided."""
        return {name: int(self.context[name]) for name in ("tests", "searched_tests", "undecided_tests")}

    def array(self, name: str) -> np.ndarray | None:
        """Return an array that the plugin itself has declared; it may be read while a search runs."""
        own = [array.name for array in self.plugin.declared.arrays]
        return self.arrays[own.index(name) - len(own)] if name in own else None

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


def _traits(plugin: PluginInfo, options: dict[str, Any]) -> frozenset[str]:
    """Return what a plugin promises with these options; its own function for that may fail."""
    traits = plugin.declared.traits
    if not callable(traits):
        return traits
    try:
        return frozenset(traits(options))
    except Exception as error:
        code = getattr(traits, "__code__", None)
        place = f" ({code.co_filename}, line {code.co_firstlineno})" if code is not None else ""
        raise PluginError(
            f"plugin '{plugin.name}', hook {plugin.contract.hook}: the function that computes its traits{place} raised "
            f"{type(error).__name__}: {error}; it gets a dict of all options and returns a set of traits"
        ) from error


def _forget_all(addresses: set[int]) -> None:
    for address in addresses:
        forget(address)
