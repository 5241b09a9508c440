"""`jax.experimental.checkify`: checks in traced code, whose failures are values that the program returns."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..arrays.array import asarray
from ..core import Array, Literal, get_aval
from ..primitives.checking import JaxRuntimeError, check_p
from ..tracing.staging import trace_to_jaxpr
from ..transforms.checking import DIVISION, INDEX, NAN, USER, Checker, Site
from ..tree_util import register_pytree_node, tree_flatten, tree_unflatten

__all__ = [
    "Error",
    "ErrorCategory",
    "JaxRuntimeError",
    "all_checks",
    "automatic_checks",
    "check",
    "check_error",
    "checkify",
    "debug_check",
    "div_checks",
    "float_checks",
    "index_checks",
    "nan_checks",
    "user_checks",
]

ErrorCategory = str

user_checks = frozenset({USER})
nan_checks = frozenset({NAN})
div_checks = frozenset({DIVISION})
index_checks = frozenset({INDEX})
float_checks = nan_checks | div_checks
automatic_checks = float_checks | index_checks
all_checks = automatic_checks | user_checks


class Error:
    """Which check failed first, if one did; a pytree of arrays. Mapped by `vmap` it tells of each example."""

    def __init__(self, state: Sequence[Any], sites: tuple[Site, ...]) -> None:
        self._state, self._sites = tuple(state), sites

    def get(self) -> str | None:
        """The message of the check that failed, None if none did; a line for each example that failed."""
        failed, code, *values = np.asarray(self._state[0]), np.asarray(self._state[1]), *self._state[2:]
        if not failed.any():
            return None
        if not failed.ndim:
            return self._message(int(code), values, ())
        lines = []
        for at in zip(*np.nonzero(failed)):
            where = at[0] if len(at) == 1 else tuple(int(i) for i in at)
            lines.append(f"at mapped index {where}: {self._message(int(code[at]), values, at)}")
        return "\n".join(lines)

    def _message(self, code: int, values: Sequence[Any], at: tuple[int, ...]) -> str:
        start = sum(len(site.avals) for site in self._sites[:code])
        site = self._sites[code]
        return site.message([value[at] for value in values[start : start + len(site.avals)]])

    def throw(self) -> None:
        """Raises JaxRuntimeError if a check failed."""
        check_error(self)

    def get_exception(self) -> JaxRuntimeError | None:
        """The exception that `throw` raises; None if no check failed."""
        message = self.get()
        return None if message is None else JaxRuntimeError(message)

    def __repr__(self) -> str:
        return f"Error({self.get()})"


register_pytree_node(
    Error, lambda error: (error._state, error._sites), lambda sites, state: Error(tuple(state), sites)
)


def check(pred: Any, msg: str, *fmt_args: Any, debug: bool = False, **fmt_kwargs: Any) -> None:
    """Require a scalar condition: eagerly at once, in traced code once `checkify` has made it explicit.

    Raises:
        TypeError: if the condition is no boolean scalar, or a value of the message is no array.
        JaxRuntimeError: outside of traced code, if the condition does not hold.
    """
    aval = get_aval(pred) if isinstance(pred, (bool, np.bool_, Array, np.ndarray)) else None
    if aval is None or aval.shape or aval.dtype.kind != "b":
        raise TypeError(f"check takes a scalar pred as argument, got {pred}")
    leaves, tree = tree_flatten((fmt_args, fmt_kwargs))
    for leaf in leaves:
        if not isinstance(leaf, (Array, np.ndarray)):
            raise TypeError(
                f"Formatting arguments to checkify.check need to be PyTrees of arrays, but got {leaf!r} of type "
                f"{type(leaf)}."
            )
    try:
        msg.format(*fmt_args, **fmt_kwargs)
    except (IndexError, KeyError) as error:
        raise ValueError(
            f"The message of the check, {msg!r}, names a value that it is not given: {error}"
        ) from None
    check_p.bind(pred, *leaves, message=msg, tree=tree, debug=debug)


def debug_check(pred: Any, msg: str, *fmt_args: Any, **fmt_kwargs: Any) -> None:
    """A `check` that does nothing unless `checkify` makes it explicit."""
    check(pred, msg, *fmt_args, debug=True, **fmt_kwargs)


def check_error(error: Error) -> None:
    """Raises JaxRuntimeError if an error tells of a failure."""
    if not isinstance(error, Error):
        raise ValueError(f"check_error takes an Error as argument, got type {type(error)} instead.")
    exception = error.get_exception()
    if exception is not None:
        raise exception


def checkify(
    f: Callable[..., Any], errors: Iterable[ErrorCategory] = user_checks
) -> Callable[..., tuple[Error, Any]]:
    """The function that returns, beside the result of `f`, an `Error`: which of its checks failed first.

    As in JAX, the arguments are constants of the trace: Python may look at them.
    `errors` says what is checked: `user_checks` are those of `check`; the others are made of every operation.
    """
    categories = frozenset(errors)

    @functools.wraps(f)
    def checked(*args: Any, **kwargs: Any) -> tuple[Error, Any]:
        out_tree: Any = None

        def flat() -> list[Any]:
            nonlocal out_tree
            results, out_tree = tree_flatten(f(*args, **kwargs))
            return results

        jaxpr, consts = trace_to_jaxpr(flat, ())
        checker = Checker(jaxpr, categories)
        results, state = checker.run(jaxpr, consts, (), checker.initial())
        results = [asarray(x) if isinstance(x, Literal) else x for x in results]
        return Error(state, tuple(checker.sites)), tree_unflatten(out_tree, results)

    return checked
