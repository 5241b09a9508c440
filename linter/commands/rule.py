"""`tracetrap rule`: the page of a rule, or the list of all."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterable

from ..streams import warn, write_document

EXAMPLES = """\
examples:
  tracetrap rule            list all rules
  tracetrap rule TRC101     explain one
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The code or the name of the rule, or none for all."""
    parser.add_argument("code", nargs="?", metavar="CODE", help="the code of a rule, or its name")
    parser.add_argument(
        "--output-format", choices=("text", "json"), default="text", help="text (default) or json"
    )


def _nearest(word: str, known: Iterable[str]) -> str | None:
    """What was meant by a mistyped code or name; all codes look alike, so that only one slip is forgiven in them."""
    is_code = any(letter.isdigit() for letter in word)
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.8 if is_code else 0.6)
    return close[0] if close else None


def run(options: argparse.Namespace) -> int:
    """Print what is asked for; returns the exit code."""
    from ..rules import all_rules
    from ..rules.docs import page, summary

    rules = all_rules()
    chosen = list(rules.values())
    if options.code is not None:
        known = rules | {rule.name.upper(): rule for rule in chosen}
        if options.code.upper() not in known:
            near = _nearest(options.code.upper(), known)
            hint = f"did you mean {known[near].code}?" if near else "'tracetrap rule' lists all"
            warn(f"there is no rule {options.code}; {hint}")
            return 2
        chosen = [known[options.code.upper()]]
    if options.output_format == "json":
        listed = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": rule.severity,
                "summary": summary(rule),
                "page": page(rule),
            }
            for rule in chosen
        ]
        write_document(json.dumps(listed, indent=2, ensure_ascii=False) + "\n")
    elif options.code is not None:
        print(page(chosen[0]), end="")
    else:
        for rule in chosen:
            print(f"{rule.code}  {summary(rule)}")
    return 0
