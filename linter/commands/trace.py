"""`tracetrap trace`: what a function becomes when it is traced."""

from __future__ import annotations

import argparse

EXAMPLES = """\
examples:
  tracetrap trace model.py::loss                       the jaxpr, with inputs that are found for it
  tracetrap trace model.py::loss --args "f32[3], 2"    with these inputs
  tracetrap trace model.py::Net.forward --emit llvm    the LLVM IR that the bundled runtime makes of it
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The function, its inputs, the stage."""
    parser.add_argument("target", metavar="FILE::FUNCTION", help="a function or method of a file")
    parser.add_argument(
        "--args",
        metavar="INPUTS",
        help="its arguments, as in \"f32[3], i32[], 2, mode='mean'\"; found if not given",
    )
    parser.add_argument(
        "--emit",
        choices=("jaxpr", "loops", "llvm", "asm"),
        default="jaxpr",
        help="the stage (default: jaxpr)",
    )
    parser.add_argument(
        "--runtime", choices=("bundled", "jax"), default="bundled", help="what traces (default: bundled)"
    )


def run(options: argparse.Namespace) -> int:
    """Print the stage; returns the exit code."""
    from ..verify import trace_command

    return trace_command.run(options)
