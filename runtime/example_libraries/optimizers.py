"""`jax.example_libraries.optimizers`: optimisers as triples of functions, over trees of parameters, and their schedules.

Each optimiser is written for one array; `optimizer` makes it one for trees. States are trees, so that they can be carried
through `jit` and `scan`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import reduce
from typing import Any, NamedTuple

from .. import numpy as jnp
from ..pytree.definition import PyTreeDef, tree_flatten, tree_leaves
from ..pytree.mapping import tree_map
from ..pytree.registry import register_pytree_node

Schedule = Callable[[Any], Any]


class Optimizer(NamedTuple):
    """``init_fn(params)`` gives a state, ``update_fn(step, grads, state)`` the next, ``params_fn(state)`` the parameters."""

    init_fn: Callable[[Any], Any]
    update_fn: Callable[[Any, Any, Any], Any]
    params_fn: Callable[[Any], Any]


class OptimizerState(NamedTuple):
    """The leaves of the states of all arrays, the tree of parameters, and the tree of each state."""

    packed_state: tuple[tuple[Any, ...], ...]
    tree_def: PyTreeDef
    subtree_defs: tuple[PyTreeDef, ...]


register_pytree_node(
    OptimizerState,
    lambda state: ((state.packed_state,), (state.tree_def, state.subtree_defs)),
    lambda trees, children: OptimizerState(children[0], *trees),
)


def _packed(states: list[Any], tree: PyTreeDef) -> OptimizerState:
    flat = [tree_flatten(state) for state in states]
    return OptimizerState(
        tuple(tuple(leaves) for leaves, _ in flat), tree, tuple(subtree for _, subtree in flat)
    )


def _states(state: OptimizerState) -> list[Any]:
    return [tree.unflatten(leaves) for leaves, tree in zip(state.packed_state, state.subtree_defs)]


def optimizer(opt_maker: Callable[..., Any]) -> Callable[..., Optimizer]:
    """An optimiser of one array, given as a maker of a triple of functions, as one of trees.

    Its `update_fn` raises TypeError if gradients and parameters have different trees.
    """

    @functools.wraps(opt_maker)
    def make(*args: Any, **kwargs: Any) -> Optimizer:
        init, update, get_params = opt_maker(*args, **kwargs)

        def tree_init(params: Any) -> OptimizerState:
            leaves, tree = tree_flatten(params)
            return _packed([init(leaf) for leaf in leaves], tree)

        def tree_update(step: Any, grads: Any, state: OptimizerState) -> OptimizerState:
            leaves, tree = tree_flatten(grads)
            if tree != state.tree_def:
                raise TypeError(
                    "optimizer update function was passed a gradient tree that did not match the parameter tree "
                    f"structure with which it was initialized: parameter tree {state.tree_def} and grad tree {tree}."
                )
            updated = [update(step, grad, old) for grad, old in zip(leaves, _states(state))]
            after = _packed(updated, tree)
            for before, now in zip(state.subtree_defs, after.subtree_defs):
                if before != now:
                    raise TypeError(
                        "optimizer update function produced an output structure that did not match its input structure: "
                        f"input {before} and output {now}."
                    )
            return after

        def tree_params(state: OptimizerState) -> Any:
            return state.tree_def.unflatten([get_params(old) for old in _states(state)])

        return Optimizer(tree_init, tree_update, tree_params)

    return make


# ------------------------------------------------------------------------------------------------ optimisers


def _first(state: Any) -> Any:
    return state[0]


@optimizer
def sgd(step_size: float | Schedule) -> Any:
    """Gradient descent."""
    rate = make_schedule(step_size)
    return (lambda x: x), (lambda i, g, x: x - rate(i) * g), (lambda x: x)


def _velocity(step_size: float | Schedule, mass: float, ahead: bool) -> Any:
    rate = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, velocity = state
        velocity = mass * velocity + g
        return x - rate(i) * (mass * velocity + g if ahead else velocity), velocity

    return (lambda x: (x, jnp.zeros_like(x))), update, _first


@optimizer
def momentum(step_size: Schedule, mass: float) -> Any:
    """Gradient descent with momentum."""
    return _velocity(step_size, mass, False)


@optimizer
def nesterov(step_size: Schedule, mass: float) -> Any:
    """Gradient descent with Nesterov's momentum."""
    return _velocity(step_size, mass, True)


@optimizer
def adagrad(step_size: float | Schedule, momentum: float = 0.9) -> Any:
    """Adagrad (Duchi, Hazan and Singer, 2011), with momentum."""
    rate = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, squares, mean = state
        squares = squares + jnp.square(g)
        scale = jnp.where(squares > 0, 1.0 / jnp.sqrt(squares), 0.0)
        mean = (1.0 - momentum) * (g * scale) + momentum * mean
        return x - rate(i) * mean, squares, mean

    return (lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x))), update, _first


@optimizer
def rmsprop(step_size: float | Schedule, gamma: float = 0.9, eps: float = 1e-8) -> Any:
    """RMSProp (Tieleman and Hinton, 2012)."""
    rate = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, squares = state
        squares = squares * gamma + jnp.square(g) * (1.0 - gamma)
        return x - rate(i) * g / jnp.sqrt(squares + eps), squares

    return (lambda x: (x, jnp.zeros_like(x))), update, _first


