"""Intake of `DIR/<student>/<lab>/kernel.cu`: every student folder, every lab folder, and sentences for what is
neither."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from simtlab.errors import GraderError, NothingToGradeError, SubmissionError, UsageError
from simtlab.intake.declared_file import read_declared_file
from simtlab.intake.submission import ClassIntake, Refusal, Submission
from simtlab.labs.catalogue import Catalogue
from simtlab.text import decoded_name, printable
from simtlab.verdict import Verdict

_NOT_STUDENTS = {"__MACOSX", "__pycache__"}
_HANDED_IN = {".cu", ".zip", ".gz", ".tgz", ".tar", ".xz", ".7z", ".rar"}
"""What a file that belongs into a lab's folder may be: the source, or an archive of the folder."""


def read_class(
    folder: Path,
    catalogue: Catalogue,
    keep: Callable[[bytes], str],
    selected: Sequence[str] | None = None,
    handed_in: Mapping[tuple[str, str], datetime] | None = None,
) -> ClassIntake:
    """Takes in a class. `keep` stores a file's content and returns the name it is kept under.

    Graded are the `selected` labs, or else every known lab that at least one student has a folder for; a student
    without one gets `not_submitted`. `handed_in` says when, where the download knows. Raises `UsageError` when there
    is nothing to grade.
    """
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder. Expected: DIR/<student>/<lab>/kernel.cu")
    student_folders = _folders_in(folder)
    if not student_folders:
        raise NothingToGradeError(
            f"{folder} is an empty class: no folder of a student in it. Expected: DIR/<student>/<lab>/kernel.cu"
        )
    problems: list[str] = []
    found: dict[str, tuple[Path, dict[str, Path]]] = {}
    for name, path in student_folders.items():
        if not path.resolve().is_relative_to(folder.resolve()):
            problems.append(f"{printable(name)} is a symbolic link out of {folder}: left alone")
            continue
        found[name] = path, _lab_folders(name, path, catalogue, problems)
    present = {lab for _, labs in found.values() for lab in labs}
    if not present:
        raise NothingToGradeError(_nothing_to_grade(folder, catalogue, list(student_folders), problems))
    graded = [name for name in catalogue.names if name in (present if selected is None else selected)]
    intake = ClassIntake(sorted(found), graded, problems=problems)
    for student in intake.students:
        path, labs = found[student]
        for lab in graded:
            taken = _take(student, path, lab, labs.get(lab), catalogue, keep, problems)
            if isinstance(taken, Submission):
                when = (handed_in or {}).get((student, lab))
                intake.submissions.append(replace(taken, handed_in=when))
            else:
                intake.refusals.append(taken)
    return intake


def _take(
    student: str,
    student_folder: Path,
    lab: str,
    folder: Path | None,
    catalogue: Catalogue,
    keep: Callable[[bytes], str],
    problems: list[str],
) -> Submission | Refusal:
    if folder is None:
        return Refusal(student, lab, Verdict.NOT_SUBMITTED, _nothing_handed_in(lab, student_folder, catalogue))
    if lab not in catalogue.labs:
        why = catalogue.faults.get(lab, f"{lab} is not built in {catalogue.build}: run `make setup`, then grade again")
        return Refusal(student, lab, Verdict.INTERNAL_ERROR, why)
    try:
        contents = {
            name: read_declared_file(folder, name, student_folder) for name in catalogue.labs[lab].specification.files
        }
        for name in catalogue.labs[lab].optional_files:
            if os.path.lexists(folder / name):
                contents |= _optional_file(folder, name, student_folder, problems)
    except SubmissionError as fault:
        if fault.verdict is Verdict.NOT_SUBMITTED and _holds_anything(folder):
            problems.append(f"{printable(student)}/{lab}: {fault}")
        return Refusal(student, lab, fault.verdict, str(fault))
    except GraderError as fault:
        return Refusal(student, lab, Verdict.INTERNAL_ERROR, str(fault))
    return Submission(student, lab, {name: keep(content) for name, content in contents.items()})


def _optional_file(folder: Path, name: str, student_folder: Path, problems: list[str]) -> dict[str, bytes]:
    """The file, or a sentence why it is left alone: it costs its own points, never those of the rest."""
    try:
        return {name: read_declared_file(folder, name, student_folder)}
    except SubmissionError as fault:
        problems.append(f"{printable(student_folder.name)}/{folder.name}: left alone: {fault}")
        return {}


def _nothing_handed_in(lab: str, student_folder: Path, catalogue: Catalogue) -> str:
    """The sentence for a lab without a folder; it names the folder that may have been meant."""
    try:
        others = [name for name in _folders_in(student_folder) if name not in catalogue.names]
    except UsageError:
        others = []
    told = f"nothing was handed in: there is no folder {lab}"
    near = [name for name in others if catalogue.nearest(name) == lab]
    if near:
        return f"{told}, but one called {printable(near[0])}: rename it to {lab} and hand in again"
    loose = [name for name in _loose_files(student_folder) if not others or catalogue.nearest(name) == lab]
    return f"{told}; found {_listed(loose)}: the file must be {lab}/kernel.cu" if loose else told


def _folders_in(folder: Path) -> dict[str, Path]:
    """The folders in `folder` by their printable-safe names, sorted; dot folders and archive litter are not
    students."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir())
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}") from error
    return {
        decoded_name(name): folder / name for name in names if not name.startswith(".") and name not in _NOT_STUDENTS
    }


def _lab_folders(student: str, folder: Path, catalogue: Catalogue, problems: list[str]) -> dict[str, Path]:
    """The student's folders that are labs; a sentence for each other one."""
    try:
        folders = _folders_in(folder)
    except UsageError as fault:
        problems.append(str(fault))
        return {}
    labs = {name: path for name, path in folders.items() if name in catalogue.names}
    problems += [
        f"{printable(student)}/{printable(name)}: there is no such lab, left alone."
        f"{catalogue.suggestion(name)} The labs are: {', '.join(catalogue.names)}."
        for name in sorted(folders.keys() - labs.keys())
    ]
    loose = [name for name in _loose_files(folder) if not labs or Path(name).suffix.lower() in _HANDED_IN]
    if loose:
        problems.append(
            f"{printable(student)}: outside of a lab's folder and left alone: {_listed(loose)}. "
            "Expected: <student>/<lab>/kernel.cu"
        )
    return labs


def _loose_files(folder: Path) -> list[str]:
    """The files that lie in a student's folder itself, sorted."""
    try:
        with os.scandir(folder) as entries:
            return sorted(decoded_name(one.name) for one in entries if one.is_file() and not one.name.startswith("."))
    except OSError:
        return []


def _holds_anything(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return next(entries, None) is not None
    except OSError:
        return False


def _listed(names: list[str]) -> str:
    return ", ".join(printable(name) for name in names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _nothing_to_grade(folder: Path, catalogue: Catalogue, students: list[str], problems: list[str]) -> str:
    if set(students) & set(catalogue.names):
        above = folder.resolve().parent
        return f"{folder} looks like one student's folder (it holds labs): give the folder above it, {above}"
    known = ", ".join(catalogue.names)
    lines = [f"{folder} holds no submission: expected DIR/<student>/<lab>/kernel.cu with a lab of {known}"]
    return "\n".join(lines + problems[:10])
