"""How a builtin is called: the interpreter, its arguments by position and by name, and the place of the call."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from ...domain import Value

if TYPE_CHECKING:
    from ..machine import Interpreter

Handler: TypeAlias = "Callable[[Interpreter, list[Value], dict[str, Value], cst.CSTNode], Value]"
