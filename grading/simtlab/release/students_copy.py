"""What students get, chosen by an allow-list (given.txt): a file that nobody thought of stays with the instructors."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
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


def students_files(root: Path) -> list[PurePosixPath]:
    """The paths that go into the students' copy, relative to the checkout; stub files of every lab among them. Raises
    a fault of ours to say when a file is a link: it could lead anywhere."""
    chosen = {path for path in checkout_files(root) if is_given(path)}
    for folder in sorted((root / "labs").iterdir()):
        if LAB_NAME.fullmatch(folder.name) and folder.is_dir():
            chosen |= {
                PurePosixPath("labs", folder.name, name) for name in read_specification(folder / "lab.toml").files
            }
    for path in sorted(chosen):
        if (root / path).is_symlink():
            raise UsageError(f"{path} is a link: students get plain files only, put the file itself in its place")
        if not (root / path).is_file():
            raise LabError(f"{path} is missing: lab.toml says that students hand it in, so they need its stub")
    if not any(path.match("labs/*/lab.cpp") for path in chosen):
        raise UsageError(f"{root / 'labs'} holds no lab to give out: expected folders like 07-shared-tiling")
    return sorted(chosen)


def write_students_copy(root: Path, out: Path, solutions: Solutions) -> list[PurePosixPath]:
    """Copies the students' files into the empty folder `out` and returns their paths. Raises `LabError` when a stub is
    not what its solution gives: a file left there from trying a submission would be somebody's solution."""
    paths = students_files(root)
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
    labs = sorted({path.parent for path in paths if path.match("labs/*/lab.cpp")})
    hints = [lab / GIVEN_FILE for lab in labs if (root / lab / "lab.toml").is_file()]
    for path in hints:
        (out / path).write_text(given_text(read_toml(root / path.parent / "lab.toml", LabError)), encoding="utf-8")
    readme = PurePosixPath("README.md")
    (out / readme).write_text((files("simtlab.release") / "students_readme.md").read_text("utf-8"), encoding="utf-8")
    return sorted([*paths, *hints, readme])


def checkout_files(root: Path) -> Iterator[PurePosixPath]:
    """The files under version control; every file where there is no git, as in an unpacked archive."""
    try:
        words = ["git", "-C", str(root), "ls-files", "-z"]
        listing = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        listing = ""
    if listing:
        yield from (PurePosixPath(name) for name in listing.split("\0") if name and (root / name).exists())
        return
    for path in root.rglob("*"):
        relative = path.relative_to(root)
        if not _UNTRACKED_FOLDERS & set(relative.parts) and not path.is_dir():
            yield PurePosixPath(relative)
