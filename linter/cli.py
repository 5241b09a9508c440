"""The command line: which subcommand, and nothing of what it does."""

from __future__ import annotations

import argparse
import difflib
import importlib
import os
import pkgutil
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress

from . import __version__, commands, streams

COMMANDS = {
    "check": "find tracing pitfalls in files and folders",
    "rule": "explain a rule, or list all rules",
    "trace": "print the jaxpr, loops or machine code of a function",
    "run": "run a script on the bundled runtime and report what was traced again, and why",
    "view": "write an HTML page that shows what is static and what is traced",
    "server": "speak the language server protocol on standard input and output",
    "init": "set up tracetrap in this project: settings and a pre-commit hook",
    "completion": "print the script that lets a shell complete commands and options",
}

WELCOME = """\
tracetrap finds the places where Python meets a JAX tracer and loses.

  tracetrap check                  check the current folder
  tracetrap check --verify FILE    and prove each finding by tracing the code
  tracetrap rule TRC101            explain a rule
  tracetrap init                   set up this project
  tracetrap --help                 everything else
"""


def entry() -> None:
    """What the shell runs.

    A check leaves without taking apart all that it has built, which would take a fifth of its time.
    """
    code = main()
    if sys.argv[1:2] == ["check"]:
        with suppress(OSError):  # nobody listens any more
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 nothing found, 1 findings, 2 the tool could not do its work."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    streams.prepare()
    try:
        code = _dispatch(given)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        streams.warn("interrupted")
        return 130
    except BrokenPipeError:
        streams.give_up_output()
        return 141
    except OSError as error:  # a full disk, a terminal that is gone
        where = f"{error.filename}: " if error.filename else ""
        streams.warn(f"{where}{error.strerror or error}")
        streams.give_up_output()
        return 2


def _mistaken(word: str) -> str:
    """What is wrong with the first word of a command line that begins with no command, and what was meant by it."""
    if word.startswith("-") or word in COMMANDS:
        return ""
    if os.path.exists(word):
        return f"{word} is no command; to check it: tracetrap check {word}"
    close = difflib.get_close_matches(word, COMMANDS, n=1)
    hint = f"did you mean {close[0]}?" if close else "'tracetrap --help' lists all"
    return f"there is no command {word!r}; {hint}"


def _unknown(word: str, command: str) -> str:
    """What is wrong with an argument that a command does not take, and what was meant by it."""
    if not word.startswith("-"):
        return f"'tracetrap {command}' takes no argument {word!r}; 'tracetrap {command} --help' shows what it takes"
    option = word.partition("=")[0]
    parser = argparse.ArgumentParser()
    importlib.import_module(f".commands.{command}", __package__).add_arguments(parser)
    names = [name[2:] for name in parser._option_string_actions if name.startswith("--")]
    close = difflib.get_close_matches(option.lstrip("-"), names, n=1)
    hint = f"did you mean --{close[0]}?" if close else f"'tracetrap {command} --help' lists all"
    return f"'tracetrap {command}' has no option {option}; {hint}"


def parser_for(given: Collection[str]) -> argparse.ArgumentParser:
    """The parser of the command line, with the options of those commands that are given."""
    parser = argparse.ArgumentParser(
        prog="tracetrap",
        description="Finds the places where Python meets a JAX tracer and loses.",
        epilog="'tracetrap COMMAND --help' shows the options of a command, and examples.",
    )
    parser.add_argument("--version", action="version", version=f"tracetrap {__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    present = {module.name for module in pkgutil.iter_modules(commands.__path__)}
    for name, summary in COMMANDS.items():
        if name not in present:
            continue
        subparser = subparsers.add_parser(
            name, help=summary, description=summary, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name in given:  # the others' modules need not be imported
            command = importlib.import_module(f".commands.{name}", __package__)
            subparser.epilog = command.EXAMPLES
            command.add_arguments(subparser)
    return parser


def _dispatch(given: list[str]) -> int:
    if not given:
        sys.stdout.write(WELCOME)
        return 0
    problem = _mistaken(given[0])
    if problem:
        streams.warn(problem)
        return 2
    options, unknown = parser_for(given).parse_known_args(given)
    if unknown:
        streams.warn(_unknown(unknown[0], options.command))
        return 2
    code: int = importlib.import_module(f".commands.{options.command}", __package__).run(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
