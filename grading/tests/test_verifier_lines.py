"""What the grader makes of the verifier's lines."""

from pathlib import Path

import pytest

from simtlab.audit.finding import Rule
from simtlab.audit.verified_code import verified_code
from simtlab.errors import GraderError


def _verifier(folder: Path, line: str) -> Path:
    program = folder / "simtlab-verifier"
    program.write_text(f"#!/bin/sh\nprintf '{line}'\n", encoding="utf-8")
    program.chmod(0o755)
    return program


def test_what_no_cuda_comes_to_is_a_finding(tmp_path: Path) -> None:
    """With its function and line."""
    program = _verifier(tmp_path, "forbidden\\t/x/kernel.cu\\t7\\tf(int)\\thas the instruction\\n")
    (finding,) = verified_code(program, [tmp_path / "kernel.o"], ["kernel.cu"])
    assert (finding.rule, finding.line) == (Rule.CODE, 7)


@pytest.mark.parametrize("kind", ["unread", "unproven"])
def test_what_no_cuda_comes_to_is_a_finding_whatever_else_is_not_known(tmp_path: Path, kind: str) -> None:
    """Whichever comes first."""
    lines = [f"{kind}\\t/x/kernel.cu\\t7\\tf(int)\\tone\\n", "forbidden\\t/x/kernel.cu\\t8\\tf(int)\\tother\\n"]
    for order in (lines, lines[::-1]):
        (finding,) = verified_code(_verifier(tmp_path, "".join(order)), [tmp_path / "kernel.o"], ["kernel.cu"])
        assert finding.line == 8


@pytest.mark.parametrize("kind", ["unread", "unproven"])
def test_what_is_not_known_of_the_code_is_our_fault_and_nothing_runs(tmp_path: Path, kind: str) -> None:
    """The message names function and line."""
    program = _verifier(tmp_path, kind + "\\t/x/kernel.cu\\t7\\tf(int)\\treads from memory\\n")
    with pytest.raises(GraderError, match=r"`f\(int\)` \(kernel\.cu.*7.*reads from memory"):
        verified_code(program, [tmp_path / "kernel.o"], ["kernel.cu"])
