"""The words in which the tables speak of library functions.

A table's line describes a function, or several that are alike:

    zeros ones empty(shape!:TypeError, dtype!:TypeError=, *, device=) -> array[shape(shape), dtype|float32]

*Parameters* stand in order, as in a Python signature (`/`, `*`, `*args`, `**kwargs` included); `=` marks one that may be
left out.  `name!category:Error` says that the parameter must be static, to which category it belongs (`shape`, `size`,
`length`, `repeats`, `axis`, `dtype`, `flag`, `other`) and which exception a traced value raises.  A category left out is
that of the parameter's name in `CATEGORIES`; an `Error` left out is ConcretizationTypeError.  `name!...|a|b` says: unless
`a` or `b` is given, `name!...&a`: only where `a` is given and not zero, `name!...@scalar`: only where the value is a
scalar.  A parameter of an object's method that is not given is that of the object, if it was made with one of the name.

*Results*, after `->`:

- `array[SHAPE, DTYPE]`   a jax array, staged inside a trace, as traced as its arguments elsewhere; rules left out are
  unknown; `array*N[...]` is a tuple of N such arrays, where `A & B & ...` holds a rule for each of them,
  `list[SHAPE, DTYPE]` any number of them
- `dynamic[PARAMETER|PARAMETER...:Error, RESULT]`   needs concrete arguments, as the shape of its result depends on
  their values, unless one of the parameters is given: then its result is RESULT; empty: always; `PARAMETER of DECIDING`:
  where nothing is staged, on those of that one argument
- `when[PARAMETER|PARAMETER..., RESULT, OTHERWISE]`   depends on whether a flag (or other parameter) is given and not False
- `host[TWIN:Error, SHAPE, KIND]`    a NumPy, SciPy or math function that needs concrete values; TWIN is its traceable
  twin, if any, whose shape rule holds too where SHAPE is left out (error TracerArrayConversionError, kind `ndarray`, where
  none is given); a KIND with a capital is that of an object, as `object[KIND]` makes it
- `consults[ERROR, FUNCTION(ARGUMENTS), RESULT]`   a host function that calls the user's function (as in `calls`) and raises
  ERROR where that gives a tracer; else its result is RESULT
- `checks[WRAPPER:Error]`   a check of values, which raises Error for a tracer unless WRAPPER puts it off
- `delegate[TWIN]`   a NumPy function that calls the method of its first argument, so that it works on a tracer there
  (though not on a list of them)
- `delegate_concrete[TWIN]`   the same of a method that needs values: it works where only derivatives are taken
- `static[KIND, SHAPE, DTYPE]`, `several[KIND]`   a static value of that type, an `ndarray` or what stands for an array of
  that shape and dtype; one or more of them
- `iterator[RESULT]`   an iterator of the function's own type, over the elements of what RESULT gives
- `changes[FLAG, OWNER|OWNER, RESULT]`   a method that changes what the first OWNER given holds, unless FLAG is set
- `none`, `same[PARAMETER]`, `unknown`   None; the argument itself; anything
- `like[PARAMETER]`   a new tree of the argument's structure, its arrays like those in the argument, its numbers static
- `record[NAME=RESULT, ...]`   a named tuple of these, a tuple where the names are left out; alone, of what the parameters
  are given, None for those that are left out
- `tree`   arrays in a container that depends on the arguments, as traced as `array`
- `taint`   anything, traced if an argument is
- `mutate[METHOD]`   a method that changes a NumPy array in place, and that jax arrays refuse (AttributeError)
- `concrete[ERROR, RESULT]`   a method that tracers lack, raising ERROR; for a concrete array its result is RESULT
- `convert[FUNCTION]`   asks its first argument for a Python number
- `effect[KIND:Error, RESULT]`  a host side effect (KIND of `events.EffectKind`), which raises Error, if any, for a tracer;
  RESULT, if left out, is static
- `transform[KIND]`  returns a function that traces its first parameter's callable when called; without that argument,
  a decorator that does
- `trace[KIND]`   traces its callables at once; `handles[KIND]`: calls them, if at all, outside any trace of its own
- `model[NAME]`   the interpreter computes it
- `object[KIND]`   a new object, which remembers its arguments; its methods stand under KIND in `METHODS`, `__call__` among
  them; `object[KIND, own]`: with parameters of its own, which are arrays; `object[KIND, own, FUNCTION]`: and a function,
  that of a parameter or of a library, among its leaves
- `layer[SHAPE, DTYPE]`   as `array`, and depends on the parameters of the layer, or those threaded through by `apply`
- `collective[RESULT]`   needs the axis that its `axis_name` names bound by a map around it
- `initialised`   what a function `init_fn` gives for `init_args`, as `layer`
- `variable[PARAMETER]`   an object that holds an array, as which it behaves
- `traces[FUNCTION(ARGUMENTS), ..., RESULT]`, `maps[...]`, `calls[...]`   calls functions inside a trace of their own, under
  `vmap`, or in the trace under way (`interpreter.callbacks` explains the arguments); without a result: anything; `same`:
  what the function gave

*Kinds of transforms*: `jit`, `filter_jit` (arrays traced, all else static), `vmap`, `filter_vmap` (arrays mapped), `pmap`
(`vmap` inside `jit`), `grad`, `value_and_grad`, `jacobian`, `checkpoint`, `custom_jvp`, `custom_vjp`, `make_jaxpr`,
`shard_map`, `checkify`, `vectorize`, `lift` (over a module), `graph_scan`, `filter_checkpoint`, `transparent` (the function
as it is), `opaque` (how it calls the function is not known).
*Kinds of traces*: `scan`, `cond`, `switch`, `while_loop`, `fori_loop`, `map`, `linear_solve`, `associative_scan`, `reduce`, `reduce_window`,
`jvp`, `vjp`, `linearize`, `linear_transpose`, `eval_shape`, `pure_callback`, `io_callback`, `debug_callback`, `tree_map`,
`tree_map_with_path`, `tree_reduce`, `at_apply`, those of `interpreter.frameworks` (`haiku_pair`, ...), `opaque`.
*Models*: `partial`, `partialmethod`, `dispatcher` (`singledispatch`; its methods `register` and `dispatch`), `wraps`, `lru_cache`, `bound_arguments` (of an `inspect.Signature`) and `defaults_applied`, `reduce`, `multiplied` (`math.prod`), `operator` (by its name), `itemgetter`,
`attrgetter`, `methodcaller`, `copy`, `dict`, `defaultdict`, `list`, `namedtuple`, `dataclass`, `field`, `replace`, `asdict`,
`astuple`, `chain`, `chain_from`, `product`, `iterate` (tuples of the elements), `pairwise`, `repeat`, `count`, `starmap`,
`tree_leaves`, `tree_flatten`, both also `_with_path`, `tree_structure`, `tree_unflatten`, `ravel_pytree`, `key_sequence` (an iterator of keys), `register_pytree` (of its
first argument, a class, which it returns), `pytree_dataclass` (a class decorator), `joined_by_index` (`r_[...]`), `shape`,
`ndim`, `size`, `atleast`, `stop_gradient`, `fetched` (as NumPy arrays), `truth` and `untruth` (of its first argument),
`combined` (the object itself, with a number or one of its kind), and those of `interpreter.selection_models` (`filtered`, ...).

*Shape rules*, over parameter names (a parameter that was not given counts as its default: no axis, no keepdims):
`scalar`, `?`, `same(x)`, `broadcast(x, y, ...)` (a `*args` or sequence parameter stands for its items),
`shape(s)` (the value is the shape: an int or a sequence of ints), `of(x)` (of a nested Python value, as `asarray`),
`reduce(a, axis, keepdims)`, `cumulate(a, axis)` (flat without axis), `ravel(a)`, `reshape(a, shape)`,
`transpose(a, axes)`, `swap(a, axis1, axis2)`, `move(a, source, destination)`, `matrix_transpose(a)`, `expand(a, axis)`,
`squeeze(a, axis)`, `stack(arrays, axis)`, `concatenate(arrays, axis)`, `vstack(arrays)`, `hstack(arrays)`, `matmul(a, b)`,
`dot(a, b)`, `outer(a, b)`, `einsum(subscripts, operands)`, `arange(start, stop, step)`, `linspace(start, stop, num)`,
`eye(N, M)`, `take(a, indices, axis)`, `repeat(a, repeats, axis, total_repeat_length)`, `tile(a, reps)`, `pad(a, width)`,
`one_hot(x, size, axis)`, `diag(v, k)`, `resize(a, size, axis)` (that axis gets that length), `split(key, num)`,
`append(x, n)` (one more axis of length n at the end), `joined(a, values, axis)` (as `numpy.append`).
`A|B` is the first rule whose parameters were given and are not None.

*Dtype rules*: a dtype's name (a default type is one of 64 bits with `jax_enable_x64`, `exactly(int32)` is not), `?`, a parameter's name (its value is the dtype), `same(x)`, `promote(x, y, ...)`,
`float(x)` (to inexact), `real(x)` (complex to its float), `magnitude(x)` (both of these), `complex(x)`, `sum(x)` (bool and
small integers widen to int32 or uint32), `of(x)` (of a nested Python value), `key` (a typed random key); `A|B` as above.
`same`, `promote`, `float`, `real` and `of` keep weak types; all others give strong ones, among them `strong(x, y, ...)`,
else as `promote`, and `inexact(x, y, ...)`, else as `float`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

DEFAULT_ERROR = "ConcretizationTypeError"

CATEGORIES: Mapping[str, str] = {
    name: category
    for category, names in {
        "shape": "shape new_shape new_sizes sizes slice_sizes dims window_dimensions filter_shape pad_width s",
        "size": "size num_classes num_segments n N M m d k bins indices_or_sections deg",
        "length": "length total_repeat_length num minlength",
        "repeats": "repeats reps",
        "axis": "axis axes axis1 axis2 axisa axisb axisc dimension dimensions source destination permutation "
        "in_axis out_axis broadcast_dimensions start_dimension stop_dimension split_axis concat_axis",
        "dtype": "dtype new_dtype index_dtype preferred_element_type",
        "flag": "keepdims reverse descending stable copy endpoint retstep density assume_unique assume_unique_indices "
        "return_index return_inverse return_counts return_indices equal_nan sorted replace independent invert "
        "increasing deg_ full full_matrices compute_uv hermitian upper lower inplace sparse antialias approximate "
        "is_causal return_sign include_initial promote_integers indices_are_sorted unique_indices right rowvar bias "
        "trim_leading_zeros strip_zeros is_stable is_leaf aggregate_to_topk symmetric symmetrize_input "
        "transpose_kernel allow_negative_indices wrap_negative_indices",
    }.items()
    for name in names.split()
}
"""The category of a parameter that must be static, by its name, where a line gives none; otherwise `other`."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a library function; `category` is set where it must be static.

    It need not be static where one of `unless` is given or `only` is not, nor, if `scalar`, where the value is no scalar.
    """

    name: str
    kind: Literal["positional", "either", "keyword", "args", "kwargs"]
    optional: bool = False
    category: str | None = None
    error: str = DEFAULT_ERROR
    unless: tuple[str, ...] = ()
    only: str = ""
    scalar: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What a call gives: `word` and its bracketed arguments, as the module's docstring lists them."""

    word: str
    arguments: tuple[str, ...] = ()
    count: int = 1

    def argument(self, position: int, default: str = "") -> str:
        """The bracketed argument at this position, or the default."""
        return self.arguments[position] if position < len(self.arguments) else default

    def rule(self, position: int, number: int) -> str:
        """The rule for one of several arrays: of `A & B` the one at its place, or the only one."""
        rules = self.argument(position).split(" & ")
        return rules[min(number, len(rules) - 1)]

    def error(self, default: str = DEFAULT_ERROR) -> str:
        """The exception's name after the colon of the first argument, as in `host[TWIN:Error]`, or the default."""
        return self.argument(0).partition(":")[2] or default


