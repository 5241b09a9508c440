"""`jax.profiler`: annotations do nothing, and no profile is written, so that programs that ask for one run as they are."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager
from os import PathLike
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

__all__ = [
    "ProfileOptions",
    "StepTraceAnnotation",
    "TraceAnnotation",
    "annotate_function",
    "save_device_memory_profile",
    "start_server",
    "start_trace",
    "stop_server",
    "stop_trace",
    "trace",
]

_running: list[str] = []


class TraceAnnotation(ContextDecorator):
    """A name for the time spent inside."""

    def __init__(self, name: str, **metadata: Any) -> None:
        self.name, self.metadata = name, metadata

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        return None


class StepTraceAnnotation(TraceAnnotation):
    """A name for a step of a program."""


class ProfileOptions:
    """What a profile would show; any option may be set."""

    host_tracer_level = 2
    python_tracer_level = 0


def annotate_function(
    func: Callable[..., Any], name: str | None = None, **decorator_kwargs: Any
) -> Callable[..., Any]:
    """`func`, whose calls would be named in a profile."""

    @functools.wraps(func)
    def annotated(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return annotated


def start_trace(
    log_dir: str | PathLike[str],
    create_perfetto_link: bool = False,
    create_perfetto_trace: bool = False,
    profiler_options: ProfileOptions | None = None,
) -> None:
    """Begin a profile, of which nothing is written. Raises RuntimeError if one has begun."""
    if _running:
        raise RuntimeError("Profile has already been started. Only one profile may be run at a time.")
    _running.append(str(log_dir))


def stop_trace() -> None:
    """End a profile. Raises RuntimeError if none has begun."""
    if not _running:
        raise RuntimeError("No profile started")
    _running.clear()


@contextmanager
def trace(log_dir: str | PathLike[str], *args: Any, **options: Any) -> Iterator[None]:
    """A profile of what is done inside, of which nothing is written."""
    start_trace(log_dir, *args, **options)
    try:
        yield
    finally:
        stop_trace()


def start_server(port: int) -> None:
    """Nothing: there is no profile that could be fetched from a port."""


def stop_server() -> None:
    """Nothing, as `start_server`."""


def save_device_memory_profile(filename: str, backend: str | None = None) -> None:
    """Raises NotImplementedError: who allocated memory is not noted."""
    raise NotImplementedError(
        "jax.profiler.save_device_memory_profile: tracetrap.runtime does not note who allocated memory"
    )
