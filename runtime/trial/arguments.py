"""Arguments from their notation: `f32[8,3], i32[], key, 2, mode="mean", State(f32[3])`.

An array is written as JAX prints its abstract value (dtype and shape, as in jaxprs); all else is Python,
evaluated with the names of the user's module.
"""

from __future__ import annotations

import re
import sys
from typing import Any, TypeAlias

DTYPES = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
    "u8": "uint8",
    "u16": "uint16",
    "u32": "uint32",
    "u64": "uint64",
    "c64": "complex64",
    "c128": "complex128",
    "bool": "bool",
}
_ARRAY = re.compile(r"(?<![\w.])(" + "|".join(DTYPES) + r"|key)\[([\d\s,]*)\]|(?<![\w.'\"])key(?![\w=\[(])")

Call: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]


class ArgumentError(ValueError):
    """The notation cannot be read, or its Python part does not evaluate."""


def parse_arguments(text: str, namespace: dict[str, Any]) -> Call:
    """The positional and keyword arguments that `text` notes; raises ArgumentError."""

    def replace(match: re.Match[str]) -> str:
        if match[0].startswith("key"):
            return f"__tracetrap_array__('key', ({match[2] or ''}))"
        shape = ", ".join(part.strip() for part in match[2].split(",") if part.strip())
        return f"__tracetrap_array__({match[1]!r}, ({shape}{',' if shape else ''}))"

    expression = f"__tracetrap_call__({_ARRAY.sub(replace, text)})"
    scope = {
        "jax": sys.modules.get("jax"),
        "jnp": sys.modules.get("jax.numpy"),
        "np": sys.modules.get("numpy"),
        **namespace,
        "__tracetrap_array__": make_array,
        "__tracetrap_call__": lambda *a, **k: (a, k),
    }
    try:
        result: Call = eval(expression, scope)  # the notation is Python
    except Exception as error:
        raise ArgumentError(f"cannot read the arguments {text!r}: {error}") from error
    return result


def make_array(dtype: str, shape: tuple[int, ...]) -> Any:
    """A concrete array with plain values: floats near 1, integers 0 and 1 (a scalar is 2), seed 0."""
    import numpy

    jax = sys.modules["jax"]
    if dtype == "key":
        return jax.random.PRNGKey(0)
    name = DTYPES[dtype]
    size = 1
    for length in shape:
        size *= length
    if name.startswith(("float", "bfloat", "complex")):
        values = numpy.linspace(0.5, 1.5, size) if size > 1 else numpy.full(size, 1.5)
    elif name == "bool":
        values = numpy.arange(size) % 2 == 0
    else:
        values = numpy.arange(size) % 2 if size > 1 else numpy.full(size, 2)
    jnp = sys.modules["jax.numpy"]
    return jnp.asarray(values.reshape(shape), dtype=getattr(jnp, name, name))
