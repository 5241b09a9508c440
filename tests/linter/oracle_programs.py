"""Turns rows of the oracle (a snippet, its arguments, a context) into whole programs that the linter can read."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PRELUDE = """\
import array, bisect, collections, contextlib, contextvars, copy, dataclasses, datetime, decimal, enum, fractions, functools, heapq
import inspect, io, itertools, json, logging, math, cmath, numbers, operator, os, pathlib, pickle, pprint, queue, random
import re, statistics, struct, sys, threading, time, types, typing, warnings, weakref, collections.abc
import jax
import jax.numpy as jnp
import numpy as np
import scipy
import scipy.special, scipy.stats, scipy.linalg, scipy.optimize, scipy.integrate, scipy.sparse
from jax import lax
"""

ENVIRONMENT = """\
def kind(value):
    return "traced" if isinstance(value, jax.core.Tracer) else "static"

class Counter:
    n = 0
    def __call__(self):
        self.n += 1

T = Counter()

@jax.tree_util.register_dataclass
@dataclasses.dataclass
class DCReg:
    a: object
    b: object = 1

@functools.partial(jax.tree_util.register_dataclass, data_fields=["a"], meta_fields=["b"])
@dataclasses.dataclass
class DCRegStatic:
    a: object
    b: object = 1

@dataclasses.dataclass
class DCUnreg:
    a: object
    b: object = 1

@dataclasses.dataclass
class DCUnreg2:
    a: object

@dataclasses.dataclass
class DCUnreg3:
    a: object

@dataclasses.dataclass(frozen=True)
class DCFrozen:
    a: object

NT = collections.namedtuple("NT", "a b")

@jax.tree_util.register_pytree_node_class
class Reg:
    def __init__(self, a, b):
        self.a, self.b = a, b
    def tree_flatten(self):
        return (self.a,), self.b
    @classmethod
    def tree_unflatten(cls, aux, ch):
        return cls(ch[0], aux)

class Obj:
    a = 1

class HashObj:
    def __init__(self, a):
        self.a = a
    def __hash__(self):
        return hash(self.a)
    def __eq__(self, o):
        return isinstance(o, HashObj) and self.a == o.a

class EqObj:
    def __init__(self, a):
        self.a = a
    def __eq__(self, o):
        return self.a == o.a

class JaxArr:
    def __jax_array__(self):
        return jnp.ones(3)

class NpArr:
    def __array__(self, dtype=None, copy=None):
        return np.ones(3)

class Color(enum.Enum):
    RED = 1
    GREEN = 2

class IntColor(enum.IntEnum):
    RED = 1
    GREEN = 2

class StrColor(enum.StrEnum):
    RED = "red"
    GREEN = "green"
"""
NEEDS_ENVIRONMENT = re.compile(
    r"\b(kind|T|DC\w+|NT|Reg|Obj|HashObj|EqObj|JaxArr|NpArr|Color|IntColor|StrColor)\b"
)

DTYPES = {
    "f32": "float32", "f16": "float16", "bf16": "bfloat16", "i32": "int32", "i8": "int8", "u8": "uint8",
    "u32": "uint32", "c64": "complex64", "bool": "bool_",
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One measured fact: what a snippet did in a context."""

    identity: str
    context: str
    snippet: str
    arguments: str
    outcome: str
    kind: str
    note: str

    @property
    def operation(self) -> str:
        """The row's operation, the same in every context."""
        return self.identity.split(":", 1)[1]


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of an `oracle.tsv`."""
    with path.open(encoding="utf-8") as stream:
        next(stream)
        for line in stream:
            cells = line.rstrip("\n").split("\t")
            cells += [""] * (7 - len(cells))
            cells[2] = (
                cells[2].replace("\\\\", "\0").replace("\\n", "\n").replace("\\t", "\t").replace("\0", "\\")
            )
            yield Row(*cells[:7])


def split_top(text: str) -> list[str]:
    """The comma-separated parts of a text, commas inside brackets not counted."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    return [*parts, current.strip()] if current.strip() else parts


def arguments_of(text: str) -> list[tuple[str, str, str]]:
    """`x:f32[3], t:static:tuple=2,3` as (name, mode, specification)."""
    found: list[list[str]] = []
    for part in split_top(text):
        if re.match(r"^[A-Za-z_]\w*:", part):
            name, rest = part.split(":", 1)
            mode = "dynamic"
            for word in ("static", "closed"):
                if rest.startswith(word + ":"):
                    mode, rest = word, rest[len(word) + 1 :]
            found.append([name, mode, rest])
        else:
            found[-1][2] += "," + part
    return [(name, mode, rest) for name, mode, rest in found]


