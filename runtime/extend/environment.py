"""What the runtime runs on, for reports of bugs."""

from __future__ import annotations

import os
import platform
import sys

from .. import __version__
from ..arrays.cpu import devices


def print_environment_info(return_string: bool = False) -> str | None:
    """Versions and devices, printed or returned."""
    import numpy

    lines = [
        f"jax:    {__version__}, of which tracetrap.runtime stands in",
        f"numpy:  {numpy.__version__}",
        f"python: {sys.version}",
        f"device info: cpu-{len(devices())}, {len(devices())} local devices",
        "process_count: 1",
        f"platform: {platform.uname()}",
        *(f"{name}={value}" for name, value in os.environ.items() if name.startswith(("JAX_", "TRACETRAP_"))),
    ]
    text = "\n".join(lines)
    if return_string:
        return text
    print(text)
    return None
