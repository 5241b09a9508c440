"""A function of NumPy, SciPy or `math` → its twin in JAX."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from .draft import Draft
from .place import function_of

if TYPE_CHECKING:
    from ..events import HostCall
    from ..findings import Fix

# Functions of values, never of sizes: nobody needs their results while tracing.
ELEMENTWISE = frozenset(
    "sin cos tan sinh cosh tanh arcsin arccos arctan arctan2 asin acos atan atan2 arcsinh arccosh arctanh exp expm1 exp2 "
    "log1p log10 hypot erf erfc gamma lgamma deg2rad rad2deg radians degrees sinc".split()
)
_MODULES = ("jax.numpy", "jax.lax", "jax")


def twin(event: HostCall) -> Fix | None:
    """The function's name; its arguments stay as they are."""
    node = event.node
    if (
        not isinstance(node, cst.Call)
        or not event.replacement.startswith("jax.")
        or event.function.startswith("numpy.ndarray")
    ):
        return None
    last = event.function.rsplit(".", 1)[-1]
    written = (
        node.func.attr.value if isinstance(node.func, cst.Attribute) else getattr(node.func, "value", None)
    )
    if not isinstance(node.func, cst.Attribute | cst.Name):
        return None
    if isinstance(node.func, cst.Attribute) and written != last:
        return None
    function = function_of(event.source, node)
    if isinstance(function, cst.FunctionDef) and function.name.value == "__array__":
        return None  # NumPy calls it, and accepts nothing but an array of its own
    draft = Draft(event.source, node)
    name = _name(event.replacement, draft)
    draft.replace(node.func, name)
    safe = last in ELEMENTWISE and event.sure
    return draft.fix(f"Use {name}", "safe" if safe else "unsafe", "" if safe else "its result is traced")


def _name(canonical: str, draft: Draft) -> str:
    if canonical.startswith("jax.scipy."):
        module, _, last = canonical.rpartition(".")
        return f"{draft.module(module)}.{last}"
    module = next(m for m in _MODULES if canonical.startswith(f"{m}."))
    return draft.module(module) + canonical[len(module) :]
