"""The keys of the settings: how each is written in an INI file, in TOML and on the command line, and checked.

Every reader takes a text (INI, command line) or a TOML value, and raises ValueError with what is allowed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from typing import Any, get_args

from ..report import formats
from .config import RuntimeName

_PREFIX = re.compile(r"TRC\d{0,3}")
_NO_INDEX = re.compile(r"\[[\s,]*\]")
_TRUE = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


def words(value: object) -> tuple[str, ...]:
    """A list of texts, or one text with commas or line ends between."""
    if isinstance(value, str):
        value = [part for part in re.split(r"[,\n]", value) if part.strip()]
    if not isinstance(value, (list, tuple)) or not all(isinstance(part, str) for part in value):
        raise ValueError("a list of texts")
    return tuple(part.strip() for part in value)


def codes(value: object) -> tuple[str, ...]:
    """Rule codes or beginnings of codes, each of which some rule has; `ALL` for every rule."""
    found = tuple("TRC" if code.upper() == "ALL" else code.upper() for code in words(value))
    for code in found:
        if not _PREFIX.fullmatch(code):
            raise ValueError(f"rule codes such as TRC101 or TRC1, not {code!r}")
        if code != "TRC" and not any(known.startswith(code) for known in known_codes()):
            raise ValueError(
                f"rule codes that exist; no rule begins with {code} ('tracetrap rule' lists all)"
            )
    return found


def known_codes() -> tuple[str, ...]:
    """The codes of all rules, and those of the tool itself."""
    from ..rules import all_rules

    return tuple(all_rules())


def texts_by_name(value: object) -> Mapping[str, str]:
    """A table of texts; in an INI file one `name = text` a line."""
    if isinstance(value, str):
        value = dict(_pairs(value, "="))
    if not isinstance(value, Mapping) or not all(isinstance(text, str) for text in value.values()):
        raise ValueError("a table of texts by name")
    return dict(value)


def arguments_by_function(value: object) -> Mapping[str, str]:
    """A table of arguments, in the notation of verification, by qualified name of a function."""
    table = texts_by_name(value)
    for name, text in table.items():
        if not _are_arguments(text):
            raise ValueError(f"arguments such as 'f32[8,3], i32[], 2' by function; {name} has {text!r}")
    return table


def _are_arguments(text: str) -> bool:
    """Whether a text reads as the arguments of a call, `f32[]` taken for the scalar that it notes."""
    try:
        call = ast.parse(f"_({_NO_INDEX.sub('[0]', text)})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name)


def codes_by_pattern(value: object) -> Mapping[str, tuple[str, ...]]:
    """A table of rule codes by file pattern; in an INI file one `pattern: codes` a line."""
    if isinstance(value, str):
        value = dict(_pairs(value, ":"))
    if not isinstance(value, Mapping):
        raise ValueError("a table of rule codes by file pattern")
    return {pattern: codes(listed) for pattern, listed in value.items()}


def flag(value: object) -> bool:
    """A truth value."""
    if isinstance(value, str):
        value = _TRUE.get(value.strip().lower(), value)
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def number_of_jobs(value: object) -> int:
    """A number of processes; 0 or `auto` for one a core."""
    if value == "auto":
        return 0
    if isinstance(value, str) and value.strip().isdigit():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("a number of processes, or auto for one a core")
    return value


def seconds(value: object) -> float:
    """A duration above zero."""
    try:
        found = float(str(value))
    except ValueError:
        found = 0.0
    if not 0 < found < float("inf"):
        raise ValueError("a number of seconds above 0")
    return found


def one_of(allowed: tuple[str, ...]) -> Callable[[object], str]:
    """A reader of one of several words."""

    def read(value: object) -> str:
        if not isinstance(value, str) or value.strip() not in allowed:
            raise ValueError(f"one of {', '.join(allowed)}")
        return value.strip()

    return read


def _pairs(text: str, separator: str) -> list[tuple[str, str]]:
    pairs = []
    for line in text.splitlines():
        if line.strip():
            name, found, value = line.partition(separator)
            if not (name.strip() and found and value.strip()):
                raise ValueError(f"one 'NAME {separator} VALUE' a line, not {line.strip()!r}")
            pairs.append((name.strip(), value.strip()))
    return pairs


READERS: Mapping[str, Callable[[object], Any]] = {
    "select": codes,
    "ignore": codes,
    "extend_select": codes,
    "per_file_ignores": codes_by_pattern,
    "exclude": words,
    "extend_exclude": words,
    "strict": flag,
    "transforms": texts_by_name,
    "verify": flag,
    "runtime": one_of(get_args(RuntimeName)),
    "inputs": arguments_by_function,
    "output_format": one_of(formats()),
    "unsafe_fixes": flag,
    "jobs": number_of_jobs,
    "cache": flag,
    "seconds_per_file": seconds,
}
"""How each setting is read, by its name; in files a hyphen stands for the underscore."""
