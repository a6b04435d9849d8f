"""What is tried against the clock of a real GPU, honest kernels that look alike, and kernels that break.

Every submission of `solutions/timing` is built without the audit and graded as a class is; after each fault the next
submission must get its time. Needs a GPU and a build tree with the backend cuda and the target `simtlab_judges`.
"""

import dataclasses
import itertools
import logging
import os
import subprocess
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from simtlab.compiler.compile import compile_submission
from simtlab.device.device_class import gpu_name
from simtlab.facts.model import Facts, Status
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.catalogue import default_build, find_root, read_catalogue
from simtlab.verdict import Verdict
from tests.cheat import Cheat, read_cheats

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
TIMING = ROOT / "solutions" / "timing"
CHEATS = read_cheats(TIMING / "cheats")
CONTROLS = read_cheats(TIMING / "controls")
FAULTS = read_cheats(TIMING / "faults")
ROWS_ASKED_FOR = {1, 2, 3, 5, 7, 8, 9, 10, 11, 12, 13, 31, 33, 34}
NOTHING_GAINED = 1.03
"""As fast as the solution, but for what runs while the held device is let go: 2.3 % of this benchmark on an H200."""

needs_gpu = pytest.mark.skipif(gpu_name() is None, reason="no GPU here: nvidia-smi lists none")
needs_solutions = pytest.mark.skipif(not TIMING.is_dir(), reason="a students' copy: there is no folder solutions")
_numbers = itertools.count()
SEEN = logging.getLogger(__name__)
"""What a machine with a GPU saw: `--log-cli-level=INFO` shows it."""


def by_name(cheats: list[Cheat]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("cheat", cheats, ids=[one.name for one in cheats])


class Bench:
    """Builds submissions for the GPU, side by side, and grades them, one after the other."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._labs = read_catalogue(ROOT, BUILD).labs
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            self._built = dict(pool.map(self._build, [*CHEATS, *CONTROLS, *FAULTS]))

    def _build(self, cheat: Cheat) -> tuple[str, Verdict | None]:
        place = self._folder / cheat.name
        (place / "submission").mkdir(parents=True)
        (place / "submission" / "kernel.cu").write_text(cheat.text, encoding="utf-8")
        build = self._labs[cheat.lab].build.backends["cuda"]
        built = compile_submission(build, ["kernel.cu"], place / "submission", place / "runner", audit=None)
        return cheat.name, built.verdict

    def grade(self, cheat: Cheat) -> Facts | Verdict:
        """Facts, or the verdict of a submission that the compiler or the linker refuses."""
        refused = self._built[cheat.name]
        place = self._folder / cheat.name
        return refused or self._judge(cheat.lab, place / "runner", place / "submission" / "kernel.cu")

    def grade_solution(self, lab: str) -> Facts:
        solution = self._labs[lab].build.backends["cuda"].references.get("solution")
        assert solution is not None
        return self._judge(lab, solution, self._labs[lab].solution_folder / "kernel.cu")

    def _judge(self, lab: str, runner: Path, source: Path) -> Facts:
        number = next(_numbers)
        folder = self._folder / f"judgement-{number}"
        folder.mkdir()
        return judge_submission(
            dataclasses.replace(self._labs[lab], hidden=None),
            runner,
            folder,
            submission=source.parent.name,
            source=source,
            backend="cuda",
            seed=1000 + number,
            limits=CaseLimits(seconds=3),
            wall_seconds=300,
            timing_session=self._folder / "timing",
        )


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    labs = read_catalogue(ROOT, BUILD).labs
    if not all(one.lab in labs and "cuda" in labs[one.lab].build.backends for one in [*CHEATS, *CONTROLS, *FAULTS]):
        pytest.skip(f"the backend cuda is not built in {BUILD}")
    return Bench(tmp_path_factory.mktemp("times"))


def milliseconds(facts: Facts) -> float:
    assert facts.timing.measurement is not None, facts.message
    assert facts.timing.measurement.median_milliseconds is not None
    return facts.timing.measurement.median_milliseconds


@needs_solutions
@needs_gpu
@by_name(CHEATS)
def test_a_cheat_is_caught_or_gains_nothing(cheat: Cheat, bench: Bench) -> None:
    graded = [bench.grade(cheat) for _ in range(cheat.gradings)]
    verdicts = [one.verdict if isinstance(one, Facts) else one for one in graded]
    told = [one.message for one in graded if isinstance(one, Facts)]
    SEEN.info("row %d %s: %s %s", cheat.row, cheat.name, [str(one) for one in verdicts], told[-1:])
    assert any(one is cheat.expect or one in cheat.also for one in verdicts), told
    if cheat.gains_nothing:
        fastest = milliseconds(bench.grade_solution(cheat.lab))
        for one in graded:
            if isinstance(one, Facts) and one.verdict is Verdict.PASS:
                SEEN.info("%.4f ms, the solution %.4f ms", milliseconds(one), fastest)
                assert milliseconds(one) * NOTHING_GAINED >= fastest


@needs_solutions
@needs_gpu
@by_name(CONTROLS)
def test_an_honest_kernel_is_accused_of_nothing(cheat: Cheat, bench: Bench) -> None:
    facts = bench.grade(cheat)
    assert isinstance(facts, Facts)
    SEEN.info("%s: %s %s %.4f ms", cheat.name, facts.verdict, facts.message, milliseconds(facts))
    assert facts.verdict is Verdict.PASS, facts.message
    assert facts.fast.status is not Status.NOT_MEASURED


@needs_solutions
@needs_gpu
@by_name(FAULTS)
def test_after_a_fault_the_next_submission_gets_its_time(cheat: Cheat, bench: Bench) -> None:
    facts = bench.grade(cheat)
    assert isinstance(facts, Facts)
    SEEN.info("%s: %s %s", cheat.name, facts.verdict, facts.message)
    assert facts.verdict is cheat.expect or facts.verdict in cheat.also, facts.message
    assert cheat.says in facts.message
    after = bench.grade_solution(cheat.lab)
    assert after.verdict is Verdict.PASS, after.message
    assert after.timing.samples


@needs_solutions
@needs_gpu
def test_every_library_does_the_work_it_is_timed_at(bench: Bench) -> None:
    program = read_catalogue(ROOT, BUILD).labs["08-bank-conflicts"].build.backends["cuda"].baselines
    assert program is not None
    checked = subprocess.run([program, "--check"], capture_output=True, text=True, timeout=120, check=False)
    SEEN.info("%s%s", checked.stdout, checked.stderr)
    assert checked.returncode == 0
    assert Counter(line.rpartition(" ")[2] for line in checked.stdout.splitlines()) == {"right": 8}


@needs_solutions
@needs_gpu
def test_without_a_visible_gpu_the_message_says_what_to_do(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    facts = bench.grade_solution("08-bank-conflicts")
    assert facts.verdict is Verdict.INTERNAL_ERROR
    assert "CUDA_VISIBLE_DEVICES" in facts.message


@needs_solutions
@needs_gpu
def test_the_gpu_is_chosen_by_the_environment(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0")
    facts = bench.grade_solution("08-bank-conflicts")
    assert facts.verdict is Verdict.PASS, facts.message


@needs_solutions
def test_every_row_that_times_can_be_cheated_by_is_tried() -> None:
    assert {one.row for one in CHEATS} == ROWS_ASKED_FOR
    assert len(CONTROLS) >= 3
