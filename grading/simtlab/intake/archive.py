"""Unpacking a download into a folder of our own. Nothing in an archive is trusted: not its names, not its sizes, not
its kinds of entries.

An archive holds a class, and an entry is one student's: what is not allowed refuses that entry, with a sentence for the
instructor, and everybody else is graded. Only ordinary files are written, below the folder, by names that were checked
one component at a time; what is written is counted while it is written, for the sizes that an archive states may be
lies. Where all together is too much, the largest go first: a student who fills the archive takes nobody's place.
"""

import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.text import counted, printable, shortened

MOST_FILES = 20_000
MOST_BYTES = 512 * 1024 * 1024
MOST_BYTES_OF_A_FILE = 64 * 1024 * 1024
MOST_RATIO = 200
"""A file that packs better than this is a bomb; source text packs by 10 at most, zeros by 1000."""
_RATIO_MATTERS_FROM = 1024 * 1024
_DEEPEST = 12
_LONGEST_NAME = 200
_CHUNK = 64 * 1024
_MOST_TOLD = 50


class _EntryRefused(Exception):
    """Why one entry is left out."""


@dataclass
class Unpacked:
    """What became of an archive."""

    files: int = 0
    notes: list[str] = field(default_factory=list)
    """A sentence for each entry that was left out, and for names that are easily taken for one another."""


@dataclass(frozen=True)
class _Named:
    """An entry whose path is sound."""

    entry: zipfile.ZipInfo
    steps: tuple[str, ...]

    @property
    def folded(self) -> str:
        return _fold("/".join(self.steps))


def unpack(archive: Path, folder: Path) -> Unpacked:
    """Unpacks a zip into the folder, which must be empty or missing. Raises `UsageError` where the archive cannot be
    read at all, or nothing of it can be taken."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty: unpack into an empty folder")
    try:
        return _unpack(archive, folder)
    except BaseException:
        for entry in folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        raise


def _unpack(archive: Path, folder: Path) -> Unpacked:
    refused: list[tuple[str, str]] = []
    try:
        with zipfile.ZipFile(archive) as opened:
            found = _named(opened.infolist(), refused)
            found = _without_doubles(found, refused)
            taken = _fair_share(found, refused)
            unpacked = Unpacked(notes=_alike(taken))
            for one in taken:
                path = folder.joinpath(*one.steps)
                try:
                    _write(opened, one.entry, path)
                    unpacked.files += 1
                except _Unreadable as error:
                    path.unlink(missing_ok=True)
                    refused.append(
                        (_shown(one.entry), f"is damaged, or packed in a way that is not read here ({error})")
                    )
                except _EntryRefused as why:
                    path.unlink(missing_ok=True)
                    refused.append((_shown(one.entry), str(why)))
    except (*_UNREADABLE, ValueError) as error:
        raise UsageError(
            f"{archive} is refused: it is damaged, or packed in a way that is not read here ({error}). "
            "Nothing of it was taken"
        ) from error
    except OSError as error:
        raise UsageError(f"{archive} cannot be unpacked: {error.strerror or error}") from error
    if refused and not unpacked.files:
        first, reason = refused[0]
        raise UsageError(f"{archive} is refused: {first} {reason}, and nothing else is in it")
    unpacked.notes += [f"{archive.name}: {name} {reason}: left out" for name, reason in refused[:_MOST_TOLD]]
    if len(refused) > _MOST_TOLD:
        unpacked.notes.append(
            f"{archive.name}: {counted(len(refused) - _MOST_TOLD, 'more entry', 'more entries')} left out"
        )
    return unpacked


_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


class _Unreadable(Exception):
    """An entry's content cannot be read."""


def _named(entries: Sequence[zipfile.ZipInfo], refused: list[tuple[str, str]]) -> list[_Named]:
    """The entries with sound paths and kinds, without folders and litter."""
    found = []
    for entry in entries:
        try:
            steps = _steps(entry)
        except _EntryRefused as why:
            refused.append((_shown(entry), str(why)))
            continue
        if steps and "__MACOSX" not in steps and steps[-1] not in {".DS_Store", "Thumbs.db"} and not entry.is_dir():
            found.append(_Named(entry, tuple(steps)))
    return found


