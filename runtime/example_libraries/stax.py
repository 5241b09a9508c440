"""``jax.example_libraries.stax``: layers as pairs of functions.

A layer is ``(init, apply)``: ``init(rng, input_shape)`` gives the shape of the output and the parameters,
``apply(params, inputs, rng=None)`` the output.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from .. import lax, nn, random
from .. import numpy as jnp
from ..nn import (
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    relu,
    selu,
    sigmoid,
    softmax,
    softplus,
    standardize,
)
from ..nn.initializers import glorot_normal, normal, ones, zeros

__all__ = [
    "AvgPool",
    "BatchNorm",
    "Conv",
    "Conv1DTranspose",
    "ConvTranspose",
    "Dense",
    "Dropout",
    "Elu",
    "Exp",
    "FanInConcat",
    "FanInSum",
    "FanOut",
    "Flatten",
    "Gelu",
    "GeneralConv",
    "GeneralConvTranspose",
    "Identity",
    "LeakyRelu",
    "LogSoftmax",
    "MaxPool",
    "Relu",
    "Selu",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "SumPool",
    "Tanh",
    "elementwise",
    "elu",
    "gelu",
    "glorot",
    "glorot_normal",
    "leaky_relu",
    "log_softmax",
    "logsoftmax",
    "normal",
    "ones",
    "parallel",
    "randn",
    "relu",
    "selu",
    "serial",
    "shape_dependent",
    "sigmoid",
    "softmax",
    "softplus",
    "standardize",
    "zeros",
]

Init: TypeAlias = Callable[[Any, Any], tuple[Any, Any]]
Layer: TypeAlias = tuple[Init, Callable[..., Any]]
Sizes: TypeAlias = tuple[int, ...]

_GLOROT, _SMALL, _TINY = glorot_normal(), normal(), normal(1e-6)
glorot, randn, logsoftmax = glorot_normal, normal, log_softmax


def _without_parameters(shape_of: Callable[[Any], Any], apply: Callable[..., Any]) -> Layer:
    """A layer that learns nothing: `apply(inputs, **kwargs)`, whose output has the shape `shape_of(input_shape)`."""
    return (lambda rng, shape: (shape_of(shape), ())), (
        lambda params, inputs, **kwargs: apply(inputs, **kwargs)
    )


def _affine(
    shapes_of: Callable[[Any], tuple[Any, Any, Any]], times: Callable[..., Any], W_init: Any, b_init: Any
) -> Layer:
    """``times(inputs, W) + b``. `shapes_of` gives the shapes of output, W and b."""

    def init(rng: Any, input_shape: Any) -> tuple[Any, Any]:
        shape, kernel, bias = shapes_of(input_shape)
        of_kernel, of_bias = random.split(rng)
        return shape, (W_init(of_kernel, kernel), b_init(of_bias, bias))

    return init, lambda params, inputs, **kwargs: times(inputs, params[0]) + params[1]


def Dense(out_dim: int, W_init: Any = _GLOROT, b_init: Any = _SMALL) -> Layer:
    """A matrix and a bias."""

    def shapes_of(shape: Sizes) -> tuple[Any, Any, Any]:
        return (*shape[:-1], out_dim), (shape[-1], out_dim), (out_dim,)

    return _affine(shapes_of, jnp.dot, W_init, b_init)


def _convolution(
    transposed: bool,
    dimension_numbers: tuple[str, str, str],
    out_chan: int,
    filter_shape: Sizes,
    strides: Sizes | None = None,
    padding: Any = "VALID",
    W_init: Any = None,
    b_init: Any = _TINY,
) -> Layer:
    inputs_spec, kernel_spec, out_spec = dimension_numbers
    steps = strides or (1,) * len(filter_shape)
    shape_tuple = lax.conv_transpose_shape_tuple if transposed else lax.conv_general_shape_tuple
    convolve = lax.conv_transpose if transposed else lax.conv_general_dilated

    def shapes_of(shape: Sizes) -> tuple[Any, Any, Any]:
        sizes = iter(filter_shape)
        channels = {"O": out_chan, "I": shape[inputs_spec.index("C")]}
        kernel = [channels[axis] if axis in channels else next(sizes) for axis in kernel_spec]
        bias = [out_chan if axis == "C" else 1 for axis in out_spec]
        return shape_tuple(shape, kernel, steps, padding, dimension_numbers), kernel, bias

    def times(inputs: Any, kernel: Any) -> Any:
        return convolve(inputs, kernel, steps, padding, dimension_numbers=dimension_numbers)

    W_init = W_init or glorot_normal(kernel_spec.index("I"), kernel_spec.index("O"))
    return _affine(shapes_of, times, W_init, b_init)


GeneralConv = functools.partial(_convolution, False)
GeneralConvTranspose = functools.partial(_convolution, True)
Conv = functools.partial(GeneralConv, ("NHWC", "HWIO", "NHWC"))
Conv1DTranspose = functools.partial(GeneralConvTranspose, ("NHC", "HIO", "NHC"))
ConvTranspose = functools.partial(GeneralConvTranspose, ("NHWC", "HWIO", "NHWC"))


def BatchNorm(
    axis: int | Sizes = (0, 1, 2),
    epsilon: float = 1e-5,
    center: bool = True,
    scale: bool = True,
    beta_init: Any = zeros,
    gamma_init: Any = ones,
) -> Layer:
    """Mean 0 and variance 1 along `axis`, then a scale and an offset that are learned."""
    over = (axis,) if isinstance(axis, int) else tuple(axis)

    def init(rng: Any, shape: Any) -> tuple[Any, Any]:
        kept = tuple(size for i, size in enumerate(shape) if i not in over)
        of_beta, of_gamma = random.split(rng)
        return shape, (
            beta_init(of_beta, kept) if center else (),
            gamma_init(of_gamma, kept) if scale else (),
        )

    def apply(params: Any, inputs: Any, **kwargs: Any) -> Any:
        beta, gamma = params
        place = tuple(None if i in over else slice(None) for i in range(jnp.ndim(inputs)))
        out = nn.standardize(inputs, over, epsilon=epsilon)
        if scale:
            out = gamma[place] * out
        return out + beta[place] if center else out

    return init, apply


def elementwise(fun: Callable[..., Any], **fun_kwargs: Any) -> Layer:
    """A function that keeps the shape."""
    return _without_parameters(lambda shape: shape, lambda inputs, **kwargs: fun(inputs, **fun_kwargs))


Tanh, Relu, Exp = elementwise(jnp.tanh), elementwise(relu), elementwise(jnp.exp)
LogSoftmax, Softmax = elementwise(log_softmax, axis=-1), elementwise(softmax, axis=-1)
Softplus, Sigmoid, Elu = elementwise(softplus), elementwise(sigmoid), elementwise(elu)
LeakyRelu, Selu, Gelu = elementwise(leaky_relu), elementwise(selu), elementwise(gelu)
Identity = elementwise(lambda inputs: inputs)


def _pooling(
    reducer: Any,
    start: float,
    mean: bool,
    window_shape: Sizes,
    strides: Sizes | None = None,
    padding: Any = "VALID",
    spec: str | None = None,
) -> Layer:
    steps = strides or (1,) * len(window_shape)
    single = sorted((0, len(window_shape) + 1) if spec is None else (spec.index("N"), spec.index("C")))

    def whole(sizes: Sizes) -> Sizes:
        """Window or strides over all axes: 1 along those of the batch and the channels."""
        full = list(sizes)
        for axis in single:
            full.insert(axis, 1)
        return tuple(full)

    window, by = whole(window_shape), whole(steps)

    def shape_of(shape: Sizes) -> Any:
        plain = (1,) * len(window)
        pads = lax.padtype_to_pads(shape, window, by, padding)
        return lax.reduce_window_shape_tuple(shape, window, by, pads, plain, plain)

    def apply(inputs: Any, **kwargs: Any) -> Any:
        out = lax.reduce_window(inputs, start, reducer, window, by, padding)
        if not mean:
            return out
        # Windows at the edges have fewer elements.
        space = tuple(size for axis, size in enumerate(inputs.shape) if axis not in single)
        counts = lax.reduce_window(jnp.ones(space, inputs.dtype), 0.0, lax.add, window_shape, steps, padding)
        return out / jnp.expand_dims(counts, tuple(single))

    return _without_parameters(shape_of, apply)


MaxPool = functools.partial(_pooling, lax.max, -math.inf, False)
SumPool = functools.partial(_pooling, lax.add, 0.0, False)
AvgPool = functools.partial(_pooling, lax.add, 0.0, True)

Flatten = _without_parameters(
    lambda shape: (shape[0], math.prod(shape[1:])),
    lambda inputs, **kwargs: jnp.reshape(inputs, (inputs.shape[0], -1)),
)


def FanOut(num: int) -> Layer:
    """The same input, `num` times."""
    return _without_parameters(lambda shape: [shape] * num, lambda inputs, **kwargs: [inputs] * num)


FanInSum = _without_parameters(lambda shapes: shapes[0], lambda inputs, **kwargs: sum(inputs))


def FanInConcat(axis: int = -1) -> Layer:
    """Several inputs put together along an axis."""

    def shape_of(shapes: Sequence[Sizes]) -> Sizes:
        first, at = shapes[0], axis % len(shapes[0])
        return (*first[:at], sum(shape[at] for shape in shapes), *first[at + 1 :])

    return _without_parameters(shape_of, lambda inputs, **kwargs: jnp.concatenate(inputs, axis))


def Dropout(rate: float, mode: str = "train") -> Layer:
    """Keeps elements with probability `rate`, and scales them up.

    Raises, when applied:
        ValueError: without a key.
    """

    def apply(inputs: Any, rng: Any = None, **kwargs: Any) -> Any:
        if rng is None:
            raise ValueError(
                "Dropout layer requires apply_fun to be called with a PRNG key argument, rng=key"
            )
        if mode != "train":
            return inputs
        return jnp.where(random.bernoulli(rng, rate, inputs.shape), inputs / rate, 0)

    return _without_parameters(lambda shape: shape, apply)


def _keys(rng: Any, count: int) -> Any:
    return (None,) * count if rng is None else random.split(rng, count)


def serial(*layers: Layer) -> Layer:
    """One layer after the other."""

    def init(rng: Any, shape: Any) -> tuple[Any, Any]:
        params = []
        for init_layer, _ in layers:
            rng, own = random.split(rng)
            shape, parameters = init_layer(own, shape)
            params.append(parameters)
        return shape, params

    def apply(params: Any, inputs: Any, rng: Any = None, **kwargs: Any) -> Any:
        for (_, apply_layer), parameters, own in zip(layers, params, _keys(rng, len(layers))):
            inputs = apply_layer(parameters, inputs, rng=own, **kwargs)
        return inputs

    return init, apply


def parallel(*layers: Layer) -> Layer:
    """Each layer on an input of its own."""

    def init(rng: Any, shapes: Any) -> tuple[Any, Any]:
        keys = random.split(rng, len(layers))
        made = [layer[0](key, shape) for layer, key, shape in zip(layers, keys, shapes)]
        return tuple(shape for shape, _ in made), tuple(params for _, params in made)

    def apply(params: Any, inputs: Any, rng: Any = None, **kwargs: Any) -> Any:
        rows = zip(layers, params, inputs, _keys(rng, len(layers)))
        return [layer[1](own, value, rng=key, **kwargs) for layer, own, value, key in rows]

    return init, apply


def shape_dependent(make_layer: Callable[[Any], Layer]) -> Layer:
    """The layer that `make_layer` gives for the shape of the input."""

    def apply(params: Any, inputs: Any, **kwargs: Any) -> Any:
        return make_layer(inputs.shape)[1](params, inputs, **kwargs)

    return (lambda rng, shape: make_layer(shape)[0](rng, shape)), apply
