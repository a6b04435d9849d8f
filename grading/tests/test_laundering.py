"""What a program does on copies earns what it earns on the arguments: laundering raises no variant's score in any lab,
and memory of one's own costs an honest program little.

Needs a build tree, as test_build_tree.py does. Every variant in every way takes a quarter of an hour and is `long`; a
check tries some variants of one lab in three, drawn as drawn.py says.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from simtlab.compiler.compile import compile_submission
from simtlab.errors import LabError
from simtlab.facts.model import Facts, Status
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.catalogue import Lab, read_catalogue
from simtlab.labs.description import describe
from simtlab.labs.variants import variants_of
from simtlab.verify.expectation import parse_expectation
from simtlab.verify.laundering import MOST_GAINED, MOST_LOST, Entry, Parameter, Way, entry_of, laundered
from tests.drawn import drawn
from tests.test_build_tree import BUILD, LABS, ROOT, SEED, pytestmark  # noqa: F401 - needs what that needs


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
    with pytest.raises(LabError, match=r"lab\.cpp: expected `\.entry = NAME`"):
        entry_of("lab define_lab();", "lab.cpp")


def right_kernels(lab: Lab) -> dict[str, str]:
    """Solution and variants that are declared correct and safe, by name."""
    found = {"solution": (lab.solution_folder / "kernel.cu").read_text(encoding="utf-8")}
    for variant in variants_of(lab.solution_folder):
        declared = parse_expectation(variant.text, variant.name)
        if declared.correct is Status.PASS and declared.safe in (Status.PASS, None) and not declared.verdict:
            found[variant.name] = variant.text
    return found


class Bench:
    """Counts programs of one lab in the emulator's benchmark."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self._lab = replace(lab, hidden=None)
        self._folder = folder
        self._entry = entry_of((lab.folder / "lab.cpp").read_text(encoding="utf-8"), f"{lab.name}/lab.cpp")
        self._elements = describe(lab).benchmark_elements
        self._weight = lab.specification.points.fast / lab.specification.points.total

    @property
    def ways(self) -> list[Way]:
        """Those that programs of this lab can be laundered in."""
        return self._entry.ways

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


HONEST = {Way.COPIES, Way.KERNELS, Way.DEVICE_ARRAYS, Way.HOST_COPIES}
"""Ways that an honest program may take: memory of its own, to which and from which each value is moved by one plain
pass. The others do more work than that, which may cost points: a second pass, half of each sector, atomic additions."""


def problems_of(bench: Bench, trials: list[tuple[str, Way]], kernels: dict[str, str]) -> list[str]:
    """What laundering changes too much."""
    wanted = list(dict.fromkeys([*((name, None) for name, _ in trials), *trials]))
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        scores = pool.map(lambda one: bench.points(one[0], kernels[one[0]], one[1]), wanted)
        points = dict(zip(wanted, scores, strict=True))
    problems = []
    for name, way in trials:
        before, after = points[name, None], points[name, way]
        told = f"{name}, {way}: {after:.1f} points, and {before:.1f} as it is"
        if after > before + MOST_GAINED:
            problems.append(told)
        if name == "solution" and way in HONEST and after < before - MOST_LOST:
            problems.append(f"{told}: copies cost too much")
    return problems


@pytest.mark.parametrize("lab", drawn([(lab, lab) for lab in LABS], 6))
def test_laundering_gains_nothing(lab: str, tmp_path: Path) -> None:
    found = read_catalogue(ROOT, BUILD).labs[lab]
    bench, kernels = Bench(found, tmp_path), right_kernels(found)
    variants = [name for name in kernels if name != "solution"]
    thorough = bench.ways[-1] if Way.ALL not in bench.ways else Way.ALL
    trials = [("solution", bench.ways[0]), (variants[0], thorough), (variants[len(variants) // 2], thorough)]
    assert problems_of(bench, trials, kernels) == []


@pytest.mark.long
@pytest.mark.parametrize("lab", LABS)
def test_laundering_gains_nothing_for_any_variant(lab: str, tmp_path: Path) -> None:
    found = read_catalogue(ROOT, BUILD).labs[lab]
    bench, kernels = Bench(found, tmp_path), right_kernels(found)
    assert problems_of(bench, [(name, way) for name in kernels for way in bench.ways], kernels) == []
