"""A submission that a container forwards: a tar of `submission/` and `submission_metadata.json`, read from a stream.

The container is ours, but names and contents in it are a student's: only ordinary files below `submission/` are
written, by names that stay there, up to a size.
"""

import shutil
import tarfile
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from simtlab.errors import UsageError

MOST_BYTES = 64 * 1024 * 1024
MOST_FILES = 2_000
_METADATA = "submission_metadata.json"
_FOLDER = "submission"


def unpack_forwarded(stream: BinaryIO, folder: Path) -> None:
    """Brings what is read into the folder. Raises `UsageError` for what is no tar, holds no submission, or too much."""
    written = count = 0
    (folder / _FOLDER).mkdir(parents=True)
    seen = False
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for entry in archive:
                path = PurePosixPath(entry.name)
                seen = seen or path.parts[:1] == (_FOLDER,)
                if not entry.isfile() or not _is_sound(path):
                    continue
                count, written = count + 1, written + entry.size
                if written > MOST_BYTES or count > MOST_FILES:
                    raise UsageError(
                        f"the forwarded submission is larger than {MOST_BYTES >> 20} MB or {MOST_FILES} files: "
                        "nobody's kernel is; ask the student what was handed in"
                    )
                content = archive.extractfile(entry)
                if content is not None:
                    target = folder / path
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with target.open("wb") as file:
                        shutil.copyfileobj(content, file)
    except (tarfile.TarError, EOFError, ValueError, OSError) as error:
        raise UsageError(f"stdin holds no whole tar: expected {_FOLDER}/ and {_METADATA}, found: {error}") from error
    if not seen:
        raise UsageError(f"the tar on stdin holds no {_FOLDER}/: expected what an exported autograder forwards")


def _is_sound(path: PurePosixPath) -> bool:
    if path.is_absolute() or ".." in path.parts or "\0" in str(path):
        return False
    return path.parts == (_METADATA,) or (len(path.parts) > 1 and path.parts[0] == _FOLDER)
