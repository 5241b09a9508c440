"""Modules that programs use beside the core: ODEs, the small optimisers, profiling, meshes of one device, names of types."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
import tracetrap.runtime as jax
from tracetrap.runtime import lax, profiler, sharding
from tracetrap.runtime import numpy as jnp
from tracetrap.runtime.example_libraries import optimizers
from tracetrap.runtime.experimental import mesh_utils, multihost_utils
from tracetrap.runtime.experimental.ode import odeint
from tracetrap.runtime.experimental.pjit import pjit
from tracetrap.runtime.experimental.shard_map import shard_map

TIMES = np.linspace(0.0, 2.0, 5)


def oscillator(state: Any, t: Any, stiffness: Any) -> Any:
    return {"x": state["v"], "v": -stiffness * state["x"]}


def test_an_oscillator_and_its_derivatives() -> None:
    start = {"x": 1.0, "v": 0.5}

    def end(stiffness: Any, times: Any) -> Any:
        return odeint(oscillator, start, times, stiffness)["x"][-1]

    with jax.enable_x64(True):
        found = odeint(oscillator, start, TIMES, 4.0)
        by_stiffness, by_times = jax.grad(end, (0, 1))(4.0, TIMES)
        slope = (end(4.0 + 1e-4, TIMES) - end(4.0 - 1e-4, TIMES)) / 2e-4

    np.testing.assert_allclose(found["x"], np.cos(2 * TIMES) + 0.25 * np.sin(2 * TIMES), atol=1e-6)
    np.testing.assert_allclose(by_stiffness, slope, atol=1e-5)
    np.testing.assert_allclose(by_times[-1], found["v"][-1], atol=1e-6)


def test_many_initial_values_at_once() -> None:
    rates = np.float32([0.1, 1.0, 5.0])

    found = jax.jit(jax.vmap(lambda a: odeint(lambda y, t: -a * y, jnp.ones(2), jnp.asarray(TIMES))[-1]))(
        rates
    )

    np.testing.assert_allclose(found[:, 0], np.exp(-2 * rates), rtol=1e-3)


def test_what_odeint_refuses() -> None:
    with pytest.raises(TypeError, match="array of floats"):
        odeint(lambda y, t: y, 1.0, np.arange(3))
    with pytest.raises(TypeError, match="must be arrays or scalars"):
        odeint(lambda y, t, a: y, 1.0, TIMES, "a")


@pytest.mark.parametrize(
    "made",
    [
        optimizers.sgd(0.1),
        optimizers.momentum(0.05, 0.9),
        optimizers.nesterov(optimizers.constant(0.05), 0.9),
        optimizers.adagrad(0.5),
        optimizers.rmsprop(0.05),
        optimizers.rmsprop_momentum(0.01),
        optimizers.adam(optimizers.exponential_decay(0.2, 100, 0.5)),
        optimizers.adamax(0.2),
    ],
)
def test_optimisers_find_a_minimum(made: Any) -> None:
    init, update, params = made

    def loss(p: Any) -> Any:
        return ((p["a"] - 2) ** 2).sum() + (p["b"] + 1) ** 2

    @jax.jit
    def step(i: Any, state: Any) -> Any:
        return update(i, jax.grad(loss)(params(state)), state)

    state = lax.fori_loop(0, 300, step, init({"a": jnp.zeros(2), "b": jnp.zeros(())}))

    assert float(loss(params(state))) < 1e-2
    with pytest.raises(TypeError, match="did not match the parameter tree"):
        update(0, {"a": 1.0}, state)


def test_schedules_and_clipping() -> None:
    stairs = optimizers.inverse_time_decay(1.0, 2, 1.0, staircase=True)
    pieces = optimizers.piecewise_constant([1, 3], [3.0, 2.0, 1.0])
    power = optimizers.polynomial_decay(1.0, 4, 0.0, 2.0)

    np.testing.assert_allclose([stairs(i) for i in range(4)], [1, 1, 0.5, 0.5])
    np.testing.assert_allclose([pieces(i) for i in range(5)], [3, 3, 2, 2, 1])
    np.testing.assert_allclose([power(i) for i in (0, 2, 4, 9)], [1, 0.25, 0, 0])
    np.testing.assert_allclose(optimizers.clip_grads({"g": jnp.array([3.0, 4.0])}, 1.0)["g"], [0.6, 0.8])
    with pytest.raises(ValueError, match="one shorter"):
        optimizers.piecewise_constant([1], [1.0])


def test_profiles_are_asked_for_but_not_written(tmp_path: Any) -> None:
    with (
        profiler.trace(tmp_path),
        profiler.TraceAnnotation("part"),
        profiler.StepTraceAnnotation("step", step_num=1),
    ):
        assert profiler.annotate_function(lambda x: x + 1)(1) == 2
        with pytest.raises(RuntimeError, match="already been started"):
            profiler.start_trace(tmp_path)

    assert not list(tmp_path.iterdir())
    with pytest.raises(RuntimeError):
        profiler.stop_trace()


def test_meshes_of_one_device() -> None:
    mesh = jax.make_mesh((1, 1), ("a", "b"), axis_types=(sharding.AxisType.Explicit, sharding.AxisType.Auto))
    spec = sharding.PartitionSpec("a")

    with jax.set_mesh(mesh):
        assert sharding.get_mesh() is mesh and mesh.axis_types[0] is sharding.AxisType.Explicit
    assert sharding.get_mesh().empty
    assert mesh_utils.create_device_mesh((1, 1)).shape == (1, 1)
    doubled = shard_map(lambda x: x * 2, mesh, in_specs=(spec,), out_specs=spec)(jnp.ones(2))
    np.testing.assert_array_equal(doubled, [2, 2])
    np.testing.assert_array_equal(pjit(jnp.sin)(0.0), 0)
    np.testing.assert_array_equal(multihost_utils.process_allgather(jnp.ones(2)), [[1, 1]])
    with pytest.raises(ValueError, match="must equal"):
        mesh_utils.create_device_mesh((2,))


def test_several_polynomials_at_once() -> None:
    np.testing.assert_array_equal(jnp.polyval(jnp.array([[1.0, 2.0], [3.0, 4.0]]), 2.0), [5, 8])


def test_arrays_are_put_together_of_what_the_only_device_holds() -> None:
    place = jax.devices()[0]
    whole = np.arange(6.0, dtype=np.float32).reshape(2, 3)
    seen = []
    made = [
        jax.make_array_from_callback((2, 3), place, lambda index: (seen.append(index), whole[index])[1]),
        jax.make_array_from_single_device_arrays((2, 3), place, [jnp.asarray(whole)]),
        jax.make_array_from_process_local_data(place, whole, (2, 3)),
        jax.dlpack.from_dlpack(whole),
    ]
    for array in made:
        np.testing.assert_array_equal(array, whole)
    assert seen == [(slice(None), slice(None))]
    with pytest.raises(ValueError, match="shape"):
        jax.make_array_from_callback((3, 2), place, lambda index: whole)
    with pytest.raises(ValueError, match="single-device"):
        jax.make_array_from_single_device_arrays((2, 3), place, [whole, whole])


def test_recorded_events_reach_their_listeners() -> None:
    heard: list[Any] = []

    def listen(event: str, *values: Any, **details: Any) -> None:
        heard.append((event, values, details))

    jax.monitoring.register_event_listener(listen)
    jax.monitoring.register_scalar_listener(listen)
    jax.monitoring.record_event("started", attempt=1)
    jax.monitoring.record_event_duration_secs("compiled", 0.5)
    jax.monitoring.record_scalar("loss", 2.0)
    jax.monitoring.unregister_event_listener(listen)
    jax.monitoring.record_event("started", attempt=2)
    jax.monitoring.clear_event_listeners()
    jax.monitoring.record_scalar("loss", 1.0)
    assert heard == [("started", (), {"attempt": 1}), ("loss", (2.0,), {})]


def test_classes_of_types_are_found_where_numpy_s_are() -> None:
    known = {jnp.int32, jnp.float32, jnp.bfloat16}
    assert {np.int32, np.float32} <= known
    assert np.int64 not in known
    assert jnp.int32 in {np.int32}
    assert jnp.int32 == np.dtype("int32") == jnp.arange(3).dtype


def test_axes_may_be_a_range() -> None:
    x = jnp.arange(6.0).reshape(1, 2, 3)
    assert jnp.expand_dims(x[0, 0], range(2)).shape == (1, 1, 3)
    assert jnp.sum(x, axis=range(2)).tolist() == [3.0, 5.0, 7.0]
    assert jnp.squeeze(x, range(1)).shape == (2, 3)
    assert jnp.flip(x, range(1, 3))[0, 0, 0] == 5.0
    assert jnp.mean(x, axis=range(3)) == 2.5


def test_a_composite_is_one_operation_of_a_program() -> None:
    def scaled(x: Any, *, by: float) -> Any:
        return jnp.sin(x) * by

    operation = lax.composite(scaled, name="my.scaled", version=2)
    assert float(jax.jit(lambda x: operation(x, by=3.0) + 1)(0.5)) == pytest.approx(np.sin(0.5) * 3 + 1)
    assert float(operation(0.5, by=2.0)) == pytest.approx(np.sin(0.5) * 2)
    reference = pytest.importorskip("jax")
    theirs = reference.lax.composite(
        lambda x, *, by: reference.numpy.sin(x) * by, name="my.scaled", version=2
    )
    shown = str(jax.make_jaxpr(lambda x: operation(x, by=2.0))(0.5))
    assert shown == str(reference.make_jaxpr(lambda x: theirs(x, by=2.0))(0.5))
    with pytest.raises(NotImplementedError, match="composite"):
        jax.grad(lambda x: operation(x, by=2.0))(0.5)


ALIKE = (
    "distributed.is_initialized()",
    "distributed.shutdown()",
    "mesh_utils.create_hybrid_device_mesh((1,), (1,), process_is_granule=True).shape",
    "mesh_utils.create_hybrid_device_mesh((1,), (1,))",
    "multihost.host_local_array_to_global_array(x, m, jax.P('x')).sharding",
    "multihost.global_array_to_host_local_array(x, m, jax.P('x')), multihost.reached_preemption_sync_point(3)",
    "importlib.import_module(jax.__name__ + '.experimental.shard_alike').shard_alike(x, x + 1)",
    "importlib.import_module(jax.__name__ + '.experimental.shard_alike').shard_alike(x, x[1:])",
    "jax.sharding.make_single_device_sharding(jax.devices()[0]), jax.sharding.ManualAxisType()",
    "jax.dtypes.itemsize_bits('int4'), jax.dtypes.itemsize_bits(jnp.float32), jax.dtypes.itemsize_bits(bool)",
    "compute_on.compute_on('device_host')(lambda x: x * 2)(x)",
    "compute_on.compute_on('nowhere').__enter__()",
    "xla_metadata.set_xla_metadata(x, a=1)",
    "jax.sharding.auto_axes(lambda x: x * 2)(x, out_sharding=jax.P())",
    "jax.sharding.explicit_axes(axes='x')(lambda x: x * 2)(x, in_sharding=jax.P())",
    "layout.Layout((0, 1)), layout.Format(), layout.Format(layout.Layout.AUTO)",
    "layout.Format(3)",
    "jax.device_put(x, layout.Format(layout.Layout((0,)), x.sharding)), jax.jit(relaid)(x)",
    "jax.jit(split)(x), split(x)",
    "jax.grad(lambda x: split(x).sum())(x)",
    "partitioning.custom_partitioning(lambda x: x)(x)",
)


@pytest.mark.parametrize("expression", ALIKE)
def test_small_modules_of_one_process(expression: str) -> None:
    found = []
    for root in ("tracetrap.runtime", "jax"):
        names = {"jax": importlib.import_module(root), "jnp": importlib.import_module(f"{root}.numpy")}
        for name, module in {
            "distributed": "distributed",
            "mesh_utils": "experimental.mesh_utils",
            "multihost": "experimental.multihost_utils",
            "compute_on": "experimental.compute_on",
            "xla_metadata": "experimental.xla_metadata",
            "layout": "experimental.layout",
            "partitioning": "experimental.custom_partitioning",
        }.items():
            names[name] = importlib.import_module(f"{root}.{module}")
        x = names["jnp"].arange(3.0)
        split = names["partitioning"].custom_partitioning(lambda x: x * 2)
        split.def_partition(partition=lambda *args: None, sharding_rule="i -> i")
        names |= {"x": x, "m": names["jax"].make_mesh((1,), ("x",)), "split": split}
        layout = names["layout"]
        names["relaid"] = lambda x, layout=layout: layout.with_layout_constraint(x, layout.Layout((0,)))
        try:
            with names["jax"].set_mesh(names["m"]):
                found.append(repr(eval(expression, names)))
        except Exception as error:
            found.append(type(error).__name__)
    assert found[0] == found[1]


def test_several_processes_are_refused() -> None:
    distributed = importlib.import_module("tracetrap.runtime.distributed")
    with pytest.raises(ValueError, match="coordinator_address"):
        distributed.initialize()
    with pytest.raises(NotImplementedError, match="2 processes"):
        distributed.initialize("localhost:1234", 2, 0)


def test_a_context_of_the_users_own_is_traced_for() -> None:
    context, traced = jax.make_user_context(1), []
    function = jax.jit(lambda x: x + (traced.append(context.value) or 0))

    function(1.0), function(2.0)
    with context(5):
        function(1.0)
    function(1.0)

    assert traced == [1, 5]
    assert context.value == 1


def test_what_stands_in_for_jax_says_what_it_is() -> None:
    assert "tracetrap.runtime" in jax.print_environment_info(return_string=True)
