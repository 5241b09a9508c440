"""Values chosen case by case: `select`, `choose`, `piecewise`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import lax
from ..core import Array
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from .promotion import ArrayLike, asarray, check_arraylike, concrete, promote_dtypes, truth
from .selection import clip, where


def select(condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0) -> Array:
    """For each element the choice of the first condition that holds."""
    if len(condlist) != len(choicelist):
        raise ValueError(
            f"condlist must have length equal to choicelist ({len(condlist)} vs {len(choicelist)})"
        )
    if not len(condlist):
        raise ValueError("condlist must be non-empty")
    from .shaping import broadcast_arrays, stack

    check_arraylike("select", *condlist, *choicelist, default)
    # No condition but the first, which never holds, is the default's.
    conditions = [truth(c) for c in broadcast_arrays(False, *condlist)]
    first = lax.argmax(stack(conditions), 0, dtypes.int32)
    first, *choices = broadcast_arrays(first, *promote_dtypes(default, *choicelist))
    return lax.select_n(first, *choices)


def choose(a: ArrayLike, choices: Any, out: None = None, mode: str = "raise") -> Array:
    """For each element the choice that its integer names."""
    from .shaping import broadcast_arrays

    if out is not None:
        raise NotImplementedError("The 'out' argument to jnp.choose is not supported.")
    pool = [*choices]
    check_arraylike("choose", a, *pool)
    n = len(pool)
    index = asarray(a)
    if index.dtype.kind not in "iu":
        raise ValueError("`a` array must be integer typed")
    if mode == "raise":
        from .reductions import any as any_

        known = concrete(
            index,
            "The error occurred because jnp.choose was jit-compiled with mode='raise'. Use mode='wrap' or mode='clip' instead.",
        )
        if any_((known < 0) | (known >= n)):
            raise ValueError("invalid entry in choice array")
    elif mode == "wrap":
        index = index % n
    elif mode == "clip":
        index = clip(index, 0, n - 1)
    else:
        raise ValueError(f"mode={mode!r} not understood. Must be 'raise', 'wrap', or 'clip'")
    index, *pool = broadcast_arrays(index, *promote_dtypes(*pool))
    chosen = lax.select_n(lax.convert_element_type(index, dtypes.int32), *pool) if n > 1 else pool[0]
    return convert_to(chosen, chosen.dtype, False)


def piecewise(x: ArrayLike, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Array:
    """A function defined by cases; the last case is the default when there is one more function than conditions."""
    from .shaping import broadcast_arrays

    check_arraylike("piecewise", x)
    x = asarray(x)
    if not isinstance(condlist, (list, tuple)):
        condlist = [condlist] if len(dtypes.shape(condlist)) == x.ndim else list(condlist)
    n_cases, n_functions = len(condlist), len(funclist)
    if n_functions == n_cases:
        funclist = [0, *funclist]
    elif n_functions == n_cases + 1:
        funclist = [funclist[-1], *funclist[:-1]]
    else:
        raise ValueError(
            f"with {n_cases} condition(s), either {n_cases} or {n_cases + 1} functions are expected; got {n_functions}"
        )
    result: Any = _case(funclist[0], x, args, kw)
    done: Any = None
    for condition, function in zip(condlist, funclist[1:]):
        check = lax.convert_element_type(asarray(condition), dtypes.bool_)
        fresh = check if done is None else lax.bitwise_and(check, lax.bitwise_not(done))
        result = where(fresh, _case(function, x, args, kw), result)
        done = check if done is None else lax.bitwise_or(done, check)
    del broadcast_arrays
    return result


def _case(function: Any, x: Array, args: tuple[Any, ...], kw: dict[str, Any]) -> Array:
    value = asarray(function(x, *args, **kw) if callable(function) else function)
    from .shaping import broadcast_to

    return broadcast_to(lax.convert_element_type(value, x.dtype), x.shape)
