"""Whether a store is whole: every file of it read and compared with its name, nothing changed."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from simtlab.errors import GraderError, UsageError
from simtlab.store.canaries import read_canary
from simtlab.store.class_run import read_run
from simtlab.store.format import NewerFormatError
from simtlab.store.holds import read_hold
from simtlab.store.proposals import read_decision, read_proposal
from simtlab.store.results import ResultStore
from simtlab.store.withdrawals import read_withdrawal

KEPT = ("results", "files", "runs", "withdrawals", "proposals", "decisions", "holds", "canaries")
"""The folders that grades, and who sees them, depend on, and what an appeal may ask for."""

_DIGEST = re.compile(r"[0-9a-f]{64}")
_ENTRY = re.compile(r"[0-9]{8}T[0-9]{6}\.[0-9]{6}-[0-9]+\.json")
_BLOCK_BYTES = 1 << 20


@dataclass
class Inspection:
    """How many files there are of each folder, and what is wrong with which."""

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KEPT, 0))
    problems: list[str] = field(default_factory=list)


def kept_files(store: ResultStore) -> Iterator[Path]:
    """Every file under the folders that grades depend on, by name; temporary names of writers are left out."""
    for folder in KEPT:
        if (store.folder / folder).is_dir():
            yield from _files_under(store.folder / folder)


def _files_under(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and not path.is_symlink():
            yield from _files_under(path)
        elif not path.name.endswith(".tmp"):
            yield path


def belongs(name: str) -> bool:
    """Whether a store has files of this name, relative to its folder."""
    match name.split("/"):
        case ["results", group, file]:
            stem, dot, ending = file.partition(".")
            return bool(_DIGEST.fullmatch(stem)) and dot + ending == ".json" and group == stem[:2]
        case ["files", group, file]:
            return bool(_DIGEST.fullmatch(file)) and group == file[:2]
        case [("runs" | "withdrawals" | "proposals" | "decisions" | "holds" | "canaries"), file]:
            return bool(_ENTRY.fullmatch(file))
    return False


def digest_of(path: Path) -> str:
    """The SHA-256 of a file's content."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def inspect_store(store: ResultStore) -> Inspection:
    """Reads everything. A store of a newer format is a `NewerFormatError`."""
    found = Inspection()
    wanted: dict[str, str] = {}
    if (store.folder / "seed").exists():
        try:
            store.seed()
        except GraderError as problem:
            found.problems.append(str(problem).replace(f"{store.folder}/", ""))
    for path in kept_files(store):
        name = path.relative_to(store.folder).as_posix()
        if path.is_symlink() or not path.is_file() or not belongs(name):
            found.problems.append(f"{name} is none of the store's files: move it away")
            continue
        found.counts[name.partition("/")[0]] += 1
        try:
            wanted |= _required_by(store, path, name)
        except NewerFormatError:
            raise
        except (GraderError, UsageError) as problem:
            found.problems.append(str(problem).replace(f"{store.folder}/", ""))
        except OSError as error:
            found.problems.append(f"{name} cannot be read: {error.strerror}")
    found.problems += [
        f"the submitted file {digest[:12]}… of {name} is gone: restore it, or grade the submission again"
        for digest, name in sorted(wanted.items())
        if not store.has_file(digest)
    ]
    return found


def _required_by(store: ResultStore, path: Path, name: str) -> dict[str, str]:
    """Reads one file; the submitted files that it speaks of, with its name."""
    match name.partition("/")[0]:
        case "results":
            result = store.get(path.stem)
            return dict.fromkeys(result.parts.files.values(), name) if result else {}
        case "files":
            if digest_of(path) != path.name:
                raise GraderError(f"{name} is damaged: its content has another hash; restore it, or hand it in again")
        case "runs":
            read_run(path)
        case "withdrawals":
            read_withdrawal(path)
        case "proposals":
            read_proposal(path)
        case "holds":
            read_hold(path)
        case "canaries":
            read_canary(path)
        case _:
            read_decision(path)
    return {}
