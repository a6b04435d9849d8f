"""Executors: tasks elsewhere leave the same store as the pool of this machine, and what is wrong is one sentence."""

import os
import re
import shlex
import shutil
import stat
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from simtlab.class_run.grading import GradingOutcome, grade_class
from simtlab.class_run.progress import Quiet
from simtlab.errors import GraderError, UsageError
from simtlab.executors.batches import batches_of
from simtlab.executors.choose import executor_of, sweep_orders, with_options
from simtlab.executors.command import CommandLauncher
from simtlab.executors.order import OrderFolder
from simtlab.executors.settings import ExecutorSettings
from simtlab.executors.slurm import SlurmLauncher
from simtlab.executors.task import run_task
from simtlab.store.claims import Claims, running_now
from simtlab.store.class_run import latest_run
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.quick_units import CONDITIONS, LAB, QuickClass, content_of, leftovers
from tests.test_cli import command


def grade(quick: QuickClass, store: ResultStore, settings: ExecutorSettings) -> GradingOutcome:
    executor = executor_of(settings, quick.catalogue, CONDITIONS, store, 2)
    return grade_class(quick.plan(store), CONDITIONS, store, Quiet(), workers=2, executor=executor)


def by_command(*words: str, **more: object) -> ExecutorSettings:
    return ExecutorSettings(kind="command", command=list(words), tasks=2, **more)  # type: ignore[arg-type]


@pytest.fixture
def quick(tmp_path: Path) -> QuickClass:
    return QuickClass(tmp_path / "checkout", students=5)


def results_of(store: ResultStore) -> list[Result]:
    return [one for key in store.keys() if (one := store.get(key))]  # noqa: SIM118 - a method of the store


def test_a_command_and_the_pool_leave_the_same_store(quick: QuickClass, store: ResultStore, tmp_path: Path) -> None:
    assert grade(quick, store, ExecutorSettings()) == GradingOutcome(0, 5, stopped=False)
    other = ResultStore(tmp_path / "other")
    assert grade(quick, other, by_command("env", units_per_task=3)) == GradingOutcome(0, 5, stopped=False)
    assert content_of(other) == content_of(store)
    assert len(content_of(store)) == 5
    assert leftovers(other) == leftovers(store) == []
    assert grade(quick, other, by_command("env")) == GradingOutcome(5, 0, stopped=False)


def test_equal_submissions_are_in_one_task_and_judged_once(quick: QuickClass, store: ResultStore) -> None:
    for student in ("a", "b", "c"):
        quick.checkout.submit(student, LAB, "// the same\n")
    units = quick.plan(store).to_grade
    batches = batches_of(units, 1)
    assert sorted(len(batch) for batch in batches) == [1, 1, 1, 1, 1, 3]
    assert sorted(one.parts.key for batch in batches for one in batch) == sorted(one.parts.key for one in units)
    grade(quick, store, by_command("env"))
    assert len(quick.judged()) == 6
    assert len(content_of(store)) == 8


@pytest.mark.parametrize(("students", "tasks", "largest"), [(10, 10, 1), (400, 50, 8), (20_000, 1000, 20)])
def test_a_large_class_is_about_a_thousand_tasks(
    quick: QuickClass, store: ResultStore, students: int, tasks: int, largest: int
) -> None:
    first = quick.plan(store).to_grade[0]
    units = [
        type(first)(first.submission, first.lab, first.parts.model_copy(update={"files": {"kernel.cu": str(number)}}))
        for number in range(students)
    ]
    batches = batches_of(units, 0)
    assert (len(batches), max(map(len, batches))) == (tasks, largest)


def test_a_task_that_is_killed_is_tried_again_and_then_only_its_unit_waits(
    quick: QuickClass, store: ResultStore
) -> None:
    quick.checkout.submit("bad", LAB, "// dies\n")
    outcome = grade(quick, store, by_command("env", units_per_task=6))
    assert outcome == GradingOutcome(0, 6, stopped=False)
    results = results_of(store)
    assert Counter(one.verdict for one in results) == {Verdict.PASS: 5, Verdict.INTERNAL_ERROR: 1}
    [bad] = [one for one in results if one.verdict is Verdict.INTERNAL_ERROR]
    assert bad.parts.student == "bad"
    assert "was killed, most likely for memory" in bad.message
    assert "3 times" in bad.message
    assert sorted(Counter(quick.judged()).values()) == [1] * 5
    assert [one.parts.attempt for one in quick.plan(store).to_grade and [quick.plan(store).to_grade[0]]] == [2]


