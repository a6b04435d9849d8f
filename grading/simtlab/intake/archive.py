"""Unpacking a download into a folder of our own. Nothing in an archive is trusted: not its names, not its sizes, not
its kinds of entries.

Only ordinary files are written, below the folder, by names that were checked one component at a time; what is written
is counted while it is written, for the sizes that an archive states may be lies. The first thing that is not allowed
refuses the whole archive with a sentence, and the folder is left empty.
"""

import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from simtlab.errors import UsageFault
from simtlab.text import printable, shortened

MOST_FILES = 20_000
MOST_BYTES = 512 * 1024 * 1024
MOST_BYTES_OF_A_FILE = 64 * 1024 * 1024
MOST_RATIO = 200
"""A file that packs better than this is a bomb; source text packs by 10 at most, zeros by 1000."""
_RATIO_MATTERS_FROM = 1024 * 1024
_DEEPEST = 12
_LONGEST_NAME = 200
_CHUNK = 64 * 1024


def unpack(archive: Path, folder: Path) -> int:
    """Unpacks a zip into the folder, which must be empty or missing, and returns the number of files. Raises
    `UsageFault` that names the archive, the entry and the reason."""
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UsageFault(f"{folder} is not empty: unpack into an empty folder")
    try:
        return _unpack(archive, folder)
    except BaseException:
        for entry in folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        raise


def _unpack(archive: Path, folder: Path) -> int:
    try:
        with zipfile.ZipFile(archive) as opened:
            entries = opened.infolist()
            if len(entries) > MOST_FILES:
                raise _refused(archive, f"it holds {len(entries):,} entries, and at most {MOST_FILES:,} are taken")
            names = _checked_names(archive, entries)
            total = 0
            for entry, name in zip(entries, names, strict=True):
                if entry.is_dir() or name is None:
                    continue
                path = folder / name
                path.parent.mkdir(parents=True, exist_ok=True)
                total += _write(archive, opened, entry, path, total)
            return sum(not entry.is_dir() and name is not None for entry, name in zip(entries, names, strict=True))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
        raise _refused(archive, f"it is damaged, or packed in a way that is not read here ({error})") from error
    except OSError as error:
        raise UsageFault(f"{archive} cannot be unpacked: {error.strerror or error}") from error


def _checked_names(archive: Path, entries: list[zipfile.ZipInfo]) -> list[str | None]:
    """The path of each entry, None for what is litter. Two names that some file system takes for one are refused."""
    taken: dict[str, str] = {}
    folders: dict[str, str] = {}
    names: list[str | None] = []
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        shown = shortened(printable(entry.filename), 80)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            what = "a symbolic link" if kind == stat.S_IFLNK else "neither file nor folder"
            raise _refused(archive, f"{shown} is {what}")
        if entry.flag_bits & 0x1:
            raise _refused(archive, f"{shown} is encrypted")
        steps = _steps(archive, entry.filename, shown)
        if not steps or "__MACOSX" in steps or steps[-1] in {".DS_Store", "Thumbs.db"}:
            names.append(None)
            continue
        name = "/".join(steps)
        for known, step in _folded(steps, is_folder=entry.is_dir()):
            if folders.setdefault(known, step) != step:
                raise _refused(archive, f"{shown} and {printable(folders[known])} differ in case or accents alone")
        if not entry.is_dir():
            folded = _fold(name)
            if folded in taken or folded in folders:
                raise _refused(archive, f"{shown} is in it twice, or in names that differ in case or accents alone")
            taken[folded] = name
        names.append(name)
    for folded in taken:
        if folded in folders:
            raise _refused(archive, f"{shortened(printable(taken[folded]), 80)} is a file and a folder")
    return names


def _steps(archive: Path, name: str, shown: str) -> list[str]:
    """The components of a path that stays inside. Backslashes separate, too: Windows writes them."""
    steps = name.replace("\\", "/").split("/")
    if name.startswith(("/", "\\")) or (len(name) > 1 and name[1] == ":"):
        raise _refused(archive, f"{shown} is an absolute path")
    steps = [step for step in steps if step not in ("", ".")]
    if ".." in steps:
        raise _refused(archive, f"{shown} leaves the folder")
    if len(steps) > _DEEPEST or any(len(step.encode("utf-8", "surrogatepass")) > _LONGEST_NAME for step in steps):
        raise _refused(archive, f"{shown} is nested or named longer than is taken")
    if any(unicodedata.category(c) in ("Cc", "Cs") for step in steps for c in step):
        raise _refused(archive, f"{shown} has a control character in its name")
    return steps


def _folded(steps: list[str], *, is_folder: bool) -> Iterator[tuple[str, str]]:
    """Every folder of a path as (folded, as written)."""
    for count in range(1, len(steps) + is_folder):
        path = "/".join(steps[:count])
        yield _fold(path), path


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def _write(archive: Path, opened: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, before: int) -> int:
    """Writes one file and returns its bytes, counted as they come."""
    shown = shortened(printable(entry.filename), 80)
    written = 0
    with opened.open(entry) as source, path.open("xb") as target:
        while chunk := source.read(_CHUNK):
            written += len(chunk)
            if written > MOST_BYTES_OF_A_FILE:
                raise _refused(archive, f"{shown} has more than {MOST_BYTES_OF_A_FILE // 2**20} MiB")
            if before + written > MOST_BYTES:
                raise _refused(archive, f"it unpacks to more than {MOST_BYTES // 2**20} MiB")
            if written > _RATIO_MATTERS_FROM and written > MOST_RATIO * max(entry.compress_size, 1):
                raise _refused(archive, f"{shown} is a zip bomb: it unpacks to more than {MOST_RATIO} times its size")
            target.write(chunk)
    return written


def _refused(archive: Path, why: str) -> UsageFault:
    return UsageFault(f"{archive} is refused: {why}. Nothing of it was taken")
