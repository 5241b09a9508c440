"""Functions that flax, haiku, numpyro, diffrax and equinox call for the user are traced as the libraries do."""

from __future__ import annotations

import textwrap

import pytest
from tracetrap.linter.analysis import analyze
from tracetrap.linter.files.source import SourceFile
from tracetrap.linter.settings.config import Settings

HAIKU = """
    import haiku as hk
    import jax
    import jax.numpy as jnp

    def forward(x, train):
        y = hk.Linear(3)(x)
        if {test}:
            y = jnp.zeros_like(y)
        return y

    net = {pair}
    apply = jax.jit(net.apply, static_argnums={static})
    apply(params, {key}jnp.ones((2, 3)), True)
"""
FLAX = """
    import flax.linen as nn
    import jax
    import jax.numpy as jnp

    class Net(nn.Module):
        width: int = 8

        @nn.compact
        def __call__(self, x, train):
            for _ in range(self.width):
                x = nn.Dense(self.width)(x)
            if train:
                x = nn.Dropout(0.5, deterministic=False)(x)
            return x

    net = Net()
    params = net.init(jax.random.key(0), jnp.ones(3), False)

    @jax.jit
    def forward(params, x, train):
        return net.apply(params, x, {train}, rngs={{"dropout": jax.random.key(1)}})

    forward(params, jnp.ones(3), True)
"""
MAPPED = """
    import equinox as eqx
    import jax.numpy as jnp
    from flax import nnx

    class Scaled(nnx.Module):
        def __init__(self, rngs):
            self.w = nnx.Param(jnp.ones((3, 2)))

        def __call__(self, x, scale):
            if {test}:
                return x @ self.w
            return x[:2] * scale

    @nnx.vmap(in_axes=(None, 0, None))
    def forward(model, x, scale):
        return model(x, scale)

    forward(Scaled(nnx.Rngs(0)), jnp.ones((4, 3)), 2.0)

    def clipped(x, limit):
        if {test_of_limit}:
            return x
        return jnp.minimum(x, limit)

    eqx.filter_vmap(clipped, in_axes=(0, None))(jnp.ones((4, 3)), jnp.ones(()))
"""
NUMPYRO = """
    import jax
    import jax.numpy as jnp
    import numpyro
    import numpyro.distributions as dist
    from numpyro.infer import MCMC, NUTS

    def model(x, y=None, robust=False):
        slope = numpyro.sample("slope", dist.Normal(0, 1))
        if {test}:
            x = -x
        numpyro.sample("y", dist.Normal(slope * x, 1.0), obs=y)

    mcmc = MCMC(NUTS(model), num_warmup=5, num_samples=5)
    mcmc.run(jax.random.key(0), jnp.ones(4), y=jnp.ones(4), robust=True)
"""
DIFFRAX = """
    import diffrax
    import jax.numpy as jnp

    def field(t, y, args):
        rate, mode = args
        if {test}:
            return -rate * y
        return y

    term = diffrax.ODETerm(field)
    diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, jnp.ones(2), args=(jnp.float32(0.5), "decay"))
"""
EQUINOX = """
    import equinox as eqx
    import jax.numpy as jnp

    @eqx.filter_vmap
    def clamp(x, kind):
        if {test}:
            return -x
        return x

    clamp(jnp.arange(3.0), "mirror")
"""
PAIR, BARE = "hk.transform(forward)", "hk.without_apply_rng(hk.transform(forward))"


def definite(program: str) -> list[tuple[str, str]]:
    """The lines that are called definite, with their codes."""
    text = textwrap.dedent(program).lstrip()
    lines = text.splitlines()
    found = analyze(SourceFile(text, "framework.py"), Settings())
    return [(f.code, lines[f.span.start.row - 1].strip()) for f in found if f.confidence == "definite"]


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (HAIKU.format(test="jnp.isnan(y).any()", pair=PAIR, static=3, key="key, "), "if jnp.isnan(y).any():"),
        (HAIKU.format(test="train", pair=BARE, static="()", key=""), "if train:"),
        (FLAX.format(train="train"), "if train:"),
        (NUMPYRO.format(test="slope > 0"), "if slope > 0:"),
        (DIFFRAX.format(test="y[0] > rate"), "if y[0] > rate:"),
        (DIFFRAX.format(test="t > 0.5"), "if t > 0.5:"),
        (EQUINOX.format(test="x > 1"), "if x > 1:"),
        (MAPPED.format(test="x.sum() > 0", test_of_limit="limit > 2"), "if x.sum() > 0:"),
        (MAPPED.format(test="scale > 0", test_of_limit="x.sum() > limit"), "if x.sum() > limit:"),
    ],
)
def test_branches_on_what_the_library_traces(program: str, line: str) -> None:
    """The branch is found inside the function that the library calls."""
    assert definite(program) == [("TRC101", line)]


@pytest.mark.parametrize(
    "program",
    [
        HAIKU.format(test="train and y.ndim == 2", pair=PAIR, static=3, key="key, "),
        HAIKU.format(test="train", pair=BARE, static=2, key=""),
        FLAX.format(train="train=True"),
        NUMPYRO.format(test="robust and y is not None and x.ndim"),
        DIFFRAX.format(test='mode == "decay" and y.shape[0] > 1'),
        EQUINOX.format(test='kind == "mirror" and x.ndim == 0'),
        MAPPED.format(test="scale > 0 and x.ndim == 1", test_of_limit="limit > 2"),
    ],
)
def test_settings_stay_static(program: str) -> None:
    """Settings, shapes and what the library leaves alone are no traced values."""
    assert definite(program) == []
