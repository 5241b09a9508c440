"""Values chosen case by case: `select`, `choose`, `piecewise`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from .. import lax
from ..core import Array
from ..jitting.jit import jit
from ..lax import types as dtypes
from ..lax.elementwise import convert_to
from . import reductions
from .creation import arange
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
    """A function defined by cases, of which the last that holds is taken; one more than conditions is the default."""
    check_arraylike("piecewise", x)
    n_cases, n_functions = len(condlist), len(funclist)
    if n_functions == n_cases:
        ordered = [0, *funclist]
    elif n_functions == n_cases + 1:
        ordered = [funclist[-1], *funclist[:-1]]
    else:
        raise ValueError(
            f"with {n_cases} condition(s), either {n_cases} or {n_cases + 1} functions are expected; got {n_functions}"
        )
    constants = {i: case for i, case in enumerate(ordered) if not callable(case)}
    functions = tuple(case if callable(case) else None for case in ordered)
    return _piecewise(asarray(x), asarray(condlist, bool), constants, *args, functions=functions, **kw)


@partial(jit, static_argnames=("functions",))
def _piecewise(
    x: Array, conditions: Array, constants: dict[int, Any], *args: Any, functions: tuple[Any, ...], **kw: Any
) -> Any:
    """Each function is applied to single elements."""
    from .vectorization import vectorize

    def case(i: int) -> Callable[[Array], Array]:
        if functions[i] is None:
            return lambda _: asarray(constants[i], x.dtype)
        return lambda element: functions[i](element, *args, **kw).astype(x.dtype)

    cases = [case(i) for i in range(len(functions))]
    number = arange(1, len(cases)).reshape(-1, *[1] * (conditions.ndim - 1))
    chosen = reductions.max(where(conditions, number, 0), axis=0)
    return vectorize(lambda index, element: lax.switch(index, cases, element))(chosen, x)