def literal(text: str) -> str:
    """The Python expression for a specification such as `f32[3]`, `list(f32[], int=2)` or `str=sum`."""
    host = text.startswith("np:")
    text = text.removeprefix("np:")
    match = re.match(r"^(\w+)\[([\d,]*)\](=.+)?$", text)
    if match:
        return _array(match, host)
    match = re.match(r"^(tuple|list|dict)\((.*)\)$", text)
    if match:
        parts = split_top(match[2])
        if match[1] == "dict":
            return "{" + ", ".join(f"{p.split('=')[0]!r}: {literal(p.split('=', 1)[1])}" for p in parts) + "}"
        inner = ", ".join(literal(p) for p in parts)
        return f"[{inner}]" if match[1] == "list" else f"({inner},)"
    x, s, n = "jnp.array([1.0, 2.0, 3.0])", "jnp.float32(1.5)", "jnp.int32(2)"
    plain = {"dcreg": f"DCReg({x}, {s})", "dcstatic": f"DCRegStatic({x}, 2)", "nt": f"NT({s}, {n})"}
    if text in plain:
        return plain[text]
    plain = {"none": "None", "key": "jax.random.key(0)", "rawkey": "jax.random.PRNGKey(0)"}
    if text in plain:
        return plain[text]
    kind, _, value = text.partition("=")
    if kind == "str":
        return repr(value)
    if kind == "tuple":
        return f"({value},)"
    if kind in ("int", "float", "bool"):
        return value
    raise KeyError(text)


def _array(match: re.Match[str], host: bool) -> str:
    kind = match[1]
    shape = tuple(int(n) for n in match[2].split(",") if n)
    size = math.prod(shape)
    if kind == "bool":
        base: list[object] = [k % 2 == 0 for k in range(size)]
    elif kind[0] in "iu":
        base = list(range(size)) if shape else [2]
    elif kind[0] == "c":
        base = [k + 1.5 + 0.5j for k in range(size)]
    else:
        base = [k + 1.0 for k in range(size)] if shape else [1.5]
    if match[3]:
        base = [float(match[3][1:])] * max(size, 1)
    module = "np" if host else "jnp"
    values = str(base if shape else base[0]).replace("float('nan')", "0")
    reshape = f".reshape({shape})" if len(shape) > 1 or size == 0 else ""
    return f"{module}.array({values}, dtype={module}.{DTYPES[kind]}){reshape}"


def is_float(text: str) -> bool:
    """Whether a specification is a float array, which grad-like contexts differentiate."""
    return bool(re.match(r"^(np:)?(f32|f16|bf16)\[", text))


