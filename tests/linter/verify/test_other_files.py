"""What tracing says of one file where it stopped in another: each line is told with its file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tracetrap.linter.findings import Finding, FixProof
from tracetrap.linter.run import Sources, check_paths, reported
from tracetrap.linter.settings.files import SettingsFinder
from tracetrap.linter.verify import Workers, verify
from tracetrap.linter.verify.proof import prove
from tracetrap.linter.verifying import Verifier

BLOCKS = """\
import jax.numpy as jnp


def normalize(x):
    m = jnp.max(jnp.abs(x))
    if m == 0:
        return x
    return x / m


def checked(x):
    if sum(x.shape) != 71:
        raise ValueError("no")
    return x
"""
MODEL = """\
import jax
from layers.blocks import checked, normalize


@jax.jit
def positives(x):
    x = normalize(x)
    return x[x > 0].sum()


@jax.jit
def rounded(x):
    x = checked(x)
    return float(x.sum())
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "layers").mkdir()
    (tmp_path / "layers" / "__init__.py").write_text("")
    (tmp_path / "layers" / "blocks.py").write_text(BLOCKS)
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


def found(*files: str) -> list[Finding]:
    finder = SettingsFinder(options={"cache": False})
    return reported(check_paths([Path(file) for file in files], finder, 1), finder, Sources())


def said(findings: list[Finding]) -> dict[tuple[str, int], str]:
    return {
        (finding.filename, finding.span.start.row): f"{finding.verdict.status}: {finding.verdict.reason}"
        for finding in findings
        if finding.verdict is not None
    }


def test_where_tracing_stops_is_told_with_its_file(project: Path, workers: Workers) -> None:
    blocks = str(Path("layers", "blocks.py"))
    files = [blocks, "model.py"]

    verdicts = said(verify(found(*files), files, workers=workers))

    assert verdicts["model.py", 8] == (
        f"unreached: tracing stops earlier, at {blocks}:6 (TracerBoolConversionError)"
    )
    assert f" {blocks}:13 raises ValueError: no" in verdicts["model.py", 14]
    assert verdicts[blocks, 6].startswith("confirmed: ")
    assert "blocks.py" not in verdicts[blocks, 6]


def test_what_fails_in_the_importer_is_told_with_its_file(project: Path, workers: Workers) -> None:
    missing = "import no_such_package\n\n\n@no_such_package.wraps\n"
    (project / "model.py").write_text(MODEL.replace("@jax.jit\ndef pos", f"{missing}@jax.jit\ndef pos"))
    blocks = str(Path("layers", "blocks.py"))
    files = [blocks, "model.py"]

    verdicts = said(verify(found(*files), files, workers=workers))

    assert verdicts[blocks, 6].startswith("unverified: needs the package no_such_package, ")
    assert verdicts[blocks, 6].endswith("(line 5), in model.py")


def test_a_fix_in_a_helper_is_proven_at_the_helper(project: Path, workers: Workers) -> None:
    blocks = str(Path("layers", "blocks.py"))
    finder = SettingsFinder(options={"cache": False})
    verifier = Verifier(finder.for_folder(project), finder, Sources(), workers)
    files = [blocks, "model.py"]

    verified = verifier.verified(found(*files), files)

    fix = next(f for f in verified if f.filename == blocks).fixes[0]
    assert fix.message == "Choose with jnp.where"
    assert fix.proof == FixProof("proven", "equal to the undecorated function on every branch")


def test_a_wrong_rewrite_of_a_helper_is_not_proven(project: Path, workers: Workers) -> None:
    blocks = str(Path("layers", "blocks.py"))
    finding = next(f for f in found(blocks, "model.py") if f.filename == blocks)
    branch = "    if m == 0:\n        return x\n    return x / m\n"
    wrong = BLOCKS.replace(branch, "    return jnp.where(m == 0, x + 1, x / m)\n")
    still = BLOCKS.replace("m == 0", "m <= 0")
    assert BLOCKS not in (wrong, still)

    proofs = [
        next(workers.results(lambda worker, text: prove(worker, blocks, BLOCKS, text, [finding]), [after]))
        for after in (wrong, still)
    ]

    assert [proof.proven for proof in proofs] == [False, False]
    assert proofs[0].reason.startswith("rewritten, normalize gives ")
    assert proofs[1].reason.startswith("rewritten, line 6 raises TracerBoolConversionError")


def test_what_is_traced_from_another_file_and_stands_in_no_function_says_so(
    project: Path, workers: Workers
) -> None:
    blocks = str(Path("layers", "blocks.py"))
    text = "normalize = lambda x: x if x > 0 else -x\n"
    (project / blocks).write_text(text + "checked = normalize\n")
    finding = next(f for f in found(blocks, "model.py") if f.filename == blocks)

    proof = next(
        workers.results(lambda worker, _: prove(worker, blocks, text, f"{text}\n", [finding]), [None])
    )

    assert not proof.proven
    assert proof.reason == (
        f"it is traced from positives in model.py, and proofs run {blocks} alone; "
        "compare what positives gives before and after the fix"
    )


def test_a_rewrite_that_stops_in_another_file_says_where(project: Path, workers: Workers) -> None:
    before = MODEL.replace("x = normalize(x)\n", "x = x + 1\n").replace("x[x > 0].sum()", "float(x.sum())")
    after = before.replace("float(x.sum())", "normalize(x).sum()", 1)
    (project / "model.py").write_text(before)
    finding = next(f for f in found("model.py") if f.span.start.row == 8)

    proof = next(
        workers.results(lambda worker, _: prove(worker, "model.py", before, after, [finding]), [None])
    )

    assert not proof.proven
    place = Path("layers", "blocks.py")
    assert proof.reason.startswith(f"rewritten, {place}:6 raises TracerBoolConversionError")
    assert proof.row is None


def test_inputs_that_were_not_found_can_be_written_down(project: Path, workers: Workers) -> None:
    after = MODEL.replace("float(x.sum())", "x.sum()")
    finding = next(f for f in found("model.py") if f.span.start.row == 14)

    proof = next(
        workers.results(
            lambda worker, _: prove(worker, "model.py", MODEL, after, [finding]),
            [None],
        )
    )

    assert proof.reason == (
        "no inputs found on which rounded runs without tracing; write them above rounded, as `# tracetrap: f32[3]`"
    )
