"""Tasks as job arrays of Slurm. No daemon of ours: sbatch starts them, squeue says how far they are, and when a node
fails, Slurm puts its tasks back into the queue.

An array has at most MaxArraySize tasks, and a user at most so many at a time; what is refused for a limit waits here
until others ended. Slurm starts a task at least once, and perhaps twice; the store keeps one result.
"""

import getpass
import re
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from simtlab.errors import GraderError, UsageError
from simtlab.executors.launcher import EndedTask
from simtlab.executors.order import NO_FOLDER, OrderFolder
from simtlab.executors.settings import ExecutorSettings

_COMMAND_SECONDS = 120
_LIMIT_WORDS = re.compile(r"limit|temporarily|too many|slurm_submit_batch_job.*retry|MaxJobCount", re.IGNORECASE)
_SILENT_SECONDS = 1800.0
_FIELDS = ("ArrayJobID", "ArrayTaskID", "JobID", "State", "NodeList", "Reason", "exit_code")
_OVER = {
    "COMPLETED",
    "FAILED",
    "CANCELLED",
    "TIMEOUT",
    "OUT_OF_MEMORY",
    "NODE_FAIL",
    "BOOT_FAIL",
    "DEADLINE",
    "REVOKED",
}
_NOT_LAUNCHED = "launch failed requeu"
"""The reason of a task that Slurm put back and holds until somebody releases it. Newer ones are started instead."""
_PROGRAMS = ("sbatch", "squeue", "scancel", "scontrol", "sinfo")

_JOB = """#!/bin/sh
number=$(({first} + SLURM_ARRAY_TASK_ID))
[ -r {task} ] || exit {no_folder}
exec sh {task} "$number"
"""


@dataclass(frozen=True)
class _Task:
    """A line of squeue."""

    array: str
    index: str
    job: str
    state: str
    node: str
    reason: str
    status: int
    """Of the task's script, as wait(2) has it."""

    @property
    def exit_code(self) -> int:
        """What the script ended with."""
        return self.status >> 8

    @property
    def signal(self) -> int:
        """What ended the script, 0 where it ended by itself."""
        return self.status & 127


