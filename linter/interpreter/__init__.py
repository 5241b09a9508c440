"""The abstract interpreter: runs a module on abstract values and tells what happens as events."""

from .machine import Budget, Interpreter

__all__ = ["Budget", "Interpreter"]
