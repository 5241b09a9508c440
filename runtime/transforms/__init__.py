"""Transforms: functions that trace other functions, and the control flow that they go through."""

from __future__ import annotations

from ..primitives.call import jit_p
from .calls import install_call_rules

install_call_rules(jit_p)