@dataclass(frozen=True, slots=True)
class Signature:
    """A library function, as a table describes it."""

    name: str
    parameters: tuple[Parameter, ...]
    result: Result
    _bindings: dict[tuple[int, tuple[str, ...]], tuple[list[Parameter | None], list[Parameter | None]]] = (
        field(default_factory=dict, compare=False, repr=False)
    )

    def bind(
        self, positional: int, keywords: tuple[str, ...]
    ) -> tuple[list[Parameter | None], list[Parameter | None]]:
        """The parameters that this many positional arguments and these keywords go to (None: no such parameter)."""
        known = self._bindings.get((positional, keywords))
        if known is None:
            known = self._bindings[positional, keywords] = self._bind(positional, keywords)
        return known

    def _bind(
        self, positional: int, keywords: tuple[str, ...]
    ) -> tuple[list[Parameter | None], list[Parameter | None]]:
        slots = [p for p in self.parameters if p.kind in ("positional", "either")]
        rest = next((p for p in self.parameters if p.kind == "args"), None)
        named = {p.name: p for p in self.parameters if p.kind in ("either", "keyword")}
        extra = next((p for p in self.parameters if p.kind == "kwargs"), None)
        first: list[Parameter | None] = [slots[i] if i < len(slots) else rest for i in range(positional)]
        return first, [named.get(k, extra) for k in keywords]


