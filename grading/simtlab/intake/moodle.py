"""A download of Moodle's "download all submissions": one assignment, a folder or a file for each submission.

    Full Name_123456_assignsubmission_file_/kernel.cu      with "download submissions in folders"
    Full Name_123456_assignsubmission_file_kernel.cu       without

The number is the one of "Participant 123456" in Moodle's grading worksheet. A text typed into Moodle's editor
(`_assignsubmission_onlinetext_`) is no file that a lab takes. Names have lost the characters that Moodle keeps out of
file names (`moodle_file_name`).
"""

import re
import shutil
from pathlib import Path

from simtlab.intake.arranged import Arranged, take_declared
from simtlab.text import decoded_name, printable

_ENTRY = re.compile(r"(?P<name>.+)_(?P<number>\d+)_assignsubmission_(?P<kind>[a-z]+)(?:_(?P<file>.*))?", re.DOTALL)
_FILE = "file"
_NOT_IN_FILE_NAMES = re.compile(r"[\x00-\x1f\x7f&<>\"`|':\\/]")


def is_moodle_entry(name: str) -> bool:
    """Whether Moodle's download may call a folder or a file so."""
    return _ENTRY.fullmatch(name) is not None


def moodle_file_name(full_name: str) -> str:
    """A student's name as Moodle writes it into the names of its download: underscores are blanks, and what may not
    stand in a file name is left out."""
    return " ".join(_NOT_IN_FILE_NAMES.sub("", full_name.replace("_", " ")).split())


def participant(number: str) -> str:
    """What Moodle's grading worksheet calls the student of that number, in its column Identifier."""
    return f"Participant {number}"


def arrange_moodle(folder: Path, lab: str, files: list[str], target: Path) -> Arranged:
    """Brings the download into `target/<full name>/<lab>`; where two have one name, the second's gets the number, too.
    Whatever is named otherwise is left out, with a note."""
    arranged = Arranged(target, "Moodle")
    students: dict[str, str] = {}
    typed: dict[str, list[str]] = {}
    for path in sorted(folder.iterdir()):
        shown = decoded_name(path.name)
        if shown.startswith(".") or path.is_symlink():
            continue
        found = _ENTRY.fullmatch(shown)
        if found is None:
            arranged.notes.append(
                f"{printable(shown)} is not named as Moodle names a submission, "
                "Full Name_NUMBER_assignsubmission_file_: left out"
            )
            continue
        number = found["number"]
        if number not in students:
            name = " ".join(found["name"].split())
            students[number] = arranged.folder_for(name, number, [name, participant(number)])
            (target / students[number] / lab).mkdir(parents=True, exist_ok=True)
        student = students[number]
        if found["kind"] != _FILE:
            typed.setdefault(student, []).append(found["kind"])
        elif path.is_dir():
            arranged.notes += take_declared(path, target, student, lab, files)
        else:
            _take_file(path, found["file"] or "", target / student / lab, files, typed.setdefault(student, []))
    for student, others in typed.items():
        if others and not any((target / student / lab).iterdir()):
            listed = ", ".join(printable(one) for one in others[:3])
            arranged.notes.append(f"{printable(student)} handed in {listed}: {lab} takes {', '.join(files)}")
    return arranged


def _take_file(path: Path, name: str, place: Path, files: list[str], others: list[str]) -> None:
    if name in files:
        shutil.copyfile(path, place / name, follow_symlinks=False)
    else:
        others.append(name)
