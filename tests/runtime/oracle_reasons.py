"""Why the runtime differs from JAX on some rows of the oracle: patterns of snippets and contexts, each with a reason."""

from __future__ import annotations

import re
from typing import NamedTuple

from oracle_programs import Row

OTHER = "No reason known: to be mended"


class Reason(NamedTuple):
    """`contexts` and `snippets` are patterns that must match somewhere."""

    text: str
    snippets: str
    contexts: str = ""


REASONS = (
    Reason(
        "`shard_map` prints and unstacks its tracers; JAX raises ShardingTypeError there", "", r"^shard_map$"
    ),
    Reason(
        "Eager `checkpoint` runs the function itself; JAX compiles it, with what is not read",
        r"jax\.random\.key\(s\)",
        r"^checkpoint$",
    ),
    Reason(
        "Arrays for parameters of `lax` whose error in JAX comes from the insides of a rule of `vmap` or `grad`, or from XLA",
        r"(lax\.(rev|reduce|concatenate|argmax|scan|fori_loop|broadcast\w*|reshape|expand_dims|pad|integer_pow|conv\w*"
        r"|approx_max_k|slice|dot_general|dynamic_\w+|reduce_\w+|map|clamp)|random\.split|jnp\.repeat)\(",
    ),
    Reason(
        "Names that JAX has deprecated, or that depend on its implementation",
        r"core\.(is_concrete|concrete_or_error|get_aval)|checkify|__array_module__|_npy_value|\.traceback|\.format\b|vars\("
        r"|\.foo|setattr|__jax_array__|memoryview|frombuffer|transfer_guard|abstracted_axes|device=jax",
    ),
    Reason(
        "NumPy looks into the types of arrays in ways that a type of another library cannot answer",
        r"np\.(result_type|argsort|from_dlpack|dtype)\(",
    ),
)


def reason_of(row: Row) -> str:
    """Why the runtime may differ on a row."""
    for reason in REASONS:
        if re.search(reason.snippets, row.snippet) and re.search(reason.contexts, row.context):
            return reason.text
    return OTHER
