"""What the editor sets, in its initialization options and whenever its configuration changes.

The names are those of ruff's server where it has the like; each key is checked, and a bad one is named.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..settings.keys import READERS, flag

SECTION = "tracetrap"


@dataclass(frozen=True)
class Options:
    """The editor's settings; `lint` holds those that override what the project's files say.

    `trusted`: whether the workspace is one whose code may be run.
    """

    enable: bool = True
    configuration: Path | None = None
    lint: Mapping[str, Any] = field(default_factory=dict)
    fix_all: bool = True
    fix_violation: bool = True
    disable_rule_comment: bool = True
    inlay_hints: bool = True
    semantic_tokens: bool = True
    trusted: bool = False


def _path(value: object) -> Path | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ValueError("the path of a file with settings")
    return Path(value).expanduser()


_OWN: Mapping[str, tuple[str, Callable[[object], Any]]] = {
    "enable": ("enable", flag),
    "configuration": ("configuration", _path),
    "fixAll": ("fix_all", flag),
    "codeAction.fixViolation.enable": ("fix_violation", flag),
    "codeAction.disableRuleComment.enable": ("disable_rule_comment", flag),
    "inlayHints.enable": ("inlay_hints", flag),
    "semanticTokens.enable": ("semantic_tokens", flag),
    "trusted": ("trusted", flag),
}

_LINT = {
    "lint.select": "select",
    "lint.ignore": "ignore",
    "lint.extendSelect": "extend_select",
    "lint.perFileIgnores": "per_file_ignores",
    "exclude": "exclude",
    "strict": "strict",
    "transforms": "transforms",
    "inputs": "inputs",
    "runtime": "runtime",
    "unsafeFixes": "unsafe_fixes",
}

KEYS = (*_OWN, *_LINT)
_TABLES = ("lint.perFileIgnores", "transforms", "inputs")


def read_options(given: object) -> tuple[Options, list[str]]:
    """The options in what an editor sends, and a line for each key that cannot be used.

    Editors wrap them differently: `{"settings": {...}}`, `{"tracetrap": {...}}`, or as they are.
    """
    table = _unwrapped(given)
    if table is None:
        return Options(), [f"the settings must be a table, not {type(given).__name__}"]
    own: dict[str, Any] = {}
    lint: dict[str, Any] = {}
    problems: list[str] = []
    for key, value in _flat(table):
        try:
            if key in _OWN:
                name, reader = _OWN[key]
                own[name] = reader(value)
            elif key in _LINT:
                if value is not None:
                    lint[_LINT[key]] = READERS[_LINT[key]](value)
            else:
                problems.append(f"there is no setting {key!r}{_suggestion(key)}")
        except ValueError as error:
            problems.append(f"{key} must be {error}")
    return Options(lint=lint, **own), problems


def _unwrapped(given: object) -> Mapping[str, object] | None:
    if given is None:
        return {}
    while isinstance(given, Mapping):
        inner = given.get("settings", given.get(SECTION))
        if not isinstance(inner, Mapping):
            return given
        given = inner
    return None


def _flat(table: Mapping[str, object], prefix: str = "") -> list[tuple[str, object]]:
    """Keys with dots for tables in tables: `{"lint": {"select": ...}}` is `lint.select`."""
    found: list[tuple[str, object]] = []
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, Mapping) and name not in _TABLES:
            found += _flat(value, f"{name}.")
        else:
            found.append((name, value))
    return found


def _suggestion(key: str) -> str:
    close = difflib.get_close_matches(key, KEYS, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""