class TableError(ValueError):
    """A line of a table (or of the user's `transforms`) that cannot be read."""


_LINE = re.compile(r"\s*(?P<name>[\w.]+)\s*\((?P<parameters>.*)\)\s*->\s*(?P<result>.+?)\s*$", re.DOTALL)
_RESULT = re.compile(r"(?P<word>\w+)(?:\*(?P<count>\d+))?(?:\[(?P<arguments>.*)\])?$", re.DOTALL)
_PARAMETER = re.compile(
    r"(?P<star>\*{0,2})(?P<name>\w+)"
    r"(?P<static>!(?P<category>\w+)?(?::(?P<error>\w+))?(?:\|(?P<unless>[\w|]+))?(?:&(?P<only>\w+))?(?P<scalar>@scalar)?)?"
    r"(?P<optional>=?)$"
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
    """Reads the description of one function.

    Raises:
        TableError: the line is not in the form that the module's docstring describes.
    """
    match = _LINE.match(line)
    if match is None:
        raise TableError(f"cannot read the table line {line!r}: expected 'name(parameters) -> result'")
    return Signature(
        match["name"], tuple(_parameters(match["parameters"], line)), parse_result(match["result"])
    )


@cache
def parse_result(text: str) -> Result:
    """Reads what stands after `->`.

    Raises:
        TableError: it is no word with bracketed arguments.
    """
    match = _RESULT.match(text)
    if match is None:
        raise TableError(
            f"cannot read the result {text!r}: expected a word such as array, static[int] or transform[jit]"
        )
    return Result(match["word"], tuple(split(match["arguments"] or "")), int(match["count"] or 1))


def _parameters(text: str, line: str) -> list[Parameter]:
    found: list[Parameter] = []
    keyword_only = False
    for part in split(text):
        if part == "/":
            found = [replace(parameter, kind="positional") for parameter in found]
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
        name = match["name"]
        found.append(
            Parameter(
                name,
                kind,
                bool(match["optional"]),
                (match["category"] or CATEGORIES.get(name, "other")) if match["static"] else None,
                match["error"] or DEFAULT_ERROR,
                tuple(match["unless"].split("|")) if match["unless"] else (),
                match["only"] or "",
                bool(match["scalar"]),
            )
        )
    return found
