"""Candidate values for a parameter, the most telling first: default, annotation, use in the body, a lattice.

A candidate is a note that `arguments.parse_arguments` reads, or a value made from the user's classes.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

from .arguments import make_array
from .structure import SIDE, fitting, stand_in_function
from .usage import Usage

Maker = Callable[[], Any]
OMIT = object()  # leave the argument out, so that the default holds

_LATTICE = (
    ("f32", (SIDE,)),
    ("f32", ()),
    ("f32", (SIDE, SIDE)),
    ("i32", ()),
    ("i32", (SIDE,)),
    ("f32", (SIDE, SIDE, SIDE)),
    ("f32", (SIDE, SIDE, SIDE, SIDE)),
    ("i32", (SIDE, SIDE)),
    ("bool", (SIDE,)),
    ("bool", ()),
    ("f32", (3,)),
)
_KEY_NAME = re.compile(r"(^|_)(key|rng|prng|prngkey|seed_key)s?($|_)")
_COUNT_NAME = re.compile(
    r"^(n|num|count|size|length|steps?|iters?|depth|axis|order|degree|dims?|features|hidden|units|channels|heads)"
    r"(_|$)|_(steps|iters|size|count|dims?|features|units|channels|heads|length)$|^(top_k|k)$"
)
_INDEX_NAME = re.compile(r"(^|_)(ids?|idx|index|indices|tokens?|labels?)($|_)")
_MATRIX_NAME = re.compile(r"^([A-Z]|mat|matrix|weights?|kernel|w|cov|images?|batch|inputs)$")
_MAX_DEPTH = 4


def candidates(
    parameter: inspect.Parameter, annotation: Any, usage: Usage, static: bool, dims: dict[str, int]
) -> list[Maker]:
    """Makers of values to try in turn; the first is the likeliest."""
    makers: list[Maker] = []
    if parameter.default is not inspect.Parameter.empty:
        makers.append(lambda: OMIT)
    makers += from_annotation(annotation, dims)
    makers += _from_usage(parameter.name, usage, static)
    if parameter.default is not inspect.Parameter.empty and parameter.default is not None:
        makers.append(_value(parameter.default))
    if static:
        makers += [_value(value) for value in (2, True, "mean", "SAME", 1.0, (2, 2), None)]
    else:
        makers += [_array(dtype, shape) for dtype, shape in _LATTICE]
        makers += [_array("key", ()), _value(2), _pair, _value(stand_in_function(0, scalar=True))]
    return makers


def _value(value: Any) -> Maker:
    return lambda: value


def _array(dtype: str, shape: tuple[int, ...]) -> Maker:
    return lambda: make_array(dtype, shape)


def _pair() -> Any:
    return (make_array("f32", (SIDE,)), make_array("f32", (SIDE,)))


def _from_usage(name: str, usage: Usage, static: bool) -> list[Maker]:
    makers: list[Maker] = []
    if _KEY_NAME.search(name) and not usage.has_structure:
        usage.random_key = True
    if _INDEX_NAME.search(name) and not usage.has_structure:
        usage.integer = True
    if usage.counted or (_COUNT_NAME.search(name) and not usage.has_structure and not usage.least_rank):
        makers.append(_value(2))
    makers += [_value(text) for text in dict.fromkeys(usage.strings)]
    if usage.strings:
        makers.append(_value("another"))
    if static and usage.tested:
        makers += [_value(True), _value(False)]
    if static and not usage.has_structure:
        return makers
    if usage.element is not None and len(usage.element.members) > 1:
        count = len(usage.element.members)
        makers.append(_value([tuple(range(count)), tuple(range(1, count + 1))]))
    known = usage.has_structure or usage.random_key or usage.tree or usage.integer
    if known or usage.rank is not None or usage.least_rank > 1 or usage.shape is not None:
        makers += [functools.partial(fitting, usage, rank) for rank in (1, 0, 2, 3)]
    if usage.members:
        makers.append(_array("f32", (len(usage.members),)))
    if _MATRIX_NAME.search(name) and not usage.has_structure:
        makers += [_array("f32", (SIDE, SIDE)), _array("f32", (SIDE,))]
    if usage.tested and not static:
        makers.append(_value(True))
    return makers


def from_annotation(annotation: Any, dims: dict[str, int], depth: int = 0) -> list[Maker]:
    """Makers for an annotation: scalars, arrays (jaxtyping's with their shape), containers, classes."""
    if annotation is inspect.Parameter.empty or annotation is None or depth > _MAX_DEPTH:
        return []
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        parts = [part for part in arguments if part is not type(None)]
        return [maker for part in parts for maker in from_annotation(part, dims, depth + 1)] + [_value(None)]
    if origin is typing.Annotated:
        return from_annotation(arguments[0], dims, depth + 1)
    if origin is typing.Literal:
        return [_value(value) for value in arguments]
    if origin is tuple or annotation is tuple:
        parts = [part for part in arguments if part is not Ellipsis]
        repeat = 2 if Ellipsis in arguments else 1
        members = [_first(part, dims, depth) for part in parts] * repeat
        return [lambda: tuple(member() for member in members)] if members else []
    if origin in (list, typing.Sequence) or getattr(origin, "__name__", "") in (
        "Sequence",
        "Iterable",
        "list",
    ):
        member = _first(arguments[0], dims, depth) if arguments else _array("f32", (SIDE,))
        return [lambda: [member(), member()]]
    if isinstance(origin, type) and issubclass(origin, Mapping) and len(arguments) == 2:
        value = _first(arguments[1], dims, depth)
        return [lambda: {"a": value(), "b": value()}]
    if getattr(origin or annotation, "__name__", "") == "Callable" or annotation is typing.Callable:
        return [_value(stand_in_function(0, scalar=False))]
    scalars: dict[Any, tuple[Any, ...]] = {
        int: (2,),
        float: (1.5,),
        bool: (True, False),
        str: ("mean",),
        complex: (1j,),
    }
    if annotation is dict:
        return [functools.partial(fitting, Usage(tree=True), rank) for rank in (1, 0)]
    if annotation in scalars:
        return [_value(value) for value in scalars[annotation]]
    return _from_class(annotation, dims, depth)


def _first(annotation: Any, dims: dict[str, int], depth: int) -> Maker:
    makers = from_annotation(annotation, dims, depth + 1)
    return makers[0] if makers else _array("f32", (SIDE,))


def _from_class(annotation: Any, dims: dict[str, int], depth: int) -> list[Maker]:
    text = getattr(annotation, "dim_str", None)
    if isinstance(text, str):  # jaxtyping: Float[Array, "batch 3"]
        return [_array(_dtype_of(annotation), _shape_of(text, dims))]
    if not isinstance(annotation, type):
        return []
    if annotation.__name__ in ("Array", "ndarray", "ArrayLike", "ArrayImpl"):
        return []  # says that it is an array, which the lattice assumes
    if dataclasses.is_dataclass(annotation) or hasattr(annotation, "_fields") or _is_plain_class(annotation):
        return [lambda: build(annotation, dims, depth + 1)]
    return []


def _is_plain_class(cls: type) -> bool:
    return cls.__module__ == "__main__"


def build(cls: type, dims: dict[str, int], depth: int = 0, usage: Mapping[str, Usage] | None = None) -> Any:
    """An instance of a user's class, its constructor called with candidates for what has no default."""
    hints = hints_of(cls.__dict__.get("__init__", cls))
    chosen: dict[str, Any] = {}
    for parameter in _constructor_parameters(cls):
        if parameter.default is inspect.Parameter.empty and parameter.kind in (
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            inspect.Parameter.KEYWORD_ONLY,
        ):
            use = (usage or {}).get(parameter.name, Usage())
            makers = from_annotation(hints.get(parameter.name, parameter.annotation), dims, depth)
            makers += [*_from_usage(parameter.name, use, static=False), _array("f32", (SIDE,))]
            chosen[parameter.name] = makers[0]()
    return cls(**chosen)


def _constructor_parameters(cls: type) -> list[inspect.Parameter]:
    try:
        return list(inspect.signature(cls).parameters.values())
    except (TypeError, ValueError):
        return []


def hints_of(function: Any) -> dict[str, Any]:
    """The evaluated annotations of a function or class; those that evaluate, if not all do."""
    try:
        return typing.get_type_hints(function)
    except Exception:  # noqa: BLE001 (an annotation names something that is not there)
        raw = getattr(function, "__annotations__", {})
        return {name: value for name, value in raw.items() if not isinstance(value, str)}


def _dtype_of(annotation: Any) -> str:
    name = getattr(annotation, "__name__", "") + getattr(getattr(annotation, "dtype", None), "__name__", "")
    if "Int" in name or "Integer" in name:
        return "i32"
    if "Bool" in name:
        return "bool"
    return "key" if "Key" in name else "f32"


def _shape_of(text: str, dims: dict[str, int]) -> tuple[int, ...]:
    shape: list[int] = []
    for word in text.split():
        word = word.rpartition("=")[2].lstrip("#")
        if word.startswith(("*", "...")) or word == "...":
            continue
        shape.append(int(word) if word.isdigit() else dims.setdefault(word, SIDE + len(dims)))
    return tuple(shape)
