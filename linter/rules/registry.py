"""What a rule is, and how the rules of this package are found.

A rule is a module `trcNNN_name.py` here that defines one subclass of `Rule`.  Its docstring is its documentation
page, with the fixed heads *What it does*, *Why is this bad*, *Example*, *Use instead*, *Fix safety*, *References*.
"""

from __future__ import annotations

import importlib.util
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import libcst as cst

    from ..events import Event
    from ..findings import Severity
    from ..fixes import Rewrite


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule says of an event.

    `what` names the pitfall (`if on a traced value`), `why` its cause (a rule gets it from `causes.py`), `advice` the
    way out; together they are the message, on one line.  `rewrites` are tried in this order for fixes.
    """

    node: cst.CSTNode
    what: str
    why: str
    advice: str
    error: str | None = None
    sure: bool = True
    rewrites: tuple[Rewrite, ...] = field(default=())

    @property
    def message(self) -> str:
        """What is traced, why, and what to do, in that order, on one line."""
        return f"{self.what}: {self.why}; {self.advice}" if self.advice else f"{self.what}: {self.why}"


class Rule(ABC):
    """One pitfall: its code, name and severity, the events it listens to, and what it says of them."""

    code: ClassVar[str]
    name: ClassVar[str]
    severity: ClassVar[Severity] = "error"
    listens: ClassVar[tuple[type[Event], ...]]

    @abstractmethod
    def check(self, event: Any) -> Iterator[Report]:
        """The reports that this event gives rise to: usually none or one."""


@cache
def all_rules() -> dict[str, Rule]:
    """Every rule by its code, in the order of the codes."""
    found: dict[str, Rule] = {}
    for module in sorted(info.name for info in pkgutil.iter_modules(_package_path())):
        if module.startswith("trc"):
            for item in vars(importlib.import_module(f".{module}", __package__)).values():
                if isinstance(item, type) and issubclass(item, Rule) and item.__module__.endswith(module):
                    found[item.code] = item()
    return dict(sorted(found.items()))


def rule(code: str) -> Rule | None:
    """The rule with this code (any case), or None."""
    return all_rules().get(code.upper())


def _package_path() -> list[str]:
    spec = importlib.util.find_spec(__package__ or "")
    return list(spec.submodule_search_locations or []) if spec else []
