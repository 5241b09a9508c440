"""Carries and branches that do not fit: the exact difference, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import ShapedArray, shaped_array
from ..pytree.definition import PyTreeDef
from ..pytree.keys import KeyPath, keystr
from ..pytree.kinds import KINDS
from ..pytree.paths import tree_leaves_with_path


def _kind(tree: Any) -> str:
    return "a pytree leaf" if KINDS[type(tree)] is None else f"a {type(tree)}"


def _children(count: int) -> str:
    return f"{count} child" if count == 1 else f"{count} children"


def tree_differences(first: Any, second: Any, path: KeyPath = ()) -> list[tuple[KeyPath, str, str, str]]:
    """Where two trees have different structure: the path, what stands there in each, and an explanation."""
    kind, other = KINDS[type(first)], KINDS[type(second)]
    if kind is not other:
        return [(path, _kind(first), _kind(second), "so their Python types differ")]
    if kind is None:
        return []
    left, right = list(kind.flatten(first)[0]), list(kind.flatten(second)[0])
    if len(left) != len(right):
        what = f"a {type(first)} with "
        explanation = "so the numbers of children do not match"
        if isinstance(first, dict):
            explanation += f", with the symmetric difference of key sets: {set(first) ^ set(second)}"
        return [(path, what + _children(len(left)), what + _children(len(right)), explanation)]
    if kind.flatten(first)[1] != kind.flatten(second)[1]:
        what = f"a {type(first)} with metadata "
        mine, theirs = kind.flatten(first)[1], kind.flatten(second)[1]
        return [(path, f"{what}{mine!r}", f"{what}{theirs!r}", "so the metadata do not match")]
    found = []
    for key, child, against in zip(kind.keys(first), left, right, strict=False):
        found += tree_differences(child, against, (*path, key))
    return found


def aval_difference(first: ShapedArray, second: ShapedArray) -> str:
    """Why two avals do not match."""
    problems = []
    if first.dtype is not second.dtype:
        problems.append("the dtypes do not match")
    if first.shape != second.shape:
        problems.append("the shapes do not match")
    if not problems:
        problems.append("one has a weak type and the other has not")
    return f"so {' and '.join(problems)}"


def same_type(first: ShapedArray, second: ShapedArray) -> bool:
    """Whether two avals agree in shape and dtype; weak types may differ."""
    return first.shape == second.shape and first.dtype is second.dtype


def _skeleton(treedef: PyTreeDef) -> Any:
    return treedef.unflatten([_Leaf()] * treedef.num_leaves)


class _Leaf:
    """Stands for an array in a tree that is only compared."""


def check_carry(
    name: str,
    carry_name: str,
    in_tree: PyTreeDef,
    in_avals: Sequence[ShapedArray],
    out_tree: PyTreeDef,
    out_avals: Sequence[ShapedArray],
) -> None:
    """Raises TypeError unless a loop's body returns a carry like the one it takes."""
    before, after = _skeleton(in_tree), _skeleton(out_tree)
    if in_tree != out_tree:
        shown = [
            f"the input carry {_component(carry_name, path)} is {mine} but the corresponding component of the carry "
            f"output is {theirs}, {why}"
            for path, mine, theirs, why in tree_differences(before, after)
        ]
        raise TypeError(
            f"{name} function carry input and carry output must have the same pytree structure, but they differ:\n\n"
            f"{_listed(shown)}\n\n"
            "Revise the function so that the carry output has the same pytree structure as the carry input."
        )
    paths = [path for path, _ in tree_leaves_with_path(before)]
    shown = [
        f"the input carry {_component(carry_name, path)} has type {mine.str_short()} but the corresponding output carry "
        f"component has type {theirs.str_short()}, {aval_difference(mine, theirs)}"
        for path, mine, theirs in zip(paths, in_avals, out_avals, strict=True)
        if not same_type(mine, theirs)
    ]
    if shown:
        raise TypeError(
            f"{name} function carry input and carry output must have equal types, but they differ:\n\n"
            f"{_listed(shown)}\n\n"
            "Revise the function so that all output types match the corresponding input types."
        )


def check_branches(
    name: str,
    labels: Sequence[str],
    sources: Sequence[str],
    trees: Sequence[PyTreeDef],
    avals: Sequence[Sequence[ShapedArray]],
) -> None:
    """Raises TypeError unless all branches return trees of the same structure and types as the first."""
    for label, source, tree, outs in zip(labels[1:], sources[1:], trees[1:], avals[1:], strict=True):
        who = f"{labels[0]} is {sources[0]}\n{label} is {source}"
        if tree != trees[0]:
            shown = [
                f"{labels[0]} output{_at(path)} is {mine} but {label} output{_at(path)} is {theirs}, {why}"
                for path, mine, theirs, why in tree_differences(_skeleton(trees[0]), _skeleton(tree))
            ]
            raise TypeError(
                f"{name} branch outputs must have the same pytree structure, but they differ:\n\n{who}\n\n"
                f"{_listed(shown)}\n\n"
                f"Revise {labels[0]} and/or {label} so that they have the same pytree structure."
            )
        paths = [path for path, _ in tree_leaves_with_path(_skeleton(tree))]
        shown = [
            f"the output of {labels[0]}{_at(path)} has type {mine.str_short()} but the corresponding output of {label} "
            f"has type {theirs.str_short()}, {aval_difference(mine, theirs)}"
            for path, mine, theirs in zip(paths, avals[0], outs, strict=True)
            if not same_type(mine, theirs)
        ]
        if shown:
            raise TypeError(
                f"{name} branches must have equal output types but they differ.\n\n{who}\n\n{_listed(shown)}\n\n"
                f"Revise {labels[0]} and/or {label} so that all output types match."
            )


def check_operands(name: str, given: Sequence[ShapedArray], wanted: Sequence[ShapedArray]) -> None:
    """Raises TypeError unless what a primitive is applied to fits what its jaxpr takes."""
    if len(given) != len(wanted):
        raise TypeError(f"{name} takes {len(wanted)} operands, got {len(given)}")
    for position, (mine, theirs) in enumerate(zip(given, wanted)):
        if mine is not theirs and not same_type(mine, theirs):
            raise TypeError(
                f"{name} operand {position} has type {mine.str_short()} where {theirs.str_short()} is taken"
            )


def joined_weak_types(columns: Sequence[Sequence[ShapedArray]]) -> list[ShapedArray]:
    """For each output of branches the type of all: weak only where each is."""
    return [
        shaped_array(avals[0].shape, avals[0].dtype, all(aval.weak_type for aval in avals))
        for avals in zip(*columns, strict=True)
    ]


def _component(name: str, path: KeyPath) -> str:
    return f"component {name}{keystr(path)}" if path or "[" in name else name


def _at(path: KeyPath) -> str:
    return f" at path {keystr(path)}" if path else ""


def _listed(sentences: list[str]) -> str:
    if len(sentences) == 1:
        return f"{sentences[0][0].upper()}{sentences[0][1:]}."
    return "\n".join(f"  * {s}{'.' if s is sentences[-1] else ';'}" for s in sentences)
