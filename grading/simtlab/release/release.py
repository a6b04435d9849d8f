"""Writes the students' copy: beside its place first, checked, and only then under its name."""

import contextlib
import os
import shutil
from collections.abc import Collection
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.release.check import Leak, LeakSearch, Progress, find_leaks, no_progress
from simtlab.release.repository import Author, commit_everything
from simtlab.release.solutions import read_solutions
from simtlab.release.students_copy import refuse_used_folder, write_students_copy


def release(
    root: Path,
    out: Path,
    author: Author,
    progress: Progress = no_progress,
    labs: Collection[str] | None = None,
) -> list[Leak]:
    """Makes `out`, which must not exist or be empty, of all labs or of those named. With leaks, or when anything fails,
    nothing is left there."""
    out = out.absolute()
    refuse_used_folder(out)
    progress("reading solutions/", 0, 0)
    solutions = read_solutions(root)
    place = out.with_name(f".{out.name}.{os.getpid()}.tmp")
    try:
        place.mkdir()
        progress("copying the students' files", 0, 0)
        write_students_copy(root, place, solutions, labs)
        commit_everything(place, author)
        progress("learning what solutions look like", 0, 0)
        leaks = find_leaks(place, LeakSearch(solutions), progress)
        if not leaks:
            place.rename(out)
        return leaks
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror} ({error.filename})") from error
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(place)
