"""The errors of tracing, with the class hierarchy of ``jax.errors``.

    TypeError
        JAXTypeError
            ConcretizationTypeError             a tracer was asked for its value
                TracerBoolConversionError           ... for its truth
            TracerArrayConversionError          ... for a NumPy array
            TracerIntegerConversionError        ... for a Python integer
            UnexpectedTracerError               a tracer outlived its trace
            KeyReuseError                       a random key was used twice
        JaxprTypeError                          a jaxpr is ill-typed
    IndexError
        JAXIndexError
            NonConcreteBooleanIndexError        a traced mask selects elements
    RuntimeError
        JaxRuntimeError                         compiled code failed
    Exception
        InconclusiveDimensionOperation          a symbolic dimension has no single answer

A class that takes a tracer says what the tracer stands for and where it came from: the function being traced, the
transform, the place and the argument. The tracer knows both; see `Traceable`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import Any, Protocol

__all__ = [
    "ConcretizationTypeError",
    "InconclusiveDimensionOperation",
    "JAXIndexError",
    "JAXTypeError",
    "JaxRuntimeError",
    "JaxprTypeError",
    "KeyReuseError",
    "NonConcreteBooleanIndexError",
    "TracerArrayConversionError",
    "TracerBoolConversionError",
    "TracerIntegerConversionError",
    "UnexpectedTracerError",
]

_PAGE = "https://docs.jax.dev/en/latest/errors.html#jax.errors."


class Traceable(Protocol):
    """What an error asks of the tracer that it reports."""

    def _error_repr(self) -> str:
        """The value in words: ``traced array with shape float32[3]``."""

    def _origin_msg(self) -> str:
        """Where the value came from: empty, or lines that start with a line break."""


class _WithPage(Exception):
    """An error whose message ends with the address of its page in JAX's documentation."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message}\nSee {_PAGE}{type(self).__name__}")


class JAXTypeError(_WithPage, TypeError):
    """A TypeError of tracing."""


class JAXIndexError(_WithPage, IndexError):
    """An IndexError of tracing."""


class ConcretizationTypeError(JAXTypeError):
    """Python asked a tracer for a value that is only known when the compiled code runs.

    `context` says what the value was wanted for, as in "the axis argument of sum must be static".
    """

    def __init__(self, tracer: Traceable, context: str = "") -> None:
        super().__init__(
            f"Abstract tracer value encountered where concrete value is expected: {tracer._error_repr()}\n"
            f"{context}{tracer._origin_msg()}\n"
        )


class TracerBoolConversionError(ConcretizationTypeError):
    """``if``, ``while``, ``assert``, ``and``, ``or``, ``not`` or ``bool()`` met a traced scalar."""

    def __init__(self, tracer: Traceable) -> None:
        JAXTypeError.__init__(
            self, f"Attempted boolean conversion of {tracer._error_repr()}.{tracer._origin_msg()}"
        )


class TracerArrayConversionError(JAXTypeError):
    """NumPy asked a tracer for an array."""

    def __init__(self, tracer: Traceable) -> None:
        super().__init__(
            "The numpy.ndarray conversion method __array__() was called on "
            f"{tracer._error_repr()}{tracer._origin_msg()}"
        )


class TracerIntegerConversionError(JAXTypeError):
    """A tracer was used where Python needs an integer: a list index, ``range``, a length."""

    def __init__(self, tracer: Traceable) -> None:
        super().__init__(f"The __index__() method was called on {tracer._error_repr()}{tracer._origin_msg()}")


class NonConcreteBooleanIndexError(JAXIndexError):
    """A traced boolean mask selects elements: the shape of the result would depend on values."""

    def __init__(self, tracer: object) -> None:
        super().__init__(f"Array boolean indices must be concrete; got {tracer}\n")


class UnexpectedTracerError(JAXTypeError):
    """A tracer was used after the transform that made it had finished."""


class KeyReuseError(JAXTypeError):
    """A random key was used twice."""


class JaxprTypeError(TypeError):
    """A jaxpr is ill-typed: the mark of a bug in a transform or a primitive."""


class InconclusiveDimensionOperation(Exception):
    """An operation on symbolic dimensions has different answers for different values of them."""


class JaxRuntimeError(RuntimeError):
    """Compiled code failed while running: a callback raised, or a deleted buffer was used."""


def refuse_out_of_memory(error: Exception, avals: Iterable[Any]) -> None:
    """Raises JaxRuntimeError in the place of NumPy's error for an array that does not fit into memory.

    For a ValueError only if one of `avals` fits into no address space.
    """
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    if not isinstance(error, MemoryError):
        beyond = [a for a in avals if math.prod(a.shape) * a.dtype.itemsize > sys.maxsize]
        if not beyond:
            return
        shape, dtype = beyond[0].shape, beyond[0].dtype
    size = "" if shape is None or dtype is None else f" allocating {math.prod(shape) * dtype.itemsize} bytes"
    raise JaxRuntimeError(f"RESOURCE_EXHAUSTED: Out of memory{size}.") from None