def _steps(entry: zipfile.ZipInfo) -> list[str]:
    """The components of a path that stays inside. Backslashes separate, too: Windows writes them."""
    name = entry.filename
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise _EntryRefused("is a symbolic link" if kind == stat.S_IFLNK else "is neither file nor folder")
    if entry.flag_bits & 0x1:
        raise _EntryRefused("is encrypted")
    steps = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or (len(name) > 1 and name[1] == ":"):
        raise _EntryRefused("is an absolute path")
    steps = [step for step in steps if step not in ("", ".")]
    if ".." in steps:
        raise _EntryRefused("leaves the folder")
    if len(steps) > _DEEPEST or any(len(step.encode("utf-8", "surrogatepass")) > _LONGEST_NAME for step in steps):
        raise _EntryRefused("is nested or named longer than is taken")
    if any(unicodedata.category(c) in ("Cc", "Cs") for step in steps for c in step):
        raise _EntryRefused("has a control character in its name")
    return steps


def _without_doubles(found: list[_Named], refused: list[tuple[str, str]]) -> list[_Named]:
    """The entries whose name nobody else has. Of two that some file system takes for one neither is taken: nobody can
    say whose it is."""
    files = Counter(one.folded for one in found)
    folders = {_fold("/".join(one.steps[:count])) for one in found for count in range(1, len(one.steps))}
    kept = []
    for one in found:
        if files[one.folded] > 1:
            refused.append((_shown(one.entry), "is in it twice, or in names that differ in case or accents alone"))
        elif one.folded in folders:
            refused.append((_shown(one.entry), "is a file and a folder"))
        else:
            kept.append(one)
    return kept


def _fair_share(found: list[_Named], refused: list[tuple[str, str]]) -> list[_Named]:
    """What fits. An archive that holds too much loses what has most first: a student's folder, or file. Whoever takes
    the larger part of either bound has more."""
    depth = 0
    while len({one.steps[depth] for one in found if len(one.steps) > depth}) == 1 and all(
        len(one.steps) > depth + 1 for one in found
    ):
        depth += 1
    of_owner: dict[str, list[_Named]] = {}
    for one in found:
        of_owner.setdefault(one.steps[depth], []).append(one)
    files = total = 0
    kept: set[str] = set()
    sizes = {
        owner: (len(entries), sum(min(one.entry.file_size, MOST_BYTES_OF_A_FILE) for one in entries))
        for owner, entries in of_owner.items()
    }
    for owner in sorted(sizes, key=lambda one: max(sizes[one][0] / MOST_FILES, sizes[one][1] / MOST_BYTES)):
        more_files, more_bytes = sizes[owner]
        if files + more_files > MOST_FILES or total + more_bytes > MOST_BYTES:
            most = f"{MOST_FILES:,} files and {MOST_BYTES // 2**20} MiB"
            refused.append((shortened(printable(owner), 80), f"holds more than there is room for ({most} for a class)"))
        else:
            kept.add(owner)
            files, total = files + more_files, total + more_bytes
    return [one for one in found if one.steps[depth] in kept]


def _alike(taken: list[_Named]) -> list[str]:
    """A sentence for folders whose names differ in case or accents alone."""
    spelled: dict[str, set[str]] = {}
    for one in taken:
        for count in range(1, len(one.steps)):
            path = "/".join(one.steps[:count])
            spelled.setdefault(_fold(path), set()).add(path)
    return [
        f"{', '.join(printable(name) for name in sorted(names))} differ in case or accents alone: taken as "
        f"{len(names)} folders"
        for names in spelled.values()
        if len(names) > 1
    ][:_MOST_TOLD]


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _shown(entry: zipfile.ZipInfo) -> str:
    return shortened(printable(entry.filename), 80)


def _write(opened: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path) -> None:
    """Writes one file, its bytes counted as they come. Never more than the archive states: `zipfile` stops there."""
    if entry.file_size > MOST_BYTES_OF_A_FILE:
        raise _EntryRefused(f"has more than {MOST_BYTES_OF_A_FILE // 2**20} MiB")
    path.parent.mkdir(parents=True, exist_ok=True)
    written = 0
    with path.open("xb") as target:
        try:
            with opened.open(entry) as source:
                while chunk := source.read(_CHUNK):
                    written += len(chunk)
                    if written > _RATIO_MATTERS_FROM and written > MOST_RATIO * max(entry.compress_size, 1):
                        raise _EntryRefused(f"is a zip bomb: it unpacks to more than {MOST_RATIO} times its size")
                    target.write(chunk)
        except (*_UNREADABLE, ValueError) as error:
            raise _Unreadable(error) from error
