"""``map``: a function applied to one element after the other."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..pytree.mapping import tree_map
from .loops import flat_arguments, scan, scan_length
from .vmap import vmap


def map(f: Callable[[Any], Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """``f(x)`` for each x along the leading axis of `xs`, one after the other, or `batch_size` at a time by ``vmap``."""
    if batch_size is None:
        return scan(lambda _, x: ((), f(x)), (), xs)[1]
    from ..numpy import concatenate, reshape

    length = scan_length(flat_arguments(xs)[0], None)
    batches, rest = divmod(length, batch_size) if batch_size != 0 else (0, length)
    batch_size = operator.index(batch_size)
    whole = tree_map(lambda x: reshape(x[: batches * batch_size], (batches, batch_size, *x.shape[1:])), xs)
    done = scan(lambda _, x: ((), vmap(f)(x)), (), whole)[1]
    flat = tree_map(lambda y: reshape(y, (batches * batch_size, *y.shape[2:])), done)
    if not rest:
        return flat
    last = vmap(f)(tree_map(lambda x: x[batches * batch_size :], xs))
    return tree_map(lambda a, b: concatenate([a, b]), flat, last)
