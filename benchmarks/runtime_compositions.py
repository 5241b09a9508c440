"""Do random compositions of transforms and control flow compute on the runtime what they compute in JAX?

    python benchmarks/runtime_compositions.py --count 300
    python benchmarks/runtime_compositions.py --show 116

`tests/runtime/compositions.py` draws them: layers inside of `scan`, `cond`, `vmap`, `custom_vjp`, `linearize`, ..., under
`grad`, `jvp`, `hessian`, ... Prints those whose values, shapes, types or error classes differ. JAX compiles each, which
takes a second or two.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections import Counter
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "runtime"))

import jax
import numpy as np
import tracetrap.runtime as ours
from compositions import composed, difference, outcome


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="number of compositions")
    parser.add_argument("--start", type=int, default=0, help="first seed")
    parser.add_argument("--show", type=int, help="print what this seed composes, and both outcomes")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    if options.show is not None:
        print(composed(ours, options.show)[0])
        print("here:", outcome(ours, options.show), "JAX:", outcome(jax, options.show), sep="\n")
        return 0
    errors: Counter[str] = Counter()
    differing = 0
    for seed in range(options.start, options.start + options.count):
        mine, theirs = outcome(ours, seed), outcome(jax, seed)
        if isinstance(theirs, str):
            errors[theirs] += 1
        found = difference(mine, theirs)
        if found:
            differing += 1
            print(f"{seed}: {composed(ours, seed)[0]}: {found}", flush=True)
        if seed % 20 == 19:
            jax.clear_caches()
    print(
        f"{options.count} compositions, {differing} differ; errors that both raise or JAX alone: {dict(errors)}"
    )
    return int(differing > 0)


if __name__ == "__main__":
    raise SystemExit(main())