class SlurmLauncher:
    """Submits the tasks of one grading and follows them."""

    poll_seconds = 1.0

    def __init__(self, settings: ExecutorSettings) -> None:
        """Raises `UsageError` where Slurm is not here, does not answer, or has no such partition."""
        self._settings = settings
        missing = [name for name in _PROGRAMS if not shutil.which(name)]
        if missing:
            raise UsageError(
                f"--executor slurm: there is no {missing[0]} on this machine; grade from a login node of the "
                "cluster, or with --executor local"
            )
        self._require_partition()
        self._array_size = self._configured("MaxArraySize", 1001)
        self._excluded = list(settings.exclude)
        self._queued: deque[tuple[OrderFolder, int]] = deque()
        self._submitted: dict[tuple[str, str], int] = {}
        """By array and index in it: the task's number."""
        self._jobs: list[str] = []
        self._answered = time.monotonic()

    def start(self, order: OrderFolder, numbers: Sequence[int]) -> None:
        """Submits as many as Slurm takes now, the others when there is room."""
        self._queued.extend((order, number) for number in numbers)
        self._submit()

    def ended(self) -> list[EndedTask]:
        """What is over, or no more known to Slurm."""
        if not self._submitted:
            self._submit()
            return []
        tasks = self._tasks()
        if tasks is None:
            return []
        found = []
        for key, number in list(self._submitted.items()):
            task = tasks.get(key)
            if task is None or task.state in _OVER:
                del self._submitted[key]
                found.append(_ended(number, task))
            elif task.state == "PENDING" and task.reason.startswith(_NOT_LAUNCHED):
                del self._submitted[key]
                _run("scancel", task.job)
                job = f"job {task.array}_{task.index}"
                why = f"was not launched by its node ({job}): `sinfo -R` names nodes with problems"
                found.append(EndedTask(number, "", why))
            elif task.state == "PENDING" and task.reason == "BeginTime":
                # Slurm holds back for two minutes what it puts into the queue again.
                _run("scontrol", "update", f"JobId={task.job}", "StartTime=now")
        self._submit()
        return found

    def exclude(self, node: str) -> None:
        """No task that is submitted from now on goes to the node."""
        if not node or node in self._excluded:
            return
        self._excluded.append(node)
        nodes = _run("sinfo", "--noheader", "--Node", "--format=%N", *self._partition_words())
        left = set(nodes.stdout.split()) - set(self._excluded)
        if nodes.returncode == 0 and not left:
            raise GraderError("No node of the partition is left: mend one, then grade again")
        for job in self._jobs:
            _run("scontrol", "update", f"JobId={job}", f"ExcNodeList={','.join(self._excluded)}")

    def cancel(self) -> None:
        """Ends the jobs of this grading."""
        self._queued.clear()
        if self._submitted:
            cancel_jobs(self._jobs)
        self._submitted.clear()

    def _submit(self) -> None:
        size = self._array_size
        while self._queued:
            order, first = self._queued[0]
            numbers = [first]
            for _, number in list(self._queued)[1:size]:
                if number != numbers[-1] + 1:
                    break
                numbers.append(number)
            refusal = self._sbatch(order, numbers)
            if refusal is None:
                for _ in numbers:
                    self._queued.popleft()
            elif not _LIMIT_WORDS.search(refusal):
                raise GraderError(f"sbatch refuses the tasks: {refusal}. Next: mend [executor] in course.toml")
            elif size > 1:
                size = max(size // 4, 1) if size <= len(numbers) else max(len(numbers) // 4, 1)
            elif self._submitted:
                return  # until others ended
            else:
                raise GraderError(
                    f"sbatch takes not a single task: {refusal}. Next: wait for your other jobs, or ask for a higher "
                    "limit"
                )

    def _sbatch(self, order: OrderFolder, numbers: Sequence[int]) -> str | None:
        """Submits one array; returns Slurm's refusal."""
        wish = self._settings
        script = _JOB.format(first=numbers[0], task=order.task_script, no_folder=NO_FOLDER)
        most = f"%{wish.tasks}" if wish.tasks else ""
        words = [
            *("--parsable", "--requeue", "--job-name=simtlab", "--open-mode=append", "--chdir=/"),
            *("--output=/dev/null", "--error=/dev/null", "--export=PATH"),
            f"--array=0-{len(numbers) - 1}{most}",
            *(f"--cpus-per-task={wish.cpus}", f"--mem={wish.memory_mb}", f"--time={wish.minutes}"),
            *self._partition_words(),
            *([f"--account={wish.account}"] if wish.account else []),
            *([f"--qos={wish.qos}"] if wish.qos else []),
            *([f"--gres={wish.gres}"] if wish.gres else []),
            *([f"--exclude={','.join(self._excluded)}"] if self._excluded else []),
            *wish.options,
        ]
        done = _run("sbatch", *words, text=script)
        if done.returncode:
            return _sentence(done)
        job = done.stdout.strip().split(";")[0]
        self._jobs.append(job)
        order.add_job(job)
        self._submitted |= {(job, str(index)): number for index, number in enumerate(numbers)}
        return None

    def _tasks(self) -> dict[tuple[str, str], _Task] | None:
        """What squeue says of our tasks; None where it does not answer, for which it has half an hour."""
        wanted = ",".join(f"{field}:120|" for field in _FIELDS)
        done = _run(
            "squeue", "--noheader", "--array", "--states=all", f"--user={getpass.getuser()}", "--Format", wanted
        )
        if done.returncode:
            if time.monotonic() - self._answered > _SILENT_SECONDS:
                raise GraderError(f"Slurm has not answered for half an hour: {_sentence(done)}. Grade again later")
            return None
        self._answered = time.monotonic()
        ours = set(self._jobs)
        found = {}
        for line in done.stdout.splitlines():
            values = [value.strip() for value in line.split("|")][: len(_FIELDS)]
            if len(values) == len(_FIELDS) and values[0] in ours:
                task = _task(values)
                found[task.array, task.index] = task
        return found

    def _partition_words(self) -> list[str]:
        return [f"--partition={self._settings.partition}"] if self._settings.partition else []

    def _require_partition(self) -> None:
        done = _run("sinfo", "--noheader", "--format=%R")
        if done.returncode:
            raise UsageError(f"--executor slurm: Slurm does not answer here: {_sentence(done)}; see `sinfo`")
        partitions = sorted(set(done.stdout.split()))
        if self._settings.partition and not set(self._settings.partition.split(",")) <= set(partitions):
            raise UsageError(
                f"[executor] partition {self._settings.partition!r}: this cluster has no such partition; it has "
                f"{', '.join(partitions)}"
            )

    def _configured(self, name: str, otherwise: int) -> int:
        match = re.search(rf"^{name}\s*=\s*(\d+)", _run("scontrol", "show", "config").stdout, re.MULTILINE)
        return int(match[1]) if match else otherwise


def cancel_jobs(jobs: Sequence[str]) -> None:
    """Ends these jobs of Slurm's, where it is here."""
    if jobs and shutil.which("scancel"):
        _run("scancel", *jobs)


def _task(values: Sequence[str]) -> _Task:
    array, index, job, state, node, reason, status = values
    return _Task(array, index, job, state, node, reason, int(status) if status.isdecimal() else 0)


def _ended(number: int, task: _Task | None) -> EndedTask:
    if task is None or task.state == "COMPLETED":
        return EndedTask(number, task.node if task else "", "")
    name = f"(job {task.array}_{task.index})"
    if task.state == "OUT_OF_MEMORY" or signal.SIGKILL in (task.signal, task.exit_code - 128):
        why = f"was killed for memory {name}: raise memory_mb in [executor] of course.toml"
    elif task.state == "TIMEOUT":
        why = f"ran out of its time {name}: raise minutes in [executor] of course.toml"
    elif task.exit_code == NO_FOLDER:
        why = f"node {task.node} does not see the store's folder: mount it there, or name the node in exclude"
        return EndedTask(number, task.node, why, of_the_node=True)
    else:
        by = f"signal {task.signal}" if task.signal else f"exit code {task.exit_code}"
        why = f"ended as {task.state} with {by} {name}"
    return EndedTask(number, task.node, why)


def _run(*words: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            words, input=text or "", capture_output=True, text=True, timeout=_COMMAND_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, "", f"{words[0]} did not answer within {_COMMAND_SECONDS} s")


def _sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What a program of Slurm's complains of, in one line."""
    lines = [line.split("error: ", 1)[-1] for line in done.stderr.splitlines() if line.strip()]
    return "; ".join(dict.fromkeys(lines)) or f"exit code {done.returncode} without a word"
