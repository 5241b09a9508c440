"""Which equations run natively together, and which are left to NumPy or BLAS between them."""

from __future__ import annotations

import math
from collections.abc import Collection

from ..primitives.threefry import is_partitionable
from .flat import Atom, Eqn, Flat, Var
from .movement import LAZY
from .structural import STRUCTURAL
from .types import ELEMENTS

#: From this many multiplications on a product of matrices goes to BLAS,
_BLAS_FLOPS = 8192
#: unless tiles find the right one in a near cache, or it meets so few rows that it is read but a few times.
_CACHED_BYTES = 1 << 19
_STREAMED_BYTES = 1 << 22
_FEW_ROWS = 16
#: Tiles read a copy of one that lies the other way round.
_COPIED_BYTES = 1 << 16
#: From this many on it is worth several threads, which tiles do not use.
_THREADED_FLOPS = 1 << 26
#: Matrices of more rows than this are factored, and solved, by halves, whose products go to BLAS.
_FACTORED_ROWS = 512
#: LAPACK is quicker with larger matrices.
_REFLECTED_ROWS = 32
#: More than so many of the largest elements are sorted by NumPy; in a loop only if they are far more.
_LARGEST, _LARGEST_INSIDE = 64, 1024
#: NumPy is quicker to sort; in a loop it is quicker from so many elements on.
_SORTED_INSIDE = 1024
_FACTORIZATIONS = frozenset(("cholesky", "lu", "triangular_solve"))
#: What there is for complex numbers besides elementwise operations. Their larger products go to BLAS from loops, too.
_COMPLEX = frozenset(
    "reduce_sum reduce_prod cumsum cumprod dot_general dynamic_update_slice scatter scatter-add scatter-sub "
    "scatter-mul while scan cond".split()
) | (LAZY.keys() - {"iota"})
_COMPLEX_FLOPS = 1 << 18
#: What combines with what an array holds already; bfloat16 would have to be rounded each time.
_ROUNDED_IN_MEMORY = frozenset(("scatter-add", "scatter-sub", "scatter-mul", "cumsum", "cumprod"))


