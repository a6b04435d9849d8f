"""Writes a course's folder from the templates beside this file and from the labs that this simtlab knows."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simtlab import __version__
from simtlab.errors import UsageError
from simtlab.labs.catalogue import LAB_NAME, Catalogue
from simtlab.labs.specification import LabSpecification
from simtlab.new_course.wheel_file import own_wheel_file
from simtlab.release.students_copy import is_given_of_lab
from simtlab.text import printable

SAMPLE_CLASS = "sample-class"
_TEMPLATES = Path(__file__).parent / "template"
_SUFFIX = ".in"
_LAB_TOML, _HIDDEN = "lab.toml", "hidden.toml"
_ONLY_STUDENT = "nguyen-minh"
"""Who hands in the untouched stub where the sample class has nothing of a lab."""


@dataclass(frozen=True)
class NewCourse:
    """A course that was written."""

    folder: Path
    files: list[Path]
    labs: list[str]
    wheel: str
    """The name of the file in wheels/; empty where the package was installed from elsewhere."""


def sample_class(root: Path) -> Path:
    """The class to try things with: of a course, else of the checkout or the wheel."""
    own = root / SAMPLE_CLASS
    return own if own.is_dir() else root / "solutions" / SAMPLE_CLASS


def create_course(folder: Path, labs: Sequence[str], catalogue: Catalogue) -> NewCourse:
    """Writes the course into `folder`, which must be new or empty. The labs come from `catalogue`. Raises `UsageError`
    for a name that is none, a folder in use and one that cannot be written; then nothing is left there."""
    _refuse_name(folder)
    existed = folder.is_dir()
    _refuse_folder(folder)
    try:
        folder.mkdir(exist_ok=True)
        try:
            wheel = _write(folder, labs, catalogue)
        except BaseException:
            _clear(folder, keep=existed)
            raise
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        raise UsageError(
            f"{printable(str(folder))} cannot be written: {error.strerror}{where}. Name a folder that you may write, "
            "on a disk with room"
        ) from error
    return NewCourse(folder, sorted(path for path in folder.rglob("*") if path.is_file()), list(labs), wheel)


def _refuse_name(folder: Path) -> None:
    name = folder.absolute().name
    if not str(folder).strip() or not name.strip() or name in {".", ".."} or not name.isprintable():
        raise UsageError(f"{printable(str(folder))!r} is no folder's name: expected one such as gpu-2027")
    if len(name.encode()) > 200:
        raise UsageError(f"{printable(name)[:40]}… is too long for a folder's name: expected one such as gpu-2027")


def _refuse_folder(folder: Path) -> None:
    shown = printable(str(folder))
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{shown} exists and is no folder: name a new one, nothing of it will be overwritten")
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(
            f"{shown} is not empty: name a new folder, or empty that one; nothing in it will be overwritten"
        )
    if not folder.absolute().parent.is_dir():
        raise UsageError(f"{printable(str(folder.absolute().parent))} is no folder: make it first (mkdir -p)")


def _clear(folder: Path, *, keep: bool) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    if not keep:
        folder.rmdir()


def _write(folder: Path, labs: Sequence[str], catalogue: Catalogue) -> str:
    for name in labs:
        _write_lab(folder, catalogue.root, name, _specification(catalogue, name))
    _write_sample_class(folder, catalogue, labs)
    values = _values(folder, labs, catalogue)
    for template in sorted(_TEMPLATES.rglob(f"*{_SUFFIX}")):
        text = template.read_text(encoding="utf-8")
        for mark, value in values.items():
            text = text.replace(mark, value)
        path = folder / template.relative_to(_TEMPLATES).with_suffix("")
        if path.name == "gitignore":
            path = path.with_name(".gitignore")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return _write_wheel(folder / "wheels")


def _write_lab(folder: Path, root: Path, name: str, specification: LabSpecification) -> None:
    """What students get of the lab, its lab.toml and its hidden cases."""
    source = root / "labs" / name
    for path in sorted(one for one in source.rglob("*") if one.is_file()):
        relative = path.relative_to(source)
        if is_given_of_lab(relative, specification.files) or str(relative) == _LAB_TOML:
            _copy(path, folder / "labs" / name / relative)
    hidden = root / "solutions" / name / _HIDDEN
    if hidden.is_file():
        _copy(hidden, folder / "solutions" / name / _HIDDEN)


def _write_sample_class(folder: Path, catalogue: Catalogue, labs: Sequence[str]) -> None:
    source, target = catalogue.root / "solutions" / SAMPLE_CLASS, folder / SAMPLE_CLASS
    handed_in: set[str] = set()
    for path in sorted(one for one in source.glob("*/*/*") if one.is_file()):
        student, lab, file = path.relative_to(source).parts
        if lab in labs:
            handed_in.add(lab)
            _copy(path, target / student / lab / file)
    for lab in (one for one in labs if one not in handed_in):
        for file in _specification(catalogue, lab).files:
            _copy(catalogue.root / "labs" / lab / file, target / _ONLY_STUDENT / lab / file)


def _write_wheel(folder: Path) -> str:
    """The file that this package was installed from, where it is still at hand: then the course needs no index."""
    folder.mkdir()
    found = own_wheel_file()
    if found is None:
        (folder / ".gitkeep").touch()
        return ""
    _copy(found, folder / found.name)
    return found.name


def _values(folder: Path, labs: Sequence[str], catalogue: Catalogue) -> dict[str, str]:
    rows = [f"| [{name}](labs/{name}/README.md) | {_specification(catalogue, name).topic} |" for name in labs]
    match = LAB_NAME.fullmatch(labs[0])
    return {
        "@NAME@": folder.absolute().name,
        "@VERSION@": __version__,
        "@FIRST@": labs[0],
        "@NN@": match[1] if match else labs[0],
        "@LABS@": "\n".join(f"# [labs.{name}]\n# due = 2027-03-01T23:59:00+01:00\n# weight = 1" for name in labs),
        "@LEADERBOARD@": _leaderboard([name for name in labs if _specification(catalogue, name).leaderboard]),
        "@TABLE@": "\n".join(["| lab | about |", "|---|---|", *rows]),
    }


def _leaderboard(labs: Sequence[str]) -> str:
    """The table of the policy: on for the labs that ask for one, else an example."""
    if not labs:
        return '# [leaderboard]\n# pseudonyms = { login = "Heron" }'
    named = ", ".join(f'"{name}"' for name in labs)
    return f'[leaderboard]\nlabs = [{named}]\npseudonyms = {{}}  # {{ login = "Heron", another = "Otter" }}'


def _specification(catalogue: Catalogue, name: str) -> LabSpecification:
    found = catalogue.specification(name)
    if found is None:
        raise UsageError(f"the lab {name} cannot be taken: {catalogue.faults.get(name, 'it has no lab.toml')}")
    return found


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
