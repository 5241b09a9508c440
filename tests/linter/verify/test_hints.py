"""The inputs that a user writes down."""

from __future__ import annotations

from tracetrap.linter.verify.inputs import Hint, hints_for, read_hints

TEXT = """
# tracetrap: f32[8,3], i32[]
@jit
def f(x, n):
    pass

class Model:
    # tracetrap: f32[3]
    # more words
    def step(self, x):
        pass

# tracetrap: f32[]
g = jit(f)
"""


def test_comments_belong_to_what_stands_below() -> None:
    assert read_hints(TEXT) == [
        Hint("f", 3, 5, "f32[8,3], i32[]"),
        Hint("Model.step", 10, 11, "f32[3]"),
        Hint("g", 14, 14, "f32[]"),
    ]


def test_the_settings_go_by_qualified_name() -> None:
    assert read_hints("class A:\n    def f(self, x): pass\n", {"A.f": "f32[2]"}) == [
        Hint("A.f", 2, 2, "f32[2]")
    ]


def test_an_entry_point_is_found_by_name_or_row() -> None:
    hints = read_hints(TEXT)
    assert hints_for(hints, "f", -1) == ["f32[8,3], i32[]"]
    assert hints_for(hints, "<lambda>", 11) == ["f32[3]"]


def test_a_file_that_does_not_parse_has_none() -> None:
    assert read_hints("# tracetrap: f32[]\ndef f(:\n") == []
