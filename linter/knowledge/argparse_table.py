"""argparse: what a command line was given is one object, which no trace takes."""

from __future__ import annotations

FUNCTIONS = {
    "argparse": """
ArgumentParser(*args, **kwargs) -> static[ArgumentParser]
Namespace(**kwargs) -> static[Namespace]
""",
}

METHODS = {
    "ArgumentParser": """
parse_args(args=, namespace=) -> static[Namespace]
add_argument(*args, **kwargs) -> static[Action]
add_argument_group add_mutually_exclusive_group(*args, **kwargs) -> static[ArgumentParser]
""",
}
