"""The verifier of finished code refuses nobody honest: solutions, variants, submissions of the sample class, controls,
course programs and mutants of the solutions, more than 300 files of different text, and of each the object passes.

Needs a build tree, as test_build_tree.py does, with the verifier (package libcapstone-dev). All files take a quarter of
an hour and are `long`; some, drawn by `$SIMTLAB_SEED`, are read always.
"""

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from simtlab.audit.verified_code import verified_code
from simtlab.labs.build_description import BackendBuild
from simtlab.labs.catalogue import read_catalogue
from simtlab.labs.variants import variants_of
from simtlab.release.solutions import read_solutions
from simtlab.verify.mutants import mutants_of, sample_of
from tests.test_build_tree import BUILD, ROOT
from tests.test_build_tree import pytestmark as needs_tree

FEWEST = 300
DRAWN = 6
PLACES = (
    "solutions/[0-9]*/kernel.cu",
    "solutions/controls/*/kernel.cu",
    "solutions/timing/controls/*/kernel.cu",
    "solutions/sample-class/*/*/kernel.cu",
    "labs/*/kernel.cu",
    "harness/emulator/tests/programs/*.cu",
)

pytestmark = [
    *needs_tree,
    pytest.mark.skipif(
        not (BUILD / "verifier" / "simtlab-verifier").exists(),
        reason="no verifier is built: libcapstone-dev is missing",
    ),
]


@dataclass(frozen=True)
class Honest:
    """A file that somebody honest might hand in, right or wrong."""

    name: str
    folder: Path
    text: str


@cache
def honest_files() -> list[Honest]:
    """Each text once, whatever it is called."""
    files = [
        Honest(str(path.relative_to(ROOT)), path.parent, path.read_text(encoding="utf-8"))
        for place in PLACES
        for path in sorted(ROOT.glob(place))
    ]
    for folder in sorted(ROOT.glob("solutions/[0-9]*")):
        files += [Honest(f"{folder.name}/{one.file}", folder, one.text) for one in variants_of(folder)]
    for solution in read_solutions(ROOT).models:
        path = ROOT / solution.file
        mutants = sample_of(mutants_of(solution.text, solution.regions), path.parent.name)
        files += [Honest(f"{path.parent.name}/{one.name}", path.parent, one.text) for one in mutants]
    return list({one.text: one for one in files}.values())


def refusal(build: BackendBuild, honest: Honest, place: Path) -> str | None:
    """What the verifier tells of the file's object, "" when nothing; None when the file does not compile."""
    place.mkdir()
    (place / "kernel.cu").write_text(honest.text, encoding="utf-8")
    words = [*build.compiler, "-w", "-I", str(honest.folder), "-c", "kernel.cu", "-o", "kernel.o"]
    if subprocess.run(words, cwd=place, capture_output=True, check=False).returncode != 0:
        return None
    assert build.verifier
    findings = verified_code(build.verifier, [place / "kernel.o"], ["kernel.cu"])
    return "; ".join(f"{honest.name}: {one.message}" for one in findings)


def refusals(files: list[Honest], folder: Path) -> list[str | None]:
    """The verifier's word on each file."""
    build = read_catalogue(ROOT, BUILD).labs["08-bank-conflicts"].build.backends["emulator"]
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        return list(pool.map(lambda one: refusal(build, one[1], folder / str(one[0])), enumerate(files)))


def test_the_verifier_refuses_no_honest_file_of_a_sample(tmp_path: Path) -> None:
    files = honest_files()
    assert len(files) >= FEWEST
    drawn = random.Random(int(os.environ.get("SIMTLAB_SEED", "20261123"))).sample(files, DRAWN)
    assert [one for one in refusals(drawn, tmp_path) if one] == []


@pytest.mark.long
def test_the_verifier_refuses_no_honest_file(tmp_path: Path) -> None:
    files = honest_files()
    told = refusals(files, tmp_path)
    assert [one for one in told if one] == []
    passed = told.count("")
    not_compiled = [one.name for one, word in zip(files, told, strict=True) if word is None]
    sys.stdout.write(f"{passed} of {len(files)} honest files pass the verifier; not compiled: {not_compiled}\n")
    assert passed >= FEWEST, f"only {passed} files compile and pass; not compiled: {not_compiled}"
