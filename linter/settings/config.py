"""What the user chose: the settings and their defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..findings import Finding

if TYPE_CHECKING:
    from pathspec import PathSpec

RuntimeName = Literal["bundled", "jax"]

DEFAULT_EXCLUDE = (
    ".git", ".hg", ".svn", ".bzr", ".direnv", ".eggs", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pytest_cache",
    ".ruff_cache", ".tox", ".venv", "venv", "__pycache__", "__pypackages__", "build", "dist", "node_modules",
    "site-packages",
)  # fmt: skip


OPT_IN = ("TRC902",)
"""Codes that report only where they are selected by more than `TRC`."""


class SettingsError(Exception):
    """A setting that cannot be used; the message is one line that names it, where it stands, and what is allowed."""


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, on the command line or in a file; see `keys.py` for how each is written.

    Patterns in `exclude`, `extend_exclude` and `per_file_ignores` follow .gitignore and are relative to `root`.
    """

    select: tuple[str, ...] = ("TRC",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    strict: bool = False
    transforms: Mapping[str, str] = field(default_factory=dict)
    verify: bool = False
    runtime: RuntimeName = "bundled"
    inputs: Mapping[str, str] = field(default_factory=dict)
    output_format: str = "text"
    unsafe_fixes: bool = False
    jobs: int = 0
    cache: bool = True
    seconds_per_file: float = 60.0
    root: Path = field(default_factory=Path.cwd)
    file: Path | None = None

    def with_options(self, **options: Any) -> Settings:
        """These settings with some replaced; options that are None say nothing."""
        return replace(self, **{name: value for name, value in options.items() if value is not None})

    def reports(self, finding: Finding) -> bool:
        """Whether a finding is to be reported, `noqa` comments aside."""
        if finding.confidence == "possible" and not self.strict:
            return False
        return self.selects(finding.code) and not self._ignored_in(finding.filename, finding.code)

    def selects(self, code: str) -> bool:
        """Whether a code is selected: the longest prefix that fits decides, and `ignore` wins a draw."""
        least = len("TRC9") if code in OPT_IN else 0
        prefixes = [prefix for prefix in (*self.select, *self.extend_select) if len(prefix) >= least]
        chosen = max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=-1)
        refused = max((len(prefix) for prefix in self.ignore if code.startswith(prefix)), default=-1)
        return chosen > refused

    def excludes(self, path: Path, *, folder: bool = False) -> bool:
        """Whether a file or folder is to be left out when folders are searched."""
        return self._exclusion.match_file(self._relative(path) + ("/" if folder else ""))

    @property
    def analysis_key(self) -> tuple[object, ...]:
        """What the raw findings of a file depend on; all else is applied to them afterwards."""
        return (tuple(sorted(self.transforms.items())), self.seconds_per_file, self.strict)

    @cached_property
    def _exclusion(self) -> PathSpec[Any]:
        from pathspec import GitIgnoreSpec

        return GitIgnoreSpec.from_lines((*self.exclude, *self.extend_exclude))

    @cached_property
    def _ignores(self) -> list[tuple[PathSpec[Any], tuple[str, ...]]]:
        from pathspec import GitIgnoreSpec

        return [
            (GitIgnoreSpec.from_lines([pattern]), codes) for pattern, codes in self.per_file_ignores.items()
        ]

    def _ignored_in(self, filename: str, code: str) -> bool:
        if not self.per_file_ignores:
            return False
        relative = self._relative(Path(filename))
        return any(code.startswith(codes) and spec.match_file(relative) for spec, codes in self._ignores)

    def _relative(self, path: Path) -> str:
        absolute = path if path.is_absolute() else Path.cwd() / path
        try:
            return absolute.relative_to(self.root).as_posix()
        except ValueError:
            return absolute.as_posix().lstrip("/")


NAMES = frozenset(item.name for item in fields(Settings)) - {"root", "file"}
