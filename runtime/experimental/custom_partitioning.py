"""`jax.experimental.custom_partitioning`: functions that say how they are split over devices. One device splits nothing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..transforms.jvp import JVPTracer
from ..transforms.linearize import TangentTracer
from ..tree_util import tree_leaves

__all__ = ["custom_partitioning"]


class custom_partitioning:
    """A function, computed as it is once `def_partition` has been called."""

    def __init__(self, fun: Callable[..., Any], static_argnums: Sequence[int] = ()) -> None:
        functools.update_wrapper(self, fun)
        self._function, self.static_argnums = fun, tuple(static_argnums)
        self.partition: Callable[..., Any] | None = None

    def def_partition(
        self,
        partition: Callable[..., Any],
        infer_sharding_from_operands: Callable[..., Any] | None = None,
        propagate_user_sharding: Callable[..., Any] | None = None,
        decode_shardings: bool = True,
        sharding_rule: Any = None,
        *,
        reduction_factors: Any = None,
        need_replication_factors: Any = None,
        permutation_factors: Any = None,
        **factor_sizes: int,
    ) -> None:
        """Say how it is split."""
        self.partition = partition

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The result. Raises AttributeError before `def_partition`, NotImplementedError under differentiation."""
        if self.partition is None:
            raise AttributeError(f"def_partition was not called on {self._function}")
        if any(isinstance(leaf, (JVPTracer, TangentTracer)) for leaf in tree_leaves((args, kwargs))):
            raise NotImplementedError("Differentiation rule for 'custom_partitioning' not implemented")
        return self._function(*args, **kwargs)
