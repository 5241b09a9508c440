"""Where settings come from: `[tracetrap]` in setup.cfg or tox.ini, `[tool.tracetrap]` in pyproject.toml."""

from __future__ import annotations

import configparser
import difflib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .config import Settings, SettingsError
from .keys import READERS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAMES = ("pyproject.toml", "setup.cfg", "tox.ini")


class SettingsFinder:
    """The settings of each folder: those of the nearest file above it that has any, read once."""

    def __init__(self, explicit: Path | None = None, options: Mapping[str, Any] | None = None) -> None:
        """`explicit` is a file to read instead; `options` (of the command line) override what files say."""
        self._options = dict(options or {})
        self._folders: dict[Path, Settings] = {}
        self._explicit = read_settings(explicit) if explicit is not None else None
        if explicit is not None and self._explicit is None:
            if not explicit.exists():
                raise SettingsError(f"{explicit}: no such file")
            raise SettingsError(f"{explicit}: has no settings for tracetrap ({_section(explicit.name)})")

    def for_folder(self, folder: Path) -> Settings:
        """The settings that hold in a folder; raises SettingsError."""
        if self._explicit is not None:
            return self._explicit.with_options(**self._options)
        known = self._folders.get(folder)
        if known is None:
            known = self._folders[folder] = self._look(folder)
        return known

    def for_file(self, path: Path) -> Settings:
        """The settings that hold for a file; raises SettingsError."""
        return self.for_folder(path.parent if path.is_absolute() else (Path.cwd() / path).parent)

    def _look(self, folder: Path) -> Settings:
        for name in NAMES:
            found = read_settings(folder / name)
            if found is not None:
                return found.with_options(**self._options)
        if folder.parent != folder:
            return self.for_folder(folder.parent)
        return Settings().with_options(**self._options)


def read_settings(path: Path) -> Settings | None:
    """The settings in a file, or None where it has none; raises SettingsError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: cannot be read ({getattr(error, 'strerror', None) or error})") from None
    if "tracetrap" not in text:
        return None
    table = _toml_table(text, path) if path.suffix == ".toml" else _ini_table(text, path)
    return None if table is None else settings_from(table, path)


def settings_from(table: Mapping[str, object], path: Path) -> Settings:
    """Settings from the keys and values of a file; raises SettingsError."""
    values = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        reader = READERS.get(name)
        if reader is None or ("_" in key and "-" in key):
            raise SettingsError(f"{path}: {_section(path.name)} has no setting {key!r}{_suggestion(key)}")
        try:
            values[name] = reader(value)
        except ValueError as error:
            raise SettingsError(f"{path}: {key} in {_section(path.name)} must be {error}") from None
    return Settings(root=path.parent.resolve(), file=path, **values)


def _section(filename: str) -> str:
    return "[tool.tracetrap]" if filename.endswith(".toml") else "[tracetrap]"


def _suggestion(key: str) -> str:
    known = [name.replace("_", "-") for name in READERS]
    close = difflib.get_close_matches(key.replace("_", "-"), known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; it has {', '.join(known)}"


def _toml_table(text: str, path: Path) -> Mapping[str, object] | None:
    try:
        tool = tomllib.loads(text).get("tool", {})
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: is no valid TOML: {error}") from None
    table = tool.get("tracetrap") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise SettingsError(f"{path}: tool.tracetrap must be a table")
    return table


def _ini_table(text: str, path: Path) -> Mapping[str, object] | None:
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(text, str(path))
    except configparser.Error as error:
        raise SettingsError(f"{path}: is no valid INI file: {' '.join(str(error).split())}") from None
    return dict(parser["tracetrap"]) if parser.has_section("tracetrap") else None
