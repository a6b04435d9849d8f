"""From options and course.toml to an executor."""

import os
import shlex
from collections.abc import Sequence
from typing import get_args

from simtlab.class_run.conditions import Conditions
from simtlab.errors import UsageError
from simtlab.executors.command import CommandLauncher
from simtlab.executors.executor import Executor
from simtlab.executors.launcher import Launcher
from simtlab.executors.local import LocalExecutor
from simtlab.executors.order import abandoned_orders
from simtlab.executors.settings import ExecutorKind, ExecutorSettings
from simtlab.executors.slurm import SlurmLauncher, cancel_jobs
from simtlab.executors.tasks import TaskExecutor
from simtlab.labs.catalogue import Catalogue
from simtlab.store.results import ResultStore


def with_options(settings: ExecutorSettings, kind: str | None, command: str, workers: int | None) -> ExecutorSettings:
    """The course's settings with what the command line says. Raises `UsageError` for a kind that there is not."""
    if kind is not None and kind not in get_args(ExecutorKind):
        raise UsageError(f"--executor {kind}: expected {', '.join(get_args(ExecutorKind))}")
    try:
        words: Sequence[str] = shlex.split(command) if command else settings.command
    except ValueError as error:
        raise UsageError(f"--executor-command {command!r}: {error}") from error
    changed = {"kind": kind or settings.kind, "command": list(words), "tasks": workers or settings.tasks}
    return settings.model_copy(update=changed)


def executor_of(
    settings: ExecutorSettings, catalogue: Catalogue, conditions: Conditions, store: ResultStore, workers: int
) -> Executor:
    """The executor. Raises `UsageError` where it is not to be had here."""
    if settings.kind == "local":
        return LocalExecutor(conditions, store, workers)
    launcher: Launcher
    if settings.kind == "slurm":
        launcher = SlurmLauncher(settings)
    else:
        launcher = CommandLauncher(settings.command, settings.tasks or len(os.sched_getaffinity(0)))
    return TaskExecutor(launcher, settings, catalogue, conditions, store)


def sweep_orders(store: ResultStore) -> int:
    """Ends the jobs of gradings that were killed on this machine, and removes their folders; returns how many."""
    abandoned = abandoned_orders(store)
    for order in abandoned:
        cancel_jobs(order.jobs())
        order.remove()
    return len(abandoned)
