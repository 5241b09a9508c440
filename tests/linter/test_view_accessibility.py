"""The page of `tracetrap view` for people who use a keyboard or a screen reader, or need contrast; judged by axe-core."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

import pytest
from chromium import Browser, executable
from tracetrap.linter.settings.files import SettingsFinder
from tracetrap.linter.verify.jaxprs import Jaxpr
from tracetrap.linter.view import ViewedFile, gather, page
from tracetrap.linter.view.recompilations import Jitted

pytest.importorskip("axe_core_python")
pytestmark = pytest.mark.skipif(executable() is None, reason="Chromium is not installed")

MODEL = """\
import jax  # a comment
import jax.numpy as jnp


@jax.jit
def f(x, label=None):
    print(jnp.sin(x))
    if x > 0 and mystery(x):
        return x
    return -x
"""
RUN = Jitted("f", "model.py", 6, 4, 2, 2, 0.5, ("x: f32[1] -> f32[2]",))
JAXPR = Jaxpr("f", 6, "{ lambda ; a:f32[3]. let b:f32[3] = sin a in (b,) }", "f32[3]")


@pytest.fixture
def browser(folder: Path, tmp_path: Path) -> Iterator[Browser]:
    """A browser with a page that has everything that pages have."""
    pytest.importorskip("numpy")
    from tracetrap.linter.verify import Workers

    (folder / "model.py").write_text(MODEL)
    (folder / "other.py").write_text(MODEL)
    with Workers() as workers:
        found = gather([Path(".")], SettingsFinder(), workers, verify=True)
    viewed = [ViewedFile(one.source, one.observations, one.findings, (JAXPR,)) for one in found]
    (folder / "view.html").write_text(page(viewed, "model", (RUN,)))
    with Browser(tmp_path / "profile") as opened:
        opened.send("Page.setBypassCSP", enabled=True)  # axe is no part of the page
        yield opened


def violations(browser: Browser) -> list[Any]:
    """What axe finds wrong: rule, advice, and the elements."""
    axe = resources("axe_core_python").joinpath("axe.min.js").read_text(encoding="utf-8")
    browser.value(f"{axe}; true")
    found = browser.value(
        "axe.run().then(r => JSON.stringify(r.violations.map(v => [v.id, v.help, v.nodes.map(n => n.html)])))"
    )
    return list(json.loads(found))


def test_axe_finds_nothing_wrong(browser: Browser, folder: Path) -> None:
    for scheme in ("light", "dark"):
        for width, height in ((1400, 900), (380, 700)):
            browser.size(width, height)
            browser.prefer(scheme)
            browser.open(folder / "view.html")
            browser.value("document.querySelectorAll('details').forEach(part => { part.open = true })")

            assert violations(browser) == [], (scheme, width)


def test_tab_goes_through_the_page_in_the_order_of_reading(browser: Browser, folder: Path) -> None:
    browser.size(1400, 900)
    browser.open(folder / "view.html")
    stops = []
    for _ in range(60):
        browser.press("Tab")
        stop = browser.value(
            "(e => e === document.body ? null : [e.closest('header, nav, main, aside')?.localName ?? 'body',"
            " (e.ariaLabel || e.textContent).trim(), getComputedStyle(e).outlineStyle])(document.activeElement)"
        )
        if stop is None:
            break
        stops.append(stop)

    assert stops[0][:2] == ["body", "Skip to the code"]
    parts = [part for part, _, _ in stops]
    assert list(dict.fromkeys(parts)) == ["body", "header", "nav", "main", "aside"]
    assert all(name for _, name, _ in stops)
    assert {outline for _, _, outline in stops} == {"solid"}


def test_the_skip_link_leads_to_the_code_and_arrows_walk_on(browser: Browser, folder: Path) -> None:
    browser.size(1400, 900)
    browser.open(folder / "view.html")
    browser.press("Tab")
    browser.press("Enter")
    assert browser.value("document.activeElement.id") == "code"

    browser.press("ArrowRight")

    assert browser.value("document.activeElement.matches('[data-v]')") is True
    assert browser.value("document.querySelector('#spoken').textContent") != ""
