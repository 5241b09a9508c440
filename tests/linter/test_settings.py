"""Settings come from the nearest file, mean the same in each notation, and a bad one is named in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tracetrap.linter.findings import Finding, Location, Span
from tracetrap.linter.settings.config import Settings, SettingsError
from tracetrap.linter.settings.files import SettingsFinder, read_settings

INI = """\
[tracetrap]
select = TRC1, TRC202
ignore = TRC104
per-file-ignores =
    tests/*: TRC103,TRC104
    legacy.py: TRC
transforms =
    mylib.compile = jax.jit
inputs =
    Model.step = f32[8,3], i32[]
strict = yes
jobs = 2
seconds-per-file = 2.5
exclude = vendored
"""

TOML = """\
[tool.tracetrap]
select = ["TRC1", "TRC202"]
ignore = ["TRC104"]
per-file-ignores = { "tests/*" = ["TRC103", "TRC104"], "legacy.py" = ["TRC"] }
transforms = { "mylib.compile" = "jax.jit" }
inputs = { "Model.step" = "f32[8,3], i32[]" }
strict = true
jobs = 2
seconds-per-file = 2.5
exclude = ["vendored"]
"""


def finding(code: str, filename: str = "model.py", **more: str) -> Finding:
    span = Span(Location(1, 1), Location(1, 2))
    return Finding(code, "a-name", "a message", filename, span, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "text"), [("setup.cfg", INI), ("tox.ini", INI), ("pyproject.toml", TOML)])
def test_the_same_settings_in_every_notation(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text)

    settings = SettingsFinder().for_folder(folder)

    assert settings == Settings(
        select=("TRC1", "TRC202"),
        ignore=("TRC104",),
        per_file_ignores={"tests/*": ("TRC103", "TRC104"), "legacy.py": ("TRC",)},
        transforms={"mylib.compile": "jax.jit"},
        inputs={"Model.step": "f32[8,3], i32[]"},
        strict=True,
        jobs=2,
        seconds_per_file=2.5,
        exclude=("vendored",),
        root=folder,
        file=folder / name,
    )


def test_the_nearest_file_with_settings_decides(folder: Path) -> None:
    (folder / "setup.cfg").write_text("[tracetrap]\nstrict = true\n")
    inner = folder / "inner" / "deep"
    inner.mkdir(parents=True)
    (folder / "inner" / "pyproject.toml").write_text("[tool.tracetrap]\nignore = ['TRC403']\n")
    (inner / "setup.cfg").write_text("[metadata]\nname = other\n")

    finder = SettingsFinder()

    assert finder.for_folder(inner).ignore == ("TRC403",)
    assert finder.for_folder(folder).strict
    assert SettingsFinder(options={"strict": False}).for_folder(folder).strict is False


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "setup.cfg",
            "[tracetrap]\nselct = TRC1\n",
            "[tracetrap] has no setting 'selct'; did you mean 'select'?",
        ),
        (
            "pyproject.toml",
            "[tool.tracetrap]\nstrict = 'perhaps'\n",
            "strict in [tool.tracetrap] must be true or false",
        ),
        ("tox.ini", "[tracetrap]\nselect = E501\n", "rule codes such as TRC101 or TRC1, not 'E501'"),
        ("tox.ini", "[tracetrap]\nignore = TRC199\n", "no rule begins with TRC199"),
        ("setup.cfg", "[tracetrap]\noutput-format = xml\n", "must be one of concise, github"),
        ("setup.cfg", "[tracetrap]\njobs = many\n", "jobs in [tracetrap] must be a number of processes"),
        ("setup.cfg", "[tracetrap]\ntransforms = jit\n", "one 'NAME = VALUE' a line, not 'jit'"),
        ("setup.cfg", "[tracetrap\nstrict = 1\n", "is no valid INI file"),
        ("pyproject.toml", "[tool.tracetrap\n", "is no valid TOML"),
        ("pyproject.toml", "[tool]\ntracetrap = 1\n", "tool.tracetrap must be a table"),
        (
            "setup.cfg",
            "[tracetrap]\ninputs =\n    g = f32[]\n    f = f32[3, 2\n",
            "inputs in [tracetrap] must be arguments such as 'f32[8,3], i32[], 2' by function; f has 'f32[3, 2'",
        ),
        ("pyproject.toml", "[tool.tracetrap]\ninputs = { f = '1) + (2' }\n", "f has '1) + (2'"),
        ("pyproject.toml", "[tool.tracetrap]\nseconds-per-file = -1\n", "a number of seconds above 0"),
    ],
)
def test_what_is_wrong_is_named_in_one_line(folder: Path, name: str, text: str, message: str) -> None:
    (folder / name).write_text(text)

    with pytest.raises(SettingsError) as caught:
        SettingsFinder().for_folder(folder)

    assert message in str(caught.value)
    assert str(folder / name) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["f32[8,3], i32[]", "key, bool[ ], 2, mode='mean'", "State(f32[3], {'a': [1]})"]
)
def test_inputs_are_read_as_verification_notes_them(folder: Path, text: str) -> None:
    (folder / "setup.cfg").write_text(f"[tracetrap]\ninputs =\n    Net.step = {text}\n")

    assert SettingsFinder().for_folder(folder).inputs == {"Net.step": text}


def test_a_file_of_other_tools_has_no_settings(folder: Path) -> None:
    (folder / "setup.cfg").write_text("[flake8]\nmax-line-length = 100\n")

    assert read_settings(folder / "setup.cfg") is None


@pytest.mark.parametrize(
    ("settings", "selected", "left_out"),
    [
        (Settings(), {"TRC101", "TRC900"}, set()),
        (Settings(select=("TRC1",)), {"TRC101"}, {"TRC201"}),
        (Settings(select=("TRC1",), extend_select=("TRC201",)), {"TRC101", "TRC201"}, {"TRC202"}),
        (Settings(ignore=("TRC1",)), {"TRC201"}, {"TRC101"}),
        (Settings(select=("TRC101",), ignore=("TRC1",)), {"TRC101"}, {"TRC102"}),
        (Settings(select=("TRC101",), ignore=("TRC101",)), set(), {"TRC101"}),
    ],
)
def test_the_longest_prefix_decides(settings: Settings, selected: set[str], left_out: set[str]) -> None:
    codes = selected | left_out

    assert {code for code in codes if settings.reports(finding(code))} == selected


def test_possible_findings_are_for_the_strict() -> None:
    possible = finding("TRC101", confidence="possible")

    assert not Settings().reports(possible)
    assert Settings(strict=True).reports(possible)


def test_ignores_for_files_are_patterns_below_the_settings(folder: Path) -> None:
    settings = Settings(
        root=folder, per_file_ignores={"tests/": ("TRC1",), "/top.py": ("TRC",), "*_old.py": ("TRC2",)}
    )

    reported = [
        (code, name)
        for code in ("TRC101", "TRC201")
        for name in ("tests/deep/a.py", "top.py", "inner/top.py", "inner/b_old.py")
        if settings.reports(finding(code, name))
    ]

    assert reported == [
        ("TRC101", "inner/top.py"),
        ("TRC101", "inner/b_old.py"),
        ("TRC201", "tests/deep/a.py"),
        ("TRC201", "inner/top.py"),
    ]
