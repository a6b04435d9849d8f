"""Planning and pool: what is graded already is not graded again, what was our fault is, and stopping loses nothing."""

import threading
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.console import Console

from simtlab.class_run.conditions import Conditions, choose_backend
from simtlab.class_run.grading import GradingOutcome, grade_class
from simtlab.class_run.plan import Plan, PlannedGrade, make_plan
from simtlab.class_run.pool import Grader, run_pool, seconds_left
from simtlab.class_run.progress import LiveProgress, PlainProgress, Quiet
from simtlab.course.course import Course
from simtlab.errors import GraderError, GradingStopped, UsageError
from simtlab.facts.model import facts_without_timing
from simtlab.intake.class_folder import read_class
from simtlab.labs.catalogue import Catalogue
from simtlab.score.gradebook import read_gradebook
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.fake_checkout import KERNEL, FakeCheckout

TILING = "07-shared-tiling"
CONDITIONS = Conditions()


@pytest.fixture
def plan_class(checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore) -> "Planner":
    return Planner(checkout, catalogue, store)


class Planner:
    """Plans and grades the fake checkout's class."""

    def __init__(self, checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore) -> None:
        self.checkout, self.catalogue, self.store = checkout, catalogue, store

    def __call__(self, conditions: Conditions = CONDITIONS, store: ResultStore | None = None) -> Plan:
        store = store or self.store
        intake = read_class(self.checkout.class_folder, self.catalogue, store.keep_file)
        return make_plan("class", intake, self.catalogue, conditions, store)

    def grade(self, workers: int = 2, store: ResultStore | None = None) -> GradingOutcome:
        store = store or self.store
        return grade_class(self(store=store), CONDITIONS, store, Quiet(), workers=workers)


def test_what_is_graded_is_not_graded_again(plan_class: Planner) -> None:
    plan_class.checkout.submit("alice", TILING)
    plan_class.checkout.submit("bob", TILING)
    assert plan_class.grade() == GradingOutcome(already_graded=0, graded_now=2, stopped=False)
    assert plan_class.grade() == GradingOutcome(already_graded=2, graded_now=0, stopped=False)
    assert len(plan_class.checkout.judge_calls()) == 2


def test_a_changed_submission_is_graded_anew_and_alone(plan_class: Planner) -> None:
    plan_class.checkout.submit("alice", TILING)
    plan_class.checkout.submit("bob", TILING)
    plan_class.grade()
    plan_class.checkout.submit("bob", TILING, KERNEL + "// better\n")
    assert [one.submission.student for one in plan_class().to_grade] == ["bob"]


def test_two_students_with_the_same_file_have_a_result_each(plan_class: Planner) -> None:
    plan_class.checkout.submit("alice", TILING)
    plan_class.checkout.submit("bob", TILING)
    plan_class.grade()
    assert len(list(plan_class.store.keys())) == 2


def test_equal_submissions_are_judged_once_and_each_student_has_the_facts(plan_class: Planner) -> None:
    for student, kind in (("alice", "pass"), ("bob", "pass"), ("cem", "unsafe"), ("dana", "pass")):
        plan_class.checkout.submit(student, TILING, KERNEL + f"// fake judge: {kind}\n")
    plan_class.grade(1)
    results = [one for key in plan_class.store.keys() if (one := plan_class.store.get(key))]  # noqa: SIM118
    assert {one.parts.student: one.verdict.value for one in results} == {
        "alice": "pass",
        "bob": "pass",
        "cem": "unsafe",
        "dana": "pass",
    }
    assert {one.facts.submission for one in results if one.facts} == {one.parts.student for one in results}
    assert sum(one.seconds == 0 for one in results) == 2


def test_an_equal_submission_gets_a_try_of_its_own_where_the_first_ended_by_our_fault(plan_class: Planner) -> None:
    for student in ("alice", "bob"):
        plan_class.checkout.submit(student, TILING, KERNEL + "// fake judge: exit 7\n")
    plan_class.grade(1)
    results = [one for key in plan_class.store.keys() if (one := plan_class.store.get(key))]  # noqa: SIM118
    assert all(one.verdict is Verdict.INTERNAL_ERROR and one.seconds > 0 for one in results)


