"""What a program does on copies earns what it earns on the arguments, in every lab: no laundering raises a variant's score, and
memory of one's own costs an honest program little.

Needs a build tree, as test_build_tree.py does. Every variant in every way takes a quarter of an hour and is `long`; of each
lab some variants run always.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from simtlab.compiler.compile import compile_submission
from simtlab.errors import LabFault
from simtlab.facts.model import Facts, Status
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.catalogue import Lab, read_catalogue
from simtlab.labs.description import describe
from simtlab.verify.expectation import parse_expectation
from simtlab.verify.laundering import MOST_GAINED, MOST_LOST, Entry, Parameter, Way, entry_of, laundered
from tests.test_build_tree import BUILD, LABS, ROOT, SEED

pytestmark_of_builds = [
    pytest.mark.build_tree,
    pytest.mark.skipif(
        not (BUILD / "labs" / LABS[0] / f"judge-{LABS[0]}").exists(), reason=f"no lab is built in {BUILD}"
    ),
]


def built(test):  # type: ignore[no-untyped-def]
    for mark in pytestmark_of_builds:
        test = mark(test)
    return test


def test_an_entry_is_found_in_lab_cpp() -> None:
    text = (
        "// Said.\nvoid convolve(const float* input, unsigned char* output,\n              int rows);\n"
        "lab define_lab() { return lab_spec<>{.entry = convolve}; }"
    )
    assert entry_of(text, "lab.cpp") == Entry(
        "void",
        "convolve",
        [Parameter("const float*", "input"), Parameter("unsigned char*", "output"), Parameter("int", "rows")],
    )
    with pytest.raises(LabFault, match=r"lab\.cpp: expected `\.entry = NAME`"):
        entry_of("lab define_lab();", "lab.cpp")


def right_kernels(lab: Lab) -> dict[str, str]:
    """Solution and variants that are declared correct and safe, by name."""
    found = {"solution": (lab.solution_folder / "kernel.cu").read_text(encoding="utf-8")}
    for path in sorted((lab.solution_folder / "variants").glob("*.cu")):
        text = path.read_text(encoding="utf-8")
        declared = parse_expectation(text, path.name)
        if declared.correct is Status.PASS and declared.safe in (Status.PASS, None) and not declared.verdict:
            found[path.stem] = text
    return found


class Bench:
    """Counts programs of one lab in the emulator's benchmark."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self._lab = replace(lab, hidden=None)
        self._folder = folder
        self._entry = entry_of((lab.folder / "lab.cpp").read_text(encoding="utf-8"), f"{lab.name}/lab.cpp")
        self._elements = describe(lab).benchmark_elements
        self._weight = lab.specification.points.fast / lab.specification.points.total

    def points(self, name: str, kernel: str, way: Way | None) -> float:
        """Points of 100 for `fast`."""
        text = kernel if way is None else laundered(kernel, self._entry, self._elements, way)
        place = self._folder / f"{name}-{way or 'as it is'}".replace(" ", "-")
        sources = place / "submission"
        sources.mkdir(parents=True)
        (sources / "kernel.cu").write_text(text, encoding="utf-8")
        build = self._lab.build.backends["emulator"]
        compiled = compile_submission(build, ["kernel.cu"], sources, place / "runner", audit=None)
        assert compiled.verdict is None, f"{name}, {way}: {compiled.stderr}"
        facts = self._judge(name, place)
        assert facts.fast.status is not Status.NOT_MEASURED, f"{name}, {way}: {facts.fast.reason}"
        return facts.fast.score * self._weight

    def _judge(self, name: str, place: Path) -> Facts:
        (place / "judgement").mkdir()
        return judge_submission(
            self._lab,
            place / "runner",
            place / "judgement",
            submission=name,
            source=place / "submission" / "kernel.cu",
            backend="emulator",
            seed=SEED,
            limits=CaseLimits(),
            wall_seconds=300,
            only_times=True,
        )


def problems_of(lab_name: str, folder: Path, names: int | None, ways: list[Way]) -> list[str]:
    """What laundering changes too much, of `names` variants spread over the lab's, or of all."""
    lab = read_catalogue(ROOT, BUILD).labs[lab_name]
    if describe(lab).kind == "host":
        return []  # its entry makes all of its memory itself, and its criteria name no argument
    bench = Bench(lab, folder)
    kernels = right_kernels(lab)
    chosen = list(kernels)
    if names is not None:
        chosen = ["solution", *[one for one in chosen if one != "solution"][:: max(1, len(chosen) // names)][:names]]
    trials = [(name, way) for name in chosen for way in [None, *ways]]
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        points = dict(zip(trials, pool.map(lambda t: bench.points(t[0], kernels[t[0]], t[1]), trials), strict=True))
    problems = []
    for name, way in trials:
        before, after = points[name, None], points[name, way]
        if after > before + MOST_GAINED:
            problems.append(f"{name}, {way}: {after:.1f} points, and {before:.1f} as it is")
        if name == "solution" and after < before - MOST_LOST and way not in (Way.TOKENS, Way.ALL, None):
            problems.append(f"{name}, {way}: {after:.1f} points, and {before:.1f} as it is: copies cost too much")
    return problems


@built
@pytest.mark.parametrize("lab", LABS)
def test_laundering_gains_nothing(lab: str, tmp_path: Path) -> None:
    assert problems_of(lab, tmp_path, 2, [Way.ALL, Way.TRANSPOSED]) == []


@built
@pytest.mark.long
@pytest.mark.parametrize("lab", LABS)
def test_laundering_gains_nothing_for_any_variant(lab: str, tmp_path: Path) -> None:
    assert problems_of(lab, tmp_path, None, list(Way)) == []
