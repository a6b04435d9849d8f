"""The program of a task: `python -m simtlab.executors.task ORDER N` grades the units of batch N, one after the other.

It may be killed at any moment and started again, there or elsewhere: what has a result is not graded again. Before the
first unit it makes sure that it would grade as the grading planned: the same judges and toolchain, the same layers of
the sandbox, the same GPU. Otherwise it says so and grades nothing.
"""

import contextlib
import os
import shutil
import socket
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from simtlab import __version__
from simtlab.class_run.conditions import Conditions
from simtlab.class_run.grading import stop_on_signals
from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.unit import UnitGrader
from simtlab.device.device_class import gpu_name
from simtlab.errors import GradingStopped, SimtlabError
from simtlab.executors.order import REFUSED, NodeError, Order, OrderedUnit, OrderFolder, Said
from simtlab.executors.steady import chunk_of
from simtlab.full_disk import disk_sentence
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import Catalogue, read_catalogue
from simtlab.process.workplace import sweep_workplaces
from simtlab.sandbox.sandbox import probe_sandbox
from simtlab.store.key import specification_hash
from simtlab.store.results import ResultStore, this_host

_BUSY_SECONDS = 0.3
_STOPPED = 84


def main() -> None:
    """The program."""
    folder, number = sys.argv[1:]
    sys.exit(run_task(Path(folder), int(number)))


def run_task(folder: Path, number: int) -> int:
    """Grades the batch and returns the exit code: 0 where every unit has a result."""
    order_folder = OrderFolder(folder)
    try:
        order = order_folder.order()
        with stop_on_signals() as stop, _scratch(folder, number) as scratch:
            _grade(order, order_folder, number, ResultStore(Path(order.store), scratch), stop)
    except GradingStopped:
        return _STOPPED
    except (SimtlabError, OSError) as error:
        sentence = (disk_sentence(error) if isinstance(error, OSError) else None) or str(error)
        print(sentence, file=sys.stderr, flush=True)  # noqa: T201 - the task's log
        order_folder.say(number, Said(node=node_name(), sentence=sentence, of_the_node=isinstance(error, NodeError)))
        return REFUSED
    return 0


def node_name() -> str:
    """The node as Slurm calls it, else the machine's name."""
    return os.environ.get("SLURMD_NODENAME") or socket.gethostname()


def _grade(order: Order, folder: OrderFolder, number: int, store: ResultStore, stop: threading.Event) -> None:
    sweep_workplaces()
    planned = _planned(order, folder.batch(number).units)
    waiting = deque(one for one in planned if not store.has(one.parts.key))
    if not waiting:
        return
    conditions = _own_conditions(order)
    _require_same_judges(order, conditions, {one.lab.name: one for one in waiting}.values())
    job = os.environ.get("SLURM_JOB_ID", "")
    where = node_name() + (f" (job {job})" if job else "")
    with chunk_of(order, folder, number, store, node_name()) as chunk:
        grader = UnitGrader(conditions, chunk.store, where, chunk.claimed)
        grader.expect(planned)
        while waiting:
            one = waiting.popleft()
            if grader.grade(one, stop) is None:
                chunk.settle()
                waiting.append(one)
                stop.wait(_BUSY_SECONDS)
            if stop.is_set():
                raise GradingStopped


def _planned(order: Order, units: list[OrderedUnit]) -> list[PlannedGrade]:
    if order.grader_version != __version__:
        raise NodeError(
            f"{node_name()} has simtlab {__version__}, and the grading is {order.grader_version}'s: install the same "
            "on every node, best in the shared folder"
        )
    catalogue: Catalogue = read_catalogue(Path(order.root), Path(order.build))
    found = []
    for one in units:
        if one.lab not in catalogue.labs:
            why = catalogue.faults.get(one.lab, f"{order.build} has no judge of it here")
            raise NodeError(f"{node_name()} cannot grade {one.lab}: {why}; every node needs the same build tree")
        found.append(PlannedGrade(Submission(one.student, one.lab, one.files), catalogue.labs[one.lab], one.parts))
    return found


def _own_conditions(order: Order) -> Conditions:
    sandbox = probe_sandbox(Path(order.build), Path(order.root))
    if list(sandbox.layers) != order.sandbox:
        here, there = ", ".join(sandbox.layers) or "none", ", ".join(order.sandbox) or "none"
        raise NodeError(
            f"the sandbox of {node_name()} has the layers {here}, and the grading was planned with {there} "
            f"({sandbox.problem or 'it has more'}): grade where both are alike, or exclude the node"
        )
    if order.backend == "cuda" and (found := gpu_name() or "no GPU") != order.gpu:
        raise NodeError(
            f"{node_name()} has the device class {found}, and the grading was planned for {order.gpu}: ask for one "
            "type of GPU with gres, or for the class of the nodes with device_class in [executor] of course.toml"
        )
    return order.conditions(sandbox)


def _require_same_judges(order: Order, conditions: Conditions, one_of_each_lab: Iterable[PlannedGrade]) -> None:
    for one in one_of_each_lab:
        if specification_hash(one.lab, order.backend, conditions.without) != one.parts.specification:
            raise NodeError(
                f"{node_name()} has another judge or toolchain of {one.lab.name} than the grading was planned with: "
                f"{order.build} or the compiler differs there, or was built again meanwhile; grade again once every "
                "node has the same"
            )


@contextlib.contextmanager
def _scratch(folder: Path, number: int) -> Iterator[Path]:
    place = folder / "scratch" / f"{number}-{this_host()}-{os.getpid()}"
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
