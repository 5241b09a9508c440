"""A finding as HTML: message, provenance, verdict, and the diff of each fix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from ..edits.apply import diff, edited
from ..findings import Finding, Fix, FixProof, Step, Verdict
from .anchors import Anchors, place_text

if TYPE_CHECKING:
    from ..files.source import SourceFile

PROOFS = {"proven": "proven", "unproven": "not proven", "untried": "not tried"}
VERDICT_SIGNS = {"confirmed": "\u2713", "refuted": "\u2717", "unreached": "\u2298", "unverified": "?"}


def card(finding: Finding, number: int, source: SourceFile, anchors: Anchors) -> str:
    """The whole finding, to stand below its line."""
    name = anchors.of_finding(finding.filename, number)
    unsure = " <small>possible</small>" if finding.confidence == "possible" else ""
    parts = [
        f'<article class="card {finding.severity}" id="{name}" tabindex="-1" aria-labelledby="{name}t">',
        f'<h3 id="{name}t"><code>{finding.code}</code> {escape(finding.name)} <small>{finding.severity}</small>',
        f"{unsure}</h3><p>{escape(finding.message)}</p>",
    ]
    if finding.error is not None:
        parts.append(f"<p class=error>Tracing raises <code>{escape(finding.error)}</code>.</p>")
    if finding.provenance:
        parts.append(chain(finding.provenance, finding.filename, anchors))
    if finding.verdict is not None:
        parts.append(_verdict(finding.verdict))
    parts += [_fix(fix, source, best=number == 0) for number, fix in enumerate(finding.fixes)]
    return "".join((*parts, "</article>"))


def chain(steps: Sequence[Step], filename: str, anchors: Anchors) -> str:
    """A provenance as a list of links, the outermost cause first."""
    return f"<ol class=chain>{''.join(_step(step, filename, anchors) for step in steps)}</ol>"


def _step(step: Step, filename: str, anchors: Anchors) -> str:
    target = anchors.of_step(step)
    place = escape(place_text(step, filename))
    link = f'<a href="#{target}">{place}</a>' if target else f"<span>{place}</span>"
    return f"<li>{link} {escape(step.message)}"


def _verdict(verdict: Verdict) -> str:
    details = [verdict.error or "", f"line {verdict.location.row}" if verdict.location else ""]
    details.append(f"traced with {verdict.inputs}" if verdict.inputs else "")
    what = escape(", ".join(filter(None, details)))
    sign = VERDICT_SIGNS[verdict.status]
    return (
        f'<p class="verdict {verdict.status}"><strong><span aria-hidden=true>{sign}</span> {verdict.status}</strong>'
        f" {escape(verdict.reason)}{f' <small>{what}</small>' if what else ''}</p>"
    )


def _fix(fix: Fix, source: SourceFile, *, best: bool) -> str:
    cost = f" <small>{escape(fix.cost)}</small>" if fix.cost else ""
    head = f"<strong>{escape(fix.message)}</strong>{cost} {fix.applicability} fix{_proof(fix.proof)}"
    changes = "".join(_changes(diff(source, edited(source, [fix])))) if fix.edits else ""
    if not changes:
        return f"<p class=fix>{head}</p>"
    return (
        f"<details class=fix{' open' if best else ''}><summary>{head}</summary>"
        f'<pre class=diff tabindex=0 role=group aria-label="Proposed change">{changes}</pre></details>'
    )


def _proof(proof: FixProof | None) -> str:
    if proof is None:
        return ""
    why = f" <small>{escape(proof.reason)}</small>" if proof.reason else ""
    return f', <b class="proof {proof.status}">{PROOFS[proof.status]}</b>{why}'


def _changes(text: str) -> Iterator[str]:
    """The lines of a unified diff, without its heads; added and removed ones marked for eye and ear."""
    for line in text.splitlines():
        if line.startswith(("---", "+++", "\\")):
            continue
        shown = escape(line, quote=False)
        if line.startswith("@@"):
            yield f"<i>{shown}</i>\n"
        elif line.startswith("+"):
            yield f"<ins>{shown}</ins>\n"
        elif line.startswith("-"):
            yield f"<del>{shown}</del>\n"
        else:
            yield f"{shown}\n"
