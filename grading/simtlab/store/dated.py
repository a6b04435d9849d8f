"""Records that are added to a folder of a store and never changed: their names sort by time."""

import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from simtlab.errors import GraderError
from simtlab.facts.read import first_problem
from simtlab.full_disk import disk_sentence
from simtlab.record import Record
from simtlab.store.results import ResultStore, temporary_name

_Kind = TypeVar("_Kind", bound=Record)


def add_record(store: ResultStore, folder: str, record: Record, at: datetime) -> Path:
    """Writes the record, flushed to the disk, under a name of its own. A `GraderError` where that cannot be done."""
    path = store.folder / folder / f"{at.astimezone(UTC):%Y%m%dT%H%M%S.%f}-{os.getpid()}.json"
    temporary = temporary_name(path)
    try:
        path.parent.mkdir(exist_ok=True)
        with temporary.open("x", encoding="utf-8") as stream:
            stream.write(record.model_dump_json(indent=1) + "\n")
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise GraderError(disk_sentence(error) or f"{path} cannot be written: {error.strerror}") from error
    return path


def read_record(path: Path, kind: type[_Kind], next_step: str) -> _Kind:
    """The record in a file. Raises `GraderError` with the next step where it cannot be read: grades depend on it."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        problem = first_problem(error) if isinstance(error, ValidationError) else error.strerror
        raise GraderError(f"{path} is damaged ({problem}): {next_step}") from error
