"""`noqa` comments mean what they mean to flake8: every case is also put to flake8's own machinery."""

from __future__ import annotations

import argparse

import pytest
from flake8.processor import FileProcessor
from flake8.violation import Violation
from tracetrap.linter.files.source import SourceFile

LINES = {
    "blanket": "x = 1  # noqa\n",
    "one code": "x = 1  # noqa: TRC101\n",
    "another code": "x = 1  # noqa: E501\n",
    "prefix": "x = 1  # noqa: TRC1\n",
    "list": "x = 1  # noqa: E501,TRC101\n",
    "list with blanks": "x = 1  # noqa: E501 TRC101, W1\n",
    "no blank": "x = 1  # noqa:TRC101\n",
    "capitals": "x = 1  # NOQA: TRC101\n",
    "small code": "x = 1  # noqa: trc101\n",
    "reason after": "x = 1  # noqa: TRC101 because it is a test\n",
    "malformed codes": "x = 1  # noqa: why not\n",
    "no blank after the hash": "x = 1  #noqa\n",
    "in a string": "x = '# noqa'\n",
    "string over lines": "x = '''\na\n'''  # noqa: TRC101\n",
    "brackets over lines": "x = [\n    1,\n]  # noqa: TRC101\n",
    "inside brackets": "x = [\n    1,  # noqa: TRC101\n]\n",
    "continued": "x = 1 + \\\n    2  # noqa: TRC101\n",
    "other line": "x = 1\ny = 2  # noqa\n",
    "file": "# flake8: noqa\nx = 1\n",
    "file, later": "x = 1\n    # FLAKE8=noqa\n",
    "file, behind code": "x = 1  # flake8: noqa\ny = 2\n",
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES.keys())
def test_suppressions_agree_with_flake8(text: str) -> None:
    source = SourceFile(text)
    options = argparse.Namespace(
        disable_noqa=False,
        hang_closing=False,
        indent_size=4,
        max_line_length=79,
        max_doc_length=None,
        verbose=0,
    )
    processor = FileProcessor("example.py", options, source.lines)
    for row in range(1, len(source.lines) + 1):
        violation = Violation("TRC101", "example.py", row, 1, "", processor.noqa_line_for(row))
        expected = processor.should_ignore_file() or violation.is_inline_ignored(disable_noqa=False)
        suppressions = source.suppressions

        assert (suppressions.whole_file or suppressions.at(row, "TRC101")) == expected, row


def test_a_file_that_does_not_tokenize_still_has_its_comments() -> None:
    source = SourceFile("x = (  # noqa\n'''\n")

    assert source.suppressions.at(1, "TRC101")
    assert not source.suppressions.at(2, "TRC101")
