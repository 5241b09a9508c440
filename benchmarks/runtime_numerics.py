"""Does the runtime compute what JAX computes? Every function of a module, over types, shapes and special values.

    python benchmarks/runtime_numerics.py numpy 1          # functions of one array
    python benchmarks/runtime_numerics.py lax 2 --x64      # of two, with 64-bit types
    python benchmarks/runtime_numerics.py nn 1 --only softmax,glu
    python benchmarks/runtime_numerics.py random 1         # of a key and one array

Each function that takes so many arrays is called on vectors of every type with NaN, infinities, signed zeros and the limits
of integers among them, on empty, scalar and square arrays, on mixed types, and on Python numbers. Prints the calls whose
values, types, weak types, shapes or error classes differ. JAX compiles each call, which takes minutes. The calls run in
a process of their own, which is bounded in memory and time: what JAX does not bear is counted apart, what we do not
bear is a difference.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import multiprocessing
import os
import pathlib
import resource
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")

import jax
import ml_dtypes
import numpy as np
import tracetrap.runtime as ours

FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.75, np.inf, -np.inf, np.nan, 1e-3, 20.0, -7.0, 100.0, 0.3]
VECTOR, SHAPES = (15,), [(), (0,), (1,), (2, 3), (2, 0), (3, 3)]
TYPES = ["bool", "int8", "int32", "uint8", "uint32", "float16", "bfloat16", "float32", "complex64"]
WIDE_TYPES = ["int64", "uint64", "float64", "complex128", "float32", "int32"]
MIXED = [
    ("float32", "int32"),
    ("bool", "float32"),
    ("int8", "uint8"),
    ("bfloat16", "float16"),
    ("int32", "uint32"),
]
NUMBERS = [2.5, 3, True]
TOLERANCE = {"float64": 1e-9, "complex128": 1e-9, "float16": 4e-3, "bfloat16": 3e-2, "complex64": 1e-4}
SECONDS, BYTES = 20, 3 << 30
#: What reads or writes files, needs a mesh or an accelerator, returns memory as it is, or decorates.
LEFT_OUT = frozenset(
    "save savez load from_dlpack fromfile frombuffer fromstring empty empty_like empty_ref axis_index axis_size "
    "psum pmax pmin pmean pvary with_sharding_constraint create_token while_loop "
    "get_scaled_dot_general_config composite vectorize".split()
)
#: What takes a shape, an axis or a type as its second argument: numbers there make arrays of any size.
STRUCTURAL = frozenset(
    "full fromfunction fromiter broadcast broadcast_to broadcast_in_dim broadcasted_iota iota expand_dims astype can_cast "
    "array_split split dsplit hsplit vsplit bitcast_convert_type convert_element_type all_gather pmax all_to_all tile "
    "repeat reshape resize tri zeros ones eye broadcast_to_rank broadcast_shapes approx_max_k approx_min_k pbroadcast "
    "psum_scatter pshuffle ppermute pswapaxes pcast psend dynamic_slice top_k indices ix_ mask_indices "
    "collapse transpose squeeze moveaxis swapaxes permute_dims rollaxis".split()
)

Spec = tuple[tuple[int, ...], str] | float


def array(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray[Any, Any]:
    """Values of a type, in an order of their own for each seed."""
    count = int(np.prod(shape))
    rng = np.random.default_rng(seed)
    kind = np.dtype(getattr(ml_dtypes, dtype, dtype))
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        values = [v for v in (0, 1, -1, 2, 5, -7, limits.max, limits.min, 3) if limits.min <= v <= limits.max]
        return np.array([values[i % len(values)] for i in rng.permutation(count)], kind).reshape(shape)
    picked = np.array(FLOATS)[(np.arange(count) + 4 * seed) % len(FLOATS)].reshape(shape)
    if kind.kind == "c":
        return (np.nan_to_num(picked, posinf=0.7, neginf=-0.7) + 1j * rng.normal(size=shape)).astype(kind)
    return picked.astype(kind)


def calls(arity: int, x64: bool) -> Iterator[list[Spec]]:
    """Descriptions of arguments."""
    for dtype in WIDE_TYPES if x64 else TYPES:
        yield [(VECTOR, dtype)] * arity
    for shape in SHAPES:
        for dtype in ("float64",) if x64 else ("float32", "int32"):
            yield [(shape, dtype)] * arity
    for number in NUMBERS:
        yield [number] * arity
    if arity == 2:
        for pair in MIXED:
            yield [(VECTOR, dtype) for dtype in pair]
        yield [((2, 3), "float32"), ((3,), "int32")]
        yield [((3,), "float32"), ((4,), "float32")]
        for dtype in ("float32", "int32", "uint8", "bfloat16"):
            yield [(VECTOR, dtype), 2.0]


def outcome(function: Callable[..., Any], args: list[Any]) -> Any:
    """The leaves of a result, or the class of the error."""
    try:
        leaves = jax.tree.leaves(function(*args))
        return [
            (str(leaf.dtype), bool(leaf.weak_type), leaf.shape, np.asarray(leaf))
            if hasattr(leaf, "weak_type")
            else leaf
            for leaf in leaves
        ]
    except Exception as error:
        return type(error).__name__


def difference(mine: Any, theirs: Any) -> str:
    """What differs; nothing where all agrees."""
    if isinstance(mine, str) or isinstance(theirs, str):
        return "" if mine is theirs or mine == theirs else f"{_short(mine)}, JAX: {_short(theirs)}"
    if len(mine) != len(theirs):
        return f"{len(mine)} results, JAX: {len(theirs)}"
    for x, y in zip(mine, theirs):
        if not isinstance(x, tuple) or not isinstance(y, tuple):
            if repr(x) != repr(y):
                return f"{x!r}, JAX: {y!r}"
        elif x[:3] != y[:3]:
            return f"{x[:3]}, JAX: {y[:3]}"
        else:
            left, right = (v[3].astype(complex if "complex" in v[0] else np.float64) for v in (x, y))
            near = np.isclose(left, right, rtol=TOLERANCE.get(x[0], 3e-5), atol=1e-6, equal_nan=True)
            if not near.all():
                return f"{x[3][~near][:4]}, JAX: {y[3][~near][:4]}"
    return ""


def _short(result: Any) -> str:
    return (
        result if isinstance(result, str) else str([leaf[:3] for leaf in result if isinstance(leaf, tuple)])
    )


def takes(function: Any, arity: int) -> bool:
    """Whether so many arguments are required, all by position."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [
        p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
    ]
    return len(needed) == arity and all(p.kind is not p.KEYWORD_ONLY for p in needed)


