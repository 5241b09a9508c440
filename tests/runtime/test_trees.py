"""Trees: the same leaves, structures, paths and errors as JAX."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections import OrderedDict, defaultdict, namedtuple
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tracetrap.runtime import tree, tree_util

jax = pytest.importorskip("jax")

Point = namedtuple("Point", "x y")


@dataclasses.dataclass
class Layer:
    weight: Any
    bias: Any
    activation: str = tree.static(default="relu")


class Pair:
    def __init__(self, first: Any, second: Any) -> None:
        self.first, self.second = first, second

    def __repr__(self) -> str:
        return f"Pair({self.first!r}, {self.second!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pair) and (self.first, self.second) == (other.first, other.second)

    def tree_flatten(self) -> tuple[tuple[Any, Any], None]:
        return (self.first, self.second), None

    @classmethod
    def tree_unflatten(cls, data: None, children: tuple[Any, Any]) -> Pair:
        return cls(*children)


class Mode:
    def __repr__(self) -> str:
        return "Mode"


for module in (tree_util, jax.tree_util):
    module.register_dataclass(Layer)
    module.register_pytree_node_class(Pair)
    module.register_static(Mode)

LEAVES = st.integers() | st.text(max_size=3)
KEYS = st.text(max_size=2)


def _nodes(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(children, max_size=3),
        st.lists(children, max_size=3).map(tuple),
        st.dictionaries(KEYS, children, max_size=3),
        st.dictionaries(KEYS, children, max_size=3).map(OrderedDict),
        st.dictionaries(KEYS, children, max_size=3).map(lambda d: defaultdict(list, d)),
        st.builds(Point, children, children),
        st.builds(Layer, children, children, st.sampled_from(["relu", "tanh"])),
        st.builds(Pair, children, children),
        st.builds(Mode),
        st.none(),
    )


TREES = st.recursive(LEAVES, _nodes, max_leaves=12)


@settings(max_examples=60, deadline=None)
@given(TREES)
def test_leaves_structure_and_paths(value: Any) -> None:
    leaves, treedef = tree_util.tree_flatten(value)
    expected_leaves, expected = jax.tree_util.tree_flatten(value)
    assert leaves == expected_leaves
    assert repr(treedef) == repr(expected)
    assert (treedef.num_leaves, treedef.num_nodes) == (expected.num_leaves, expected.num_nodes)
    assert tree.structure(treedef.unflatten(leaves)) == treedef
    paths = [tree_util.keystr(path) for path, _ in tree.leaves_with_path(value)]
    assert paths == [jax.tree_util.keystr(path) for path, _ in jax.tree.leaves_with_path(value)]
    simple = [tree_util.keystr(path, simple=True, separator="/") for path, _ in tree.leaves_with_path(value)]
    expected_paths = jax.tree.leaves_with_path(value)
    assert simple == [jax.tree_util.keystr(path, simple=True, separator="/") for path, _ in expected_paths]


@settings(max_examples=60, deadline=None)
@given(TREES, TREES)
def test_equality_and_prefixes(first: Any, second: Any) -> None:
    ours, theirs = tree.structure(first), jax.tree.structure(first)
    other, their_other = tree.structure(second), jax.tree.structure(second)
    assert (ours == other) == (theirs == their_other)
    if ours == other:
        assert hash(ours) == hash(other)
    assert _outcome(tree.map, first, second) == _outcome(jax.tree.map, first, second)
    assert repr(ours.compose(other)) == repr(theirs.compose(their_other))


def _outcome(map_: Any, first: Any, second: Any) -> str:
    try:
        return repr(map_(lambda a, b: (a, b), first, second))
    except ValueError as error:
        text = str(error).replace(".y", ".x")  # JAX may name another field of a named tuple.
        message, difference, keys = text.partition("so the symmetric difference")
        return message + difference + "".join(sorted(keys))  # Which JAX prints in the order of a set.


@settings(max_examples=30, deadline=None)
@given(TREES)
def test_broadcast_and_transpose(value: Any) -> None:
    doubled = tree.map(lambda leaf: [leaf, leaf], value)
    assert tree.broadcast(value, doubled) == doubled
    if tree.leaves(value):
        swapped = tree.transpose(tree.structure(value), tree.structure([0, 0]), doubled)
        assert swapped == [value, value]


def test_structures_survive_copy_and_pickle() -> None:
    treedef = tree.structure({"a": (1, [2, None]), "b": Point(1, 2)})
    assert copy.deepcopy(treedef) == treedef
    assert pickle.loads(pickle.dumps(treedef)) == treedef


def test_an_unhashable_metadata_field_is_no_obstacle_to_hashing() -> None:
    structure = tree.structure(Layer(1, 2, ["relu"]))
    assert hash(structure) == hash(tree.structure(Layer(3, 4, ["relu"])))
    assert structure != tree.structure(Layer(1, 2, ["tanh"]))


def test_partial_is_a_tree_of_its_arguments() -> None:
    bound = tree_util.Partial(max, 1, key=abs)
    assert tree.leaves(bound) == [1, abs]
    assert tree.map(lambda leaf: leaf, bound)(-2) == -2
    nested = tree_util.Partial(tree_util.Partial(max, 1), 2)
    assert tree.leaves(nested) == [2]
    assert nested(3) == 3


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (
            lambda t: t.tree_unflatten(t.tree_structure((1, 2)), [1]),
            "Too few leaves for PyTreeDef; expected 2, got 1",
        ),
        (
            lambda t: t.tree_unflatten(t.tree_structure((1, 2)), [1, 2, 3]),
            "Too many leaves for PyTreeDef; expected 2.",
        ),
        (
            lambda t: t.tree_flatten({1: 2, "a": 3}),
            "Comparator raised exception while sorting pytree dictionary keys.",
        ),
        (lambda t: t.tree_structure((1, (2, 3))).flatten_up_to((1, 3)), "Expected tuple, got 3."),
        (lambda t: t.tree_structure([1]).flatten_up_to([1, 2]), "List arity mismatch: 2 != 1; list: [1, 2]."),
        (
            lambda t: t.register_pytree_node(Pair, tuple, tuple),
            "Duplicate custom PyTreeDef type registration for",
        ),
        (lambda t: t.flatten_one_level(3), "can't tree-flatten type: <class 'int'>"),
        (
            lambda t: t.register_dataclass(Layer, ["weight"], ["bias"]),
            "data_fields and meta_fields must include all",
        ),
    ],
)
def test_errors(call: Any, error: str) -> None:
    for module in (tree_util, jax.tree_util):
        with pytest.raises(ValueError) as raised:
            call(module)
        assert str(raised.value).startswith(error)


def test_map_names_the_place_where_trees_part() -> None:
    with pytest.raises(ValueError, match=r"different types at key path\n    tree_map tree\['w'\]\[1\]"):
        tree.map(lambda a, b: a, {"w": (1, [2])}, {"w": (1, 3)})


def test_leaves_stop_where_asked() -> None:
    value = {"a": [1, None], "b": None}
    assert tree.leaves(value, is_leaf=lambda v: v is None) == [1, None, None]
    assert tree_util.all_leaves([1, "a"]) and not tree_util.all_leaves([1, (2,)])
    with_path = tree.leaves_with_path(value, is_leaf=lambda p, v: len(p) == 1, is_leaf_takes_path=True)
    assert [leaf for _, leaf in with_path] == [[1, None], None]


def test_reductions() -> None:
    assert tree.reduce(lambda a, b: a + b, {"a": 1, "b": (2, 3)}, 10) == 16
    assert tree.reduce_associative(lambda a, b: f"({a}{b})", list("abcde")) == "((ab)(c(de)))"
    assert tree.all({"a": 1, "b": []}) and not tree.all([1, 0])
