"""``jit``: the compilation cache, and how a call finds its program there."""
