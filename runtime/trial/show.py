"""What one function becomes: its jaxpr, or a later stage of its compilation, for `tracetrap trace`."""

from __future__ import annotations

import functools
import linecache
import sys
from typing import Any

from .evidence import Raised
from .inputs import InputFinder
from .seam import Record
from .search import Outcome, Trials
from .targets import Target, owner_of, resolve, signature_of


class CannotShow(ValueError):
    """The function does not trace, or the stage is not one of this runtime's."""


class NoSuchFunction(CannotShow):
    """The file has no such function, or could not be executed so far."""


def show(trials: Trials, name: str, arguments: list[str], emit: str, bundled: bool) -> dict[str, Any]:
    """The text of a stage and the inputs it was made with; raises CannotShow with a message for the user."""
    target = _target(trials, name)
    outcome = _first_traced(trials, target, arguments)
    call, keywords = outcome.call
    jax = sys.modules["jax"]
    function = functools.partial(target.function, **keywords)
    names = [parameter.name for parameter in signature_of(target.function)]
    static = tuple(
        position for position, name in enumerate(names[: len(call)]) if name in target.static_names
    )
    closed = jax.make_jaxpr(function, static_argnums=static)(*call)
    if emit == "jaxpr":
        text = str(closed)
    elif bundled:
        from ..llvm.inspect import emit as stage

        text = stage(closed, emit)
    else:
        raise CannotShow(f"--emit {emit} is a stage of the bundled runtime; --runtime jax has the jaxpr only")
    return {"text": text, "inputs": outcome.inputs}


def _target(trials: Trials, name: str) -> Target:
    """The function as jit traces it, with the static arguments that the file gives it."""
    execution, seam = trials.execution, trials.seam
    value = resolve(execution.module, name)
    if value is None:
        reason = execution.reason_for(name.partition(".")[0])
        raise NoSuchFunction(reason or f"there is no function {name} in this file")
    owner = owner_of(execution.module, name)
    parameters = signature_of(value) if callable(value) else []
    if owner is not None and parameters and parameters[0].name == "self":
        value = getattr(InputFinder(execution).instance(owner), name.rpartition(".")[2])
        owner = None
    for record in seam.records.values():
        if record.key.transform == "jit" and value in (record.made, record.function):
            return Target(name, record.function, owner, record)
    key = seam.key_of(value, "jit")
    if key is None:
        raise NoSuchFunction(f"{name} is not a function of this file")
    return Target(name, value, owner, Record(key, value, value, (), {}))


def _first_traced(trials: Trials, target: Target, arguments: list[str]) -> Outcome:
    failed: Outcome | None = None
    for outcome in trials.outcomes(target, arguments):
        if outcome.traced:
            return outcome
        if failed is None or outcome.trusted or _is_tracing(outcome) > _is_tracing(failed):
            failed = outcome
        if outcome.trusted and arguments:
            break
    if failed is None:
        raise CannotShow(f"no inputs found for {target.name}; give them with --args")
    if failed.raised is None:
        raise CannotShow(failed.reason)
    raise CannotShow(_error_text(trials, failed.raised, failed.inputs))


def _is_tracing(outcome: Outcome) -> bool:
    return outcome.raised is not None and outcome.raised.tracing_error


def _error_text(trials: Trials, raised: Raised, inputs: str) -> str:
    place = raised.place
    where = ""
    if place is not None:
        line = trials.evidence.where(place, trials.execution.path)
        where = f"{line} `{linecache.getline(place.filename, place.line).strip()}`: "
    return f"{where}{raised.brief()} (traced with {inputs or 'no arguments'})"
