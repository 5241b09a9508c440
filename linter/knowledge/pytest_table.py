"""pytest, where a test expects what tracing raises."""

from __future__ import annotations

OBJECTS = {"pytest.raises": "context:raises"}
