"""The claims of the lectures, measured: the emulator's tests write the rows (harness/emulator/tests/claims/lecture.h).

The tests are the one home of the claims: number, sentence, the lecture's number and how it is measured.
"""

import re
import subprocess
from pathlib import Path

from pydantic import ValidationError

from simtlab.errors import GraderError, UsageError
from simtlab.record import Record

_PROGRAMS = Path("harness") / "emulator" / "tests" / "claims"
_LIMIT_SECONDS = 120
_NUMBERED = re.compile(r"claim (\d+): (.*)", re.DOTALL)
_CHECKLIST = "checklist: "


class Row(Record):
    """One number of a lecture beside the measured one."""

    what: str
    lecture: str
    measured: str
    ok: bool


class _Test(Record):
    name: str
    ok: bool
    rows: list[Row]


class Claim(Record):
    """A statement of the lectures, or one that the checklist needs beside them."""

    number: int | None
    """None: of the checklist alone."""
    sentence: str
    ok: bool
    """The test passed, all that it checks beside the rows included."""
    rows: list[Row]


def build_claims(tree: Path) -> None:
    """Brings the programs up to date. Raises `UsageError` with the build's last lines where that fails."""
    if not (tree / "CMakeCache.txt").is_file():
        raise UsageError(f"the claims are tests of a checkout, and {tree} is no build tree: run make setup there")
    words = ["cmake", "--build", str(tree), "--target", "claims"]
    built = subprocess.run(words, capture_output=True, text=True, check=False)
    if built.returncode != 0:
        last = "\n".join(built.stdout.splitlines()[-5:])
        raise UsageError(f"the claims do not build ({' '.join(words)}):\n{last}")


def measure_claims(tree: Path) -> list[Claim]:
    """Runs every program of claims in the build tree. Sorted by number; what has none comes last."""
    programs = sorted((tree / _PROGRAMS).glob("claims_*.run"))
    if not programs:
        raise UsageError(f"no claims are built in {tree}: cmake --build {tree} --target claims")
    claims = [claim_of(line) for program in programs for line in _lines_of(program)]
    return sorted(claims, key=lambda claim: (claim.number is None, claim.number or 0))


def claim_of(line: str) -> Claim:
    """The claim of one line that a program wrote."""
    try:
        test = _Test.model_validate_json(line)
    except ValidationError as error:
        raise GraderError(f"a program of claims wrote a line that is no claim: {line[:200]!r}") from error
    numbered = _NUMBERED.fullmatch(test.name)
    sentence = numbered[2] if numbered else test.name.removeprefix(_CHECKLIST)
    return Claim(number=int(numbered[1]) if numbered else None, sentence=sentence, ok=test.ok, rows=test.rows)


def _lines_of(program: Path) -> list[str]:
    words = [str(program), "--reporters=claims"]
    try:
        ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=_LIMIT_SECONDS)
    except subprocess.TimeoutExpired as error:
        raise GraderError(f"{program} did not end within {_LIMIT_SECONDS} s") from error
    if ran.returncode not in (0, 1):  # 1: a test failed, which its line says
        raise GraderError(f"{program} ended with {ran.returncode}: {ran.stderr[-500:]}")
    return [line for line in ran.stdout.splitlines() if line.startswith("{")]