def names(options: argparse.Namespace) -> Iterator[str]:
    """The functions of the module that take so many arrays."""
    module = importlib.import_module(f"jax.{options.module}")
    for name in options.only.split(",") if options.only else dir(module):
        function = getattr(module, name)
        structural = name in STRUCTURAL and options.arity > 1
        if name.startswith("_") or name in LEFT_OUT or structural or inspect.isclass(function):
            continue
        if takes(function, options.arity + (options.module == "random")):
            yield name


def compare_calls(options: argparse.Namespace, tasks: Connection) -> None:
    """Answers each name and description of arguments with an empty message once JAX is done, and then the difference."""
    warnings.simplefilter("ignore")
    used = int(pathlib.Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + BYTES, used + BYTES))
    theirs, mine = (
        importlib.import_module(f"{root}.{options.module}") for root in ("jax", "tracetrap.runtime")
    )
    key = [np.array([0, 7], np.uint32)] if options.module == "random" else []
    before = None
    with ExitStack() as stack:
        for library in (jax, ours):
            stack.enter_context(library.enable_x64(options.x64))
        while task := tasks.recv():
            name, specs = task
            if name != before:
                jax.clear_caches()
                before = name
            arrays = (array(*s, seed) if isinstance(s, tuple) else s for seed, s in enumerate(specs))
            args = [*key, *arrays]
            expected = outcome(getattr(theirs, name), args)
            tasks.send("")
            tasks.send(difference(outcome(getattr(mine, name, None), args), expected))


class Worker:
    """The process that runs the calls; a new one takes over where it dies or takes too long."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.start()

    def start(self) -> None:
        self.tasks, theirs = multiprocessing.get_context("spawn").Pipe()
        arguments = (self.options, theirs)
        self.process = multiprocessing.get_context("spawn").Process(target=compare_calls, args=arguments)
        self.process.start()
        theirs.close()

    def answer(self) -> str | None:
        """The next message; None where none came."""
        try:
            if self.tasks.poll(SECONDS):
                message: str = self.tasks.recv()
                return message
        except (EOFError, ConnectionError):
            pass
        self.process.kill()
        self.process.join()
        self.start()
        return None

    def compare(self, name: str, specs: list[Spec]) -> str | None:
        """What differs in a call; None where JAX gives no answer."""
        self.tasks.send((name, specs))
        if self.answer() is None:
            return None
        found = self.answer()
        return "no answer" if found is None else found


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("module", help="such as numpy, lax, nn, scipy.special")
    parser.add_argument("arity", type=int, help="how many arrays the functions take")
    parser.add_argument("--x64", action="store_true", help="with 64-bit types")
    parser.add_argument("--only", default="", help="names of functions, with commas between them")
    options = parser.parse_args()
    worker = Worker(options)
    compared = differing = unanswered = 0
    for name in names(options):
        print(f"# {name}", file=sys.stderr, flush=True)
        for specs in calls(options.arity, options.x64):
            found = worker.compare(name, specs)
            compared += found is not None
            unanswered += found is None
            if found:
                differing += 1
                print(f"{name}{tuple(specs)}: {found}", flush=True)
    worker.tasks.send(None)
    rate = 100 * (1 - differing / max(compared, 1))
    print(
        f"{compared} calls, {compared - differing} alike: {rate:.1f} %; {unanswered} without an answer in JAX"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
