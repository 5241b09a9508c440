"""`jax.debug`: look at values while a program runs."""

from __future__ import annotations

import string
import sys
from typing import Any

from .transforms.callbacks import debug_callback as callback

__all__ = [
    "breakpoint",
    "callback",
    "inspect_array_sharding",
    "print",
    "visualize_array_sharding",
    "visualize_sharding",
]


class _CheckedFormatter(string.Formatter):
    """A formatter that refuses arguments which the format does not use."""

    def check_unused_args(self, used_args: Any, args: Any, kwargs: Any) -> None:
        unused = [arg for i, arg in enumerate(args) if i not in used_args]
        missed = [k for k in kwargs if k not in used_args]
        if unused:
            raise ValueError(f"Unused positional arguments to `jax.debug.print`: {unused}")
        if missed:
            raise ValueError(
                f'Unused keyword arguments to `jax.debug.print`: {missed}. You may be passing an f-string (i.e, `f"{{x}}"`) into `jax.debug.print` and instead should pass in a regular string.'
            )

    def format_field(self, value: Any, format_spec: str) -> str:
        return ""


def print(
    fmt: str,
    *args: Any,
    ordered: bool = False,
    partitioned: bool = False,
    skip_format_check: bool = False,
    **kwargs: Any,
) -> None:
    """Print values when the program runs; `fmt` is a format string, not an f-string."""
    if not skip_format_check:
        _CheckedFormatter().format(fmt, *args, **kwargs)

    def write(*values: Any, **named: Any) -> None:
        sys.stdout.write(fmt.format(*values, **named) + "\n")

    callback(write, *args, ordered=ordered, **kwargs)


def breakpoint(**options: Any) -> None:
    """Not available: there is no debugger that stops compiled programs."""
    raise NotImplementedError("jax.debug.breakpoint is not available in this runtime")


def inspect_array_sharding(value: Any, *, callback: Any) -> None:
    """Call back with the sharding of a value: everything is on one device."""
    callback(None)


def visualize_array_sharding(value: Any, **options: Any) -> None:
    """Print the sharding of a value: everything is on one device."""
    sys.stdout.write("CPU 0\n")


def visualize_sharding(shape: Any, sharding: Any, **options: Any) -> None:
    """Draw how an array of a shape is split: everything is on one device.

    Raises ValueError for shapes of other than one or two axes.
    """
    if not 1 <= len(shape) <= 2:
        raise ValueError("`visualize_sharding` only works for shapes with 1 and 2 dimensions.")
    sharding.check_rank(shape)
    sys.stdout.write("┌───────┐\n│ CPU 0 │\n└───────┘\n")
