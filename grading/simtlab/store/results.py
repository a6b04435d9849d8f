"""The append-only store of results.

A document is written to a temporary name in the folder it will live in, flushed to the disk, and linked to its key by
`link(2)`, which fails when the key exists: whoever comes second, on this machine or another, drops its copy. A kill at
any moment therefore leaves either nothing or a whole result. Nothing is ever changed or removed but leftover temporary
names.

    results/ab/abcd….json     one result a file, named by its key
    files/12/1234…            submitted files by the hash of their content
    runs/TIME-PROCESS.json    which keys a grading of a class consists of
    withdrawals/TIME-….json   who withdrew a result, or gave it back, and why
    proposals/, decisions/    what was graded once more, and who let it count, or took it back
    holds/                    who held a lab's grades back, who released them, when and why
    canaries/                 whether a GPU held still while it timed a chunk of a grading
    seed                      the secret that all random inputs come from, readable by its owner alone
    progress-TIME.json        what a running grading says of itself; nothing depends on it
    timing/                   what times on a GPU were compared with in the last minutes: no result, may be removed
    index.sqlite              an index over results/, rebuilt when it is missing or damaged
"""

import contextlib
import hashlib
import itertools
import os
import re
import secrets
import shutil
import socket
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from simtlab.errors import GraderError, UsageError
from simtlab.facts.read import first_problem
from simtlab.full_disk import disk_sentence
from simtlab.process.running import is_running
from simtlab.store.format import NewerFormatError, newer_version, require_readable_format
from simtlab.store.result import Result

GROUPS = tuple(f"{number:02x}" for number in range(256))
"""The folders in results/ and files/: the first two digits of what is in them."""
_DIGEST = re.compile(r"[0-9a-f]{64}")
_STALE_TEMPORARY_SECONDS = 24 * 3600
_TEMPORARY = (".*.tmp", "*/.*.tmp", "*/*/.*.tmp")  # as `temporary_name` has them
_SEED_BITS = 63  # what every reader of JSON takes for an integer


