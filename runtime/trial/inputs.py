"""The inputs that may be tried for a target: what the user's text gives, and candidates for the rest."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from .arguments import Call, parse_arguments
from .call_sites import UNKNOWN, call_site_arguments
from .candidates import OMIT, Maker, build, candidates, hints_of
from .execution import Execution
from .syntax_index import FunctionNode
from .targets import Target, node_of, resolve, signature_of
from .usage import Usage
from .usage_reader import usages

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


@dataclass(slots=True)
class Inputs:
    """Calls that the user's text gives (`given`), and for each parameter its candidates, in order."""

    given: list[Call]
    makers: dict[str, list[Maker]]
    keyword_only: frozenset[str]

    def call(self, indices: tuple[int, ...]) -> Call:
        """The call with one candidate for each parameter; by keyword from the first that is left out."""
        arguments: list[Any] = []
        keywords: dict[str, Any] = {}
        omitted = False
        for (name, choice), index in zip(self.makers.items(), indices):
            value = choice[index]()
            if value is OMIT:
                omitted = True
            elif omitted or name in self.keyword_only:
                keywords[name] = value
            else:
                arguments.append(value)
        return tuple(arguments), keywords


@dataclass(slots=True)
class InputFinder:
    """Reads inputs off one executed module."""

    execution: Execution
    _usages: dict[int, dict[str, Usage]] = field(default_factory=dict)

    def find(self, target: Target, hints: list[str]) -> Inputs:
        """All inputs for a target; raises ArgumentError for a hint that cannot be read."""
        parameters = signature_of(target.function)
        takes_self = target.owner is not None and bool(parameters) and parameters[0].name == "self"
        given: list[Call] = []
        for hint in hints:
            arguments, keywords = parse_arguments(hint, self.execution.module.__dict__)
            if takes_self and target.owner is not None and len(arguments) < len(parameters):
                arguments = (self.instance(target.owner), *arguments)
            given.append((arguments, keywords))
        makers = self._makers(target, parameters, takes_self)
        for positional, named in call_site_arguments(self.execution, self._names(target)):
            self._use_site(target, parameters, takes_self, positional, named, makers, given)
        positional_names = {p.name for p in parameters if p.kind in _POSITIONAL}
        return Inputs(given, makers, frozenset(makers) - positional_names)

    def instance(self, owner: type) -> Any:
        """An instance of the class: one that the module made, or a new one."""
        for value in self.execution.module.__dict__.values():
            if type(value) is owner:
                return value
        for positional, named in call_site_arguments(self.execution, {owner.__name__}):
            if not any(value is UNKNOWN for value in (*positional, *named.values())):
                return owner(*positional, **named)
        constructor = owner.__dict__.get("__init__")
        return build(owner, {}, usage=self._usage_in(constructor) if constructor is not None else {})

    def _makers(
        self, target: Target, parameters: list[inspect.Parameter], takes_self: bool
    ) -> dict[str, list[Maker]]:
        function = target.function
        hints = hints_of(inspect.unwrap(function) if inspect.isfunction(function) else function)
        found = self._usage_in(function)
        static = target.static_names
        dims: dict[str, int] = {}
        makers: dict[str, list[Maker]] = {}
        for parameter in parameters:
            if parameter.kind is inspect.Parameter.VAR_KEYWORD:
                for key, part in found.get(parameter.name, Usage()).items.items():
                    option = inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY)
                    makers[key] = candidates(option, None, part, key in static, dims)
            if parameter.kind in _VARIADIC:
                continue
            if takes_self and not makers and target.owner is not None:
                makers["self"] = [functools.partial(self.instance, target.owner)]
                continue
            annotation = hints.get(parameter.name, inspect.Parameter.empty)
            usage = found.get(parameter.name, Usage())
            makers[parameter.name] = [
                *self._known_values(parameter.name, usage),
                *candidates(parameter, annotation, usage, parameter.name in static, dims),
            ]
        return makers

    def _known_values(self, name: str, usage: Usage) -> list[Maker]:
        """Values of the module that look meant for a parameter: its name, or the attributes it needs."""
        makers: list[Maker] = []
        classes: list[type] = []
        for known, value in self.execution.module.__dict__.items():
            if isinstance(value, type):
                if value.__module__ == "__main__" and usage.attributes:
                    classes.append(value)
            elif known == name and not callable(value) and not isinstance(value, ModuleType):
                makers.insert(0, functools.partial(_same, value))
            elif (
                usage.attributes and type(value).__module__ == "__main__" and _offers(value, usage.attributes)
            ):
                makers.append(functools.partial(_same, value))
        for cls in classes:
            if _offers(cls, usage.attributes, getattr(cls, "__annotations__", ())):
                makers.append(functools.partial(build, cls, {}))
        return makers

    def _usage_in(self, function: Any) -> dict[str, Usage]:
        node = node_of(self.execution, function)
        return usages(node, self._lookup) if node is not None else {}

    def _lookup(self, name: str) -> FunctionNode | None:
        value = resolve(self.execution.module, name)
        return node_of(self.execution, value) if callable(value) else None

    def _names(self, target: Target) -> set[str]:
        names = {target.name.rpartition(".")[2]}
        if target.record is not None:
            made = target.record.made
            names |= {name for name, value in self.execution.module.__dict__.items() if value is made}
        return names - {"<lambda>", "__init__"}

    def _use_site(
        self,
        target: Target,
        parameters: list[inspect.Parameter],
        takes_self: bool,
        positional: list[Any],
        named: dict[str, Any],
        makers: dict[str, list[Maker]],
        given: list[Call],
    ) -> None:
        """A site whose arguments all evaluate gives a call; of others, those that do are candidates."""
        if not any(value is UNKNOWN for value in (*positional, *named.values())):
            own = (self.instance(target.owner),) if takes_self and target.owner is not None else ()
            given.append(((*own, *positional), named))
        names = [parameter.name for parameter in parameters if parameter.kind not in _VARIADIC][takes_self:]
        for name, value in [*zip(names, positional), *named.items()]:
            if value is not UNKNOWN and name in makers:
                makers[name].insert(0, functools.partial(_same, value))


def _offers(value: Any, attributes: Iterable[str], fields: Iterable[str] = ()) -> bool:
    return all(hasattr(value, attribute) or attribute in fields for attribute in attributes)


def _same(value: Any) -> Any:
    return value