def test_what_was_our_fault_is_tried_again_beside_the_first_attempt(plan_class: Planner) -> None:
    plan_class.checkout.submit("alice", TILING, KERNEL + "// fake judge: exit 7\n")
    plan_class.grade()
    [again] = plan_class().to_grade
    assert again.parts.attempt == 2
    plan_class.grade()
    assert len(list(plan_class.store.keys())) == 2


def test_a_damaged_result_is_graded_again(plan_class: Planner) -> None:
    plan_class.checkout.submit("alice", TILING)
    plan_class.grade()
    [path] = (plan_class.store.folder / "results").glob("*/*.json")
    path.write_text("{", encoding="utf-8")
    plan_class.grade()
    plan = plan_class()
    assert plan.already_graded == 1
    book = read_gradebook(plan.run, plan_class.store, plan_class.catalogue, Course())
    grade = book.submissions["alice", TILING].grade
    assert grade is not None
    assert grade.verdict is Verdict.PASS


def test_a_lab_not_built_for_the_backend_waits(plan_class: Planner) -> None:
    plan_class.checkout.submit("alice", TILING)
    plan = plan_class(Conditions(backend="cuda"))
    assert plan.to_grade == []
    [entry] = plan.run.entries
    assert entry.verdict is Verdict.INTERNAL_ERROR
    assert entry.message == "07-shared-tiling is not built for the backend cuda, only for emulator"


def test_one_and_two_workers_find_the_same_facts(plan_class: Planner, tmp_path_factory: pytest.TempPathFactory) -> None:
    for number, kind in enumerate(["pass", "unsafe", "wrong_answer", "unsolved", "full"]):
        plan_class.checkout.submit(f"student {number}", TILING, KERNEL + f"// fake judge: {kind}\n")
    found = []
    for workers in (1, 2):
        store = ResultStore(tmp_path_factory.mktemp("store"))
        plan_class.grade(workers, store)
        results = {key: store.get(key) for key in store.keys()}  # noqa: SIM118 - a method of the store
        found.append({key: facts_without_timing(one.facts) for key, one in results.items() if one and one.facts})
    assert len(found[0]) == 5
    assert found[0] == found[1]


def test_the_gradebook_waits_for_what_is_not_graded_yet(plan_class: Planner) -> None:
    plan_class.checkout.submit("alice", TILING)
    book = read_gradebook(plan_class().run, plan_class.store, plan_class.catalogue, Course())
    assert [one.student for one in book.ungraded] == ["alice"]
    assert (book.total("alice"), book.possible) == (0, 100)


def planned_grades(plan_class: Planner, number: int) -> list[PlannedGrade]:
    for index in range(number):
        plan_class.checkout.submit(f"student {index}", TILING)
    return plan_class().to_grade


def result_of(planned: PlannedGrade) -> Result:
    return Result(
        key=planned.parts.key,
        parts=planned.parts,
        verdict=Verdict.PASS,
        message="",
        compiler=None,
        facts=None,
        graded_at=datetime.now(UTC),
        seconds=0.1,
    )


def keeping(grade: Grader, kept: list[Result]) -> Grader:
    def and_keep(one: PlannedGrade, stop: threading.Event) -> Result | None:
        result = grade(one, stop)
        if result:
            kept.append(result)
        return result

    return and_keep


