"""``jax.monitoring``: events that programs record, handed to listeners. The runtime itself records none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = [
    "clear_event_listeners",
    "record_event",
    "record_event_duration_secs",
    "record_event_time_span",
    "record_scalar",
    "register_event_duration_secs_listener",
    "register_event_listener",
    "register_event_time_span_listener",
    "register_scalar_listener",
    "unregister_event_duration_listener",
    "unregister_event_listener",
    "unregister_event_time_span_listener",
    "unregister_scalar_listener",
]

Listener = Callable[..., None]
_kinds: list[list[Listener]] = []


def _kind() -> tuple[Callable[..., None], Callable[[Listener], None], Callable[[Listener], None]]:
    """What records events of one kind, and what adds a listener for them and takes it away."""
    listeners: list[Listener] = []
    _kinds.append(listeners)

    def record(event: str, *values: Any, **kwargs: str | int) -> None:
        for listener in listeners:
            listener(event, *values, **kwargs)

    def register(callback: Listener) -> None:
        listeners.append(callback)

    def unregister(callback: Listener) -> None:
        assert callback in listeners
        listeners.remove(callback)

    return record, register, unregister


record_event, register_event_listener, unregister_event_listener = _kind()
record_event_duration_secs, register_event_duration_secs_listener, unregister_event_duration_listener = (
    _kind()
)
record_event_time_span, register_event_time_span_listener, unregister_event_time_span_listener = _kind()
record_scalar, register_scalar_listener, unregister_scalar_listener = _kind()


def clear_event_listeners() -> None:
    """Forget all listeners."""
    for listeners in _kinds:
        listeners.clear()
