"""The names in JAX's inner modules, which `runtime/extend/private_names.txt` lists: ``python tests/runtime/private_names.py``."""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from pathlib import Path

from tracetrap.runtime.extend import absent

LIST = Path(__file__).resolve().parents[2] / "runtime" / "extend" / "private_names.txt"


def names_of_jax(module: str) -> set[str]:
    """All names in a module, its submodules included."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        loaded = importlib.import_module(module)
    below = (found.name for found in pkgutil.iter_modules(getattr(loaded, "__path__", [])))
    return {name for name in (*dir(loaded), *below) if not name.startswith("__")}


def write() -> None:
    """Bring the list up to date."""
    lines = [f"{module} {' '.join(sorted(names_of_jax(module)))}" for module in sorted(absent.INNER)]
    LIST.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
