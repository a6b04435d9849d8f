"""What stands in results/ and is no result of the key that names it: it is moved to apart/ as it is, and named.

Two graders may come upon the same file: each takes it by renaming it to a name of its own, and reads again what it
took. What is a result after all, because the other one has replaced the file meanwhile, goes back.
"""

import contextlib
import os
import secrets
from pathlib import Path

from simtlab.errors import GraderError
from simtlab.full_disk import disk_sentence
from simtlab.store.results import DamagedResultError, ResultStore

_FOLDER = "apart"


def set_apart(store: ResultStore, key: str) -> Path | None:
    """Moves the key's file to apart/ where it is no result of that key, and returns its place there; None where it is
    one, or there is none. A result of a newer format stays, and is a `NewerFormatError`."""
    try:
        store.get(key)
    except DamagedResultError:
        return _move(store, key)
    return None


def _move(store: ResultStore, key: str) -> Path | None:
    path = store.result_path(key)
    place = store.folder / _FOLDER / f"{key}.{secrets.token_hex(4)}.json"
    try:
        place.parent.mkdir(exist_ok=True)
        path.rename(place)
    except FileNotFoundError:
        return None  # another grader was faster
    except OSError as error:
        raise GraderError(disk_sentence(error) or f"{path} cannot be set apart: {error.strerror}") from error
    if store.is_result(place, key):
        with contextlib.suppress(FileExistsError):
            os.link(place, path)
        place.unlink()
        return None
    return place
