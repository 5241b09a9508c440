"""Which public names of JAX does the runtime lack, and which functions take other parameters?

    python benchmarks/runtime_names.py

Lists, module by module, the functions and classes that JAX defines itself and shows without a deprecation warning, with
``-s`` also the parameters that the runtime's do not take. A program that uses a name that is lacking gets one error that
names it.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
import types
import warnings
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

#: Modules for other processors, for the insides of XLA, and for tests of JAX's own.
NONE_OF_OURS = (
    "._",
    ".mlir",
    ".pallas",
    ".mosaic",
    ".colocated_python",
    ".tools",
    "jax2tf",
    "test_util",
    "cloud_tpu",
)


def modules() -> list[str]:
    """All public modules of JAX that can be imported."""
    import jax

    found = ["jax"]
    for module in pkgutil.walk_packages(jax.__path__, "jax.", onerror=lambda name: None):
        if any(part in module.name for part in NONE_OF_OURS):
            continue
        try:
            importlib.import_module(module.name)
        except ImportError:
            continue
        found.append(module.name)
    return found


def shown(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """Public names of a module of JAX that are JAX's own."""
    for name in dir(module):
        try:
            value = getattr(module, name)
        except Warning:  # Deprecated.
            continue
        own = str(getattr(value, "__module__", None) or type(value).__module__)
        if not name.startswith("_") and not isinstance(value, types.ModuleType) and own.startswith("jax"):
            yield name, value


def parameters(value: Any) -> list[str]:
    """The parameters that may be given by name, and ``**`` if all may."""
    try:
        found = inspect.signature(value).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        "**" if p.kind is p.VAR_KEYWORD else p.name
        for p in found
        if p.kind in (p.VAR_KEYWORD, p.KEYWORD_ONLY, p.POSITIONAL_OR_KEYWORD)
    ]


def names_of_jax() -> dict[str, dict[str, list[str]]]:
    warnings.simplefilter("error")
    return {
        module: {
            name: [] if inspect.isclass(value) else parameters(value)
            for name, value in shown(importlib.import_module(module))
        }
        for module in modules()
    }


def compare(theirs: dict[str, dict[str, list[str]]], with_parameters: bool) -> None:
    """Print what is lacking, in a process in which the runtime stands in for JAX."""
    from tracetrap.runtime import shim
    from tracetrap.runtime.extend.absent import Absent

    shim.install()
    have = lack = 0
    for module, names in theirs.items():
        try:
            mine = importlib.import_module(module)
        except ImportError:
            missing, whole = list(names), " (the module)"
        else:
            found = {name: getattr(mine, name, None) for name in names}
            missing = [name for name, value in found.items() if value is None or isinstance(value, Absent)]
            whole = ""
            for name, value in found.items():
                own = parameters(value)
                lost = [p for p in names[name] if p not in own] if own and "**" not in own else []
                if with_parameters and lost and name not in missing:
                    print(f"{module}.{name} does not take {' '.join(lost)}")
        have, lack = have + len(names) - len(missing), lack + len(missing)
        if missing:
            print(f"{module}{whole}: {' '.join(missing)}")
    print(f"{have} of {have + lack} names")


def main() -> int:
    if sys.stdin.isatty() or "--compare" not in sys.argv:
        found = repr(names_of_jax())
        command = [sys.executable, __file__, "--compare", *sys.argv[1:]]
        return subprocess.run(command, input=found, text=True, check=False).returncode
    import ast

    compare(ast.literal_eval(sys.stdin.read()), "-s" in sys.argv)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
