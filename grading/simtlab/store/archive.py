"""A store in one file, for a backup or a move: a tar archive under zstd, whose last member has everybody's checksum.

    store/archive.json      what it is: format, version, how many files
    store/results/… files/… runs/… withdrawals/… proposals/… decisions/… holds/… canaries/… seed
    store/checksums.json    SHA-256 by name

Nothing of an archive gets into a store before all of it was read and every checksum has held.
"""

import contextlib
import hashlib
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import zstandard

from simtlab.errors import GraderError, UsageError
from simtlab.full_disk import disk_sentence
from simtlab.store.format import FORMAT, NewerFormatError
from simtlab.store.index import ResultIndex
from simtlab.store.inspection import belongs, digest_of, kept_files
from simtlab.store.results import ResultStore, temporary_name

_TOP = "store/"
_HEAD = "archive.json"
_CHECKSUMS = "checksums.json"
_SEED = "seed"
_LEVEL = 6
_BLOCK_BYTES = 1 << 20
_LARGEST_INDEX = 1 << 30


def export_store(store: ResultStore, path: Path) -> int:
    """Writes everything that grades depend on into a new file, readable by its owner alone: the seed and students' code
    are in it. Returns how many files. Temporary files of a running grading and what can be made again stay out."""
    if path.exists():
        raise UsageError(f"{path} exists: name a new file, or move that one away")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:  # noqa: PTH123
            count = _write(store, stream)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.rename(path)
    except OSError as error:
        raise GraderError(disk_sentence(error) or f"{path} cannot be written: {error.strerror}") from error
    finally:
        temporary.unlink(missing_ok=True)
    return count


def _write(store: ResultStore, stream: BinaryIO) -> int:
    seed = store.folder / _SEED
    names = [path.relative_to(store.folder).as_posix() for path in kept_files(store)]
    names += [_SEED] if seed.is_file() else []
    if foreign := [name for name in names if not belongs(name) and name != _SEED]:
        raise UsageError(
            f"{store.folder}/{foreign[0]} is none of the store's files: `simtlab store verify` has them all"
        )
    checksums = {}
    head = {"format": "simtlab-store-archive", "version": FORMAT, "files": len(names)}
    compressor = zstandard.ZstdCompressor(level=_LEVEL, threads=-1)
    with compressor.stream_writer(stream, closefd=False) as packed:
        _add(packed, _HEAD, json.dumps(head).encode())
        for name in names:
            content = (store.folder / name).read_bytes()
            checksums[name] = hashlib.sha256(content).hexdigest()
            _add(packed, name, content)
        _add(packed, _CHECKSUMS, json.dumps(checksums, indent=0).encode())
        packed.write(bytes(tarfile.RECORDSIZE))
    return len(names)


def _add(stream: zstandard.ZstdCompressionWriter, name: str, content: bytes) -> None:
    """A member. `TarFile` would take as long as the compression."""
    member = tarfile.TarInfo(_TOP + name)
    member.size, member.mode = len(content), 0o600
    stream.write(member.tobuf(tarfile.USTAR_FORMAT) + content + bytes(-len(content) % tarfile.BLOCKSIZE))


@dataclass
class Imported:
    """What an archive had for a store."""

    added: int = 0
    present: int = 0
    """Files that were there already, with the same content."""
    other: list[str] = field(default_factory=list)
    """Names that the store has with another content: the store's own stays."""
    notes: list[str] = field(default_factory=list)


def import_store(path: Path, store: ResultStore) -> Imported:
    """Adds what the archive has and the store has not. A torn, damaged or foreign archive is a `UsageError` and changes
    nothing; what the store has stays as it is."""
    place = temporary_name(store.folder / "import")
    try:
        place.mkdir(mode=0o700)
        with path.open("rb") as stream:
            checksums = _unpack(stream, place, str(path))
        done = _add_to(store, place, checksums)
    except OSError as error:
        raise GraderError(disk_sentence(error) or f"{error.filename or path}: {error.strerror}") from error
    finally:
        shutil.rmtree(place, ignore_errors=True)
    with contextlib.closing(ResultIndex(store)):
        pass  # the new results are in the index now
    return done


def _unpack(stream: BinaryIO, place: Path, what: str) -> dict[str, str]:
    """Writes the archive's files into `place`; returns their SHA-256 by name, which the archive has, too."""
    head: dict[str, Any] = {}
    checksums: dict[str, Any] | None = None
    found: dict[str, str] = {}
    try:
        for name, content in _members(stream):
            if checksums is not None:
                raise _damaged(what, f"{name} stands behind its checksums")
            if not head:
                head = _head(name, content, what)
            elif name == _CHECKSUMS:
                checksums = json.loads(content.read(_LARGEST_INDEX))
            elif belongs(name) or name == _SEED:
                target = place / name
                target.parent.mkdir(parents=True, exist_ok=True)
                with target.open("xb") as copy:
                    shutil.copyfileobj(content, copy, _BLOCK_BYTES)
                found[name] = digest_of(target)
            else:
                raise _damaged(what, f"a store has no file {name!r}")
    except (tarfile.TarError, zstandard.ZstdError, ValueError, EOFError, FileExistsError) as error:
        raise _damaged(what, str(error) or "it ends too early") from error
    if checksums is None:
        raise _damaged(what, "it ends too early: its checksums are missing")
    if wrong := sorted(name for name in found.keys() | checksums.keys() if found.get(name) != checksums.get(name)):
        raise _damaged(what, f"{wrong[0]} has not the content that its checksum says")
    return found


def _members(stream: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    unpacked = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=False)
    with tarfile.open(fileobj=unpacked, mode="r|") as archive:
        for member in archive:
            content = archive.extractfile(member) if member.isreg() else None
            if content is None or not member.name.startswith(_TOP):
                raise ValueError(f"{member.name!r} is none of a store's files")
            yield member.name.removeprefix(_TOP), content  # type: ignore[misc]


def _head(name: str, content: BinaryIO, what: str) -> dict[str, Any]:
    head = json.loads(content.read(_BLOCK_BYTES)) if name == _HEAD else None
    if not isinstance(head, dict) or head.get("format") != "simtlab-store-archive":
        raise _damaged(what, f"expected {_TOP}{_HEAD} first, found {name}")
    if not isinstance(version := head.get("version"), int) or version > FORMAT:
        newer = version if isinstance(version, int) else FORMAT + 1
        raise NewerFormatError(f"{what} is an archive", newer, "; nothing was imported")
    return head


def _damaged(what: str, problem: str) -> UsageError:
    return UsageError(
        f"{what} is no whole archive of a store ({problem}): nothing was imported; take another copy, or export again"
    )


def _add_to(store: ResultStore, place: Path, checksums: dict[str, str]) -> Imported:
    done = Imported()
    for name in sorted(checksums, key=_order):
        target, source = store.folder / name, place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with source.open("rb") as stream:
            os.fsync(stream.fileno())
        try:
            os.link(source, target)
            done.added += 1
        except FileExistsError:
            if digest_of(target) == checksums[name]:
                done.present += 1
            else:
                done.other.append(name)
    if _SEED in done.other:
        done.other.remove(_SEED)
        done.notes.append("the store keeps its own seed: later gradings draw other random inputs than the archive's")
    return done


def _order(name: str) -> tuple[int, str]:
    """What others speak of goes first, so that a store in use never speaks of what is not there yet."""
    return {"files": 0, "results": 1}.get(name.partition("/")[0], 2), name
