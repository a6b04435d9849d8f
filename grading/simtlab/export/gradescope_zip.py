"""The zip that Gradescope takes as an autograder: one lab, its judge and the emulator as sources, and the two scripts.

In it are the students' files of the lab, the grader, and of the trusted side what grading needs: `lab.toml`, the hidden
cases, `course.toml`, and the store's seed, so that Gradescope and `simtlab grade` find the same facts. Solutions and
their variants are not. The same checkout and seed give the same bytes.
"""

import zipfile
from collections.abc import Container, Mapping
from importlib.resources import files
from pathlib import Path, PurePosixPath

from simtlab.errors import UsageError
from simtlab.labs.catalogue import COURSE_FILE, LAB_NAME, Catalogue
from simtlab.release.students_copy import checkout_files, students_files

SCRIPTS = ("setup.sh", "run_autograder")
"""What Gradescope runs: once for the image, and once for each submission."""
_TREE = "simtlab"
_BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The date of every file: the oldest that a zip can say."""


def write_autograder(catalogue: Catalogue, lab: str, seed: int, folder: Path, policy: Path | None = None) -> Path:
    """Writes `gradescope-<lab>.zip` into the folder and returns its path; a policy goes in as its `course.toml`. Raises
    `UsageError` where the lab is unknown or the file cannot be written."""
    members = {name: (files("simtlab.export") / "gradescope" / name).read_bytes() for name in SCRIPTS}
    members |= {f"{_TREE}/{path}": (catalogue.root / path).read_bytes() for path in _chosen(catalogue.root, lab)}
    if policy is not None:
        members[f"{_TREE}/{COURSE_FILE}"] = policy.read_bytes()
    members[f"{_TREE}/results/seed"] = f"{seed}\n".encode()
    return write_zip(lab, members, {f"{_TREE}/results/seed"}, folder)


def write_zip(lab: str, members: Mapping[str, bytes], secrets: Container[str], folder: Path) -> Path:
    """Writes `gradescope-<lab>.zip` into the folder and returns its path: the same bytes whenever and wherever it is
    made. Scripts run, `secrets` are root's. Raises `UsageError` where the file cannot be written."""
    path = folder / f"gradescope-{lab}.zip"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name, content in sorted(members.items()):
                archive.writestr(_member(name, content, is_secret=name in secrets), content)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}; choose another folder") from error
    return path


def _chosen(root: Path, lab: str) -> list[PurePosixPath]:
    """The files of the checkout that go in."""
    given = {path for path in students_files(root) if path.parts[0] != "docs" and _of_lab(path, lab)}
    course = {PurePosixPath(COURSE_FILE)} if (root / COURSE_FILE).is_file() else set()  # also where nobody tracks it
    return sorted(given | course | {path for path in checkout_files(root) if _is_graders(path, lab)})


def _of_lab(path: PurePosixPath, lab: str) -> bool:
    return path.parts[0] != "labs" or not LAB_NAME.fullmatch(path.parts[1]) or path.parts[1] == lab


def _is_graders(path: PurePosixPath, lab: str) -> bool:
    words = path.parts
    package = {("grading", "pyproject.toml"), ("grading", "wheel_hook.py")}
    single = package | {("labs", lab, "lab.toml"), ("solutions", lab, "hidden.toml")}
    return words[:2] in {("grading", "simtlab"), ("harness", "sandbox")} or words in single


def _member(name: str, content: bytes, *, is_secret: bool) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, _BEGINNING)
    mode = 0o755 if content.startswith(b"#!") else 0o600 if is_secret else 0o644
    member.external_attr = (0o100000 | mode) << 16
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 3  # Unix, whatever this machine is, or the modes would be ignored
    return member
