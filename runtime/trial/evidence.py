"""What a trial saw: exceptions with their place in the user's files, traces with their inputs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType

# This runtime is no part of the user's project, even where it is checked out inside of it.
RUNTIME = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
# The bases of all that only tracing raises; out of memory, say, is none of these.
_TRACING_ERRORS = {"JAXTypeError", "JAXIndexError"}


MOST_PASSES = 1000  # so many passes of a line are kept


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame of the user's code in a traceback."""

    filename: str
    line: int
    function: str


@dataclass(slots=True)
class Raised:
    """One exception, with the user's frames outermost first and the traces it went through, innermost last.

    `origin` is the line whose operation failed only later, when JAX transformed it (the exception's cause).
    """

    classes: tuple[str, ...]
    message: str
    frames: tuple[Frame, ...]
    traces: tuple[TraceKey, ...]
    inputs: str = ""
    tracing_error: bool = False
    caught: bool = False
    origin: Frame | None = None

    @property
    def name(self) -> str:
        return self.classes[0]

    @property
    def place(self) -> Frame | None:
        """The innermost line of the user's code."""
        return self.frames[-1] if self.frames else None

    def is_at(self, filename: str, first: int, last: int) -> bool:
        """True if the innermost user line, or the operation's own line, lies in these rows."""
        places = [place for place in (self.place, self.origin) if place is not None]
        return any(place.filename == filename and first <= place.line <= last for place in places)

    def brief(self) -> str:
        """Class and first line of the message."""
        return f"{self.name}: {self.message}" if self.message else self.name


@dataclass(frozen=True, slots=True)
class TraceKey:
    """A function that a transform traces: its place is its first line, decorators included."""

    name: str
    transform: str
    filename: str
    first_line: int
    last_line: int

    def holds(self, filename: str, line: int) -> bool:
        """True if the line stands in the function's text."""
        return self.filename == filename and self.first_line <= line <= self.last_line


@dataclass(slots=True)
class Evidence:
    """All that was seen since the last `clear`."""

    files: frozenset[str] = frozenset()
    root: str = ""
    here: str = ""  # the folder that names of files are shown relative to
    raised: list[Raised] = field(default_factory=list)
    traced: dict[TraceKey, int] = field(default_factory=dict)
    inputs: dict[TraceKey, list[str]] = field(default_factory=dict)
    passed: dict[int, list[tuple[TraceKey, ...]]] = field(default_factory=dict)
    sizes: dict[int, int] = field(default_factory=dict)  # of concrete arrays that were read while tracing
    applied: dict[TraceKey, set[tuple[str, int]]] = field(default_factory=dict)
    stack: list[TraceKey] = field(default_factory=list)
    held: list[BaseException] = field(default_factory=list)

    def clear(self) -> None:
        """Forget what was seen, but not where transforms are applied, nor which files are the user's."""
        for store in (self.raised, self.traced, self.inputs, self.passed, self.sizes, self.stack, self.held):
            store.clear()

    def owns(self, filename: str) -> bool:
        """True for a file of the user's project, as opposed to an installed library."""
        if filename in self.files:
            return True
        inside = bool(self.root) and filename.startswith(self.root + os.sep)
        inside = inside and not filename.startswith(RUNTIME)
        return inside and "site-packages" not in filename and not filename.startswith("<")

    def name_of(self, filename: str) -> str:
        """A file as it is told of: relative to the user's folder where it lies below it."""
        inside = bool(self.here) and filename.startswith(os.path.join(self.here, ""))
        return os.path.relpath(filename, self.here) if inside else filename

    def where(self, place: Frame, filename: str) -> str:
        """A line as it is told of to a reader of `filename`: `line 6`, and elsewhere `layers/blocks.py:6`."""
        own = place.filename == filename
        return f"line {place.line}" if own else f"{self.name_of(place.filename)}:{place.line}"

    def record(self, error: BaseException, inputs: str = "") -> Raised:
        """Add an exception, once, however many observers it passes."""
        for known, seen in zip(self.held, self.raised):
            if known is error:
                # Further out its traceback has more frames, the first of them perhaps the user's.
                seen.frames = tuple(self.user_frames(error.__traceback__))
                return seen
        entry = Raised(
            classes=tuple(cls.__name__ for cls in type(error).__mro__),
            message=first_line(error),
            frames=tuple(self.user_frames(error.__traceback__)),
            traces=tuple(self.stack),
            inputs=inputs,
            tracing_error=any(cls.__name__ in _TRACING_ERRORS for cls in type(error).__mro__),
        )
        if type(error.__cause__).__name__ == "JaxStackTraceBeforeTransformation":
            assert error.__cause__ is not None
            entry.origin = next(iter(reversed(list(self.user_frames(error.__cause__.__traceback__)))), None)
        self.held.append(error)
        self.raised.append(entry)
        return entry

    def user_frames(self, traceback: TracebackType | None) -> Iterator[Frame]:
        """The frames of the user's own files, outermost first."""
        while traceback is not None:
            code = traceback.tb_frame.f_code
            if self.owns(code.co_filename):
                yield Frame(code.co_filename, traceback.tb_lineno, code.co_name)
            traceback = traceback.tb_next


def first_line(error: BaseException) -> str:
    """The first line of an exception's message, with the next if it only leads up to it, shortened for a report."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 (a user's __str__)
        return ""
    line, _, rest = text.strip().partition("\n")
    line = line.strip()
    if line.endswith(":") and rest:
        line = f"{line} {rest.strip().splitlines()[0].strip()}"
    return line if len(line) <= 300 else line[:297] + "..."