def test_another_judge_on_a_node_grades_nothing_and_says_so(quick: QuickClass, store: ResultStore) -> None:
    plan = quick.plan(store)
    judge = quick.checkout.build / "labs" / LAB / f"judge-{LAB}"
    judge.write_text(judge.read_text(encoding="utf-8") + "# built again\n", encoding="utf-8")
    executor = executor_of(by_command("env"), quick.catalogue, CONDITIONS, store, 2)
    with pytest.raises(GraderError, match="has another judge or toolchain of 07-shared-tiling than the grading was"):
        grade_class(plan, CONDITIONS, store, Quiet(), workers=2, executor=executor)
    assert results_of(store) == []
    assert leftovers(store) == []
    grade(quick, store, by_command("env"))
    assert len(content_of(store)) == 5


def test_two_versions_of_a_judge_share_a_store_and_each_result_names_its_own(
    quick: QuickClass, store: ResultStore
) -> None:
    grade(quick, store, ExecutorSettings())
    before = {path: path.read_bytes() for path in store.folder.glob("results/*/*.json")}
    judge = quick.checkout.build / "labs" / LAB / f"judge-{LAB}"
    judge.write_text(judge.read_text(encoding="utf-8") + "# built again\n", encoding="utf-8")
    assert grade(quick, store, by_command("env")) == GradingOutcome(0, 5, stopped=False)
    assert {path: path.read_bytes() for path in before} == before
    assert Counter(Counter(one.parts.student for one in results_of(store)).values()) == {2: 5}
    assert sorted(Counter(one.parts.specification for one in results_of(store)).values()) == [5, 5]
    newest = {one.key for one in latest_run(store).entries}
    assert newest.isdisjoint(path.stem for path in before)