class Recording(Quiet):
    """Counts what happens and how many are under way at once."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()

    def started(self, planned: PlannedGrade) -> None:
        self.events["started"] += 1

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        self.events["finished"] += 1


@pytest.mark.parametrize("workers", [1, 3, 50])
def test_everything_is_graded_once_by_as_many_workers_as_asked(plan_class: Planner, workers: int) -> None:
    planned = planned_grades(plan_class, 12)
    running = 0
    most = 0
    lock = threading.Lock()
    graded: list[str] = []

    def grade(one: PlannedGrade, _: threading.Event) -> Result:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1
            graded.append(one.parts.key)
        return result_of(one)

    listener = Recording()
    kept: list[Result] = []
    done = run_pool(planned, keeping(grade, kept), listener, workers=workers, stop=threading.Event())
    assert done == 12
    assert sorted(graded) == sorted(one.parts.key for one in planned)
    assert listener.events == {"started": 12, "finished": 12}
    assert len(kept) == 12
    assert most <= workers


def test_stopping_keeps_what_is_finished(plan_class: Planner) -> None:
    planned = planned_grades(plan_class, 6)
    stop = threading.Event()
    kept: list[Result] = []

    def grade(one: PlannedGrade, asked_to_stop: threading.Event) -> Result:
        if len(kept) == 3:
            stop.set()
            assert asked_to_stop.is_set()
            raise GradingStopped
        return result_of(one)

    assert run_pool(planned, keeping(grade, kept), Quiet(), workers=1, stop=stop) == 3
    assert len(kept) == 3


def test_a_store_that_cannot_be_written_ends_the_grading(plan_class: Planner) -> None:
    def grade(one: PlannedGrade, _: threading.Event) -> Result:
        raise GraderError("the disk is full")

    with pytest.raises(GraderError, match="the disk is full"):
        run_pool(planned_grades(plan_class, 3), grade, Quiet(), workers=2, stop=threading.Event())


def test_what_another_grading_is_at_is_looked_at_again(plan_class: Planner) -> None:
    busy = {one.parts.key: 2 for one in planned_grades(plan_class, 2)}

    def grade(one: PlannedGrade, _: threading.Event) -> Result | None:
        busy[one.parts.key] -= 1
        return None if busy[one.parts.key] > 0 else result_of(one)

    assert run_pool(plan_class().to_grade, grade, Quiet(), workers=2, stop=threading.Event()) == 2


def test_the_estimate_counts_rounds_of_workers() -> None:
    assert seconds_left(0, 0, 5, 2) is None
    assert seconds_left(6, 2, 5, 2) == 9.0


def test_plain_progress_is_one_harmless_line_a_result(plan_class: Planner) -> None:
    lines: list[str] = []
    progress = PlainProgress(10, lines.append)
    plan_class.checkout.submit("eve\n\x1b[2J", TILING)
    [planned] = plan_class().to_grade
    progress.started(planned)
    progress.finished(planned, result_of(planned))
    assert lines == ["[ 1/10] eve\\n\\x1b[2J 07-shared-tiling: pass (0.1 s)"]


def test_live_progress_says_what_runs_what_waits_and_how_long(plan_class: Planner) -> None:
    planned = planned_grades(plan_class, 4)
    console = Console(width=80, force_terminal=True, color_system=None, record=True)
    with LiveProgress(console, total=4, workers=2) as progress:
        progress.started(planned[0])
        progress.finished(planned[0], result_of(planned[0]))
        progress.started(planned[1])
        with console.capture() as capture:
            console.print(progress._render())
    shown = capture.get()
    assert "1 of 4 graded, 2 wait, about 0 s left" in shown
    assert "running student 1 07-shared-tiling 0 s" in shown


def test_points_come_from_the_emulator_unless_asked_otherwise() -> None:
    assert choose_backend("auto")[0] == "emulator"
    with pytest.raises(UsageError, match="expected auto, emulator or cuda"):
        choose_backend("opencl")


@pytest.mark.parametrize(("visible", "asked"), [(None, "0"), ("1", "1"), ("GPU-7a,0", "GPU-7a")])
def test_the_gpu_of_a_grading_is_the_first_visible_one(
    visible: str | None, asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = tmp_path / "nvidia-smi"
    fake.write_text('#!/bin/sh\necho "GPU of $1, 2619 MHz, 580, Disabled, GPU-1"\n', encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    assert choose_backend("cuda")[2] == f"GPU of --id={asked}, memory 2619 MHz, driver 580"
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    with pytest.raises(UsageError, match="no usable GPU here"):
        choose_backend("cuda")


def test_cuda_without_a_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simtlab.class_run.conditions.gpu_name", lambda: None)
    with pytest.raises(UsageError, match="no usable GPU here"):
        choose_backend("cuda")
