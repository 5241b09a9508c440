"""`tracetrap init`: writes the settings and the pre-commit hook that a project needs."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from ..streams import warn

EXAMPLES = """\
examples:
  tracetrap init            add what is missing to setup.cfg (or pyproject.toml) and .pre-commit-config.yaml
  tracetrap init --print    show it instead
"""

HOOK = """\
  - repo: local
    hooks:
      - id: tracetrap
        name: tracetrap
        entry: tracetrap check
        language: system  # the tracetrap, and the packages, of the environment that commits are made in
        types_or: [python, pyi, jupyter]
        pass_filenames: false  # the whole project: a file is judged by what those that import it do with it
        require_serial: true
"""

INI = """\
[tracetrap]
# strict = true
# extend-exclude = vendored/
# per-file-ignores =
#     tests/*: TRC403
"""

TOML = """\
[tool.tracetrap]
# strict = true
# extend-exclude = ["vendored/"]
# per-file-ignores = { "tests/*" = ["TRC403"] }
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whether to write or to show."""
    parser.add_argument(
        "--print", dest="show", action="store_true", help="show what would be added, and write nothing"
    )


def run(options: argparse.Namespace) -> int:
    """Add what is missing; returns the exit code."""
    for path, text in additions(Path.cwd()):
        if options.show:
            print(f"# {path.name}\n{text}")
            continue
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            warn(f"{path.name}: cannot be written ({error.strerror})")
            return 2
        print(f"added to {path.name}")
    hooked = (Path.cwd() / ".pre-commit-config.yaml").exists()
    install = "" if shutil.which("pre-commit") else "pip install pre-commit && "
    print("now run: tracetrap check" + (f", and {install}pre-commit install" if hooked else ""))
    return 0


def additions(folder: Path) -> list[tuple[Path, str]]:
    """Each file that lacks something, with the text to append."""
    found = []
    toml = folder / "pyproject.toml"
    settings = toml if toml.exists() and not (folder / "setup.cfg").exists() else folder / "setup.cfg"
    written = _read(settings)
    section = TOML if settings is toml else INI
    if not any("tracetrap]" in _read(folder / name) for name in ("pyproject.toml", "setup.cfg", "tox.ini")):
        found.append((settings, _apart(written) + section))
    hooks = folder / ".pre-commit-config.yaml"
    configured = _read(hooks)
    if "tracetrap" not in configured:
        found.append((hooks, HOOK if "repos:" in configured else f"{_apart(configured)}repos:\n{HOOK}"))
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _apart(text: str) -> str:
    """What separates a new section from the text before it."""
    return "" if not text else "\n" if text.endswith("\n") else "\n\n"
