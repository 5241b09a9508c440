"""`tracetrap completion`: what a shell needs to complete commands, options and file names."""

from __future__ import annotations

import argparse

from ..streams import warn

SHELLS = ("bash", "zsh", "tcsh")

EXAMPLES = """\
examples:
  tracetrap completion bash > ~/.local/share/bash-completion/completions/tracetrap
  tracetrap completion zsh > ~/.zfunc/_tracetrap            (with ~/.zfunc in fpath)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The shell."""
    parser.add_argument("shell", choices=SHELLS, help="the shell to complete in")


def run(options: argparse.Namespace) -> int:
    """Print the shell's script; returns the exit code."""
    try:
        import shtab
    except ModuleNotFoundError:
        warn("completion needs shtab: pip install 'tracetrap[completion]'")
        return 2
    from ..cli import COMMANDS, parser_for

    parser = parser_for(COMMANDS)
    for action in _actions(parser):
        if isinstance(action.metavar, str) and action.metavar in ("PATH", "FILE", "SCRIPT", "PATHS"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, shell=options.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options and arguments of all commands."""
    found: list[argparse.Action] = []
    for action in parser._actions:
        found.append(action)
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                found += _actions(inner)
    return found