@optimizer
def rmsprop_momentum(
    step_size: float | Schedule, gamma: float = 0.9, eps: float = 1e-8, momentum: float = 0.9
) -> Any:
    """RMSProp with momentum."""
    rate = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, squares, mean = state
        squares = squares * gamma + jnp.square(g) * (1.0 - gamma)
        mean = momentum * mean + rate(i) * g / jnp.sqrt(squares + eps)
        return x - mean, squares, mean

    return (lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x))), update, _first


@optimizer
def adam(step_size: float | Schedule, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Any:
    """Adam (Kingma and Ba, 2015)."""
    rate = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, mean, squares = state
        mean = (1 - b1) * g + b1 * mean
        squares = (1 - b2) * jnp.square(g) + b2 * squares
        unbiased = mean / (1 - jnp.asarray(b1, mean.dtype) ** (i + 1))
        size = squares / (1 - jnp.asarray(b2, mean.dtype) ** (i + 1))
        return x - rate(i) * unbiased / (jnp.sqrt(size) + eps), mean, squares

    return (lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x))), update, _first


@optimizer
def adamax(step_size: float | Schedule, b1: float = 0.9, b2: float = 0.999, eps: float = 1e-8) -> Any:
    """AdaMax (Kingma and Ba, 2015)."""
    rate = make_schedule(step_size)

    def update(i: Any, g: Any, state: Any) -> Any:
        x, mean, largest = state
        mean = (1 - b1) * g + b1 * mean
        largest = jnp.maximum(b2 * largest, jnp.abs(g))
        return x - (rate(i) / (1 - b1 ** (i + 1))) * mean / (largest + eps), mean, largest

    return (lambda x: (x, jnp.zeros_like(x), jnp.zeros_like(x))), update, _first


@optimizer
def sm3(step_size: float | Schedule, momentum: float = 0.9) -> Any:
    """SM3 (Anil et al., 2019): one accumulator for each index of each axis. Parameters need an axis."""
    rate = make_schedule(step_size)

    def init(x: Any) -> Any:
        flat = jnp.atleast_1d(x)
        return flat, jnp.zeros_like(flat), [jnp.zeros(n, flat.dtype) for n in flat.shape], x.shape

    def update(i: Any, g: Any, state: Any) -> Any:
        x, mean, largest, shape = state
        along = [
            jnp.expand_dims(v, [d for d in range(g.ndim) if d != axis]) for axis, v in enumerate(largest)
        ]
        total = reduce(jnp.minimum, along) + jnp.square(g)
        mean = (1 - momentum) * g * jnp.where(total > 0, 1 / jnp.sqrt(total), 0) + momentum * mean
        axes = range(x.ndim)
        largest = [total.max([d for d in axes if d != axis]) for axis in axes]
        return x - rate(i) * mean, mean, largest, shape

    return init, update, lambda state: state[0].reshape(state[3])


# ------------------------------------------------------------------------------------------------ schedules


def constant(step_size: Any) -> Schedule:
    """The same step size at all times."""
    return lambda i: step_size


def exponential_decay(step_size: Any, decay_steps: Any, decay_rate: Any) -> Schedule:
    """Smaller by a factor every so many steps, continuously."""
    return lambda i: step_size * decay_rate ** (i / decay_steps)


def inverse_time_decay(
    step_size: Any, decay_steps: Any, decay_rate: Any, staircase: bool = False
) -> Schedule:
    """Divided by a linear function of the step, or by its values every so many steps."""

    def schedule(i: Any) -> Any:
        time = jnp.floor(i / decay_steps) if staircase else i / decay_steps
        return step_size / (1 + decay_rate * time)

    return schedule


def polynomial_decay(step_size: Any, decay_steps: Any, final_step_size: Any, power: float = 1.0) -> Schedule:
    """From one size to another along a power of the steps that are left."""

    def schedule(i: Any) -> Any:
        left = (1 - jnp.minimum(i, decay_steps) / decay_steps) ** power
        return left * (step_size - final_step_size) + final_step_size

    return schedule


def piecewise_constant(boundaries: Any, values: Any) -> Schedule:
    """One of the values, between two boundaries. Raises ValueError unless there is one value more than boundaries."""
    ends, sizes = jnp.array(boundaries), jnp.array(values)
    if not ends.ndim == sizes.ndim == 1:
        raise ValueError("boundaries and values must be sequences")
    if ends.shape[0] != sizes.shape[0] - 1:
        raise ValueError("boundaries length must be one shorter than values length")
    return lambda i: sizes[jnp.sum(i > ends)]


def make_schedule(scalar_or_schedule: Any) -> Schedule:
    """A schedule as it is, a number as a constant one. Raises TypeError for anything else."""
    if callable(scalar_or_schedule):
        return scalar_or_schedule
    if jnp.ndim(scalar_or_schedule) == 0:
        return constant(scalar_or_schedule)
    raise TypeError(type(scalar_or_schedule))


# ------------------------------------------------------------------------------------------------ gradients


def l2_norm(tree: Any) -> Any:
    """The Euclidean norm of all arrays of a tree together."""
    return jnp.sqrt(sum(jnp.vdot(x, x) for x in tree_leaves(tree)))


def clip_grads(grad_tree: Any, max_norm: Any) -> Any:
    """Gradients scaled down to a norm, if theirs is larger."""
    norm = l2_norm(grad_tree)
    return tree_map(lambda g: jnp.where(norm < max_norm, g, g * (max_norm / norm)), grad_tree)
