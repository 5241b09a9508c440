"""What programs ask of jaxprs, stages, shardings, devices and flags answers as in JAX."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import tracetrap.runtime as ours

jax = pytest.importorskip("jax")

#: `j` is ``x + 1`` as a jaxpr, `f` jitted; `m` is a mesh of one device.
ALIKE = (
    "j.invars[0].aval, j.outvars[0].aval, j.constvars, j.jaxpr.in_avals, j.jaxpr.out_avals, j.debug_info.func_name",
    "str(j.eqns[0].source_info.name_stack), j.eqns[0].ctx.compute_type",
    "f.trace(x).out_avals",
    "f.lower(x).compile().input_shardings, f.lower(x).compile().output_shardings",
    "f.lower(x).cost_analysis()['flops'], jax.jit(lambda x: jnp.sin(x) @ x).lower(x).cost_analysis()['flops']",
    "jax.jit(jax.grad(lambda x: jnp.sin(x).sum())).lower(x).cost_analysis()['transcendentals']",
    "jax.jit(lambda x: (x.sum(), x ** 3)).lower(x).cost_analysis()['flops']",
    "f.lower(x).compile().memory_analysis().output_size_in_bytes",
    "f.lower(x).as_text('nonsense')",
    "jax.typeof(x).sharding, jax.typeof(x).memory_space, jax.typeof(x).update(sharding=None)",
    "jax.jit(lambda x: x.sharding)(x)",
    "jax.jit(lambda x: hasattr(x, 'sharding') or x)(x)",
    "x.format.layout.major_to_minor, x.format.sharding",
    "x.sharding.is_equivalent_to(jax.NamedSharding(m, jax.P('x')), 1)",
    "jax.NamedSharding(m, jax.P('x')).with_memory_kind('pinned_host')",
    "jax.device_put(x, jax.memory.Space.Host).sharding",
    "jax.device_put(x, 'cpu')",
    "str(m), repr(m), m.shape_tuple, m.local_devices, m.explicit_axes, m.are_all_axes_auto",
    "m.update(axis_types=(jax.sharding.AxisType.Auto,))",
    "jax.sharding.AbstractMesh((1, 2), ('a', 'b')).devices",
    "jax.P('x', unreduced={'y'}), jax.P('x').update(reduced={'y'}), jax.P('x', 'y').index('y')",
    "jax.P('x', unreduced={'x'})",
    "jax.ShapeDtypeStruct.like(x), jax.ShapeDtypeStruct((3,), 'int8', is_ref=True).update(shape=(2,))",
    "jax.ShapeDtypeStruct((3,), 'int8', nonsense=1)",
    "str(d), d.memory_stats(), d.client.platform, [m.kind for m in d.addressable_memories()], d.host_id",
    "jax.local_devices(process_index=1)",
    "jax.enable_x64.value, jax.numpy_rank_promotion.value, jax.log_compiles.value",
    "jax.numpy_rank_promotion('nonsense').__enter__()",
    "jax.default_matmul_precision().__enter__()",
    "jax.config.jax_logging_level, jax.config.jax_compilation_cache_max_size, jax.config.values['jax_enable_x64']",
    "jnp.float32()",
    "x.reshape(1, 3, out_sharding=None), x.view('int32', type=None), x.view(type=int)",
    "x.to_device(d), x.to_device(d, stream=1)",
)


def outcome(module: Any, expression: str) -> str:
    """What an expression is, or the class of its error."""
    jnp = module.numpy
    f = module.jit(lambda x: x + 1)
    x = jnp.arange(3.0)
    names = {"jax": module, "jnp": jnp, "x": x, "f": f, "j": module.make_jaxpr(f.__wrapped__)(1.0)}
    names |= {"m": module.make_mesh((1,), ("x",)), "d": module.devices()[0]}
    try:
        return repr(eval(expression, names))
    except Exception as error:
        return type(error).__name__


@pytest.mark.parametrize("expression", ALIKE)
def test_attribute(expression: str) -> None:
    assert outcome(ours, expression) == outcome(jax, expression)


def test_what_changes_nothing_is_kept_and_what_would_is_refused() -> None:
    with ours.log_compiles(True):
        assert ours.config.jax_log_compiles
    assert not ours.config.jax_log_compiles
    with pytest.raises(NotImplementedError, match="jax_random_seed_offset"):
        ours.config.update("jax_random_seed_offset", 3)
    with pytest.raises(NotImplementedError, match="jax_no_execution"), ours.no_execution(True):
        pass


def test_there_is_no_form_between_jaxpr_and_machine_code() -> None:
    lowered = ours.jit(lambda x: x + 1).lower(1.0)

    assert lowered.compiler_ir() is None
    with pytest.raises(NotImplementedError, match="stablehlo"):
        lowered.as_text("stablehlo")
    with pytest.raises(NotImplementedError, match="tpu"):
        ours.jit(lambda x: x + 1).trace(1.0).lower(lowering_platforms=("tpu",))


def test_flags_of_the_command_line_and_all_names_of_a_module() -> None:
    program = (
        "from tracetrap.runtime import shim\nshim.install()\nfrom jax.numpy import *\nimport jax\n"
        "jax.config.parse_flags_with_absl()\nprint(float32(pi).dtype, ones(2).dtype, jax.config.jax_log_compiles)"
    )
    command = [sys.executable, "-c", program, "--jax_enable_x64=yes", "--jax_log_compiles", "--other"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.split() == ["float32", "float64", "True"]
