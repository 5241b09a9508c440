"""Random programs under JAX: nothing definite is wrong, and nothing that raises goes unseen."""

from __future__ import annotations

import pytest
from random_programs import program
from random_verdicts import Verdict, judge

pytest.importorskip("jax")

SEEDS = range(60)


@pytest.mark.parametrize("start", SEEDS[::15])
def test_agrees_with_jax(start: int) -> None:
    """What JAX raises is found where it is raised, under its name; what runs has no definite finding."""
    wrong = {
        seed: verdict for seed in range(start, start + 15) if not (verdict := judge(program(seed))).right
    }
    assert not wrong


def test_the_programs_are_worth_running() -> None:
    """Some raise and some do not, in many ways."""
    verdicts = [judge(program(seed)) for seed in range(60, 75)]
    assert {verdict.raised is None for verdict in verdicts} == {True, False}


def test_a_wrong_answer_would_be_noticed() -> None:
    """A definite finding in a program that runs, and silence on one that raises, are both wrong."""
    assert not Verdict(raised=None, definite=((3, "TypeError"),), possible=()).right
    assert not Verdict(raised=(3, "TypeError"), definite=(), possible=()).right
    assert not Verdict(raised=(3, "TypeError"), definite=((4, "TypeError"),), possible=()).right
