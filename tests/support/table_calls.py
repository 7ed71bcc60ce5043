"""Calls on a transposition table as a search makes them, and on a replacement policy alone."""

import numpy as np

from hisshi.core import Registry, compiled
from hisshi.core.kernel.context import part
from hisshi.core.kernel.roles.table import NOT_FOUND, SLOT, entry_at, probe, store
from hisshi.core.kernel.table import ENTRY, UNKNOWN, bucket_start, incoming_of, question_key


@compiled
def store_value(context, position, value, worth):
    entry = incoming_of(part(context, SLOT))
    entry.value = value
    entry.worth = worth
    entry.length = 7
    entry.move = 1234
    entry.budget = 99
    store(context, position, position.side, entry)


@compiled
def start_of(context, position):
    return bucket_start(part(context, SLOT), question_key(position, position.side) ^ position.hand_key)


class Table:
    """A table as a search sees it."""

    def __init__(self, policy, megabytes="0.001"):
        self.run = Registry.load().compose("mate", {"table": policy, "table.megabytes": megabytes})
        self.run.warm()
        self.context = self.run.root.context
        self.instance = self.run.root.parts["table"]

    def store(self, position, value=UNKNOWN, worth=1):
        store_value(self.context, position.record, value, worth)

    def find(self, position):
        index = probe(self.context, position.record, position.record.side)
        return None if index == NOT_FOUND else entry_at(self.context, index)

    def worth_of(self, position):
        entry = self.find(position)
        return None if entry is None else int(entry.worth)

    def start(self, position):
        return int(start_of(self.context, position.record))


class Bucket:
    """One bucket of a policy, whose kernel is called directly: compiled, or with `compiled=False` as plain Python.

    An entry is known by its key. `order` has the keys in the bucket's slots, 0 for a free one.
    """

    def __init__(self, policy, compiled=True, **options):
        overrides = {"table": policy} | {f"table.{name}": value for name, value in options.items()}
        run = Registry.load().compose("mate", overrides | {"table.megabytes": "0.001"})
        run.warm()
        self.run = run  # owns the memory
        self.instance = run.root.parts["table"]
        kernel = self.instance.plugin.kernel
        self.kernel = kernel if compiled else getattr(kernel, "py_func", kernel)
        self.entries = np.zeros(self.instance.context.bucket, ENTRY).view(np.recarray)

    def fill(self, **fields):
        """Fill all slots with entries 1, 2, …; each field has a value a slot, None in the first one for a free slot."""
        first = next(iter(fields.values()))
        assert len(first) == len(self.entries)
        for i, value in enumerate(first):
            self.entries[i].used = value is not None
            self.entries[i].board_key = 0 if value is None else i + 1
            for name, values in fields.items():
                self.entries[i][name] = values[i] or 0

    def put(self, key, **fields):
        """Have entry `key` come in; return how many entries were lost."""
        entry = np.zeros(1, ENTRY).view(np.recarray)[0]
        entry.board_key, entry.used = key, 1
        for name, value in fields.items():
            entry[name] = value
        before = entry.copy()
        lost = int(self.kernel(self.instance.context, self.entries, entry))
        assert entry == before
        return lost

    @property
    def order(self):
        return [int(key) if used else 0 for key, used in zip(self.entries.board_key, self.entries.used, strict=True)]
