"""Checking that a jaxpr is well-typed: the mark of bugs in transforms and passes, run after each of them in tests."""

from __future__ import annotations

from ..core import Atom, ClosedJaxpr, Jaxpr, JaxprEqn, Literal, ShapedArray, Var, get_aval
from ..errors import JaxprTypeError
from .jaxpr import sub_jaxprs


def typecheck_closed_jaxpr(closed: ClosedJaxpr) -> None:
    """`typecheck_jaxpr`, and that the constants fit their variables."""
    if len(closed.consts) != len(closed.jaxpr.constvars):
        raise JaxprTypeError(f"{len(closed.jaxpr.constvars)} constvars but {len(closed.consts)} constants")
    for var, const in zip(closed.jaxpr.constvars, closed.consts):
        if not _fits(get_aval(const), var.aval):
            raise JaxprTypeError(f"constant of type {get_aval(const)} for a variable of type {var.aval}")
    typecheck_jaxpr(closed.jaxpr)


def typecheck_jaxpr(jaxpr: Jaxpr) -> None:
    """Every variable is bound once, before its use; every equation has the results that its primitive gives.

    Raises JaxprTypeError, which names the equation.
    """
    bound: set[Var] = set()
    for var in (*jaxpr.constvars, *jaxpr.invars):
        _bind(bound, var, "the arguments")
    for eqn in jaxpr.eqns:
        for atom in eqn.invars:
            _check_bound(bound, atom, str(eqn))
        _check_eqn(eqn)
        for var in eqn.outvars:
            _bind(bound, var, str(eqn))
    for atom in jaxpr.outvars:
        _check_bound(bound, atom, "the results")


def _bind(bound: set[Var], var: Var, where: str) -> None:
    if var in bound:
        raise JaxprTypeError(f"a variable of type {var.aval} is bound again in {where}")
    bound.add(var)


def _check_bound(bound: set[Var], atom: Atom, where: str) -> None:
    if not isinstance(atom, Literal) and atom not in bound:
        raise JaxprTypeError(f"a variable of type {atom.aval} is used before it is bound, in {where}")


def _check_eqn(eqn: JaxprEqn) -> None:
    for inner in sub_jaxprs(eqn):
        typecheck_jaxpr(inner)
    try:
        result = eqn.primitive.abstract_eval(*[atom.aval for atom in eqn.invars], **eqn.params)
    except (TypeError, ValueError) as error:
        raise JaxprTypeError(f"operands that {eqn.primitive} does not take, in {eqn}: {error}") from error
    wanted = list(result) if eqn.primitive.multiple_results else [result]
    given = [var.aval for var in eqn.outvars]
    if len(wanted) != len(given) or not all(map(_fits, wanted, given)):
        raise JaxprTypeError(f"results of type {_listed(given)} where {_listed(wanted)} is right, in {eqn}")


def _fits(made: ShapedArray, declared: ShapedArray) -> bool:
    """Weak types are a matter of how results promote, not of what a value is."""
    return made.shape == declared.shape and made.dtype is declared.dtype


def _listed(avals: list[ShapedArray]) -> str:
    return ", ".join(map(str, avals))
