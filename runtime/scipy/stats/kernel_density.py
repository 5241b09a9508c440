"""Density estimation with Gaussian kernels (Scott, "Multivariate density estimation", 1992; Silverman, 1986)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ... import lax, random
from ... import numpy as jnp
from ...core import Array
from ...lax import types
from ...numpy.promotion import ArrayLike, asarray, check_arraylike, promote_dtypes_inexact
from ...tree_util import register_pytree_node_class
from ..linalg import cho_factor, cho_solve
from ..special.normal import ndtr


@register_pytree_node_class
@dataclass(frozen=True, init=False)
class gaussian_kde:  # The name that SciPy and JAX give it.
    """A density as a sum of Gaussians around the points of a data set of shape ``(d, n)`` or ``(n,)``."""

    neff: Any
    dataset: Any
    weights: Any
    covariance: Any
    inv_cov: Any

    def __init__(
        self,
        dataset: ArrayLike,
        bw_method: str | Array | Callable[[Any], Array] | None = None,
        weights: ArrayLike | None = None,
    ) -> None:
        """Raises ValueError for fewer than two points, NotImplementedError for complex data."""
        check_arraylike("gaussian_kde", dataset)
        points = jnp.atleast_2d(asarray(dataset))
        if points.dtype.kind == "c":
            raise NotImplementedError("gaussian_kde does not support complex data")
        if not points.size > 1:
            raise ValueError("`dataset` input should have multiple elements.")
        d, n = points.shape
        if weights is not None:
            check_arraylike("gaussian_kde", weights)
            points, share = promote_dtypes_inexact(points, weights)
            share = jnp.atleast_1d(share)
            share = share / share.sum()
            if share.ndim != 1:
                raise ValueError("`weights` input should be one-dimensional.")
            if len(share) != n:
                raise ValueError("`weights` input should be of length n")
        else:
            (points,) = promote_dtypes_inexact(points)
            share = jnp.full(n, 1 / n, points.dtype)
        self._keep("dataset", points)
        self._keep("weights", share)
        self._keep("neff", 1 / (share * share).sum())
        bandwidth = self._bandwidth(bw_method, d)
        spread = jnp.atleast_2d(jnp.cov(points, rowvar=True, bias=False, aweights=share))
        self._keep("covariance", spread * bandwidth**2)
        self._keep("inv_cov", jnp.linalg.inv(spread) / bandwidth**2)

    def _keep(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    def _bandwidth(self, method: Any, d: int) -> Any:
        if method is None or method == "scott":
            return self.neff ** (-1.0 / (d + 4))
        if method == "silverman":
            return (self.neff * (d + 2) / 4.0) ** (-1.0 / (d + 4))
        if callable(method):
            return method(self)
        if jnp.isscalar(method) and not isinstance(method, str):
            return method
        raise ValueError("`bw_method` should be 'scott', 'silverman', a scalar, or a callable.")

    def tree_flatten(self) -> tuple[tuple[Any, ...], None]:
        return (self.neff, self.dataset, self.weights, self.covariance, self.inv_cov), None

    @classmethod
    def tree_unflatten(cls, aux_data: None, children: tuple[Any, ...]) -> gaussian_kde:
        made = cls.__new__(cls)
        for name, value in zip(("neff", "dataset", "weights", "covariance", "inv_cov"), children):
            made._keep(name, value)
        return made

    @property
    def d(self) -> int:
        """The number of dimensions."""
        return self.dataset.shape[0]

    @property
    def n(self) -> int:
        """The number of points."""
        return self.dataset.shape[1]

    def _log_kernels(self, points: Array) -> Array:
        """Logarithms of the weighted kernels: a row for each of `points`, a column for each of the data set."""
        whitener = jnp.linalg.cholesky(self.inv_cov)
        near, data = jnp.dot(points.T, whitener), jnp.dot(self.dataset.T, whitener)
        distances = jnp.square(near[:, None, :] - data[None, :, :]).sum(-1)
        norm = lax.log(jnp.diag(whitener)).sum() - 0.5 * self.d * math.log(2 * math.pi)
        return norm - 0.5 * distances + lax.log(self.weights)[None, :]

    def _points(self, points: ArrayLike) -> Array:
        if types.dtype(points).kind == "c":
            raise NotImplementedError("gaussian_kde does not support complex coordinates")
        found = jnp.atleast_2d(asarray(points)).astype(self.dataset.dtype)
        d, m = found.shape
        if d == self.d:
            return found
        if d == 1 and m == self.d:
            return jnp.reshape(found, (self.d, 1))
        raise ValueError(f"points have dimension {d}, dataset has dimension {self.d}")

    def evaluate(self, points: ArrayLike) -> Array:
        """Density at points of shape ``(d, m)``. Raises ValueError for points of another dimension."""
        check_arraylike("evaluate", points)
        return lax.exp(self.logpdf(points))

    def __call__(self, points: ArrayLike) -> Array:
        return self.evaluate(points)

    def pdf(self, x: ArrayLike) -> Array:
        """Density at points."""
        return self.evaluate(x)

    def logpdf(self, x: ArrayLike) -> Array:
        """Logarithm of the density at points."""
        from ...nn import logsumexp

        check_arraylike("logpdf", x)
        return logsumexp(self._log_kernels(self._points(x)), axis=1)

    def integrate_gaussian(self, mean: ArrayLike, cov: ArrayLike) -> Array:
        """Integral of the product with a Gaussian."""
        center = jnp.atleast_1d(jnp.squeeze(asarray(mean)))
        spread = jnp.atleast_2d(asarray(cov))
        if center.shape != (self.d,):
            raise ValueError(f"mean does not have dimension {self.d}")
        if spread.shape != (self.d, self.d):
            raise ValueError(f"covariance does not have dimension {self.d}")
        return self._overlap(spread + self.covariance, center[:, None] - self.dataset) @ self.weights

    def _overlap(self, covariance: Array, gaps: Array) -> Array:
        """The centred Gaussian at each column of `gaps`."""
        factor, lower = cho_factor(covariance, lower=True)
        energy = jnp.sum(gaps * cho_solve((factor, lower), gaps), axis=0) / 2
        norm = lax.log(jnp.diag(factor)).sum() + 0.5 * self.d * math.log(2 * math.pi)
        return lax.exp(-energy - norm)

    def integrate_box_1d(self, low: ArrayLike, high: ArrayLike) -> Array:
        """Integral over an interval. Raises ValueError for more than one dimension."""
        if self.d != 1:
            raise ValueError("integrate_box_1d() only handles 1D pdfs")
        if jnp.ndim(low) != 0 or jnp.ndim(high) != 0:
            raise ValueError("the limits of integration in integrate_box_1d must be scalars")
        sigma = jnp.squeeze(jnp.sqrt(self.covariance))
        below, above = (ndtr(jnp.squeeze((limit - self.dataset) / sigma)) for limit in (low, high))
        return jnp.sum(self.weights * (above - below))

    def integrate_kde(self, other: gaussian_kde) -> Array:
        """Integral of the product with another estimate. Raises ValueError when the dimensions differ."""
        if other.d != self.d:
            raise ValueError("KDEs are not the same dimensionality")
        total = self.covariance + other.covariance
        gaps = self.dataset[:, :, None] - other.dataset[:, None, :]
        values = self._overlap(total, gaps.reshape(self.d, -1)).reshape(self.n, other.n)
        return self.weights @ values @ other.weights

    def integrate_box(self, low_bounds: Any, high_bounds: Any, maxpts: Any = None) -> Array:
        """Not available, as in JAX."""
        raise NotImplementedError("only 1D box integrations are supported; use `integrate_box_1d`")

    def set_bandwidth(self, bw_method: Any = None) -> None:
        """Not available, as in JAX: estimates do not change."""
        raise NotImplementedError("dynamically changing the bandwidth method is not supported")

    def resample(self, key: Any, shape: tuple[int, ...] = ()) -> Array:
        """Random points of the estimated density, of shape ``(d, *shape)``."""
        which, noise = random.split(key)
        chosen = random.choice(which, self.n, shape=shape, replace=True, p=self.weights)
        around = random.multivariate_normal(
            noise,
            jnp.zeros(self.d, self.covariance.dtype),
            self.covariance,
            shape=shape,
            dtype=self.dataset.dtype,
        )
        return jnp.moveaxis(self.dataset.T[chosen] + around, -1, 0)
