"""The document of one grading of a class: which results it consists of. Written before the first submission starts, so
that `simtlab status` can tell in another terminal how far a grading is."""

import contextlib
from datetime import datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from simtlab.errors import UsageError
from simtlab.facts.read import first_problem
from simtlab.record import Record
from simtlab.store.dated import add_record
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict


class RunEntry(Record):
    """One student and lab: a key to look up, or a verdict that intake gave."""

    student: str
    lab: str
    key: str | None
    verdict: Verdict | None = None
    message: str = ""
    handed_in: datetime | None = None
    """When the student handed it in, as far as the download says; without it nothing is late."""


class ClassRun(Record):
    """One grading of a class."""

    format: Literal["simtlab-class-run"] = "simtlab-class-run"
    version: Literal[1] = 1
    class_name: str
    started_at: datetime
    backend: str
    backend_reason: str
    seed: int
    students: list[str]
    labs: list[str]
    entries: list[RunEntry]
    problems: list[str]
    canvas_ids: dict[str, str] = {}
    """By student: the number that Canvas knows them by, where the class is a download of Canvas."""
    names: dict[str, list[str]] = {}
    """By student: what else the download or the roster calls them."""
    policy: str = ""
    """The file of `--policy` that the grading was started with; empty for the course's own."""
    regrade: str = ""
    """Why a part of the class was graded once more; empty for an ordinary grading."""


def write_run(store: ResultStore, run: ClassRun) -> Path:
    """Adds the document to the store under a name that sorts by time."""
    return add_record(store, "runs", run, run.started_at)


def latest_run(store: ResultStore) -> ClassRun:
    """The newest grading in the store. Raises `UsageError` when there is none."""
    paths = sorted((store.folder / "runs").glob("*.json"))
    if not paths:
        raise UsageError(f"the store {store.folder} holds no grading yet: run `simtlab grade DIR` first")
    return read_run(paths[-1])


def earlier_run(store: ResultStore) -> ClassRun | None:
    """The newest grading in the store; None where there is none, or none that can be read."""
    with contextlib.suppress(UsageError):
        return latest_run(store)
    return None


def all_runs(store: ResultStore, class_name: str) -> list[ClassRun]:
    """Every grading of the class in the store, oldest first, without damaged ones: the latest is what counts."""
    found = []
    for path in sorted((store.folder / "runs").glob("*.json")):
        with contextlib.suppress(UsageError):
            run = read_run(path)
            if run.class_name == class_name:
                found.append(run)
    return found


def read_run(path: Path) -> ClassRun:
    """The grading in a file of `runs/`. Raises `UsageError` when it cannot be read."""
    try:
        return ClassRun.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise UsageError(f"{path} is damaged ({first_problem(error)}): remove it, or grade again") from error
