"""What students get, chosen by an allow-list (given.txt): a file that nobody thought of stays with the instructors."""

import shutil
import subprocess
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from pathlib import Path, PurePath, PurePosixPath

from simtlab.errors import LabError, UsageError
from simtlab.home.texts import GIVEN_FILE, given_text
from simtlab.labs.catalogue import LAB_NAME
from simtlab.labs.specification import read_specification
from simtlab.release.solutions import Solutions
from simtlab.toml_file import read_toml

_UNTRACKED_FOLDERS = {".git", ".venv", "build", "results", "report", "__pycache__"}


@dataclass(frozen=True)
class CheckoutState:
    """How the working tree, which goes out, differs from what git has of it. Paths are relative to the checkout."""

    left_out: tuple[PurePosixPath, ...] = ()
    """Files that students would get if git knew them."""
    uncommitted: tuple[PurePosixPath, ...] = ()
    """Files that go out with other contents than the last commit has."""


def refuse_used_folder(out: Path) -> None:
    """Raises `UsageError` where a copy cannot begin: something lies at `out`, or there is no folder for it."""
    if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
        raise UsageError(f"{out} exists and is not an empty folder: name a new one, nothing of it will be overwritten")
    if not out.parent.is_dir():
        raise UsageError(f"{out.parent} is no folder: make it first")


def is_given(path: PurePosixPath) -> bool:
    """Whether a line of given.txt matches the path, which is relative to the checkout."""
    return any(
        len(pattern) == len(path.parts) and all(map(fnmatchcase, path.parts, pattern)) for pattern in _patterns()
    )


def is_given_of_lab(path: PurePath, stubs: Sequence[str]) -> bool:
    """Whether students need the file of a lab's folder where its judge is built already: all that they get but what
    builds it. `stubs` are the files that they hand in."""
    is_for_building = str(path) in {"lab.cpp", "Makefile"}
    return not is_for_building and (str(path) in stubs or is_given(PurePosixPath("labs", "NN-name", path)))


@cache
def _patterns() -> tuple[tuple[str, ...], ...]:
    lines = (files("simtlab.release") / "given.txt").read_text(encoding="utf-8").splitlines()
    return tuple(PurePosixPath(line).parts for line in lines if line and not line.startswith("#"))


def students_files(root: Path, labs: Collection[str] | None = None) -> list[PurePosixPath]:
    """The paths that go into the students' copy, relative to the checkout; stub files of every lab among them, or of
    the labs named alone. Raises a fault of ours to say when a file is a link: it could lead anywhere."""
    chosen = {path for path in checkout_files(root) if is_given(path)}
    for folder in sorted((root / "labs").iterdir()):
        if _goes_out(folder.name, labs) and folder.is_dir():
            chosen |= _stub_files(folder)
    chosen = {path for path in chosen if path.parts[0] != "labs" or labs is None or path.parts[1] in labs}
    for path in sorted(chosen):
        if (root / path).is_symlink():
            raise UsageError(f"{path} is a link: students get plain files only, put the file itself in its place")
        if not (root / path).is_file():
            raise LabError(f"{path} is missing: lab.toml says that students hand it in, so they need its stub")
    if not any(path.match("labs/*/lab.cpp") for path in chosen):
        raise UsageError(f"{root / 'labs'} holds no lab to give out: expected folders like 07-shared-tiling")
    return sorted(chosen)


def _goes_out(folder: str, labs: Collection[str] | None) -> bool:
    return LAB_NAME.fullmatch(folder) is not None and (labs is None or folder in labs)


def _stub_files(folder: Path) -> set[PurePosixPath]:
    return {PurePosixPath("labs", folder.name, name) for name in read_specification(folder / "lab.toml").files}


def checkout_state(root: Path, labs: Collection[str] | None = None) -> CheckoutState:
    """What a release leaves out, and what of it no commit has. Raises `UsageError` where a lab that goes out would be
    without its lab.cpp: students could not build it."""
    known = _git_paths(root, "ls-files")
    if not known:
        return CheckoutState()
    folders = [path for path in (root / "labs").iterdir() if _goes_out(path.name, labs) and path.is_dir()]
    for folder in sorted(folders):
        lab_file = PurePosixPath("labs", folder.name, "lab.cpp")
        if not (root / lab_file).is_file():
            raise UsageError(f"{lab_file} is missing: students could not build the lab; name the others with --labs")
        if lab_file not in known:
            raise UsageError(
                f"{lab_file} is not committed: left out; git add it first (git add labs/{folder.name} "
                f"solutions/{folder.name}), or name the labs that go out with --labs"
            )
    stubs = {path for folder in folders for path in _stub_files(folder)}
    goes_out = {path for path in known if is_given(path)} | stubs
    of_others = {path for path in goes_out if path.parts[0] == "labs" and not _goes_out(path.parts[1], labs)}
    unknown = _git_paths(root, "ls-files", "--others", "--exclude-standard") - stubs
    gone = {path for path in goes_out if not (root / path).exists()}
    left_out = {path for path in unknown if is_given(path)}
    left_out = {path for path in left_out if path.parts[0] != "labs" or _goes_out(path.parts[1], labs)}
    changed = _git_paths(root, "diff", "--name-only", "--relative", "HEAD")
    uncommitted = (changed | (stubs - known)) & (goes_out - of_others - gone)
    return CheckoutState(tuple(sorted(left_out | (gone - of_others))), tuple(sorted(uncommitted)))


def write_students_copy(
    root: Path, out: Path, solutions: Solutions, labs: Collection[str] | None = None
) -> list[PurePosixPath]:
    """Copies the students' files into the empty folder `out` and returns their paths; with `labs` of these labs alone.
    Raises `LabError` when a stub is not what its solution gives: a file left there from trying a submission would be
    somebody's solution."""
    paths = students_files(root, labs)
    for stub, text in solutions.stubs.items():
        if stub in paths and (root / stub).read_text(encoding="utf-8") != text:
            raise LabError(
                f"{stub} is not the stub that its solution gives; put it back (git checkout {stub}), or write the "
                "stubs anew (python3 solutions/stubs.py --write)"
            )
    for path in paths:
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / path, target)
        target.chmod(0o755 if (root / path).stat().st_mode & 0o100 else 0o644)
    folders = sorted({path.parent for path in paths if path.match("labs/*/lab.cpp")})
    hints = [lab / GIVEN_FILE for lab in folders if (root / lab / "lab.toml").is_file()]
    for path in hints:
        (out / path).write_text(given_text(read_toml(root / path.parent / "lab.toml", LabError)), encoding="utf-8")
    readme = PurePosixPath("README.md")
    (out / readme).write_text((files("simtlab.release") / "students_readme.md").read_text("utf-8"), encoding="utf-8")
    return sorted([*paths, *hints, readme])


def checkout_files(root: Path) -> Iterator[PurePosixPath]:
    """The files under version control; every file where there is no git, as in an unpacked archive."""
    if known := _git_paths(root, "ls-files"):
        yield from (path for path in sorted(known) if (root / path).exists())
        return
    for path in root.rglob("*"):
        relative = path.relative_to(root)
        if not _UNTRACKED_FOLDERS & set(relative.parts) and not path.is_dir():
            yield PurePosixPath(relative)


def _git_paths(root: Path, *words: str) -> set[PurePosixPath]:
    """The paths that a command of git lists; none where there is no git."""
    try:
        command = ["git", "-C", str(root), *words, "-z"]
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return set()
    return {PurePosixPath(name) for name in listing.split("\0") if name}
