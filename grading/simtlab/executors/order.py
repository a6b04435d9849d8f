"""What a grading leaves in the store for its tasks: conditions, batches of units, and room for what tasks say.

orders/TIME-HOST-PROCESS/     readable by its owner alone: the conditions have the seed
  order.json                  the conditions, the same for every task
  batches/N.json              the units of task N
  task.sh                     what a node starts: `sh task.sh N`
  said/N.json                 why task N graded nothing more, in a sentence
  log/N.txt                   what it printed
  scratch/                    temporary files of its results
  waiting/N/                  results of task N that its canary has not vouched for
  steady/                     each GPU's first canary, and which nodes drifted
  jobs                        the jobs of Slurm, so that the next grading can end those of a killed one
"""

import contextlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import ValidationError

from simtlab import __version__
from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import PlannedGrade
from simtlab.compiler.compile import CompilerBounds
from simtlab.device.canary import require_canary
from simtlab.errors import GraderError, UsageError
from simtlab.facts.read import first_problem
from simtlab.full_disk import disk_sentence
from simtlab.judge.run import CaseLimits
from simtlab.labs.catalogue import Catalogue
from simtlab.process.running import is_running
from simtlab.record import Record
from simtlab.sandbox.sandbox import Sandbox
from simtlab.store.key import KeyParts
from simtlab.store.results import ResultStore, this_host

Model = TypeVar("Model", bound=Record)
_NAME = re.compile(r"[0-9T.]+-(?P<host>.+)-(?P<process>\d+)")
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./+,:@%=-]+")
_PASSED_ON = ("PYTHONPATH", "SIMTLAB_FRONT_END", "SIMTLAB_LABS")
REFUSED = 83
"""A task's exit code where it says in said/N.json why it grades nothing."""
NO_FOLDER = 81
"""Of a job's: the node does not see the order's folder."""

_TASK = """#!/bin/sh
# Grades the units of one batch: sh task.sh N
exec >>{folder}/log/"$1".txt 2>&1
{exports}
{prologue}
if [ ! -x {python} ]; then
  echo "no {python} on $(hostname)"
  exit {no_folder}
fi
exec {python} -m simtlab.executors.task {folder} "$1"
"""


class Order(Record):
    """The conditions of every task."""

    format: Literal["simtlab-order"] = "simtlab-order"
    version: Literal[1] = 1
    grader_version: str
    root: str
    build: str
    store: str
    backend: str
    gpu: str
    seed: int
    limit_seconds: float | None
    limit_memory_mb: int | None
    runner_prefix: list[str]
    without: list[str]
    sandbox: list[str]
    """The layers that the head's machine has; a node with others grades nothing."""
    judge_seconds: float
    compiler_seconds: float
    compiler_memory_mb: int
    canary: str = ""
    """The program that times the GPU before and after a task's units; empty for the emulator."""

    def conditions(self, sandbox: Sandbox) -> Conditions:
        """The conditions as the grading's, in a node's sandbox."""
        return Conditions(
            backend=self.backend,
            gpu=self.gpu,
            seed=self.seed,
            limits=CaseLimits(self.limit_seconds, self.limit_memory_mb),
            runner_prefix=tuple(self.runner_prefix),
            sandbox=sandbox,
            compiler_bounds=CompilerBounds(seconds=self.compiler_seconds, memory_mb=self.compiler_memory_mb),
            without=tuple(self.without),
            judge_seconds=self.judge_seconds,
        )


class OrderedUnit(Record):
    """One student's files of one lab, and the key that the result will have."""

    student: str
    lab: str
    files: dict[str, str]
    parts: KeyParts


class Batch(Record):
    """The units of one task, in its order."""

    units: list[OrderedUnit]


class Said(Record):
    """Why a task grades nothing more."""

    node: str
    sentence: str
    of_the_node: bool
    """Whether another node may do better."""


class NodeError(GraderError):
    """This node cannot grade as was planned; another may."""


