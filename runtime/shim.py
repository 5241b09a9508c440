"""Lets a process import this runtime as ``jax``, so that unmodified programs trace on it.

`install` puts a finder in front of the import system: ``jax`` and its submodules become facades over the modules of
this package. A facade hands out what the runtime has and raises `MissingFunction`, which names what is missing, for
everything else: it never pretends. Only for JAX's inner parts this happens when they are used: see `absent`.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from .extend import absent
from .extend.absent import MissingFunction

__all__ = ["MissingFunction", "MissingModule", "MissingName", "install", "uninstall"]

_ROOT = __package__

# Modules of `jax.experimental.sparse` whose contents the package shows.
_SPARSE = "ad api bcoo bcsr coo csr random transform util"

# The modules of `jax` that exist here, and where. None: a package whose contents are other entries of this table.
_MODULES: dict[str, str | None] = {
    "jax": "",
    "jax.numpy": "numpy",
    "jax.numpy.linalg": "numpy.linalg",
    "jax.numpy.fft": "numpy.fft",
    "jax.lax": "lax",
    "jax.lax.linalg": "lax.linalg",
    "jax.random": "random",
    "jax.nn": "nn",
    "jax.nn.initializers": "nn.initializers",
    "jax.scipy": "scipy",
    "jax.scipy.spatial": "scipy.spatial",
    "jax.scipy.spatial.transform": "scipy.spatial.transform",
    "jax.scipy.special": "scipy.special",
    "jax.scipy.linalg": "scipy.linalg",
    "jax.scipy.stats": "scipy.stats",
    "jax.scipy.cluster": "scipy.cluster",
    "jax.scipy.cluster.vq": "scipy.cluster.vq",
    "jax.scipy.fft": "scipy.fft",
    "jax.scipy.integrate": "scipy.integrate",
    "jax.scipy.interpolate": "scipy.interpolate",
    "jax.scipy.ndimage": "scipy.ndimage",
    "jax.scipy.optimize": "scipy.optimize",
    "jax.scipy.signal": "scipy.signal",
    "jax.scipy.sparse": "scipy.sparse",
    "jax.scipy.sparse.linalg": "scipy.sparse.linalg",
    "jax.image": "image",
    "jax.ops": "ops",
    "jax.ref": "ref",
    "jax.tree": "tree",
    "jax.tree_util": "tree_util",
    "jax.errors": "errors",
    "jax.core": "core",
    "jax.typing": "typing",
    "jax.debug": "debug",
    "jax.distributed": "distributed",
    "jax.dlpack": "dlpack",
    "jax.experimental": "experimental",
    "jax.experimental.compute_on": "experimental.compute_on",
    "jax.experimental.custom_partitioning": "experimental.custom_partitioning",
    "jax.experimental.xla_metadata": "experimental.xla_metadata",
    "jax.experimental.checkify": "experimental.checkify",
    "jax.experimental.hijax": "experimental.hijax",
    "jax.experimental.jet": "experimental.jet",
    "jax.export": "export",
    "jax.flatten_util": "flatten_util",
    "jax.dtypes": None,
    "jax.sharding": "sharding",
    "jax.extend": None,
    "jax.extend.linear_util": "extend.linear_util",
    "jax.test_util": "test_util",
    "jax._src.flatten_util": "flatten_util",
    "jax._src.tree_util": "tree_util",
    "jax.extend.backend": "extend.backend",
    "jax.extend.core": "core",
    "jax.extend.source_info_util": "extend.source_info",
    "jax.extend.core.primitives": "primitives.by_name",
    "jax.stages": "stages",
    "jax.custom_derivatives": "custom_derivatives",
    "jax.ad_checkpoint": "ad_checkpoint",
    "jax.custom_batching": "custom_batching",
    "jax.interpreters": None,
    "jax.interpreters.partial_eval": None,
    "jax.interpreters.ad": None,
    "jax.interpreters.batching": None,
    "jax.interpreters.xla": None,
    "jax.interpreters.mlir": None,
    "jax.profiler": "profiler",
    "jax.experimental.mesh_utils": "experimental.mesh_utils",
    "jax.experimental.multihost_utils": "experimental.multihost_utils",
    "jax.experimental.ode": "experimental.ode",
    "jax.experimental.pjit": "experimental.pjit",
    "jax.experimental.random": "experimental.random",
    "jax.experimental.shard_alike": "experimental.shard_alike",
    "jax.experimental.shard_map": "experimental.shard_map",
    "jax.experimental.sparse": "experimental.sparse",
    **{f"jax.experimental.sparse.{part}": "experimental.sparse" for part in _SPARSE.split()},
    "jax.experimental.sparse.linalg": "experimental.sparse.linalg",
    "jax.example_libraries": "example_libraries",
    "jax.example_libraries.optimizers": "example_libraries.optimizers",
    "jax.example_libraries.stax": "example_libraries.stax",
    "jax.experimental.layout": "experimental.layout",
    "jax.memory": "memory",
    "jax.monitoring": "monitoring",
    "jax.api_util": None,
    "jax.util": None,
    "jax.version": None,
}

_DISTRIBUTIONS = (
    "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace logistic "
    "multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy"
)
# JAX's inner modules whose contents are public elsewhere.
_MODULES.update(
    {
        "jax._src.api": "",
        "jax._src.checkify": "experimental.checkify",
        "jax._src.xla_bridge": "extend.backend",
        "jax._src.core": "core",
        "jax._src.lax.control_flow": "lax",
        "jax._src.lax.lax": "lax",
        "jax._src.lax.parallel": "lax",
        "jax._src.lax.slicing": "lax",
        "jax._src.nn.functions": "nn",
        "jax._src.nn.initializers": "nn.initializers",
        "jax._src.numpy.lax_numpy": "numpy",
        "jax._src.numpy.reductions": "numpy",
        "jax._src.numpy.ufuncs": "numpy",
        "jax._src.random": "random",
        "jax._src.source_info_util": "extend.source_info",
    }
)
for _absent in absent.MODULES:
    _MODULES.setdefault(_absent, None)
_MODULES.update({f"jax.scipy.stats.{name}": f"scipy.stats.{name}" for name in _DISTRIBUTIONS.split()})

# Names whose home is elsewhere than under the module that shows them.
_NAMES: dict[str, str] = {
    "jax.Array": "core:Array",
    "jax.core.ShapedArray": "arrays.avals:ShapedArray",
    "jax.core.eval_jaxpr": "jaxprs.replay:jaxpr_as_values",
    "jax.core.ensure_compile_time_eval": "tracing.scopes:ensure_compile_time_eval",
    "jax.pure_callback": "transforms.callbacks:pure_callback",
    "jax.experimental.io_callback": "transforms.callbacks:io_callback",
    "jax.make_mesh": "sharding:make_mesh",
    "jax.NamedSharding": "sharding:NamedSharding",
    "jax.P": "sharding:PartitionSpec",
    "jax.pmap": "transforms.parallel:pmap",
    "jax.shard_map": "transforms.parallel:shard_map",
    "jax.config": ":config",
    "jax.dtypes.TypePromotionError": "dtypes:TypePromotionError",
    "jax.dtypes.canonicalize_dtype": "lax.types:canonicalize_dtype",
    "jax.dtypes.issubdtype": "lax.types:issubdtype",
    "jax.dtypes.itemsize_bits": "dtypes:itemsize_bits",
    "jax.dtypes.result_type": "numpy.scalar_types:result_type_and_weakness",
    "jax.dtypes.finfo": "numpy.scalar_types:finfo",
    "jax.dtypes.iinfo": "numpy.scalar_types:iinfo",
    "jax.dtypes.float0": "dtypes:float0",
    "jax.dtypes.bfloat16": "dtypes:BFLOAT16",
    "jax.dtypes.prng_key": "lax.types:prng_key",
    "jax.dtypes.extended": "lax.types:extended",
    "jax.dtypes.scalar_type_of": "lax.types:scalar_type_of",
    "jax.extend.core.Primitive": "extend.user_primitives:Primitive",
    "jax._src.core.Primitive": "extend.user_primitives:Primitive",
    "jax.extend.core.Effect": "extend.user_primitives:Effect",
    "jax.extend.core.jaxpr_as_fun": "jaxprs.replay:jaxpr_as_fun",
    "jax._src.traceback_util.register_exclusion": "tracing.sources:register_exclusion",
    "jax.extend.core.get_opaque_trace_state": "tracing.scopes:get_opaque_trace_state",
    "jax._src.core.trace_ctx": "tracing.scopes:trace_ctx",
    "jax._src.core.trace_state_clean": "tracing.scopes:trace_state_clean",
    "jax._src.traceback_util.include_frame": "tracing.sources:include_frame",
    "jax._src.tree_util._registry": "pytree.registry:registered_types",
    "jax._src.state.types.AbstractRef": "arrays.avals:AbstractRef",
    "jax._src.ad_util.stop_gradient_p": "primitives.by_name:stop_gradient_p",
    "jax._src.public_test_util.check_close": "test_util:check_close",
    "jax._src.public_test_util.check_grads": "test_util:check_grads",
    "jax._src.dtypes.to_complex_dtype": "numpy.scalar_types:to_complex_dtype",
    "jax._src.dtypes.ExtendedDType": "extend.user_primitives:ExtendedDType",
    "jax._src.dtypes.extended": "extend.user_primitives:ExtendedDType",
    "jax._src.traceback_util.api_boundary": "tracing.sources:api_boundary",
    "jax._src.dispatch.wait_for_tokens": ":effects_barrier",
    "jax.api_util.shaped_abstractify": "core:get_aval",
    "jax.api_util.debug_info": "extend.linear_util:debug_info",
    "jax.api_util.flatten_axes": "extend.linear_util:flatten_axes",
    "jax._src.api_util.flatten_axes": "extend.linear_util:flatten_axes",
    "jax.api_util.flatten_fun": "extend.linear_util:flatten_fun",
    "jax.api_util.flatten_fun_nokwargs": "extend.linear_util:flatten_fun_nokwargs",
    "jax.interpreters.ad.Zero": "primitives.linear:Zero",
    "jax.interpreters.ad.UndefinedPrimal": "primitives.linear:UndefinedPrimal",
    "jax.interpreters.ad.add_tangents": "primitives.linear:add_tangents",
    "jax.interpreters.ad.defjvp": "extend.user_primitives:defjvp",
    "jax.interpreters.ad.deflinear": "extend.user_primitives:deflinear",
    "jax.interpreters.ad.deflinear2": "extend.user_primitives:deflinear2",
    "jax.interpreters.ad.instantiate_zeros": "primitives.linear:instantiate",
    "jax.interpreters.ad.is_undefined_primal": "primitives.linear:is_undefined_primal",
    "jax.interpreters.ad.primitive_jvps": "extend.user_primitives:jvps",
    "jax.interpreters.ad.primitive_transposes": "extend.user_primitives:transposes",
    "jax.interpreters.ad.zeros_like_aval": "primitives.linear:zeros_like_aval",
    "jax.interpreters.batching.axis_primitive_batchers": "extend.user_primitives:axis_batchers",
    "jax.interpreters.batching.defvectorized": "extend.user_primitives:defvectorized",
    "jax.interpreters.batching.fancy_primitive_batchers": "extend.user_primitives:fancy_batchers",
    "jax.interpreters.batching.primitive_batchers": "extend.user_primitives:batchers",
    "jax.interpreters.mlir.lower_fun": "extend.user_primitives:lower_fun",
    "jax.interpreters.mlir.register_lowering": "extend.user_primitives:register_lowering",
    "jax.core.concrete_or_error": "extend.equations:concrete_or_error",
    "jax.extend.core.concrete_or_error": "extend.equations:concrete_or_error",
    "jax._src.core.concrete_or_error": "extend.equations:concrete_or_error",
    "jax.core.gensym": "extend.equations:gensym",
    "jax.extend.core.gensym": "extend.equations:gensym",
    "jax.core.new_jaxpr_eqn": "extend.equations:new_jaxpr_eqn",
    "jax.extend.core.new_jaxpr_eqn": "extend.equations:new_jaxpr_eqn",
    "jax.core.DropVar": "extend.equations:DropVar",
    "jax.extend.core.DropVar": "extend.equations:DropVar",
    "jax.core.Effects": "extend.equations:Effects",
    "jax.extend.core.Effects": "extend.equations:Effects",
    "jax.core.no_effects": "extend.equations:no_effects",
    "jax.extend.core.no_effects": "extend.equations:no_effects",
    "jax.extend.core.subjaxprs": "extend.equations:subjaxprs",
    "jax.core.jaxprs_in_params": "extend.equations:jaxprs_in_params",
    "jax.extend.core.jaxprs_in_params": "extend.equations:jaxprs_in_params",
    "jax.extend.core.mapped_aval": "extend.equations:mapped_aval",
    "jax.extend.core.unmapped_aval": "extend.equations:unmapped_aval",
    "jax.core.valid_jaxtype": "extend.equations:valid_jaxtype",
    "jax.extend.core.valid_jaxtype": "extend.equations:valid_jaxtype",
    "jax.extend.core.check_jaxpr": "jaxprs.typecheck:typecheck_jaxpr",
    "jax.core.DebugInfo": "tracing.staging:DebugInfo",
    "jax.extend.core.DebugInfo": "tracing.staging:DebugInfo",
    "jax.core.pytype_aval_mappings": "extend.registrations:aval_mappings",
    "jax.interpreters.xla.canonicalize_dtype_handlers": "extend.registrations:canonicalize_dtype_handlers",
    "jax.interpreters.batching.register_vmappable": "extend.registrations:register_vmappable",
    "jax.interpreters.batching.unregister_vmappable": "extend.registrations:unregister_vmappable",
    "jax._src.api_util.infer_argnums_and_argnames": "transforms.signatures:inferred",
    "jax._src.api._infer_argnums_and_argnames": "transforms.signatures:inferred",
    "jax.core.AbstractValue": "arrays.avals:AbstractValue",
    "jax.interpreters.partial_eval.PartialVal": "extend.partial_values:PartialVal",
    "jax.interpreters.partial_eval.trace_to_jaxpr_nounits": "extend.partial_values:trace_to_jaxpr_nounits",
    "jax.interpreters.partial_eval.DynamicJaxprTracer": "tracing.staging:DynamicJaxprTracer",
}
for _name in [name for name in _NAMES if name.startswith("jax.dtypes.")]:
    _NAMES.setdefault(f"jax._src.dtypes.{_name.rpartition('.')[2]}", _NAMES[_name])


class MissingModule(ModuleNotFoundError):
    """A module of JAX that this runtime lacks; `missing` is the whole name."""

    def __init__(self, missing: str) -> None:
        super().__init__(
            f"No module named {missing!r}: it is not available in tracetrap.runtime, which stands in for jax in this process",
            name=missing,
        )
        self.missing = missing


class MissingName(ImportError):
    """A name of JAX that this runtime lacks and an import asked for; `missing` is the whole name."""

    def __init__(self, missing: str) -> None:
        super().__init__(str(MissingFunction(missing)))
        self.missing = missing


class _Facade(ModuleType):
    """A module of JAX, backed by a module of the runtime."""

    def __init__(self, name: str, target: str | None) -> None:
        super().__init__(name, f"Stands in for {name}.")
        self.__dict__["_target"] = target

    def __getattr__(self, name: str) -> Any:
        whole = f"{self.__name__}.{name}"
        if whole in _MODULES:
            return importlib.import_module(whole)
        if name == "__all__":  # Asked for by ``from module import *``.
            return [n for n in dir(self) if f"{self.__name__}.{n}" not in _MODULES]
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            value = self._found(whole, name)
        except MissingFunction:
            self.__dict__["_refused"] = name
            raise
        self.__dict__[name] = value
        return value

    def _found(self, whole: str, name: str) -> Any:
        home = _NAMES.get(whole)
        target: str | None = self.__dict__["_target"]
        if home is not None:
            module, _, attribute = home.partition(":")
        elif target is not None:
            module, attribute = target, name
        else:
            return absent.absent(self.__name__, name)
        source = importlib.import_module(f".{module}" if module else _ROOT, _ROOT)
        value = getattr(source, attribute, _ABSENT)
        if value is _ABSENT or (isinstance(value, ModuleType) and whole not in _NAMES):
            return absent.absent(self.__name__, name)
        return value

    def __dir__(self) -> list[str]:
        names = {n.rpartition(".")[2] for n in (*_MODULES, *_NAMES) if n.rpartition(".")[0] == self.__name__}
        target: str | None = self.__dict__["_target"]
        if target is not None:
            home = importlib.import_module(f".{target}" if target else _ROOT, _ROOT)
            names.update(getattr(home, "__all__", None) or dir(home))
        return sorted(n for n in names if not n.startswith("_"))


_ABSENT = object()


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds ``jax`` and what is under it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != "jax" and not fullname.startswith(("jax.", "jaxlib")):
            return None
        if fullname not in _MODULES:
            home, _, name = fullname.rpartition(".")
            # ``from home import name`` asks the module for the name first.
            if name and getattr(sys.modules.get(home), "__dict__", {}).get("_refused") == name:
                raise MissingName(fullname)
            raise MissingModule(fullname)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return _Facade(spec.name, _MODULES[spec.name])

    def exec_module(self, module: ModuleType) -> None:
        if module.__name__ in ("jax", "jax.version", "jaxlib"):
            runtime = importlib.import_module(_ROOT)
            module.__dict__["__version__"] = runtime.__version__
            module.__dict__["__version_info__"] = tuple(int(n) for n in runtime.__version__.split("."))


_FINDER = _Finder()


def install() -> None:
    """From now on ``import jax`` gives this runtime. Raises RuntimeError when JAX itself is imported already."""
    known = sys.modules.get("jax")
    if known is not None and not isinstance(known, _Facade):
        raise RuntimeError(
            "jax is imported already: install the runtime in its place before the first import of jax"
        )
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)


def uninstall() -> None:
    """Undo `install`, so that the next ``import jax`` looks for JAX itself."""
    if _FINDER in sys.meta_path:
        sys.meta_path.remove(_FINDER)
    for name in [n for n, module in sys.modules.items() if isinstance(module, _Facade)]:
        del sys.modules[name]
