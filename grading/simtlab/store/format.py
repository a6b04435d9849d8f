"""The format of a store and of its results: a store that a newer simtlab wrote is refused as a whole, never guessed at.

A store has format 1 unless its `store.json` says otherwise.
"""

import json
from pathlib import Path

from simtlab.errors import UsageError

FORMAT = 1
_FILE = "store.json"


class NewerFormatError(UsageError):
    """What is there was written by a newer simtlab; it is left as it is."""

    def __init__(
        self, what: str, version: int, next_step: str = ", or name another store with --store. Nothing was changed"
    ) -> None:
        found = f"{what} of format {version}, and this simtlab reads format {FORMAT}"
        super().__init__(f"{found}: use the simtlab that wrote it{next_step}")


def require_readable_format(folder: Path) -> None:
    """Raises `NewerFormatError` for a store of a newer format, `UsageError` for one whose format cannot be told."""
    path = folder / _FILE
    try:
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return  # which is told of by whoever makes the folder
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name another store with --store") from error
    version = _member(content, "version")
    if _member(content, "format") != "simtlab-store" or not isinstance(version, int):
        raise UsageError(f"{path} is damaged: expected a store's format in it; restore it, or name another store")
    if version > FORMAT:
        raise NewerFormatError(f"the store {folder} is", version)


def newer_version(content: bytes) -> int | None:
    """The version of a result that a newer simtlab wrote; None for every other content."""
    version = _member(content, "version")
    is_result = _member(content, "format") == "simtlab-result"
    return version if is_result and isinstance(version, int) and version > FORMAT else None


def _member(content: bytes, name: str) -> object:
    try:
        document = json.loads(content)
    except ValueError:
        return None
    return document.get(name) if isinstance(document, dict) else None
