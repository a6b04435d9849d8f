"""A grading by Slurm's job arrays on a real Slurm of three nodes on this host (harness/check/slurm_cluster.sh)."""

import contextlib
import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from simtlab.class_run.progress import Quiet
from simtlab.errors import GraderError, UsageError
from simtlab.executors.choose import executor_of
from simtlab.executors.settings import ExecutorSettings
from simtlab.executors.slurm import SlurmLauncher
from simtlab.store.canaries import canaries
from simtlab.store.claims import running_now
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.fake_gpus import H100, FakeGpus
from tests.quick_units import CONDITIONS, LAB, QuickClass, content_of, counting, leftovers
from tests.test_executors import interrupted_and_ended
from tests.test_kills import Reports, grade, has_ended, processes, started

_WHO = ("slurmctld", "slurmd", "task", "judge", "grader")
_PATIENCE_SECONDS = 150
_SCRIPT = Path(__file__).resolve().parents[2] / "harness" / "check" / "slurm_cluster.sh"


@pytest.fixture(scope="module")
def started_cluster() -> Iterator[Path]:
    """One for all tests of a worker: starting it takes longer than most of them."""
    if os.getuid() != 0:
        pytest.skip("no cluster of Slurm can be started here: this is no root")
    for program in ("munged", "slurmctld", "slurmd", "sbatch"):
        if not shutil.which(program):
            pytest.skip(f"no Slurm found: no {program} (slurm-wlm and munge are not installed)")
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    folder.chmod(0o755)
    try:
        given = {"SLURM_TEST_PORT": str(_four_free_ports()), "SLURM_TEST_OWNER": str(os.getpid())}
        subprocess.run([_SCRIPT, "start", folder], check=True, timeout=150, env=os.environ | given)
        yield folder
    finally:
        subprocess.run([_SCRIPT, "stop", folder], check=False, timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def cluster(started_cluster: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The cluster with three idle nodes, whatever the test before has killed."""
    monkeypatch.setenv("SLURM_CONF", str(started_cluster / "slurm.conf"))
    monkeypatch.setattr(SlurmLauncher, "poll_seconds", 0.2)  # a cluster of its own answers at once
    subprocess.run([_SCRIPT, "mend", started_cluster], check=True, timeout=150)
    return started_cluster


def _four_free_ports() -> int:
    """The first of four neighbouring ports that nobody has: another test run may have a cluster of its own."""
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))  # they would find the same ones
    for first in range(16817 + 200 * worker, 20000, 4):
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + 4):
                stack.enter_context(socket.socket()).bind(("0.0.0.0", port))  # noqa: S104 - only to see whether it is free
            return first
    raise AssertionError("no four neighbouring ports are free")


def slurm(**more: object) -> ExecutorSettings:
    return ExecutorSettings(kind="slurm", partition="lab", memory_mb=500, **more)  # type: ignore[arg-type]


def run(quick: QuickClass, store: ResultStore, settings: ExecutorSettings) -> int:
    executor = executor_of(settings, quick.catalogue, CONDITIONS, store, 2)
    return executor.run(quick.plan(store).to_grade, Quiet(), threading.Event())


def test_slurm_and_this_machine_leave_the_same_store_though_a_node_dies(cluster: Path, tmp_path: Path) -> None:
    quick = QuickClass(tmp_path / "checkout", students=12, seconds=0.3)
    store, alone = ResultStore(tmp_path / "store"), ResultStore(tmp_path / "alone")
    seen: set[str] = set()
    done: list[int] = []
    grading = threading.Thread(target=lambda: done.append(run(quick, store, slurm(units_per_task=2))))
    grading.start()
    # Until both of n2's tasks grade: of one that is just being started Slurm knows after half a minute that it is lost.
    while grading.is_alive() and sum(where.startswith("n2 ") for where in seen) < 2:
        seen |= {one.where for one in running_now(store)}
        time.sleep(0.1)
    pid = int((cluster / "run" / "slurmd.n2.pid").read_text(encoding="ascii"))
    os.kill(pid, 9)  # the daemon alone: its tasks end, and the node comes back
    time.sleep(1)
    subprocess.run([_SCRIPT, "node", cluster, "n2"], check=True, timeout=30)
    grading.join()
    assert done == [12]
    assert all(where.startswith("n") and "(job " in where for where in seen)
    assert seen
    run(quick, alone, ExecutorSettings())
    assert content_of(store) == content_of(alone)
    assert len(content_of(store)) == 12
    assert leftovers(store) == []
    assert Counter(quick.judged()).most_common(1)[0][1] == 2  # once there, once here


class SlurmKilling:
    """A class graded by Slurm, and a random one of those who take part killed: slurmctld, a node's slurmd, a task (the
    worker), a judge, or the grader itself. The daemons start again a moment later, and the grader, too."""

    def __init__(self, cluster: Path, quick: QuickClass, store: ResultStore, draw: random.Random) -> None:
        self.cluster, self.quick, self.store, self.draw = cluster, quick, store, draw
        self.reports = Reports(store.folder.with_suffix(".reports"))
        self.settings = slurm(
            units_per_task=3, attempts=1000, prologue=f"export TMPDIR={shlex.quote(tempfile.gettempdir())}"
        )
        self.killed: Counter[str] = Counter()

    def grade(self) -> None:
        grade(self.quick, self.store, self.settings, self.reports)

    def run(self, order: Iterator[str]) -> None:
        """Kills one of each name in the order, until it ends or all is graded."""
        process = started(self.grade)
        for who in order:
            self._wait(process, self.draw.uniform(0.3, 2.5))
            if has_ended(process):
                break
            if who == "grader":
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                self.killed[who] += 1
                process = started(self.grade)
            else:
                self.killed[who] += self._kill(who)
        if not self._wait(process, _PATIENCE_SECONDS):
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            raise AssertionError(f"the grading does not end: {_said('squeue', '--array')}{_said('sinfo', '-R')}")
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0

    def _wait(self, process: int, seconds: float) -> bool:
        """Waits for the grading's end; whether it came. Meanwhile it does what operators do: a slurmctld that lost its
        newest state gives numbers of jobs a second time, and nodes that know them are drained for it."""
        end = time.monotonic() + seconds
        while not has_ended(process):
            if time.monotonic() > end:
                return False
            for node in _said("sinfo", "--noheader", "--Node", "--states=drain", "--format=%N").split():
                _said("scontrol", "update", f"NodeName={node}", "State=RESUME")
            time.sleep(min(0.5, max(end - time.monotonic(), 0)))
        return True

    def _kill(self, who: str) -> int:
        if who in ("task", "judge"):
            words = (
                ("simtlab.executors.task", str(self.store.folder))
                if who == "task"
                else (str(self.quick.checkout.build), "judge-")
            )
            victims = processes(*words)
        else:
            node = self.draw.choice(("n1", "n2", "n3"))
            name = "slurmctld" if who == "slurmctld" else f"slurmd.{node}"
            victims = [int((self.cluster / "run" / f"{name}.pid").read_text(encoding="ascii"))]
        if not victims:
            return 0
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.draw.choice(victims), signal.SIGKILL)
        if who in ("slurmd", "slurmctld"):
            time.sleep(self.draw.uniform(0.1, 1.0))
            start = ["controller", str(self.cluster)] if who == "slurmctld" else ["node", str(self.cluster), node]
            subprocess.run([_SCRIPT, *start], check=True, timeout=30)
        return 1


def _said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False).stdout


def kill_often(
    cluster: Path, tmp_path: Path, temporary: Path, kills: int, least: int, who_is: tuple[str, ...] = _WHO
) -> Counter[str]:
    """So many kills, and of each kind at least some."""
    draw = random.Random(9)
    quick = QuickClass(tmp_path / "checkout", students=18, seconds=0.3)
    alone = ResultStore(tmp_path / "alone")
    run(quick, alone, ExecutorSettings())
    killed: Counter[str] = Counter()
    rounds = 0
    while killed.total() < kills or min(killed[who] for who in who_is) < least:
        rounds += 1
        killing = SlurmKilling(cluster, quick, ResultStore(tmp_path / f"store-{rounds}"), draw)
        missing = [who for who in who_is if killed[who] < least] or list(who_is)
        killing.run(iter([*missing, *draw.choices(missing, k=max(kills - killed.total() - len(missing), 0))]))
        killed += killing.killed
        assert set(killing.reports.keys()) <= set(killing.store.keys())
        killing.run(iter(()))
        assert counting(killing.store) == counting(alone)
        assert leftovers(killing.store) == []
        assert list(temporary.glob("simtlab-*")) == []
    return killed


def test_whoever_of_slurm_is_killed_each_unit_has_its_result_once(
    cluster: Path, tmp_path: Path, temporary: Path
) -> None:
    kill_often(cluster, tmp_path, temporary, 3, 1, ("slurmctld", "task", "grader"))


@pytest.mark.long
def test_thirty_kills_with_slurm(cluster: Path, tmp_path: Path, temporary: Path) -> None:
    killed = kill_often(cluster, tmp_path, temporary, 30, 3)
    assert set(killed) == set(_WHO)


def test_a_task_that_is_killed_over_and_over_is_named_with_its_memory(cluster: Path, tmp_path: Path) -> None:
    quick, store = QuickClass(tmp_path / "checkout", students=2), ResultStore(tmp_path / "store")
    quick.checkout.submit("bad", LAB, "// dies\n")
    assert run(quick, store, slurm(attempts=2, units_per_task=3)) == 3
    faults = [one for key in store.keys() if (one := store.get(key)) and one.verdict is Verdict.INTERNAL_ERROR]  # noqa: SIM118
    assert [one.parts.student for one in faults] == ["bad"]
    assert "was killed for memory (job " in faults[0].message
    assert "raise memory_mb in [executor] of course.toml, 2 times" in faults[0].message
    assert len(counting(store)) == 2


def test_a_node_that_does_not_see_the_folder_is_named_and_the_others_grade(cluster: Path, tmp_path: Path) -> None:
    quick, store = QuickClass(tmp_path / "checkout", students=12, seconds=0.1), ResultStore(tmp_path / "store")
    _kill_daemon(cluster, "n3")
    hidden = f"mount -t tmpfs -o size=4k hidden {shlex.quote(str(tmp_path))} && exec {_SCRIPT} node {cluster} n3"
    subprocess.run(["unshare", "--mount", "sh", "-c", hidden], check=True, timeout=30)
    try:
        assert run(quick, store, slurm(units_per_task=1)) == 12
        assert len(counting(store)) == 12
        with pytest.raises(GraderError, match=r"node n3 does not see the store's folder: mount it there, or name"):
            run(quick, ResultStore(tmp_path / "other"), slurm(options=["--nodelist=n3"], attempts=1))
        assert leftovers(store) == leftovers(ResultStore(tmp_path / "other")) == []
    finally:
        _kill_daemon(cluster, "n3")
        subprocess.run([_SCRIPT, "node", cluster, "n3"], check=True, timeout=30)


def _kill_daemon(cluster: Path, node: str) -> None:
    os.kill(int((cluster / "run" / f"slurmd.{node}.pid").read_text(encoding="ascii")), signal.SIGKILL)
    time.sleep(0.2)


@pytest.mark.parametrize(
    "share", [pytest.param(30, marks=pytest.mark.long), 60, pytest.param(90, marks=pytest.mark.long)]
)
def test_what_slurm_began_another_executor_ends_with_the_same_facts(cluster: Path, tmp_path: Path, share: int) -> None:
    kinds = [slurm(units_per_task=1), ExecutorSettings(), ExecutorSettings(kind="command", command=["env"], tasks=2)]
    first, second = {30: (0, 1), 60: (1, 0), 90: (0, 2)}[share]
    interrupted_and_ended(tmp_path, share, kinds[first], kinds[second])


def test_tasks_get_the_gpus_they_ask_for_and_are_accounted_for(cluster: Path, tmp_path: Path) -> None:
    quick, store = QuickClass(tmp_path / "checkout", students=2), ResultStore(tmp_path / "store")
    seen = tmp_path / "gpus"
    line = f'echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES" >> {seen}'
    assert run(quick, store, slurm(gres="gpu:fake:1", prologue=line)) == 2
    assert set(seen.read_text(encoding="ascii").splitlines()) <= {"n1 0", "n1 1"}
    jobs = (cluster / "log" / "jobs").read_text(encoding="utf-8")  # what there is of accounting without a database
    assert "Name=simtlab JobState=COMPLETED Partition=lab" in jobs
    assert "Tres=cpu=1,mem=500M,node=1,billing=1" in jobs


def test_a_gpu_that_slows_is_found_its_chunk_graded_by_another_node_and_no_grade_flips(
    cluster: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quick = QuickClass(tmp_path / "checkout", students=6)
    gpus = FakeGpus(tmp_path / "gpus", quick, monkeypatch)
    for node in ("n1", "n2", "n3"):
        gpus.device(node, H100)
    gpus.slows_at("n1", 2)
    store = ResultStore(tmp_path / "store")
    plan = gpus.plan(store)
    settings = slurm(
        units_per_task=2,
        options=["--exclusive"],  # a task on each node
        prologue="export CUDA_VISIBLE_DEVICES=$SLURMD_NODENAME",
    )
    executor = executor_of(settings, quick.catalogue, gpus.conditions(), store, 2)
    assert executor.run(plan.to_grade, Quiet(), threading.Event()) == 6
    [bad] = [one for one in canaries(store) if one.drift]
    assert (bad.node, bad.device_class, len(bad.keys)) == ("n1", H100, 2)
    assert gpus.judged("n1") == 2  # of which nothing counts
    assert gpus.judged("n2") + gpus.judged("n3") == 6
    scores = [result.facts.fast.score for result in map(store.get, store.keys()) if result and result.facts]
    assert sorted(scores) == [(7 * student + 1) % 100 for student in range(6)]  # what an unslowed GPU gives
    assert leftovers(store) == []


def test_a_partition_that_is_not_there_is_a_sentence(cluster: Path) -> None:
    with pytest.raises(UsageError, match="this cluster has no such partition; it has lab"):
        SlurmLauncher(ExecutorSettings(kind="slurm", partition="gpu"))
