"""The modules and names that stand in for JAX's: every one that is promised is there, and what is missing says so."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest
from private_names import LIST, names_of_jax
from tracetrap.runtime import shim


def resolved(home: str) -> object:
    module, _, name = home.partition(":")
    return getattr(importlib.import_module(f"tracetrap.runtime.{module}".rstrip(".")), name)


@pytest.mark.parametrize("name", shim._NAMES)
def test_every_name_has_a_home(name: str) -> None:
    assert resolved(shim._NAMES[name]) is not None


@pytest.mark.parametrize("name", [name for name, home in shim._MODULES.items() if home])
def test_every_module_has_a_home(name: str) -> None:
    assert importlib.import_module(f"tracetrap.runtime.{shim._MODULES[name]}").__name__


def run(code: str) -> str:
    """What a program prints when this runtime stands in for JAX."""
    program = f"from tracetrap.runtime import shim\nshim.install()\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CASES = [
    (
        "from jax.extend.core import check_jaxpr, primitives as p\nfrom jax import lax\nimport jax\n"
        "jaxpr = jax.make_jaxpr(lambda x: lax.cond(x > 0, abs, abs, x))(1.0).jaxpr\n"
        "print(p.cond_p is lax.cond_p is jaxpr.eqns[-1].primitive, p.add_p is lax.add_p, p.while_p, check_jaxpr(jaxpr))",
        "True True while None",
    ),
    (
        "from jax.dtypes import result_type\nimport jax.numpy as jnp\n"
        "print(result_type(True, 1, return_weak_type_flag=True), result_type(jnp.int8(1), 1, return_weak_type_flag=True))",
        "(dtype('int32'), True) (dtype('int8'), False)",
    ),
    ("import jax\njax.config.update('jax_enable_x64', True)\nprint(jax.numpy.arange(2).dtype)", "int64"),
    ("from jax import config\nprint(config.jax_enable_x64)", "False"),
    (
        "import jax.scipy.special as s, jax.nn as nn\nprint(s.__name__, nn.relu(-1.0))",
        "jax.scipy.special 0.0",
    ),
    (
        "from jax.core import eval_jaxpr\nimport jax\nj = jax.make_jaxpr(lambda x: x + 1)(1)\n"
        "print(eval_jaxpr(j.jaxpr, j.consts, 2)[0])",
        "3",
    ),
    (
        "import jax\ntry:\n    jax.numpy.int1\nexcept AttributeError as error:\n    print(error)",
        "jax.numpy.int1 is not available in tracetrap.runtime, which stands in for jax in this process",
    ),
    (
        "try:\n    import jax.no_such_module\nexcept ModuleNotFoundError as error:\n    print(error.name)",
        "jax.no_such_module",
    ),
    (
        "try:\n    from jax.numpy import int1\nexcept ImportError as error:\n    print(error)",
        "jax.numpy.int1 is not available in tracetrap.runtime, which stands in for jax in this process",
    ),
    (
        "from jax.extend.sharding import GSPMDSharding as Missing\nprint(isinstance(1, Missing))\n"
        "for use in (lambda: Missing(1), lambda: Missing.get_replicated(1)):\n"
        "    try:\n        use()\n    except AttributeError as error:\n        print(error.missing)",
        "False\njax.extend.sharding.GSPMDSharding\njax.extend.sharding.GSPMDSharding.get_replicated",
    ),
    (
        "import collections, jax, numpy as np\nclass Box(collections.UserList):\n    pass\n"
        "jax.core.pytype_aval_mappings[Box] = lambda b: jax.core.ShapedArray(np.shape(b), np.float32)\n"
        "print(jax.numpy.sin(jax.jit(lambda x: x * 2)(Box([0.0, 0.0]))))",
        "[0. 0.]",
    ),
    (
        "from jax.extend.core import gensym, new_jaxpr_eqn, jaxpr_as_fun, ClosedJaxpr\nimport jax\n"
        "closed = jax.make_jaxpr(lambda x: x * 3)(1.0)\nlast = gensym()(closed.out_avals[0])\n"
        "more = new_jaxpr_eqn(closed.jaxpr.outvars, [last], jax.lax.neg_p, {}, set())\n"
        "longer = closed.jaxpr.replace(eqns=[*closed.eqns, more], outvars=[last])\n"
        "print(jaxpr_as_fun(ClosedJaxpr(longer, []))(2.0)[0])",
        "-6.0",
    ),
    (
        "from jax._src.tree_util import _registry\nimport collections\n"
        "children, data = _registry[dict].to_iter({'b': 1, 'a': 2})\n"
        "print(list(children), _registry[dict].from_iter(data, [3, 4]), collections.namedtuple('P', 'x') in _registry)",
        "[2, 1] {'a': 3, 'b': 4} False",
    ),
    (
        "import jax\nfrom jax.extend.sharding import GSPMDSharding as Missing\n"
        "print(isinstance(jax.numpy.ones(2), jax.Array | Missing), isinstance(1, Missing | jax.Array))",
        "True False",
    ),
    (
        "try:\n    from jax.experimental.sparse import Nothing\nexcept ImportError as error:\n    print(error.missing)",
        "jax.experimental.sparse.Nothing",
    ),
    (
        "try:\n    from jax._src.core import no_such_name\nexcept ImportError as error:\n    print(error.missing)\n"
        "import jax\nprint(hasattr(jax._src.interpreters.partial_eval, 'no_such_name'))",
        "jax._src.core.no_such_name\nFalse",
    ),
    (
        "import jax\nfor name in 'foo', 'qdwh', 'smap':\n    for module in jax.numpy, jax.lax.linalg, jax:\n"
        "        try:\n            getattr(module, name)\n        except AttributeError as error:\n"
        "            print(type(error).__name__[:4], end=' ')\n"
        "try:\n    jax.numpy.foo\nexcept AttributeError as error:\n    print(error)",
        "Attr Attr Attr Attr Miss Attr Attr Attr Miss module 'jax.numpy' has no attribute 'foo'",
    ),
    (
        "import importlib\nfrom tracetrap.runtime.extend.absent import PUBLIC, Absent\n"
        "print([(module, name) for module, names in PUBLIC.items() for name in names.split()\n"
        "       if not isinstance(getattr(importlib.import_module(module), name), Absent)])",
        "[]",
    ),
    (
        "import jax\nfrom jax._src import source_info_util\nfrom jax._src.core import trace_ctx\n"
        "def f(x):\n    aval = jax.core.ShapedArray((), jax.numpy.dtype('float32'))\n"
        "    return x + trace_ctx.trace.new_arg(aval, source_info=source_info_util.current())\n"
        "jaxpr = jax.make_jaxpr(f)(1.0)\nprint(len(jaxpr.in_avals), jax.core.eval_jaxpr(jaxpr.jaxpr, jaxpr.consts, 1.0, 2.0))",
        "2 [Array(3., dtype=float32)]",
    ),
    (
        "import jax\nfrom jax.api_util import flatten_axes\ntree = jax.tree.structure(({'a': 1, 'b': (2, 3)}, 4))\n"
        "print(flatten_axes('in_axes', tree, 0), flatten_axes('in_axes', tree, ({'a': 0, 'b': None}, 1)))\n"
        "try:\n    flatten_axes('in_axes', tree, (0,))\nexcept ValueError as error:\n    print(str(error)[:50])",
        "[0, 0, 0, 0] [0, None, None, 1]\nin_axes specification must be a tree prefix of the",
    ),
    (
        "import jax\nfrom jax.extend import linear_util as lu\nfrom jax.api_util import flatten_fun_nokwargs\n"
        "flat, tree = flatten_fun_nokwargs(lu.wrap_init(lambda d: {'b': d['a'] * 2}), jax.tree.structure(({'a': 0},)))\n"
        "print(flat.call_wrapped(3), tree())",
        "[6] PyTreeDef({'b': *})",
    ),
    (
        "import jax\nfrom jax._src.public_test_util import check_close\nfrom jax._src import checkify, dtypes\n"
        "check_close({'a': jax.numpy.ones(3)}, {'a': jax.numpy.ones(3) + 1e-6}, rtol={'float32': 1e-5})\n"
        "print(dtypes.to_complex_dtype('int32'), dtypes.finfo('float32').bits, checkify.checkify(abs)(-1.0)[1])\n"
        "try:\n    check_close(1.0, 1.1)\nexcept AssertionError:\n    print('apart')",
        "complex64 32 1.0\napart",
    ),
    (
        "import jax\nfrom jax.extend.core import valid_jaxtype\n"
        "print([valid_jaxtype(x) for x in (jax.numpy.result_type(1.0, 1), jax.typeof(1.0).dtype, 1.0)])",
        "[False, False, True]",
    ),
    (
        "import inspect, jax\nf = jax.jit(lambda x, y=2: x)\n"
        "print(type(f).__qualname__, inspect.signature(f, follow_wrapped=False))\n"
        "closed = jax.make_jaxpr(lambda: 1.5)()\nprint(jax.core.eval_jaxpr(closed.jaxpr, closed.consts)[0] + 1)\n"
        "print(list(jax._src.xla_bridge._backends), jax.dtypes.canonicalize_dtype(None))",
        "PjitFunction (x, y=2)\n2.5\n['cpu'] float32",
    ),
]


@pytest.mark.parametrize(("code", "printed"), CASES)
def test_programs_see_jax(code: str, printed: str) -> None:
    assert run(code) == printed


def test_the_names_of_inner_modules_are_those_of_jax() -> None:
    jax = pytest.importorskip("jax")
    if jax.__version__ != "0.10.2":
        pytest.skip("the list is that of JAX 0.10.2")
    for line in LIST.read_text(encoding="utf-8").splitlines():
        module, *names = line.split()
        missing = set(names) - names_of_jax(module)
        assert not missing, f"{module} has no {sorted(missing)}: run tests/runtime/private_names.py"