class Segment:
    """Equations that become one native function."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat


def is_native(eqn: Eqn, refused: Collection[str], *, inside: bool = False) -> bool:
    """Whether there is native code for an equation; ``inside`` a loop, products stay there too."""
    name = eqn.name
    if name in refused or eqn.effects or not (eqn.rule is not None or name in LAZY or name in STRUCTURAL):
        return False
    for a in (*eqn.inputs, *eqn.outputs):
        if str(a.dtype) not in ELEMENTS:
            return False
    if eqn.is_complex and eqn.rule is None and name not in _COMPLEX:
        return False
    if name in ("random_split", "random_bits", "random_gamma") and not is_partitionable():
        return False
    if name in _ROUNDED_IN_MEMORY and str(eqn.outputs[0].dtype) == "bfloat16":
        return False
    if name == "dot_general":
        return _plain_product(eqn) and not goes_to_blas(eqn, inside=inside)
    if name == "conv_general_dilated":
        from . import convolution

        return convolution.is_native(eqn)
    if name in _FACTORIZATIONS:
        return inside or max(eqn.inputs[0].shape[-2:]) <= _FACTORED_ROWS
    if name == "qr":
        small = max(eqn.inputs[0].shape[-2:]) <= _REFLECTED_ROWS
        return not eqn.params["pivoting"] and (inside or small)
    if name == "sort":
        count = eqn.inputs[0].shape[eqn.params["dimension"]]
        return inside and (len(eqn.inputs) > 1 or count <= _SORTED_INSIDE)
    if name == "top_k":
        return bool(eqn.params["k"] <= (_LARGEST_INSIDE if inside else _LARGEST))
    if name == "bitcast_convert_type" and eqn.inputs[0].shape != eqn.outputs[0].shape:
        return False
    if name in ("argmax", "argmin") and len(eqn.params["axes"]) != 1:
        return False
    return not eqn.bodies or all(is_native(e, refused, inside=True) for body in eqn.bodies for e in body.eqns)


def _plain_product(eqn: Eqn) -> bool:
    """Whether the type of the operands is that of the sums; those of bfloat16 may also stay float32."""
    kinds, (result,) = {str(a.dtype) for a in eqn.inputs}, (str(a.dtype) for a in eqn.outputs)
    if kinds == {"bfloat16"}:
        return result in ("bfloat16", "float32")
    return kinds == {result} and result not in ("float16", "bool")


def goes_to_blas(eqn: Eqn, *, inside: bool) -> bool:
    """Whether a product is large enough for a call to BLAS to pay."""
    left, right = eqn.inputs
    (contracted, contracted_right), (_, batch) = eqn.params["dimension_numbers"]
    depth = math.prod(left.shape[d] for d in contracted)
    work = math.prod(eqn.outputs[0].shape) * depth
    if left.dtype.kind == "c":
        return work >= (_COMPLEX_FLOPS if inside else _BLAS_FLOPS)
    if inside or str(left.dtype) not in ("float32", "float64", "bfloat16") or work < _BLAS_FLOPS:
        return False
    columns = [d for d in range(len(right.shape)) if d not in (*contracted_right, *batch)]
    if work >= _THREADED_FLOPS or not columns:
        return True
    size = depth * math.prod(right.shape[d] for d in columns)
    rows = work // max(1, size * math.prod(right.shape[d] for d in batch))
    held = size * ELEMENTS[str(right.dtype)].bytes
    if min(columns) < max(contracted_right, default=-1):
        return held > _COPIED_BYTES
    return held > (_STREAMED_BYTES if rows <= _FEW_ROWS else _CACHED_BYTES)


def partition(flat: Flat, refused: Collection[str]) -> list[Segment | Eqn]:
    """The equations in groups: all native ones that wait for the same number of others are one function."""
    # An argument of another type may be one that is not used, or is a result as it came.
    passable = all(str(a.dtype) in ELEMENTS for a in (*flat.inputs, *flat.outputs))
    if passable and flat.eqns and all(is_native(eqn, refused) for eqn in flat.eqns):
        return [Segment(flat)]
    ready: dict[Var, int] = dict.fromkeys(flat.inputs, 0)
    native: dict[int, list[Eqn]] = {}
    others: dict[int, list[Eqn]] = {}
    floor = 0  # effects stay in order

    def depth(eqn: Eqn) -> int:
        atoms: list[Atom] = [*eqn.inputs, *(v for body in eqn.bodies for v in body.free())]
        return max((ready.get(a, 0) for a in atoms if isinstance(a, Var)), default=0)

    for eqn in flat.eqns:
        at = depth(eqn)
        if is_native(eqn, refused):
            native.setdefault(at, []).append(eqn)
        else:
            if eqn.effects:
                at = floor = max(at, floor)
            others.setdefault(at, []).append(eqn)
            at += 1
        ready.update(dict.fromkeys(eqn.outputs, at))
    if (
        passable
        and not others
        and (native or not all(isinstance(a, Var) and a in ready for a in flat.outputs))
    ):
        return [Segment(flat)]
    needed = _readers(flat, native, others)
    result: list[Segment | Eqn] = []
    for k in range(max([*native, *others, 0]) + 1):
        if k in native:
            result.append(_segment(flat, native[k], needed))
        result.extend(others.get(k, []))
    return result


def _readers(flat: Flat, native: dict[int, list[Eqn]], others: dict[int, list[Eqn]]) -> dict[Var, set[int]]:
    """Which groups read a value: -1 stands for everything outside of native code."""
    readers: dict[Var, set[int]] = {}

    def note(eqn: Eqn, group: int) -> None:
        for a in (*eqn.inputs, *(v for body in eqn.bodies for v in body.free())):
            if isinstance(a, Var):
                readers.setdefault(a, set()).add(group)

    for k, eqns in native.items():
        for eqn in eqns:
            note(eqn, k)
    for eqns in others.values():
        for eqn in eqns:
            note(eqn, -1)
    for a in flat.outputs:
        if isinstance(a, Var):
            readers.setdefault(a, set()).add(-1)
    return readers


def _segment(flat: Flat, eqns: list[Eqn], needed: dict[Var, set[int]]) -> Segment:
    inside = {v for eqn in eqns for v in eqn.outputs}
    inputs: dict[Var, None] = {}
    for eqn in eqns:
        for a in (*eqn.inputs, *(v for body in eqn.bodies for v in body.free())):
            if isinstance(a, Var) and a not in inside:
                inputs[a] = None
    own = {id(e) for e in eqns}
    outputs: list[Atom] = [v for eqn in eqns for v in eqn.outputs if _leaves(v, needed, own, eqns)]
    return Segment(Flat.of(eqns, list(inputs), outputs, {}))


def _leaves(var: Var, needed: dict[Var, set[int]], own: set[int], eqns: list[Eqn]) -> bool:
    """Whether a value of a segment is read outside of it."""
    groups = needed.get(var, set())
    return bool(groups) and (-1 in groups or len(groups) > 1 or not _reads(var, eqns))


def _reads(var: Var, eqns: list[Eqn]) -> bool:
    return any(a is var for e in eqns for a in (*e.inputs, *(v for body in e.bodies for v in body.free())))