SIMPLE = {
    "eager": "body({a})",
    "jit": "jax.jit(body{static})({s})",
    "vmap": "jax.vmap(body)({b})",
    "scan_carry": "lax.scan(lambda c, _: (c, body(*c)), ({a},), None, length=2)",
    "jit_closure": "jax.jit(lambda: body({a}))()",
    "jit_helper": "jax.jit(lambda *a: helper(*a))({a})",
    "jit_inner_closure": "jax.jit(outer)({a})",
    "jit_inline": "jax.jit(body, inline=True)({a})",
    "jit_lower": "jax.jit(body).lower({a})",
    "jit_kwargs": "jax.jit(lambda **k: body({k}))({kw})",
    "jit_disable_jit": "with jax.disable_jit():\n    jax.jit(body)({a})",
    "vmap_jit_disable": "with jax.disable_jit():\n    jax.vmap(jax.jit(body))({b})",
    "jit_of_vmap": "jax.jit(jax.vmap(body))({b})",
    "vmap_of_jit": "jax.vmap(jax.jit(body))({b})",
    "vmap_unbatched": "jax.vmap(lambda z, *a: body(*a), in_axes=(0,{none}))(jnp.ones(2), {a})",
    "scan_xs": "lax.scan(lambda c, a: (body(*a), (c, None))[1], 0., ({b},))",
    "scan_closure": "lax.scan(lambda c, _: (body({a}), (c, None))[1], 0., None, length=2)",
    "jit_scan_closure": "jax.jit(lambda *a: lax.scan(lambda c, _: (body(*a), (c, None))[1], 0., None, length=2))({a})",
    "cond_branch": "lax.cond(True, lambda *a: body(*a), lambda *a: None, {a})",
    "cond_closure": "lax.cond(True, lambda: body({a}), lambda: None)",
    "switch_branch": "lax.switch(0, [lambda *a: body(*a), lambda *a: None], {a})",
    "while_cond": "lax.while_loop(lambda c: (body(*c), False)[1], lambda c: c, ({a},))",
    "while_body": "lax.while_loop(lambda c: False, lambda c: (body(*c), c)[1], ({a},))",
    "fori_body": "lax.fori_loop(0, 2, lambda i, c: (body(*c), c)[1], ({a},))",
    "fori_dynamic_body": "lax.fori_loop(0, jnp.int32(2), lambda i, c: (body(*c), c)[1], ({a},))",
    "lax_map": "lax.map(lambda a: body(*a), ({b},))",
    "checkpoint": "jax.checkpoint(body)({a})",
    "named_call": "jax.named_call(body, name='nc')({a})",
    "pmap": "jax.pmap(body)({p})",
    "shard_map": "jax.shard_map(last, mesh=jax.make_mesh((1,), ('i',)), in_specs=P, out_specs=P)({a})",
    "shard_map_jit": "jax.jit(jax.shard_map(last, mesh=jax.make_mesh((1,), ('i',)), in_specs=P, out_specs=P))({a})",
    "eval_shape": "jax.eval_shape(body, {a})",
    "make_jaxpr": "jax.make_jaxpr(body)({a})",
    "tree_map": "jax.tree.map(body, {t})",
    "cte_traced": "jax.jit(compile_time)({a})",
    "cte_closure": "jax.jit(lambda: compile_time({a}))()",
    "pure_callback": "jax.pure_callback(lambda *a: (body(*a), np.float32(0))[1], sds, {a})",
    "pure_callback_jit": "jax.jit(lambda *a: jax.pure_callback(lambda *b: (body(*b), np.float32(0))[1], sds, *a))({a})",
    "io_callback_jit": (
        "jax.jit(lambda *a: jax.experimental.io_callback(lambda *b: (body(*b), np.float32(0))[1], sds, *a))({a})"
    ),
    "debug_callback": "jax.debug.callback(body, {a})",
    "debug_callback_jit": "jax.jit(lambda *a: (jax.debug.callback(body, *a), a[-1] + 1)[1])({a})",
    "custom_jvp_fun": "f = jax.custom_jvp(last)\nf.defjvp(lambda p, t: (p[-1], t[-1]))\nf({a})",
    "custom_jvp_fun_jit": "f = jax.custom_jvp(last)\nf.defjvp(lambda p, t: (p[-1], t[-1]))\njax.jit(f)({a})",
    "custom_vjp_fun": "f = jax.custom_vjp(last)\nf.defvjp(forward, backward)\nf({a})",
}

DIFFERENTIATING = {
    "grad": "jax.grad(total, argnums=({k},))({f})",
    "value_and_grad": "jax.value_and_grad(total, argnums=({k},))({f})",
    "jvp": "jax.jvp(total, ({f},), ({o},))",
    "vjp": "jax.vjp(total, {f})",
    "linearize": "jax.linearize(total, {f})",
    "linear_transpose": "jax.linear_transpose(total, {f})",
    "jacfwd": "jax.jacfwd(total, argnums=({k},))({f})",
    "jacrev": "jax.jacrev(total, argnums=({k},))({f})",
    "hessian": "jax.hessian(total, argnums=({k},))({f})",
    "jit_of_grad": "jax.jit(jax.grad(total, argnums=({k},)))({f})",
    "grad_of_jit": "jax.grad(jax.jit(total), argnums=({k},))({f})",
    "vmap_of_grad": "jax.vmap(jax.grad(total, argnums=({k},)))({fb})",
    "grad_of_vmap": "jax.grad(lambda *fv: jax.vmap(total)(*fv).sum(), argnums=({k},))({fb})",
}

