"""The door to flake8: the same findings, at the same places, as `tracetrap check`."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from . import __version__

if TYPE_CHECKING:
    from flake8.options.manager import OptionManager

    from .settings.files import SettingsFinder


class TracetrapPlugin:
    """Checks one file.

    flake8 itself regards `noqa` comments, `--select`, `--ignore` and per-file ignores; Tracetrap's own settings hold
    besides.  flake8 adds 1 to columns.
    """

    name = "tracetrap"
    version = __version__
    _options: ClassVar[dict[str, Any]] = {}
    _finders: ClassVar[dict[Path, SettingsFinder]] = {}

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._filename = filename
        self._lines = lines

    @classmethod
    def add_options(cls, manager: OptionManager) -> None:
        """The options that flake8's own configuration may hold too."""
        manager.add_option(
            "--tracetrap-strict",
            action="store_true",
            default=False,
            parse_from_config=True,
            help="Also report what is only possible, not definite.",
        )
        manager.add_option(
            "--tracetrap-transforms",
            metavar="NAME=MEANING",
            default=[],
            comma_separated_list=True,
            parse_from_config=True,
            help="Functions of yours that trace, such as mylib.compile=jax.jit.",
        )

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Remember the options; flake8 calls this in each of its processes."""
        cls._options = {}
        cls._finders.clear()
        if options.tracetrap_strict:
            cls._options["strict"] = True
        if options.tracetrap_transforms:
            cls._options["transforms"] = _transforms(options.tracetrap_transforms)

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        """Row, column from 0, and message of each finding in this file."""
        from .run import check_text

        finder = self._finder()
        for finding in check_text("".join(self._lines), self._filename, finder):
            start = finding.span.start
            yield start.row, start.column - 1, f"{finding.code} {finding.message}", type(self)

    def _finder(self) -> SettingsFinder:
        from .settings.config import SettingsError
        from .settings.files import SettingsFinder

        here = Path.cwd()
        if here not in self._finders:
            finder = SettingsFinder(options=self._options)
            try:
                finder.for_file(Path(self._filename))
            except SettingsError as error:
                raise SystemExit(f"tracetrap: {error}") from None
            self._finders[here] = finder
        return self._finders[here]


def _transforms(pairs: Sequence[str]) -> dict[str, str]:
    found = {}
    for pair in pairs:
        name, separator, meaning = pair.partition("=")
        if not (name.strip() and separator and meaning.strip()):
            raise SystemExit(f"tracetrap: --tracetrap-transforms must be NAME=MEANING, not {pair!r}")
        found[name.strip()] = meaning.strip()
    return found