class DamagedResultError(GraderError):
    """A file under a key that is not the key's result: torn, or another's."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} is damaged ({problem}); grade again: it is set apart then, and replaced")


class ResultStore:
    """A folder of results that several processes may write to at the same time.

    `scratch` is where temporary names go, on the store's file system; by default each lies beside the name it will
    get. A task on another machine has a scratch folder, which goes away as a whole when the task is over.
    """

    def __init__(self, folder: Path, scratch: Path | None = None) -> None:
        self.folder = folder
        self._scratch = scratch
        require_readable_format(folder)
        try:
            for name in ("results", "files", "runs"):
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"the store {folder} cannot be made: {error.strerror}; choose another with --store"
            ) from error

    @property
    def scratch(self) -> Path | None:
        """Where temporary names go, if not beside the name that each will get."""
        return self._scratch

    @property
    def timing_folder(self) -> Path:
        """Where judges keep the times of baselines from one submission to the next; made when one does."""
        return self.folder / "timing"

    def keep_file(self, content: bytes) -> str:
        """Keeps a submitted file and returns the SHA-256 it is found under."""
        digest = hashlib.sha256(content).hexdigest()
        self._link_once(self._file_path(digest), content)
        return digest

    def file(self, digest: str) -> bytes:
        """The content of a submitted file."""
        try:
            return self._file_path(digest).read_bytes()
        except OSError as error:
            raise GraderError(f"the store {self.folder} has lost the submitted file {digest[:12]}…: {error}") from error

    def has_file(self, digest: str) -> bool:
        """Whether the submitted file is still there."""
        return self._file_path(digest).is_file()

    def add(self, result: Result) -> bool:
        """Keeps a result; False when its key already had one, which then stays."""
        return self._link_once(self.result_path(result.key), result.model_dump_json(indent=1).encode() + b"\n")

    def get(self, key: str) -> Result | None:
        """The result under a key, None when there is none yet. A file that is torn, or another key's, is a
        `GraderError` and never a grade."""
        try:
            return _read(self.result_path(key), key)
        except FileNotFoundError:
            return None

    def is_result(self, path: Path, key: str) -> bool:
        """Whether a file, wherever it lies, is a whole result of the key."""
        try:
            _read(path, key)
        except (GraderError, FileNotFoundError):
            return False
        return True

    def has(self, key: str) -> bool:
        """Whether there is a result under the key."""
        return self.result_path(key).is_file()

    def present(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that have a result. It lists their folders, so that a network file system cannot answer
        with what it remembers of a moment ago."""
        wanted: dict[str, set[str]] = {}
        for key in keys:
            wanted.setdefault(key[:2], set()).add(key)
        found = set()
        for folder, those in wanted.items():
            with contextlib.suppress(FileNotFoundError):
                names = os.listdir(self.folder / "results" / folder)  # noqa: PTH208 - a third of the time, and it counts
                found |= those & {name.removesuffix(".json") for name in names if name.endswith(".json")}
        return found

    def keys(self) -> Iterator[str]:
        """The keys of all results, in no particular order."""
        for group in GROUPS:
            yield from self.keys_of_group(group)

    def keys_of_group(self, group: str) -> set[str]:
        """The keys of all results that begin so: a 256th of them."""
        try:
            names = os.listdir(self.folder / "results" / group)  # noqa: PTH208 - as in `present`
        except FileNotFoundError:
            return set()
        stems = (name.removesuffix(".json") for name in names if name.endswith(".json"))
        return {stem for stem in stems if _DIGEST.fullmatch(stem)}

    def seed(self) -> int:
        """The secret seed of all gradings into this store: drawn once, so that grading again gives the same facts."""
        path = self.folder / "seed"
        drawn = secrets.randbits(_SEED_BITS)
        temporary = temporary_name(path)
        try:
            if not path.exists():
                with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:  # noqa: PTH123
                    stream.write(f"{drawn}\n")
                    stream.flush()
                    os.fsync(stream.fileno())
                with contextlib.suppress(FileExistsError):  # another grading drew one at the same time: take that one
                    os.link(temporary, path)
                _flush_folder(self.folder)
            text = path.read_text(encoding="ascii")
        except OSError as error:
            raise GraderError(f"{path} cannot be used: {error.strerror}") from error
        finally:
            temporary.unlink(missing_ok=True)
        if not re.fullmatch(r"[0-9]{1,19}\n", text):
            raise GraderError(
                f"{path} is damaged: expected one number. Restore it from an export of this store: with another seed "
                "results are of other inputs"
            )
        return int(text)

    def sweep(self) -> int:
        """Removes temporary files of writers that are gone; returns how many."""
        swept = 0
        for path in itertools.chain.from_iterable(self.folder.glob(one) for one in _TEMPORARY):
            with contextlib.suppress(OSError):
                if _is_abandoned(path):
                    if path.is_dir():
                        shutil.rmtree(path)
                    else:
                        path.unlink()
                    swept += 1
        return swept

    def result_path(self, key: str) -> Path:
        """Where the key's result lies, or would. Raises `GraderError` for what is no key."""
        if not _DIGEST.fullmatch(key):
            raise GraderError(f"{key!r} is not a key of the store: expected 64 hexadecimal digits")
        return self.folder / "results" / key[:2] / f"{key}.json"

    def _file_path(self, digest: str) -> Path:
        if not _DIGEST.fullmatch(digest):
            raise GraderError(f"{digest!r} is not a file of the store: expected 64 hexadecimal digits")
        return self.folder / "files" / digest[:2] / digest

    def _link_once(self, path: Path, content: bytes) -> bool:
        if path.exists():
            return False
        temporary = temporary_name(path, self._scratch)
        try:
            path.parent.mkdir(exist_ok=True)
            with temporary.open("wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            try:
                os.link(temporary, path)
            except FileExistsError:
                return False
            _flush_folder(path.parent)
        except OSError as error:
            raise GraderError(disk_sentence(error) or f"{path} cannot be written: {error.strerror}") from error
        finally:
            temporary.unlink(missing_ok=True)
        return True


def _read(path: Path, key: str) -> Result:
    try:
        content = path.read_bytes()
        result = Result.model_validate_json(content)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise GraderError(f"{path} cannot be read: {error.strerror}; mend that, then again") from error
    except ValidationError as error:
        if (version := newer_version(content)) is not None:
            raise NewerFormatError(f"{path} is a result", version) from error
        raise DamagedResultError(path, first_problem(error)) from error
    if result.key != key or result.parts.key != key:
        raise DamagedResultError(path, f"its content has the key {result.parts.key[:12]}…")
    return result


def this_host() -> str:
    """This machine's name, in letters that a file name may have."""
    return re.sub(r"[^A-Za-z0-9-]", "", socket.gethostname()) or "host"


def temporary_name(path: Path, place: Path | None = None) -> Path:
    """What this thread writes to before it has the name `path`, by default beside it: `sweep` finds such names where
    their writer was killed."""
    return (place or path.parent) / f".{path.name}.{this_host()}.{os.getpid()}.{threading.get_ident()}.tmp"


def _flush_folder(folder: Path) -> None:
    """Makes a new name in the folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _is_abandoned(path: Path) -> bool:
    """Whether a temporary file's writer is gone: its process on this host, or a day ago elsewhere."""
    host, process, *_ = path.name.removesuffix(".tmp").split(".")[-3:]
    if host != this_host():
        return time.time() - path.stat().st_mtime > _STALE_TEMPORARY_SECONDS
    try:
        return not is_running(int(process))
    except ValueError:
        return True