RULES = {
    "custom_jvp_rule": (
        "f = jax.custom_jvp(lambda *a: a[-1])\nf.defjvp(lambda p, t: (body(*p), (p[-1], t[-1]))[1])\n"
        "jax.grad(lambda {fn}: f({mixed}), argnums=({k},))({f})"
    ),
    "custom_vjp_fwd": (
        "def seen(*a):\n    body(*a)\n    return a[-1], a\nf = jax.custom_vjp(lambda *a: a[-1])\n"
        "f.defvjp(seen, backward)\njax.grad(lambda {fn}: f({mixed}), argnums=({k},))({f})"
    ),
    "custom_vjp_bwd": (
        "def seen(res, g):\n    body(*res)\n    return (None,) * len(res)\nf = jax.custom_vjp(lambda *a: a[-1])\n"
        "f.defvjp(forward, seen)\njax.grad(lambda {fn}: f({mixed}), argnums=({k},))({f})"
    ),
}
"""Rules of differentiation: they see what the function is called with, some of it differentiated."""

AROUND = """
def last(*a):
    body(*a)
    return a[-1]

def helper(*a):
    return body(*a)

def outer(*a):
    def inner():
        return body(*a)
    return inner()

def compile_time(*a):
    with jax.ensure_compile_time_eval():
        body(*a)

def forward(*a):
    return a[-1], a

def backward(res, g):
    return (None,) * len(res)

P = jax.sharding.PartitionSpec()
sds = jax.ShapeDtypeStruct((), jnp.float32)
"""


def program(row: Row) -> str | None:
    """The program of a row, None where its context or its arguments have no template."""
    template = SIMPLE.get(row.context) or DIFFERENTIATING.get(row.context) or RULES.get(row.context)
    if template is None and row.context != "program":
        return None
    try:
        arguments = [(name, mode, literal(text), text) for name, mode, text in arguments_of(row.arguments)]
    except KeyError:
        return None
    lines = [PRELUDE]
    if NEEDS_ENVIRONMENT.search(row.snippet) or re.search(r":(dcreg|dcstatic|nt)\b", row.arguments):
        lines.append(ENVIRONMENT)
    if template is None:
        lines += [f"{name} = {text}" for name, _, text, _ in arguments]
        return "\n".join(lines) + "\n" + row.snippet + "\n"
    is_jit = row.context == "jit"
    own = [
        (name, mode, text, spec)
        for name, mode, text, spec in arguments
        if mode == "dynamic" or (mode == "static" and is_jit)
    ]
    own.append(("last_", "dynamic", "jnp.float32(0.5)", "f32[]"))
    free = [
        (name, text)
        for name, mode, text, _ in arguments
        if not (mode == "dynamic" or (mode == "static" and is_jit))
    ]
    lines += [f"{name}_ = {text}" for name, text in free]
    lines += [f"{name}_ = {text}" for name, _, text, _ in own]
    lines += ["", f"def body({', '.join(name for name, _, _, _ in own)}):"]
    lines += [f"    {name} = {name}_" for name, _ in free]
    lines += ["    " + line for line in row.snippet.split("\n")]
    floats = [name for name, _, _, spec in own if is_float(spec)]
    mixed = ", ".join(name if is_float(spec) else f"{name}_" for name, _, _, spec in own)
    if row.context in DIFFERENTIATING:
        lines += ["", f"def total({', '.join(floats)}):", f"    body({mixed})", "    return last_ * 1.0", ""]
    else:
        lines.append(AROUND)
    given = [f"{name}_" for name, _, _, _ in own]
    positions = [k for k, (_, mode, _, _) in enumerate(own) if mode == "static"]
    lines.append(
        template.format(
            a=", ".join(given),
            s=", ".join(given),
            static=f", static_argnums=({', '.join(map(str, positions))},)" if positions else "",
            b=", ".join(map(_stacked, given)),
            p=", ".join(f"jax.tree.map(lambda l: l[None], {name})" for name in given),
            t=", ".join(f"[{name}]" for name in given),
            none="None, " * len(given),
            kw=", ".join(f"a{k}={name}" for k, name in enumerate(given)),
            k=", ".join(f'k["a{k}"]' for k in range(len(given)))
            if row.context == "jit_kwargs"
            else ", ".join(str(k) for k in range(len(floats))),
            f=", ".join(f"{name}_" for name in floats),
            fn=", ".join(floats),
            mixed=mixed,
            fb=", ".join(_stacked(f"{name}_") for name in floats),
            o=", ".join(f"jnp.ones_like({name}_)" for name in floats),
        )
    )
    return "\n".join(lines) + "\n"


def _stacked(text: str) -> str:
    return f"jax.tree.map(lambda l: jnp.stack([l, l]), {text})"
