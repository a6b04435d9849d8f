"""Records that are added to a folder of a store and never changed: their names sort by time."""

import contextlib
import os
from datetime import UTC, datetime
from pathlib import Path

from simtlab.errors import GraderError
from simtlab.full_disk import disk_sentence
from simtlab.record import Record
from simtlab.store.results import ResultStore


def add_record(store: ResultStore, folder: str, record: Record, at: datetime) -> Path:
    """Writes the record, flushed to the disk, under a name of its own. A `GraderError` where that cannot be done."""
    path = store.folder / folder / f"{at.astimezone(UTC):%Y%m%dT%H%M%S.%f}-{os.getpid()}.json"
    temporary = path.with_suffix(".tmp")
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
