"""Convolutions: tiles of the result stay in registers while all that the kernel meets streams past them.

Images are read with their edges, examples first and features last, kernels with their output features last: what comes
in another order is copied so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from . import transposed_convolution
from .builder import Builder, Value
from .engine import host
from .flat import Atom, Eqn, Var
from .index import flatten, identity, strides, zero
from .loops import Frame, each, flushing, loop
from .nest import REDUCERS, Stage
from .node import Leaf
from .product import SUMS, TERMS, VECTORS, element_at, multiplied
from .scope import Scope
from .types import I64

#: Fewer output features than this leave most of a vector empty.
_FEATURES = 4
#: Sums of more terms than this are not worth an array that is gone through for each of them.
_PASSES = 64


class Axis(NamedTuple):
    """One axis of space: how many positions there are and how far apart, the places of the kernel, edges before and after."""

    positions: int
    stride: int
    places: int
    dilation: int
    low: int
    high: int


class Form(NamedTuple):
    """The shape of a convolution."""

    examples: int
    groups: int
    features: int  # of the image, in a group
    outputs: int  # features of the result, in a group
    axes: tuple[Axis, ...]

    @classmethod
    def of(cls, eqn: Eqn) -> Form:
        lhs, rhs = eqn.inputs
        (out,) = eqn.outputs
        params = eqn.params
        numbers = params["dimension_numbers"]
        groups = int(params["feature_group_count"])
        axes = tuple(
            Axis(
                out.shape[o],
                int(stride),
                rhs.shape[k],
                int(dilation),
                int(low),
                (out.shape[o] - 1) * int(stride)
                + (rhs.shape[k] - 1) * int(dilation)
                + 1
                - lhs.shape[x]
                - int(low),
            )
            for x, k, o, stride, dilation, (low, _) in zip(
                numbers.lhs_spec[2:],
                numbers.rhs_spec[2:],
                numbers.out_spec[2:],
                params["window_strides"],
                params["rhs_dilation"],
                params["padding"],
                strict=True,
            )
        )
        return cls(
            lhs.shape[numbers.lhs_spec[0]],
            groups,
            rhs.shape[numbers.rhs_spec[1]],
            out.shape[numbers.out_spec[1]] // groups,
            axes,
        )

    @property
    def terms(self) -> int:
        """How many products each element of the result is the sum of."""
        return self.features * math.prod(axis.places for axis in self.axes)

    @property
    def is_depthwise(self) -> bool:
        return self.features == self.outputs == 1 and self.groups > 1


def is_native(eqn: Eqn) -> bool:
    """Whether there is code for a convolution, with the result that XLA gives where a kernel is infinite.

    There, XLA multiplies edges by the kernel in some convolutions and leaves them out of others; see
    `window_kernels.conv`. Here they are multiplied.
    """
    lhs, rhs = eqn.inputs
    (out,) = eqn.outputs
    params = eqn.params
    if {str(a.dtype) for a in (lhs, rhs, out)} not in ({"float32"}, {"float64"}):
        return False
    if (
        0 in (*lhs.shape, *rhs.shape, *out.shape)
        or len(rhs.shape) == 2
        or int(params["batch_group_count"]) != 1
    ):
        return False
    if _has_gaps(eqn):
        return transposed_convolution.is_native(eqn)
    form = Form.of(eqn)
    has_edges = any(axis.low > 0 or axis.high > 0 for axis in form.axes)
    if has_edges and (str(lhs.dtype) == "float64" or len(form.axes) > 3 or math.prod(rhs.shape) <= 2):
        return False
    return form.outputs >= _FEATURES or (
        form.terms <= _PASSES and (form.is_depthwise or (form.groups == 1 and form.outputs == 1))
    )


def _has_gaps(eqn: Eqn) -> bool:
    return any(int(d) != 1 for d in eqn.params["lhs_dilation"])


# ------------------------------------------------------------------------------------------------ plans


def plan_convolution(scope: Scope, eqn: Eqn) -> None:
    """Plans what `is_native` allows."""
    if _has_gaps(eqn):
        transposed_convolution.plan_transposed(scope, eqn)
        return
    lhs, rhs = eqn.inputs
    (out,) = eqn.outputs
    numbers = eqn.params["dimension_numbers"]
    form = Form.of(eqn)
    image = _with_edges(scope, lhs, (numbers.lhs_spec[0], *numbers.lhs_spec[2:], numbers.lhs_spec[1]), form)
    kernel = scope.arranged(
        scope.materialise(rhs), (*numbers.rhs_spec[2:], numbers.rhs_spec[1], numbers.rhs_spec[0])
    )
    order = (numbers.out_spec[0], *numbers.out_spec[2:], numbers.out_spec[1])
    result = out if order == tuple(range(len(order))) else Var([out.shape[d] for d in order], out.dtype)
    if form.outputs >= _FEATURES:
        leaf = scope.leaves[result] = scope.new_leaf(result, f"v{result.id}")
        scope.add(Convolution(image, kernel, leaf, form))
    else:
        _accumulate(scope, image, kernel, result, form)
    if result is not out:
        scope.leaves[out] = scope.arranged(scope.leaves[result], [order.index(d) for d in range(len(order))])


def _with_edges(scope: Scope, lhs: Atom, order: Sequence[int], form: Form) -> Leaf:
    edges = [(0, 0), *((axis.low, axis.high) for axis in form.axes), (0, 0)]
    if all(low == 0 and high <= 0 for low, high in edges):
        return scope.arranged(scope.materialise(lhs), order)
    return _copied(scope, lhs, order, edges)


def _copied(scope: Scope, atom: Atom, order: Sequence[int], edges: Sequence[tuple[int, int]]) -> Leaf:
    """Plans a copy with zeros at the edges, or what is beyond them cut off."""
    source = scope.materialise(atom)
    sizes = [atom.shape[d] for d in order]
    shape = tuple(n + low + high for n, (low, high) in zip(sizes, edges, strict=True))
    target = Leaf("copy", shape, source.elem)
    nodes, puller = scope.domain(shape)
    places = identity(shape)
    inside = None
    at = list(places)
    for d, (place, n, (low, high)) in enumerate(zip(places, sizes, edges, strict=True)):
        at[order[d]] = place.plus(-low)
        if low > 0 or high > 0:
            inside = puller.both(inside, nodes.inside(place, low, low + n))
    value = puller.load(source, tuple(at), inside)
    root = value if inside is None else puller.select(inside, value, nodes.const(0, source.elem))
    scope.place(shape, nodes, Stage(target, root, flatten(places, shape, len(shape))))
    return target


def _accumulate(scope: Scope, image: Leaf, kernel: Leaf, out: Var, form: Form) -> None:
    """Plans a sum that goes through rows of the result once for each of its terms."""
    row = form.groups if form.is_depthwise else form.axes[-1].positions
    outer = form.axes if form.is_depthwise else form.axes[:-1]
    domain = (
        form.examples,
        *(axis.positions for axis in outer),
        *(axis.places for axis in form.axes),
        form.features,
        row,
    )
    places = identity(domain)
    example, last, feature = places[0], places[-1], places[-2]
    position = [*places[1 : 1 + len(outer)], *([] if form.is_depthwise else [last])]
    place = places[1 + len(outer) : -2]
    spaces = tuple(
        p.times(axis.stride).add(k.times(axis.dilation))
        for p, k, axis in zip(position, place, form.axes, strict=True)
    )
    nodes, puller = scope.domain(domain)
    channel = last if form.is_depthwise else feature
    x = puller.load(image, (example, *spaces, channel))
    w = puller.load(kernel, (*place, feature, last if form.is_depthwise else zero(len(domain))))
    terms = nodes.compute("mul", Builder.mul, (x, w), image.elem)
    kept = (*range(1 + len(outer)), len(domain) - 1)
    scope.reduce(out, domain, nodes, terms, kept, REDUCERS["sum"])


# ------------------------------------------------------------------------------------------------ code


class Convolution:
    """The result as a step: for each position the sum over places and features, by tiles of positions and output features."""

    local_bytes = 0
    local_offset = 0

    def __init__(self, image: Leaf, kernel: Leaf, target: Leaf, form: Form) -> None:
        self.image, self.kernel, self.target, self.form = image, kernel, target, form
        self.width = host().vector_bytes // target.elem.bytes
        while self.width > form.outputs:
            self.width //= 2
        # Steps between elements: of the image and of the result along each axis of space.
        self.image_steps, self.target_steps = (strides(leaf.shape)[1:-1] for leaf in (image, target))

    @property
    def reads(self) -> Sequence[Leaf]:
        return (self.image, self.kernel)

    @property
    def writes(self) -> Sequence[Leaf]:
        return (self.target,)

    @property
    def work(self) -> int:
        return self.target.size * self.form.terms // TERMS

    def emit(self, scope: Scope, frame: Frame) -> None:
        form = self.form
        vectors = -(-form.outputs // self.width)
        sums = SUMS[host().registers]
        across = min(VECTORS, vectors)
        rows = sums // across
        *_, last = form.axes
        tile_x = min(last.positions, rows)
        above = form.axes[-2].positions if len(form.axes) > 1 else 1
        tile_y = min(above, rows // tile_x) if tile_x == last.positions else 1

        def example(inner: Frame, n: Value) -> None:
            def group(f: Frame, g: Value) -> None:
                b = f.builder()
                start = [
                    b.add(
                        b.mul(n, b.const(I64, self.image.size // form.examples)),
                        b.mul(g, b.const(I64, form.features)),
                    ),
                    b.add(
                        b.mul(n, b.const(I64, self.target.size // form.examples)),
                        b.mul(g, b.const(I64, form.outputs)),
                    ),
                ]
                self._space(f, 0, start, g, (tile_y, tile_x), across)

            each(inner, form.groups, group)

        flushing(frame, lambda: each(frame, form.examples, example))

    def _space(
        self,
        frame: Frame,
        axis: int,
        start: list[Value],
        group: Value,
        tile: tuple[int, int],
        across: int,
    ) -> None:
        """Loops over positions, from the outer axes in; `start` is where the image is read and the result written."""
        axes = self.form.axes
        inner_axes = len(axes) - axis
        size = tile[1] if inner_axes == 1 else tile[0] if inner_axes == 2 else 1
        count = axes[axis].positions
        whole = count // size * size
        for begin, end, step in ((0, whole, size), (whole, count, count - whole)):
            if begin == end:
                continue

            def body(f: Frame, at: Value, begin: int = begin, step: int = step) -> None:
                b = f.builder()
                at = b.add(at, b.const(I64, begin))
                moved = [
                    b.add(start[0], b.mul(at, b.const(I64, axes[axis].stride * self.image_steps[axis]))),
                    b.add(start[1], b.mul(at, b.const(I64, self.target_steps[axis]))),
                ]
                if inner_axes == 1:
                    self._panels(f, moved, group, (tile[0], step), across)
                else:
                    deeper = (step, tile[1]) if inner_axes == 2 else tile
                    self._space(f, axis + 1, moved, group, deeper, across)

            each(frame, end - begin, body, step)

    def _panels(
        self,
        frame: Frame,
        start: list[Value],
        group: Value,
        tile: tuple[int, int],
        across: int,
    ) -> None:
        for panel in range(0, self.form.outputs, across * self.width):
            columns = [
                min(at, self.form.outputs - self.width)
                for at in range(panel, min(panel + across * self.width, self.form.outputs), self.width)
            ]
            self._tile(frame, start, group, tile, columns)

    def _tile(
        self, frame: Frame, start: list[Value], group: Value, tile: tuple[int, int], columns: Sequence[int]
    ) -> None:
        form, elem, width = self.form, self.target.elem, self.width
        offsets: list[tuple[int, int]] = []
        for y in range(tile[0] if len(form.axes) > 1 else 1):
            for x in range(tile[1]):
                image = x * form.axes[-1].stride * self.image_steps[-1]
                target = x * self.target_steps[-1]
                if y:
                    image += y * form.axes[-2].stride * self.image_steps[-2]
                    target += y * self.target_steps[-2]
                offsets.append((image, target))
        b = frame.builder()
        of_group = b.mul(group, b.const(I64, form.outputs))
        lefts = [element_at(b, self.image, start[0], image) for image, _ in offsets]
        rights = [element_at(b, self.kernel, of_group, at) for at in columns]
        wide = frame.builder(width)
        zeros = [wide.const(elem, 0)] * (len(lefts) * len(rights))

        def places(f: Frame, axis: int, left: Value, right: Value, sums: list[Value]) -> list[Value]:
            if axis == len(form.axes):
                return self._features(f, lefts, rights, left, right, sums)
            here = form.axes[axis]
            step = here.dilation * self.image_steps[axis]
            below = math.prod(a.places for a in form.axes[axis + 1 :]) * form.features * self.kernel.shape[-1]

            def body(g: Frame, carried: list[Value]) -> list[Value]:
                assert g.position is not None
                c = g.builder()
                to_left = c.add(left, c.mul(g.position, c.const(I64, step)))
                to_right = c.add(right, c.mul(g.position, c.const(I64, below)))
                return places(g, axis + 1, to_left, to_right, carried)

            return loop(f, here.places, 1, sums, body)

        nothing = b.const(I64, 0)
        sums = places(frame, 0, nothing, nothing, zeros)
        end = frame.builder()
        for number, total in enumerate(sums):
            row, column = divmod(number, len(columns))
            address = element_at(end, self.target, start[1], offsets[row][1] + columns[column])
            frame.lines.append(f"  store {total.type} {total.name}, ptr {address}, align {elem.bytes}")

    def _features(
        self,
        frame: Frame,
        lefts: Sequence[str],
        rights: Sequence[str],
        left: Value,
        right: Value,
        sums: list[Value],
    ) -> list[Value]:
        """Adds what one place of the kernel meets: a product for each feature of the image."""
        elem = self.target.elem

        def body(inner: Frame, carried: list[Value]) -> list[Value]:
            assert inner.position is not None
            scalar = inner.builder()
            down = scalar.add(right, scalar.mul(inner.position, scalar.const(I64, self.kernel.shape[-1])))
            along = scalar.add(left, inner.position)
            return multiplied(inner, elem, self.width, (lefts, along), (rights, down), carried)

        return loop(frame, self.form.features, 1, sums, body)