class OrderFolder:
    """A grading's folder for its tasks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @staticmethod
    def make(store: ResultStore, catalogue: Catalogue, conditions: Conditions, prologue: str) -> "OrderFolder":
        """A new one. Raises `UsageError` where its path has letters that a remote shell would take apart."""
        place = store.folder.resolve() / "orders"
        folder = place / f"{datetime.now(UTC):%Y%m%dT%H%M%S.%f}-{this_host()}-{os.getpid()}"
        for path in (str(folder), sys.executable):
            if not _PLAIN_PATH.fullmatch(path):
                raise UsageError(
                    f"{path} has letters that a shell reads in its own way: tasks need a path without them"
                )
        order = Order(
            grader_version=__version__,
            root=str(catalogue.root.resolve()),
            build=str(catalogue.build.resolve()),
            store=str(store.folder.resolve()),
            backend=conditions.backend,
            gpu=conditions.gpu,
            seed=conditions.seed,
            limit_seconds=conditions.limits.seconds,
            limit_memory_mb=conditions.limits.memory_mb,
            runner_prefix=list(conditions.runner_prefix),
            without=list(conditions.without),
            sandbox=list(conditions.sandbox.layers),
            judge_seconds=conditions.judge_seconds,
            compiler_seconds=conditions.compiler_bounds.seconds,
            compiler_memory_mb=conditions.compiler_bounds.memory_mb,
            canary=str(require_canary(catalogue.build)) if conditions.backend == "cuda" else "",
        )
        exports = "\n".join(
            f"export {name}={shlex.quote(os.environ[name])}" for name in _PASSED_ON if name in os.environ
        )
        task = _TASK.format(
            folder=folder, exports=exports, prologue=prologue, python=sys.executable, no_folder=NO_FOLDER
        )
        try:
            place.mkdir(exist_ok=True)
            folder.mkdir(mode=0o700)
            for name in ("batches", "said", "log", "scratch", "waiting", "steady"):
                (folder / name).mkdir()
            (folder / "order.json").write_text(order.model_dump_json(indent=1) + "\n", encoding="utf-8")
            (folder / "task.sh").write_text(task, encoding="utf-8")
        except OSError as error:
            raise GraderError(disk_sentence(error) or f"{folder} cannot be made: {error.strerror}") from error
        return OrderFolder(folder)

    @property
    def task_script(self) -> Path:
        """What a node starts, with a batch's number."""
        return self.folder / "task.sh"

    def order(self) -> Order:
        """The conditions, as a task reads them."""
        return _read(self.folder / "order.json", Order)

    def add_batch(self, number: int, units: Sequence[PlannedGrade]) -> None:
        """Writes the units of a task that is not started yet."""
        ordered = [
            OrderedUnit(
                student=one.submission.student,
                lab=one.submission.lab,
                files=dict(one.submission.files),
                parts=one.parts,
            )
            for one in units
        ]
        path = self._batch(number)
        try:
            path.write_text(Batch(units=ordered).model_dump_json() + "\n", encoding="utf-8")
        except OSError as error:
            raise GraderError(disk_sentence(error) or f"{path} cannot be written: {error.strerror}") from error

    def batch(self, number: int) -> Batch:
        """The units of a task."""
        return _read(self._batch(number), Batch)

    def say(self, number: int, said: Said) -> None:
        """A task's last words; where they cannot be written, its log and exit code remain."""
        with contextlib.suppress(OSError):
            (self.folder / "said" / f"{number}.json").write_text(said.model_dump_json() + "\n", encoding="utf-8")

    def said(self, number: int) -> Said | None:
        """What the task said, if anything."""
        path = self.folder / "said" / f"{number}.json"
        with contextlib.suppress(GraderError):
            return _read(path, Said)
        return None

    def waiting(self, number: int) -> Path:
        """Where the task's results wait for its canary, each by its key."""
        return self.folder / "waiting" / str(number)

    def measured(self, number: int) -> set[str]:
        """The keys of the results that the task had when it ended, and that nobody vouches for any more."""
        return {path.stem for path in self.waiting(number).glob("*.json")}

    def last_line(self, number: int) -> str:
        """The last line of a task's log, empty where there is none."""
        try:
            lines = (self.folder / "log" / f"{number}.txt").read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return ""
        return lines[-1] if lines else ""

    def add_job(self, job: str) -> None:
        """Remembers a job of Slurm's."""
        with contextlib.suppress(OSError), (self.folder / "jobs").open("a", encoding="ascii") as stream:
            stream.write(job + "\n")

    def jobs(self) -> list[str]:
        """The jobs that were submitted for it."""
        try:
            return (self.folder / "jobs").read_text(encoding="ascii").split()
        except OSError:
            return []

    def remove(self) -> None:
        """Removes it with all that tasks left there."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _batch(self, number: int) -> Path:
        return self.folder / "batches" / f"{number}.json"


def abandoned_orders(store: ResultStore) -> list[OrderFolder]:
    """The folders of gradings that were killed on this machine."""
    found = []
    for folder in sorted((store.folder.resolve() / "orders").glob("*")):
        match = _NAME.fullmatch(folder.name)
        if match and match["host"] == this_host() and not is_running(int(match["process"])):
            found.append(OrderFolder(folder))
    return found


def _read(path: Path, model: type[Model]) -> Model:
    try:
        return model.model_validate_json(path.read_bytes())
    except OSError as error:
        raise GraderError(f"{path} cannot be read here: {error.strerror}; is the store's folder shared?") from error
    except ValidationError as error:
        raise GraderError(f"{path} is damaged ({first_problem(error)}); grade again") from error
