"""Which libraries trace their users' functions, and by which names: what a file must mention to matter."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from functools import cache

from .catalogue import prefixes, read_table, table_of_type

_TRACES = re.compile(r"->\s*(?:transform\[(?!transparent)|traces?\[|maps\[|calls\[)")
_COLLECTIVE = re.compile(r"->\s*collective\[")
_OBJECT = re.compile(r"->\s*object\[(\w+)")
_NOT_BY_THEMSELVES = frozenset({"numpy", "scipy"})


@cache
def tracing_names() -> Mapping[str, frozenset[str]]:
    """Each library that traces its users' functions, with the last parts of the names of the functions that do."""
    found: dict[str, set[str]] = {}
    for prefix, tables in prefixes().items():
        root = prefix.partition(".")[0]
        if root in sys.stdlib_module_names or root in _NOT_BY_THEMSELVES:
            continue
        for table in tables:
            functions, aliases = read_table(table).functions, read_table(table).aliases
            meant = {name: functions.get(aliases.get(name, name), "") for name in (*functions, *aliases)}
            found.setdefault(root, set()).update(
                name.rpartition(".")[2]
                for name, line in meant.items()
                if name.startswith(f"{prefix}.") and (traces(line) or _COLLECTIVE.search(line))
            )
    return {root: frozenset(names) for root, names in found.items() if names}


def traces(line: str) -> bool:
    """Whether the function of a table's line traces what it is given, or makes an object that does."""
    made = _OBJECT.search(line)
    if made is None:
        return _TRACES.search(line) is not None
    table = table_of_type(made[1])
    methods = table.methods.get(made[1], {}) if table is not None else {}
    return any(_TRACES.search(method) for method in methods.values())
