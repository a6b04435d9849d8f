"""A folder that students keep handing in to: what arrives is graded, within a limit and in an order."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.class_run.arrivals import Order, next_batch
from simtlab.class_run.plan import Plan, PlannedGrade
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import read_catalogue
from simtlab.store.class_run import ClassRun, RunEntry, latest_run
from simtlab.store.results import ResultStore
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.test_cli_after_grading import TILING, simtlab
from tests.test_store import PARTS

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def run_of(entries: list[RunEntry]) -> ClassRun:
    return ClassRun(
        class_name="class", started_at=NOW, backend="emulator", backend_reason="", seed=1,
        students=[one.student for one in entries], labs=[TILING], entries=entries, problems=[],
    )  # fmt: skip


def plan_of(checkout: FakeCheckout, minutes: dict[str, int]) -> Plan:
    """One submission of each student, handed in so many minutes ago."""
    lab = read_catalogue(checkout.root, checkout.build).labs[TILING]
    planned = []
    for student, ago in minutes.items():
        submission = Submission(student, TILING, {"kernel.cu": "1" * 64}, NOW - timedelta(minutes=ago))
        planned.append(PlannedGrade(submission, lab, PARTS.model_copy(update={"student": student})))
    entries = [RunEntry(student=one.submission.student, lab=TILING, key=one.parts.key) for one in planned]
    return Plan(run_of(entries), planned, 0)


@given(
    attempts=st.dictionaries(st.sampled_from("abcdef"), st.lists(st.integers(0, 59), max_size=5)),
    per_hour=st.integers(1, 4),
    most=st.integers(1, 6),
    order=st.sampled_from(list(Order)),
)
def test_everything_is_graded_now_later_or_held_and_the_limit_is_kept(
    tmp_path_factory: pytest.TempPathFactory, attempts: dict[str, list[int]], per_hour: int, most: int, order: Order
) -> None:
    plan = plan_of(FakeCheckout(tmp_path_factory.mktemp("checkout")), dict(zip("abcdef", range(6), strict=True)))
    before = run_of([RunEntry(student=student, lab=TILING, key=student * 64) for student in "abcdef"])

    def times(student: str, _lab: str, moment: datetime) -> list[datetime]:
        found = [NOW - timedelta(minutes=one) for one in attempts.get(student, [])]
        return [one for one in found if one > moment]

    batch = next_batch(plan, before, times, NOW, per_hour=per_hour, order=order, most=most)
    now = [one.submission.student for one in batch.plan.to_grade]
    later = [one.submission.student for one in batch.later]
    held = {student for student, _ in batch.held}
    assert sorted([*now, *later, *held]) == list("abcdef")
    assert len(now) == min(most, 6 - len(held))
    assert held == {student for student in "abcdef" if len(attempts.get(student, [])) >= per_hour}
    assert all(NOW < until <= NOW + timedelta(hours=1) for until in batch.held.values())
    counting = {one.student: one.key for one in batch.plan.run.entries}
    assert {student for student in "abcdef" if counting[student] == student * 64} == {*later, *held}
    ranks = [len(attempts.get(student, [])) for student in [*now, *later]]
    if order is Order.FAIR:
        assert ranks == sorted(ranks)
    else:
        assert [*now, *later] == sorted([*now, *later])  # a came last


@pytest.fixture
def arriving(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    checkout.submit("alice", TILING, KERNEL + "// fake judge: wrong_answer\n")
    return checkout


def test_a_further_attempt_beyond_the_limit_waits_and_the_earlier_one_counts(arriving: FakeCheckout) -> None:
    assert simtlab("watch", "class", "--once", "--per-hour", "1", "--for-students", "pages")[0] == 0
    assert (arriving.root / "pages" / "alice" / "index.html").is_file()
    [first] = [one.key for one in latest_run(ResultStore(Path("results"))).entries if one.key]
    arriving.submit("alice", TILING, KERNEL + "// fake judge: full\n")
    code, text = simtlab("watch", "class", "--once", "--per-hour", "1")
    assert (code, f"alice {TILING}: 1 grading in the last hour; the newest waits until" in text) == (0, True)
    assert [one.key for one in latest_run(ResultStore(Path("results"))).entries if one.key] == [first]
    assert simtlab("watch", "class", "--once", "--per-hour", "2")[0] == 0
    assert [one.key for one in latest_run(ResultStore(Path("results"))).entries if one.key] != [first]


def test_no_folder_is_no_folder(arriving: FakeCheckout) -> None:
    code, text = simtlab("watch", "absent")
    assert (code, "absent is no folder: expected absent/<student>/<lab>/kernel.cu to arrive in it" in text) == (2, True)


@pytest.fixture
def watching(arriving: FakeCheckout) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "simtlab", "watch", "class"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        yield process
        process.kill()


def graded(students: int) -> bool:
    """Whether the store has results of so many students, by waiting for it."""
    for _ in range(300):
        if len(set(ResultStore(Path("results")).keys())) >= students:
            return True
        time.sleep(0.1)
    return False


def test_what_arrives_while_it_watches_is_graded_and_an_interrupt_ends_it(
    arriving: FakeCheckout, watching: subprocess.Popen[str]
) -> None:
    assert graded(1)
    arriving.submit("bob", TILING, KERNEL + "// fake judge: full\n")
    assert graded(2)
    os.kill(watching.pid, signal.SIGINT)
    said, _ = watching.communicate(timeout=60)
    assert watching.returncode == 0, said
    assert "Ended; what is graded is kept" in said
    assert "bob" in (arriving.root / "report" / "index.html").read_text(encoding="utf-8")


def test_an_empty_folder_is_watched_too_and_becomes_empty_without_ending_it(
    arriving: FakeCheckout, watching: subprocess.Popen[str]
) -> None:
    assert graded(1)
    for student in Path("class").iterdir():
        shutil.rmtree(student)
    time.sleep(5)
    assert watching.poll() is None
    arriving.submit("bob", TILING, KERNEL + "// fake judge: full\n")
    assert graded(2)
    os.kill(watching.pid, signal.SIGINT)
    said, _ = watching.communicate(timeout=60)
    assert watching.returncode == 0, said
    assert said.count("Nothing to grade yet: class is an empty class") == 1


def test_once_over_an_empty_folder_there_is_nothing_to_do(arriving: FakeCheckout) -> None:
    Path("nobody").mkdir()
    code, text = simtlab("watch", "nobody", "--once")
    assert (code, "Nothing to grade yet" in text) == (0, True)
