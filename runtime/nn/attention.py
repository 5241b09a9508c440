"""Attention."""

from __future__ import annotations

import math
from typing import Any

from .. import lax
from .. import numpy as jnp
from ..core import Array
from ..lax import types
from ..numpy.promotion import asarray
from .functions import logsumexp, softmax


def dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    bias: Any = None,
    mask: Any = None,
    *,
    scale: float | None = None,
    is_causal: bool = False,
    query_seq_lengths: Any = None,
    key_value_seq_lengths: Any = None,
    local_window_size: Any = None,
    implementation: str | None = None,
    return_residual: bool = False,
) -> Any:
    """Scaled dot-product attention: queries [B?, T, N, H], keys and values [B?, S, K, H], giving [B?, T, N, H].

    Raises ValueError for shapes that do not fit and for implementations other than "xla".
    """
    if implementation not in (None, "xla"):
        raise ValueError(f"Unsupported implementation option: {implementation}")
    q, k, v = (asarray(x) for x in (query, key, value))
    shape = q.shape
    if q.ndim not in (3, 4):
        raise ValueError(f"query must have 3 or 4 dimensions, got shape {shape}")
    q, k, v = (lax.expand_dims(x, (0,)) if x.ndim == 3 else x for x in (q, k, v))
    batch, n_query, heads, width = q.shape
    n_key, kv_heads = k.shape[1], k.shape[2]
    if heads % kv_heads or v.shape != k.shape[:3] + v.shape[3:]:
        raise ValueError(
            f"The number of query heads must be a multiple of key/value heads, but got {heads} vs {kv_heads}"
        )
    grouped = q.reshape(batch, n_query, kv_heads, heads // kv_heads, width)
    compute = types.result_type(q.dtype, types.float32)
    logits = jnp.einsum("btkgh,bskh->bkgts", grouped, k, preferred_element_type=compute)
    logits = logits.reshape(batch, heads, n_query, n_key) * (1 / math.sqrt(width) if scale is None else scale)
    if bias is not None:
        logits = (logits + _four(bias)).astype(logits.dtype)
    allowed = _allowed(
        mask, bool(is_causal), query_seq_lengths, key_value_seq_lengths, local_window_size, n_query, n_key
    )
    padded = (
        logits
        if allowed is None
        else jnp.where(allowed, logits, -0.7 * float(types.FloatInfo(logits.dtype).max))
    )
    weights = softmax(padded.astype(types.float32)).astype(k.dtype)
    spread = weights.reshape(batch, kv_heads, heads // kv_heads, n_query, n_key)
    out = jnp.einsum("bkgts,bskh->btkgh", spread, v).reshape(batch, n_query, heads, v.shape[-1])
    if query_seq_lengths is not None:
        live = (
            lax.iota(types.int32, n_query)[None, :, None, None]
            < asarray(query_seq_lengths)[:, None, None, None]
        )
        out = jnp.where(live, out, 0)
    out = out.reshape(*shape[:-1], v.shape[-1])
    if not return_residual:
        return out

    residual = logsumexp(padded.astype(types.float32), axis=-1)
    return out, jnp.swapaxes(residual, 1, 2).astype(k.dtype).reshape(shape[:-1])


def _four(x: Any) -> Array:
    value = asarray(x)
    return lax.expand_dims(value, tuple(range(4 - value.ndim))) if value.ndim < 4 else value


def _allowed(
    mask: Any, causal: bool, query_lengths: Any, key_lengths: Any, window: Any, n_query: int, n_key: int
) -> Array | None:
    """Which query may look at which key; None when every one may."""
    row = lax.broadcasted_iota(types.int32, (1, 1, n_query, n_key), 2)
    column = lax.broadcasted_iota(types.int32, (1, 1, n_query, n_key), 3)
    masks: list[Array] = [] if mask is None else [_four(mask)]
    if causal:
        masks.append(row >= column)
    if window is not None:
        left, right = (window, window) if isinstance(window, int) else window
        masks += [column >= row - left, column <= row + right]
    if query_lengths is not None:
        masks.append(row < asarray(query_lengths)[:, None, None, None])
    if key_lengths is not None:
        masks.append(column < asarray(key_lengths)[:, None, None, None])
    allowed: Array | None = None
    for one in masks:
        allowed = one if allowed is None else jnp.logical_and(allowed, one)
    return allowed


def get_scaled_dot_general_config(mode: str, global_scale: Any = None) -> Any:
    """Configurations of block-scaled products, which this runtime does not have."""
    raise NotImplementedError(
        f"jax.nn.get_scaled_dot_general_config({mode!r}) is not available in this runtime"
    )
