"""What a loop would compute in each turn with the same result is computed before the loop."""

from __future__ import annotations

from collections.abc import Sequence

from ..primitives.lowering import cost_of
from .flat import Atom, Eqn, Flat, Var
from .scope import MOVES
from .structural import STRUCTURAL

#: From so many additions an element on, it is better read than computed again.
_WORTH = 8
_LOOPS = frozenset(("scan", "while"))


def hoisted(flat: Flat) -> Flat:
    """The program with costly invariants of its loops before them; the same program if there are none."""
    eqns: list[Eqn] = []
    changed = False
    for eqn in flat.eqns:
        if eqn.bodies:
            bodies = [hoisted(body) for body in eqn.bodies]
            if eqn.name in _LOOPS:
                for k, constants in enumerate(_constants(eqn)):
                    bodies[k] = _without_invariants(bodies[k], constants, eqns)
            if any(new is not old for new, old in zip(bodies, eqn.bodies, strict=True)):
                eqn, changed = eqn.of(eqn.inputs, eqn.outputs, bodies), True
        eqns.append(eqn)
    return Flat.of(eqns, flat.inputs, flat.outputs, flat.constants) if changed else flat


def _constants(eqn: Eqn) -> list[Sequence[Atom]]:
    """The operands, for each body of a loop, that are its first arguments in every turn."""
    if eqn.name == "scan":
        return [eqn.inputs[: eqn.params["num_consts"]]]
    first, second = eqn.params["cond_nconsts"], eqn.params["body_nconsts"]
    return [eqn.inputs[:first], eqn.inputs[first : first + second]]


def _without_invariants(body: Flat, constants: Sequence[Atom], before: list[Eqn]) -> Flat:
    """The body without its costly invariants, which join the equations `before` the loop.

    What is moved keeps its name. What is cheap, but needed for it, is computed on either side.
    """
    changing: set[Atom] = set(body.inputs[len(constants) :])
    outside: dict[Atom, Atom] = dict(zip(body.inputs, constants, strict=False))
    cheap: dict[Atom, Eqn] = {}
    moved: set[int] = set()

    def known(atom: Atom) -> Atom:
        """A value as it is known outside."""
        if atom not in outside and atom in cheap:
            eqn = cheap[atom]
            outputs = [Var(v.shape, v.dtype) for v in eqn.outputs]
            before.append(eqn.of([known(a) for a in eqn.inputs], outputs, eqn.bodies))
            outside.update(zip(eqn.outputs, outputs, strict=True))
        return outside.get(atom, atom)

    for eqn in body.eqns:
        captured = {v for inner in eqn.bodies for v in inner.free()}
        if eqn.effects or any(a in changing for a in (*eqn.inputs, *captured)) or captured & cheap.keys():
            changing.update(eqn.outputs)
        elif _is_costly(eqn):
            before.append(eqn.of([known(a) for a in eqn.inputs], eqn.outputs, eqn.bodies))
            moved.add(id(eqn))
        else:
            cheap.update(dict.fromkeys(eqn.outputs, eqn))
    if not moved:
        return body
    return Flat.of([e for e in body.eqns if id(e) not in moved], body.inputs, body.outputs, body.constants)


def _is_costly(eqn: Eqn) -> bool:
    cost = MOVES.get(eqn.name, 0) if eqn.rule is None else cost_of(eqn.rule)
    return cost >= _WORTH or eqn.name in STRUCTURAL
