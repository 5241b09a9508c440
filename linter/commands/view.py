"""`tracetrap view`: an HTML page that shows what is static and what is traced."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path

from ..streams import warn, write_document

EXAMPLES = """\
examples:
  tracetrap view model.py                  writes model.html
  tracetrap view src/ -o report.html       all files of a folder in one page
  tracetrap run --save run.json train.py && tracetrap view train.py --run run.json
  tracetrap view model.py --trace          with the jaxpr of each entry point (runs the file)
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to show, where to write it, and whether the code may be run."""
    parser.add_argument("path", metavar="PATH", type=Path, help="a file or a folder")
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        type=Path,
        help="the page to write (default: PATH.html); - for standard output",
    )
    parser.add_argument("--strict", action="store_true", help="also findings that are only possible")
    parser.add_argument("--config", metavar="FILE", type=Path, help="read the settings from this file")
    parser.add_argument(
        "--run",
        metavar="FILE",
        type=Path,
        help="with the recompilations that 'tracetrap run --save FILE' wrote",
    )
    run = parser.add_argument_group("what runs the code that is shown, confined to a process of its own")
    run.add_argument("--verify", action="store_true", help="with a verdict on each finding")
    run.add_argument("--trace", action="store_true", help="with the jaxpr of each entry point")
    run.add_argument(
        "--runtime", choices=("bundled", "jax"), default="bundled", help="what traces (default: bundled)"
    )


def run(options: argparse.Namespace) -> int:
    """Write the page; returns the exit code."""
    from ..files.discovery import PathError
    from ..settings.config import SettingsError
    from ..settings.files import SettingsFinder
    from ..view import gather, page
    from ..view.recompilations import ReportError, read_report

    try:
        runs = read_report(options.run) if options.run is not None else ()
        finder = SettingsFinder(options.config, {"strict": True} if options.strict else {})
        with ExitStack() as stack:
            workers = None
            if options.verify or options.trace:
                from ..verify import RuntimeMissing, Workers

                workers = stack.enter_context(Workers(options.runtime, finder.for_folder(Path.cwd()).jobs))
                try:
                    workers.first.wait_ready()
                except RuntimeMissing as error:
                    return _refuse(str(error))
            files = gather([options.path], finder, workers, verify=options.verify, trace=options.trace)
    except ReportError as error:
        return _refuse(f"--run {error}")
    except (SettingsError, PathError) as error:
        return _refuse(str(error))
    if not files:
        return _refuse(f"{options.path}: no Python file here names a library that traces")
    title = str(options.path) if options.path.name else options.path.resolve().name
    return _write(page(files, title, runs), options)


def _write(html: str, options: argparse.Namespace) -> int:
    if options.output == Path("-"):
        write_document(html)
        return 0
    target = options.output or Path(f"{options.path.resolve().name.removesuffix('.py') or 'view'}.html")
    try:
        target.write_text(html, encoding="utf-8")
    except OSError as error:
        return _refuse(f"{target}: cannot be written ({error.strerror})")
    warn(f"wrote {target} ({len(html) // 1024:,} KB)")
    return 0


def _refuse(reason: str) -> int:
    warn(reason)
    return 2
