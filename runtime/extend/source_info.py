"""``jax.extend.source_info_util``: where values were made, as libraries note it for messages of their own."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..tracing import sources
from ..tracing.sources import register_exclusion

__all__ = [
    "NameStack",
    "SourceInfo",
    "current",
    "current_name_stack",
    "extend_name_stack",
    "new_name_stack",
    "new_source_info",
    "register_exclusion",
    "reset_name_stack",
    "set_name_stack",
    "summarize",
    "user_context",
]


@dataclasses.dataclass(frozen=True)
class NameStack:
    """The scopes around a place. Names of scopes are not kept: there are those that a library puts together itself."""

    stack: tuple[str, ...] = ()

    def extend(self, name: str) -> NameStack:
        return NameStack((*self.stack, name))

    def __add__(self, other: NameStack) -> NameStack:
        return NameStack(self.stack + other.stack)

    def __str__(self) -> str:
        return "/".join(self.stack)


@dataclasses.dataclass(frozen=True)
class SourceInfo:
    """A place in the user's code."""

    traceback: Any
    name_stack: NameStack

    def replace(self, *, traceback: Any = None, name_stack: NameStack | None = None) -> SourceInfo:
        return SourceInfo(traceback or self.traceback, name_stack or self.name_stack)


def new_name_stack(name: str = "") -> NameStack:
    return NameStack((name,) if name else ())


def current_name_stack() -> NameStack:
    return NameStack()


def new_source_info() -> SourceInfo:
    return SourceInfo(None, NameStack())


def current() -> SourceInfo:
    """The place that is being executed."""
    return SourceInfo(sources.current_source(2), NameStack())


def summarize(source_info: SourceInfo, num_frames: int = 1) -> str:
    """``FILE:LINE (FUNCTION)``, or ``unknown``."""
    return sources.summarize(source_info.traceback)


@contextmanager
def _nothing(*args: Any, **options: Any) -> Iterator[None]:
    """Errors keep the traceback that they have, and values are not named."""
    yield


user_context = set_name_stack = extend_name_stack = reset_name_stack = _nothing
