"""The standard streams: there even where the caller has closed them, and able to write every text."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress


def prepare() -> None:
    """Opens what is closed, or files and pipes would take its place; makes all characters writable.

    What is written to a closed stream is lost, as the caller wants it; to read from one is an OSError.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_WRONLY)
            os.set_inheritable(descriptor, True)
            if descriptor == number:
                setattr(sys, name, os.fdopen(descriptor, "w" if number else "r", encoding="utf-8"))
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def write_document(text: str) -> None:
    """Writes to standard output what programs read: UTF-8 whatever the locale says, line ends as they are."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace", newline="")
    sys.stdout.write(text)


def write_bytes(data: bytes) -> None:
    """Writes a file to standard output as it is to be stored."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)


def warn(message: str) -> None:
    """A line for people on stderr, if that can be written to at all."""
    with suppress(OSError):
        print(f"tracetrap: {message}", file=sys.stderr, flush=True)


def give_up_output() -> None:
    """Nobody reads standard output any more, or it is full: the exit must not complain of what is left to write."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
