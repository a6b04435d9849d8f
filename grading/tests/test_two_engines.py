"""Two engines, one oracle: right specimens of the labs end alike as g++ compiled them and as nvcc did, case by case:
the same verdict, the same rules broken by the same variables. One runner holds both. A check tries some, drawn as
drawn.py says, and a full check all; what differs stands in DIFFERENCES with its reason.

Needs a build tree, as test_build_tree.py does, and NVIDIA's nvcc and nvdisasm.
"""

from pathlib import Path

import pytest

from simtlab.compiler.compile import compile_submission
from simtlab.compiler.gpu_tools import gpu_tools
from simtlab.errors import UsageError
from simtlab.facts.model import Case
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.build_description import SASS
from simtlab.labs.catalogue import read_catalogue
from simtlab.verify.specimen import Specimen, right_specimens
from tests.drawn import drawn
from tests.test_build_tree import BUILD, ROOT, SOLUTIONS, UNBUILT, pytestmark  # noqa: F401 - needs what that needs

ONE_IN = 40
SEED = 20261128
DIFFERENCES = {
    "11-atomics/variants/reads-before-it-swaps.cu": "that a plain load is a swap's first guess, g++'s engine knows",
}
"""Specimens that end otherwise as nvcc compiled them, `LAB/NAME`, and why."""


def _specimens() -> list[tuple[str, Specimen]]:
    if not SOLUTIONS.is_dir():
        return []
    labs = read_catalogue(ROOT, BUILD).labs
    built = [labs[name] for name in sorted(labs) if name not in UNBUILT]
    return [(f"{lab.name}/{one.name}", one) for lab in built for one in right_specimens(lab)]


SPECIMENS = _specimens()


def missing_tools(compiler: list[str]) -> str:
    """What the engine sass lacks on this machine; empty: nothing."""
    try:
        gpu_tools(tuple(compiler))
    except UsageError as missing:
        return str(missing)
    return ""


def ends_of(case: Case) -> tuple[str, str, frozenset[tuple[str, str]]]:
    """What both engines must say of a case: notes are of one engine alone."""
    broken = frozenset((one.rule, one.variable) for one in case.findings if one.severity != "note")
    return case.name, case.verdict.value, broken


@pytest.mark.parametrize("specimen", drawn(SPECIMENS, ONE_IN))
def test_a_right_specimen_ends_alike_by_both_engines(specimen: Specimen, tmp_path: Path) -> None:
    build = specimen.lab.build.backends[SASS]
    if missing := missing_tools(build.compiler):
        pytest.skip(missing)
    sources, runner = tmp_path / "submission", tmp_path / "runner"
    sources.mkdir()
    for name, content in specimen.files.items():
        (sources / name).write_bytes(content)
    built = compile_submission(build, list(specimen.files), sources, runner)
    assert built.verdict is None, built.message
    ends = {}
    for backend in ("emulator", SASS):
        folder = tmp_path / backend
        folder.mkdir()
        facts = judge_submission(
            specimen.lab,
            runner,
            folder,
            submission=specimen.name,
            source=sources / next(iter(specimen.files)),
            backend=backend,
            seed=SEED,
            limits=CaseLimits(),
            wall_seconds=600,
        )
        ends[backend] = [ends_of(case) for case in facts.cases]
    apart = [both for both in zip(ends["emulator"], ends[SASS], strict=True) if both[0] != both[1]]
    assert bool(apart) == (f"{specimen.lab.name}/{specimen.name}" in DIFFERENCES), apart


def test_what_differs_is_a_specimen() -> None:
    assert DIFFERENCES.keys() <= dict(SPECIMENS).keys()
