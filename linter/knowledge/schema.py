"""The words in which the tables speak of library functions.

A table maps a dotted name to a line such as

    zeros(shape!shape:TypeError, dtype!dtype=, *, device=) -> array[shape(shape), dtype]

*Parameters* stand in order, as in a Python signature (`/`, `*`, `*args`, `**kwargs` included); `=` marks one that may be
left out.  `name!category:Error` says that the parameter must be static, to which category it belongs (`shape`, `size`,
`length`, `repeats`, `axis`, `dtype`, `flag`, `other`) and which exception a traced value raises; `Error` may be left out
where it is ConcretizationTypeError.  `name!category:Error|a|b` says: unless `a` or `b` is given.

*Results*, after `->`:

- `array[SHAPE, DTYPE]`   a jax array, staged inside a trace, as traced as its arguments elsewhere; SHAPE is a rule of
  `interpreter.shapes` over parameter names, DTYPE a dtype's name, a parameter, `promote(...)`, `float(...)`, `same(x)`;
  either may be left out, or be `?` for unknown; `array*N[...]` is a tuple of N such arrays, `list[...]`
  a list of any number of them
- `dynamic[PARAMETER:Error]`   a jax array whose shape depends on values, unless PARAMETER is given; empty: always
- `host[TWIN]`    a NumPy, SciPy or math function that needs concrete values; TWIN is its traceable twin, if any
  (error TracerArrayConversionError; `host[TWIN:Error]` for another)
- `delegate[TWIN]`   a NumPy function that calls the argument's own method, so that it works on tracers
- `static[KIND]`, `none`, `same[PARAMETER]`, `unknown`, `taint`   a static value of that type; None; the argument itself; anything;
  anything, traced if an argument is
- `convert[FUNCTION]`   asks its first argument for a Python number
- `effect[KIND]`  a host side effect (KIND of `events.EffectKind`); its result is static
- `transform[KIND]`  returns a function that traces its first parameter's callable when called
- `trace[KIND]`   traces its callables at once; KIND is a model of `interpreter`
- `model[NAME]`   a model of `interpreter` computes it
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

DEFAULT_ERROR = "ConcretizationTypeError"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a library function; `category` is set where it must be static."""

    name: str
    kind: Literal["positional", "either", "keyword", "args", "kwargs"]
    optional: bool = False
    category: str | None = None
    error: str = DEFAULT_ERROR
    unless: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gives: `word` and its bracketed arguments, as the module's docstring lists them."""

    word: str
    arguments: tuple[str, ...] = ()
    count: int = 1

    def argument(self, position: int, default: str = "") -> str:
        """The bracketed argument at this position, or the default."""
        return self.arguments[position] if position < len(self.arguments) else default


@dataclass(frozen=True, slots=True)
class Signature:
    """A library function, as a table describes it."""

    name: str
    parameters: tuple[Parameter, ...]
    result: Result

    def bind(self, positional: int, keywords: tuple[str, ...]) -> tuple[list[Parameter | None], list[Parameter | None]]:
        """The parameters that this many positional arguments and these keywords go to (None: no such parameter)."""
        slots = [p for p in self.parameters if p.kind in ("positional", "either")]
        rest = next((p for p in self.parameters if p.kind == "args"), None)
        named = {p.name: p for p in self.parameters if p.kind in ("either", "keyword")}
        extra = next((p for p in self.parameters if p.kind == "kwargs"), None)
        first: list[Parameter | None] = [slots[i] if i < len(slots) else rest for i in range(positional)]
        return first, [named.get(k, extra) for k in keywords]


class TableError(ValueError):
    """A line of a table (or of the user's `transforms`) that cannot be read."""


_LINE = re.compile(r"\s*(?P<name>[\w.]+)\s*\((?P<parameters>.*)\)\s*->\s*(?P<result>.+?)\s*$", re.S)
_RESULT = re.compile(r"(?P<word>\w+)(?:\*(?P<count>\d+))?(?:\[(?P<arguments>.*)\])?$", re.S)
_PARAMETER = re.compile(
    r"(?P<star>\*{0,2})(?P<name>\w+)(?:!(?P<category>\w+)(?::(?P<error>\w+))?(?:\|(?P<unless>[\w|]+))?)?(?P<optional>=?)$"
)


def split(text: str) -> list[str]:
    """The comma-separated parts of a text, commas inside brackets not counted."""
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += character
    if current.strip():
        parts.append(current.strip())
    return parts


@cache
def parse(line: str) -> Signature:
    """Reads one line of a table.

    Raises:
        TableError: the line is not in the form that the module's docstring describes.
    """
    match = _LINE.match(line)
    result = _RESULT.match(match["result"]) if match else None
    if match is None or result is None:
        raise TableError(f"cannot read the table line {line!r}: expected 'name(parameters) -> result'")
    return Signature(
        match["name"],
        tuple(_parameters(match["parameters"], line)),
        Result(result["word"], tuple(split(result["arguments"] or "")), int(result["count"] or 1)),
    )


def _parameters(text: str, line: str) -> list[Parameter]:
    found: list[Parameter] = []
    keyword_only = False
    for part in split(text):
        if part == "/":
            found = [Parameter(p.name, "positional", p.optional, p.category, p.error, p.unless) for p in found]
            continue
        if part == "*":
            keyword_only = True
            continue
        match = _PARAMETER.match(part)
        if match is None:
            raise TableError(f"cannot read the parameter {part!r} in the table line {line!r}")
        kind: Literal["either", "keyword", "args", "kwargs"] = "keyword" if keyword_only else "either"
        if match["star"]:
            kind = "args" if match["star"] == "*" else "kwargs"
            keyword_only = True
        unless = tuple((match["unless"] or "").split("|")) if match["unless"] else ()
        found.append(
            Parameter(match["name"], kind, bool(match["optional"]), match["category"], match["error"] or DEFAULT_ERROR, unless)
        )
    return found