def test_a_node_without_the_shared_folder_is_a_sentence(quick: QuickClass, store: ResultStore, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("#!/bin/sh\nexec sh /not/mounted/task.sh\n", encoding="utf-8")
    elsewhere.chmod(0o755)
    with pytest.raises(GraderError, match=r"a task did not begin .*every node has to see .*store and the Python"):
        grade(quick, store, by_command(str(elsewhere)))
    assert results_of(store) == []
    assert leftovers(store) == []


def test_stopping_ends_the_tasks_and_the_same_again_continues(quick: QuickClass, store: ResultStore) -> None:
    class StopAfterOne(Quiet):
        def finished(self, planned: object, result: object) -> None:
            stop.set()

    stop = threading.Event()
    units = quick.plan(store).to_grade
    executor = executor_of(by_command("env", units_per_task=1), quick.catalogue, CONDITIONS, store, 2)
    done = executor.run(units, StopAfterOne(), stop)
    assert 1 <= done < 5
    assert leftovers(store) == []
    grade(quick, store, by_command("env"))
    assert len(content_of(store)) == 5


class StopAt(Quiet):
    """Stops the grading when so many are done."""

    def __init__(self, count: int, stop: threading.Event) -> None:
        self._left, self._stop = count, stop

    def finished(self, planned: object, result: object) -> None:
        self._left -= 1
        if self._left <= 0:
            self._stop.set()


def interrupted_and_ended(tmp_path: Path, share: int, first: ExecutorSettings, second: ExecutorSettings) -> None:
    """A class whose grading is stopped at so many per cent and ended by another executor: byte for byte what one that
    was let alone leaves, but for times."""
    quick = QuickClass(tmp_path / "checkout", students=20, seconds=0.02)
    alone, store = ResultStore(tmp_path / "alone"), ResultStore(tmp_path / "store")
    grade(quick, alone, ExecutorSettings())
    stop = threading.Event()
    units = quick.plan(store).to_grade
    listener = StopAt(len(units) * share // 100, stop)
    executor = executor_of(first, quick.catalogue, CONDITIONS, store, 2)
    done = executor.run(units, listener, stop)
    assert len(units) * share // 100 <= done < len(units)
    before = {path: path.read_bytes() for path in store.folder.glob("results/*/*.json")}
    assert len(before) == done
    assert grade(quick, store, second) == GradingOutcome(done, len(units) - done, stopped=False)
    assert {path: path.read_bytes() for path in before} == before
    assert bytes_of(store) == bytes_of(alone)
    assert leftovers(store) == []


def bytes_of(store: ResultStore) -> dict[str, bytes]:
    """The files of all results, times blanked."""
    found = {}
    for path in store.folder.glob("results/*/*.json"):
        text = re.sub(rb'"seconds": [0-9.e-]+', b'"seconds": 0', path.read_bytes())
        found[path.name] = re.sub(rb'"graded_at": "[^"]+"', b'"graded_at": ""', text)
    return found


@pytest.mark.parametrize("share", [30, 60, 90])
@pytest.mark.parametrize("turned", [False, True])
def test_what_one_executor_began_another_ends_with_the_same_facts(tmp_path: Path, share: int, turned: bool) -> None:
    kinds = [ExecutorSettings(), by_command("env", units_per_task=1)]
    interrupted_and_ended(tmp_path, share, kinds[turned], kinds[not turned])


def test_two_graders_on_one_store_share_the_work(tmp_path: Path) -> None:
    quick = QuickClass(tmp_path / "checkout", students=24, seconds=0.05)
    store = ResultStore(tmp_path / "store")
    plans = [quick.plan(store) for _ in range(2)]
    executors = [executor_of(ExecutorSettings(), quick.catalogue, CONDITIONS, store, 2) for _ in range(2)]
    done: list[int] = []

    def run(number: int) -> None:
        done.append(executors[number].run(plans[number].to_grade, Quiet(), threading.Event()))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == [24, 24]
    assert Counter(quick.judged()).most_common(1)[0][1] == 1
    assert len(content_of(store)) == 24
    assert leftovers(store) == []


def test_a_claim_is_seen_renewed_and_taken_over_from_one_who_is_gone(store: ResultStore) -> None:
    here, there = Claims(store, "node n1 (job 17)"), Claims(store)
    with here.of("0" * 64, "alice", LAB) as ours:
        assert ours
        assert [(one.student, one.where) for one in running_now(store)] == [("alice", "node n1 (job 17)")]
        with there.of("0" * 64, "alice", LAB) as theirs:
            assert not theirs
        [path] = (store.folder / "running").iterdir()
        text = path.read_text(encoding="utf-8").replace(f'"process":{os.getpid()}', '"process":4194999')
    path.write_text(text, encoding="utf-8")
    assert running_now(store) == []
    with there.of("0" * 64, "alice", LAB) as ours:
        assert ours
    path.write_text(text.replace('"host":"', '"host":"another-'), encoding="utf-8")
    assert len(running_now(store)) == 1
    os.utime(path, (path.stat().st_mtime - 600, path.stat().st_mtime - 600))
    assert running_now(store) == []


def test_a_killed_gradings_order_is_swept(quick: QuickClass, store: ResultStore) -> None:
    order = OrderFolder.make(store, quick.catalogue, CONDITIONS, "")
    assert order.folder.stat().st_mode & 0o777 == 0o700
    assert sweep_orders(store) == 0
    order.folder.rename(order.folder.with_name(order.folder.name.replace(f"-{os.getpid()}", "-4194999")))
    assert sweep_orders(store) == 1
    assert leftovers(store) == []


def test_a_task_whose_order_is_gone_says_so(tmp_path: Path) -> None:
    assert run_task(tmp_path / "order", 0) == 83


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (ExecutorSettings(kind="command", command=["no-such-wrapper"]), "there is no program no-such-wrapper here"),
        (ExecutorSettings(kind="slurm"), "there is no sbatch on this machine; grade from a login node"),
    ],
)
def test_what_is_not_here_is_a_sentence(
    settings: ExecutorSettings, words: str, quick: QuickClass, store: ResultStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    with pytest.raises(UsageError, match=words):
        executor_of(settings, quick.catalogue, CONDITIONS, store, 2)


def test_a_path_that_a_remote_shell_takes_apart_is_refused(quick: QuickClass, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has letters that a shell reads in its own way"):
        grade(quick, ResultStore(tmp_path / "my store"), by_command("env"))


def test_options_come_before_the_course() -> None:
    course = ExecutorSettings(kind="slurm", partition="lab", tasks=7)
    assert with_options(course, None, "", None) == course
    changed = with_options(course, "command", "ssh 'node 1'", 3)
    assert (changed.kind, changed.command, changed.tasks, changed.partition) == ("command", ["ssh", "node 1"], 3, "lab")
    with pytest.raises(UsageError, match="--executor cloud: expected local, command, slurm"):
        with_options(course, "cloud", "", None)


class FakeSlurm:
    """Programs in place of Slurm's: sbatch takes arrays of at most two tasks, and four tasks at a time."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "arrays"
        self.states = folder / "states"
        self.states.write_text("", encoding="utf-8")
        self._write(folder / "sinfo", 'case "$*" in *%R*) printf "lab\\nbig\\n";; *) printf "n1\\nn2\\n";; esac')
        self._write(folder / "scontrol", 'echo "MaxArraySize = 2"')
        self._write(folder / "scancel", ":")
        self._write(folder / "squeue", f"cat {self.states}")
        self._write(
            folder / "sbatch",
            f"""for word; do case $word in --array=*) array=${{word#--array=}};; esac; done
if [ "$(grep -c . {self.log})" -ge 2 ]; then
  echo "sbatch: error: AssocMaxSubmitJobLimit" >&2
  exit 1
fi
echo "$array $*" >> {self.log}
grep -c . {self.log}""",
        )
        self.log.write_text("", encoding="utf-8")

    def arrays(self) -> list[str]:
        return [line.split()[0] for line in self.log.read_text(encoding="utf-8").splitlines()]

    def say(self, *lines: str) -> None:
        self.states.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    @staticmethod
    def _write(path: Path, text: str) -> None:
        path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def fake_slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSlurm:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    return FakeSlurm(folder)


def test_arrays_are_as_large_as_slurm_takes_and_the_rest_waits(fake_slurm: FakeSlurm, tmp_path: Path) -> None:
    launcher = SlurmLauncher(ExecutorSettings(kind="slurm", partition="lab", gres="gpu:h100:1", exclude=["n9"]))
    order = OrderFolder(tmp_path)
    launcher.start(order, range(7))
    assert fake_slurm.arrays() == ["0-1", "0-1"]
    words = fake_slurm.log.read_text(encoding="utf-8")
    assert all(one in words for one in ("--partition=lab", "--gres=gpu:h100:1", "--exclude=n9", "--requeue"))
    fake_slurm.log.write_text("", encoding="utf-8")
    fake_slurm.say("1|0|1|COMPLETED|n1|None|0|", "1|1|2|OUT_OF_MEMORY|n1|None|9|", "2|0|3|RUNNING|n2|None|0|")
    told = {one.number: one.why for one in launcher.ended()}
    assert told[0] == told[3] == ""  # the fourth is no more known to Slurm
    assert told[1] == "was killed for memory (job 1_1): raise memory_mb in [executor] of course.toml"
    assert 2 not in told
    assert fake_slurm.arrays() == ["0-1", "0-0"]
    assert order.jobs() == ["1", "2", "1", "2"]


def test_slurms_words_become_sentences(fake_slurm: FakeSlurm, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such partition; it has big, lab"):
        SlurmLauncher(ExecutorSettings(kind="slurm", partition="gpu"))
    launcher = SlurmLauncher(ExecutorSettings(kind="slurm"))
    launcher.start(OrderFolder(tmp_path), range(3))
    fake_slurm.say("1|0|1|FAILED|n1|x|20736|", "1|1|2|TIMEOUT|n1|x|0|", "2|0|3|FAILED|n2|x|256|")
    away, late, failed = sorted(launcher.ended(), key=lambda one: one.number)
    assert away.of_the_node
    assert "node n1 does not see the store's folder" in away.why
    assert "raise minutes in [executor]" in late.why
    assert failed.why == "ended as FAILED with exit code 1 (job 2_0)"
    launcher.exclude("n1")
    with pytest.raises(GraderError, match="No node of the partition is left"):
        launcher.exclude("n2")


def test_a_task_that_slurm_put_back_and_holds_is_started_anew(fake_slurm: FakeSlurm, tmp_path: Path) -> None:
    launcher = SlurmLauncher(ExecutorSettings(kind="slurm"))
    launcher.start(OrderFolder(tmp_path), range(2))
    fake_slurm.say("1|0|1|PENDING||launch failed requeued held|0|", "1|1|2|RUNNING|n1|None|0|")
    [held] = launcher.ended()
    assert (held.number, held.of_the_node) == (0, False)
    assert held.why == "was not launched by its node (job 1_0): `sinfo -R` names nodes with problems"
    assert launcher.ended() == []


def test_the_command_line_grades_by_tasks(quick: QuickClass, tmp_path: Path) -> None:
    shutil.rmtree(quick.checkout.class_folder / "s00004")
    done = command(
        quick.checkout, "grade", "class", "--executor", "command", "--executor-command", "env A=1", "--labs", "07"
    )
    assert done.returncode in (0, 1), done.stderr
    assert len(results_of(ResultStore(quick.checkout.root / "results"))) == 4
    unknown = command(quick.checkout, "grade", "class", "--executor", "cloud")
    assert (unknown.returncode, unknown.stderr.count("\n")) == (2, 1)
    assert "expected local, command, slurm" in unknown.stderr


def test_a_command_is_told_to_end(quick: QuickClass, store: ResultStore) -> None:
    launcher = CommandLauncher([], 2)
    order = OrderFolder.make(store, quick.catalogue, CONDITIONS, "sleep 100")
    for number in range(2):
        order.add_batch(number, [])
    launcher.start(order, range(2))
    launcher.cancel()
    assert launcher.ended() == []
    assert shlex.quote(sys.executable) in order.task_script.read_text(encoding="utf-8")
