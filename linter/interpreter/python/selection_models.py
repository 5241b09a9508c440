"""Models of the standard library's functions that select, group and order: itertools, heapq, bisect."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...domain import NONE, UNKNOWN, Const, ListValue, Static, TupleValue, Value
from ..arrays.operators import binary
from ..calls import call as run
from ..libraries.library import Call
from ..truth import truth
from ..unrolling import unrolling
from .containers import elements, length_of, needs_integer, sequence_of
from .list_methods import list_method
from .orderings import by_key, note_ordering


def filtered(call: Call) -> Value:
    """`takewhile`, `dropwhile`, `filterfalse`: a predicate is asked for each item."""
    if len(call.args) < 2:
        return UNKNOWN
    content = sequence_of(call.interp, call.args[1], call.node)
    for item in content.parts:
        asked = item if call.args[0] == NONE else run(call.interp, call.args[0], [item], {}, call.node)
        truth(call.interp, asked, call.node, "builtin", call.name.rsplit(".", 1)[-1])
    return TupleValue((), elements(call.interp, content, call.node))


def compressed(call: Call) -> Value:
    """`compress`: the truth of each selector."""
    if len(call.args) < 2:
        return UNKNOWN
    for selector in sequence_of(call.interp, call.args[1], call.node).parts:
        truth(call.interp, selector, call.node, "builtin", "compress")
    return TupleValue((), elements(call.interp, call.args[0], call.node))


def accumulated(call: Call) -> Value:
    """`accumulate`: each result and the next item give the next result."""
    content = sequence_of(call.interp, call.first(), call.node)
    function = call.bound.get("func", NONE)
    initial = call.bound.get("initial", NONE)
    results: list[Value] = [] if initial == NONE else [initial]
    # As of a loop: there are some, the first of which is a result as it is
    items = content.parts if results or content.rest is None else [*content.parts, content.rest]
    with unrolling(call.interp, call.node, content):
        for item in items:
            before = results[-1] if results else None
            if before is None:
                results.append(item)
            elif function == NONE:
                results.append(binary(call.interp, "Add", before, item, call.node))
            else:
                results.append(run(call.interp, function, [before, item], {}, call.node))
    if content.rest is None:
        return TupleValue(tuple(results))
    return TupleValue((), elements(call.interp, TupleValue(tuple(results)), call.node))


def grouped(call: Call) -> Value:
    """`groupby`: each key is compared with the one before."""
    content = sequence_of(call.interp, call.first(), call.node)
    keys = by_key(call.interp, content, call.bound.get("key"), call.node)
    for before, after in zip(keys.items, keys.items[1:], strict=False):
        if before is not after or "key" in call.bound:  # a key function makes a new object each time
            same = binary(call.interp, "Equal", before, after, call.node)
            truth(call.interp, same, call.node, "builtin", "groupby")
    members = TupleValue((), elements(call.interp, content, call.node))
    return TupleValue((), TupleValue((elements(call.interp, keys, call.node), members)))


def chosen(call: Call) -> Value:
    """`combinations`, `permutations`, `batched`: tuples of so many elements of the first argument."""
    for size in (call.bound.get("r"), call.bound.get("n")):
        if size is not None:
            needs_integer(call.interp, size, call.node, "repeat")
    row = TupleValue((), elements(call.interp, call.first()))
    return TupleValue((), row, count=_choices(call))


_CHOICES: dict[str, Callable[[int, int], int]] = {
    "combinations": math.comb,
    "permutations": math.perm,
    "combinations_with_replacement": lambda n, r: math.comb(n + r - 1, r),
    "batched": lambda n, size: -(-n // size),
}


def _choices(call: Call) -> int | None:
    """How many tuples of so many elements there are."""
    known, size = length_of(call.interp, call.first()), call.bound.get("r", call.bound.get("n"))
    if known is None or not isinstance(size, Const) or not isinstance(size.value, int) or size.value < 1:
        return None
    return _CHOICES[call.name.rsplit(".", 1)[-1]](known, size.value)


def sliced(call: Call) -> Value:
    """`islice`: some of the items, as many as constants say."""
    content, bounds = sequence_of(call.interp, call.first(), call.node), call.args[1:]
    numbers = [bound.value for bound in bounds if isinstance(bound, Const)]
    if len(numbers) < len(bounds) or not all(n is None or (type(n) is int and n >= 0) for n in numbers):
        return TupleValue((), elements(call.interp, content, call.node))
    chosen = slice(*numbers)
    if content.rest is None:
        return TupleValue(content.items[chosen])
    known = chosen.stop if content.count is None else content.count
    count = None if known is None else len(range(known)[chosen])
    return TupleValue((), elements(call.interp, content, call.node), count=count)


def index_tuples(call: Call) -> Value:
    """`numpy.ndindex`: every index of an array of this shape."""
    sizes = call.args if len(call.args) != 1 else list(sequence_of(call.interp, call.args[0]).parts)
    if len(call.args) == 1 and isinstance(call.args[0], Const):
        sizes = call.args
    numbers = [size.value for size in sizes if isinstance(size, Const) and isinstance(size.value, int)]
    index = TupleValue((Static("int", varies=True),) * len(sizes))
    return TupleValue((), index, count=math.prod(numbers) if len(numbers) == len(sizes) else None)


def cycled(call: Call) -> Value:
    """`cycle`: the items, again and again."""
    return TupleValue((), elements(call.interp, call.first(), call.node))


def heap(call: Call) -> Value:
    """`heappush` and its kin: the heap's items and the new one are ordered."""
    held, name = call.first(), call.name.rsplit(".", 1)[-1]
    content = sequence_of(call.interp, held, call.node)
    if name in ("nsmallest", "nlargest"):
        content = sequence_of(call.interp, call.bound.get("iterable", NONE), call.node)
        note_ordering(
            call.interp, by_key(call.interp, content, call.bound.get("key"), call.node), call.node, name
        )
        return TupleValue((), elements(call.interp, content, call.node))
    added = call.args[1:2] if name != "heapify" else []
    note_ordering(call.interp, TupleValue((*content.items, *added), content.rest), call.node, name)
    if not isinstance(held, ListValue):
        return NONE
    if added:
        list_method(call.interp, held, "append", added, call.node)
    if name in ("heappush", "heapify"):
        return NONE
    return list_method(call.interp, held, "pop", [Const(0)], call.node)


def searched(call: Call) -> Value:
    """`bisect` and `insort`: the value is compared with the items."""
    content = sequence_of(call.interp, call.first(), call.node)
    wanted = call.args[1:2]
    keyed = by_key(call.interp, content, call.bound.get("key"), call.node)
    note_ordering(call.interp, TupleValue((*wanted, *keyed.items), keyed.rest), call.node, "bisect")
    held, name = call.first(), call.name.rsplit(".", 1)[-1]
    if name.startswith("insort") and isinstance(held, ListValue):
        return list_method(call.interp, held, "append", wanted, call.node)
    return Static("int")


SELECTIONS = {
    "filtered": filtered,
    "compressed": compressed,
    "accumulated": accumulated,
    "grouped": grouped,
    "chosen": chosen,
    "sliced": sliced,
    "cycled": cycled,
    "ndindex": index_tuples,
    "heap": heap,
    "searched": searched,
}
