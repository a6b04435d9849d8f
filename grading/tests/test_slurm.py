"""A grading by Slurm's job arrays on a real Slurm of three nodes on this host (harness/check/slurm_cluster.sh)."""

import contextlib
import os
import shutil
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
from simtlab.errors import UsageError
from simtlab.executors.choose import executor_of
from simtlab.executors.settings import ExecutorSettings
from simtlab.executors.slurm import SlurmLauncher
from simtlab.store.claims import running_now
from simtlab.store.results import ResultStore
from tests.quick_units import CONDITIONS, QuickClass, content_of, leftovers

_SCRIPT = Path(__file__).resolve().parents[2] / "harness" / "check" / "slurm_cluster.sh"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Path]:
    if os.getuid() != 0:
        pytest.skip("no cluster of Slurm can be started here: this is no root")
    for program in ("munged", "slurmctld", "slurmd", "sbatch"):
        if not shutil.which(program):
            pytest.skip(f"no Slurm found: no {program} (slurm-wlm and munge are not installed)")
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    folder.chmod(0o755)
    try:
        given = {"SLURM_TEST_PORT": str(_four_free_ports()), "SLURM_TEST_OWNER": str(os.getpid())}
        subprocess.run([_SCRIPT, "start", folder], check=True, timeout=60, env=os.environ | given)
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        yield folder
    finally:
        subprocess.run([_SCRIPT, "stop", folder], check=False, timeout=60)
        os.environ.pop("SLURM_CONF", None)
        shutil.rmtree(folder, ignore_errors=True)


def _four_free_ports() -> int:
    """The first of four neighbouring ports that nobody has: another test run may have a cluster of its own."""
    for first in range(16817, 20000, 4):
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
    while grading.is_alive() and not seen:
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


def test_tasks_get_the_gpus_they_ask_for(cluster: Path, tmp_path: Path) -> None:
    quick, store = QuickClass(tmp_path / "checkout", students=2), ResultStore(tmp_path / "store")
    seen = tmp_path / "gpus"
    line = f'echo "$SLURMD_NODENAME $CUDA_VISIBLE_DEVICES" >> {seen}'
    assert run(quick, store, slurm(gres="gpu:fake:1", prologue=line)) == 2
    assert set(seen.read_text(encoding="ascii").splitlines()) <= {"n1 0", "n1 1"}


def test_a_partition_that_is_not_there_is_a_sentence(cluster: Path) -> None:
    with pytest.raises(UsageError, match="this cluster has no such partition; it has lab"):
        SlurmLauncher(ExecutorSettings(kind="slurm", partition="gpu"))
