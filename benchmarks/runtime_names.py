"""Which public names of JAX does the runtime lack?

    python benchmarks/runtime_names.py

Lists, module by module, functions, classes and primitives that JAX defines itself and shows without a deprecation warning.
A program that uses one of them on the runtime gets one error that names it.
"""

from __future__ import annotations

import importlib
import os
import types
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")

MODULES = (
    "numpy numpy.linalg numpy.fft lax lax.linalg random nn nn.initializers tree tree_util scipy scipy.special "
    "scipy.linalg scipy.stats scipy.fft scipy.signal scipy.ndimage scipy.interpolate scipy.integrate scipy.optimize "
    "scipy.sparse.linalg scipy.cluster.vq scipy.spatial.transform ops image dtypes debug flatten_util stages sharding "
    "custom_derivatives custom_batching ad_checkpoint errors profiler dlpack export ref experimental "
    "experimental.checkify experimental.ode experimental.sparse experimental.jet example_libraries.optimizers "
    "example_libraries.stax"
).split()


def shown(module: types.ModuleType) -> list[str]:
    """Public names of a module of JAX that are JAX's own."""
    names = []
    for name in dir(module):
        try:
            value = getattr(module, name)
        except Warning:  # Deprecated.
            continue
        own = getattr(value, "__module__", None) or type(value).__module__
        if name.startswith("_") or isinstance(value, types.ModuleType) or not str(own).startswith("jax"):
            continue
        names.append(name)
    return names


def main() -> int:
    warnings.simplefilter("error")
    have = lack = 0
    for module in ["", *MODULES]:
        suffix = f".{module}" if module else ""
        names = shown(importlib.import_module(f"jax{suffix}"))
        try:
            mine = importlib.import_module(f"tracetrap.runtime{suffix}")
        except ModuleNotFoundError:
            missing, whole = names, " (the module)"
        else:
            missing, whole = [name for name in names if not hasattr(mine, name)], ""
        have, lack = have + len(names) - len(missing), lack + len(missing)
        if missing:
            print(f"jax{suffix}{whole}: {' '.join(missing)}")
    print(f"{have} of {have + lack} names")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
