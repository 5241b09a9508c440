"""Where a file stands: its package, the folders that its imports start from, its project."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PROJECT_MARKS = ("pyproject.toml", "setup.cfg", "setup.py", ".git")


@dataclass(frozen=True, slots=True)
class Module:
    """What Python needs to know in order to execute a file."""

    path: str
    name: str
    package: str
    paths: tuple[str, ...]
    root: str

    def to_wire(self) -> dict[str, Any]:
        """As a `load` request to the worker has it."""
        return {
            "path": self.path,
            "module": self.name,
            "package": self.package,
            "paths": self.paths,
            "root": self.root,
            "directory": self.paths[0],
            "here": os.getcwd(),
        }

    @classmethod
    def of(cls, filename: str) -> Module:
        """Derive name and package from the `__init__.py` files around it."""
        path = Path(filename).resolve()
        parts = [path.stem]
        folder = path.parent
        while (folder / "__init__.py").is_file() and folder.parent != folder:
            parts.insert(0, folder.name)
            folder = folder.parent
        if path.name == "__init__.py":
            parts.pop()
        package = ".".join(parts if path.name == "__init__.py" else parts[:-1])
        return cls(str(path), ".".join(parts), package, (str(folder),), str(_project_root(folder)))


def _project_root(folder: Path) -> Path:
    for candidate in (folder, *folder.parents):
        if any((candidate / mark).exists() for mark in _PROJECT_MARKS):
            return candidate if candidate != Path(candidate.anchor) else folder
    return folder
