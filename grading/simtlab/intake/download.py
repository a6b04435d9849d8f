"""Downloads of other systems brought into `<student>/<lab>/…`, the one layout that intake reads.

    plain       <student>/<lab>/kernel.cu, in a folder or a zip, perhaps below one folder of the archive's own name
    Gradescope  assignment_N_export/submission_M/… with submission_metadata.yml: who, and when
    Canvas      submissions.zip of name_[LATE_]USER_NUMBER_kernel.cu, one lab
    Moodle      name_NUMBER_assignsubmission_file_, a folder or a file each, one lab
    Classroom   <assignment>-<student>/…, a clone a student, one lab or a folder a lab

Gradescope, Canvas, Moodle and Classroom export one assignment at a time; its lab is named by the caller.
"""

import re
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.intake.archive import unpack
from simtlab.intake.arranged import Arranged, take_declared
from simtlab.intake.gradescope_export import METADATA, arrange_export
from simtlab.intake.moodle import arrange_moodle, is_moodle_entry
from simtlab.intake.times import TIMES_FILE
from simtlab.text import decoded_name, printable

_CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<user>\d+)_(?:(?P<number>\d+)_)?(?P<file>.+)")
"""A text that was typed, or a link, has no number: ann_17_text.html."""
_AGAIN = re.compile(r"-\d+(?=\.[^.]+$)")
"""What Canvas adds to the name of a file that was handed in again: kernel-1.cu."""


def arrange(source: Path, lab: str, files: list[str], place: Path, known: Collection[str] = ()) -> Arranged:
    """Brings a zip or folder into the plain layout below `place`, an empty folder. `lab` and `files` name the one lab
    of a download that does not say; empty for plain ones, which are left where they are. `known` are the roster's
    logins: where clones have names that may be cut in several places, they are cut before those. Raises
    `UsageError`."""
    folder, notes = source, list[str]()
    if source.is_file():
        folder = place / "unpacked"
        notes = unpack(source, folder).notes
    elif not source.is_dir():
        raise UsageError(f"{source} is not a folder, nor a zip. Expected: DIR/<student>/<lab>/kernel.cu, or a download")
    inner = _only_folder(folder)
    arranged = _arranged(inner, lab, files, place / "arranged", known)
    arranged.table = next((one / TIMES_FILE for one in (folder, inner) if (one / TIMES_FILE).is_file()), None)
    arranged.notes[:0] = notes
    return arranged


def _arranged(folder: Path, lab: str, files: list[str], arranged: Path, known: Collection[str]) -> Arranged:
    if (folder / METADATA).is_file():
        return arrange_export(folder, _named(lab, "Gradescope"), files, arranged)
    names = sorted(entry.name for entry in folder.iterdir())
    ordinary = [name for name in names if not name.startswith(".") and name != TIMES_FILE]
    if _most(is_moodle_entry(decoded_name(name)) for name in ordinary):
        return arrange_moodle(folder, _named(lab, "Moodle"), files, arranged)
    if _most(bool(_CANVAS.fullmatch(decoded_name(name))) and (folder / name).is_file() for name in ordinary):
        return _canvas(folder, _named(lab, "Canvas"), files, arranged)
    folders = [name for name in ordinary if (folder / name).is_dir() and not (folder / name).is_symlink()]
    prefix = _clones_prefix(folder, folders, lab, known)
    if prefix:
        return _classroom(folder, prefix, lab, files, arranged)
    return Arranged(folder, "plain")


def _most(fit: Iterable[bool]) -> bool:
    """Whether more than half do. The layout of a class is what most of it have: no student decides it for the rest."""
    told = list(fit)
    return 2 * sum(told) > len(told)


def _named(lab: str, system: str) -> str:
    if not lab:
        raise UsageError(f"this is a download of {system}, which holds one assignment: name its lab with --labs 07")
    return lab


def _only_folder(folder: Path) -> Path:
    """The folder that a zip wraps everything in: `assignment_12_export`, or the class's own name."""
    entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".") and entry.name != TIMES_FILE]
    if len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink():
        if (assignment := _assignment_of(folder)) and entries[0].name.startswith(assignment):
            return folder
        if is_moodle_entry(decoded_name(entries[0].name)):
            return folder
        inner = [entry for entry in entries[0].iterdir() if not entry.name.startswith(".")]
        wraps = any((entry / "kernel.cu").is_file() for entry in inner if entry.is_dir())
        if (entries[0] / METADATA).is_file() or (inner and not wraps and not (entries[0] / "kernel.cu").is_file()):
            return entries[0]
    return folder


def _canvas(folder: Path, lab: str, files: list[str], target: Path) -> Arranged:
    arranged = Arranged(target, "Canvas")
    newest: dict[tuple[str, str], tuple[int, Path]] = {}
    for path in sorted(folder.iterdir()):
        found = _CANVAS.fullmatch(decoded_name(path.name))
        if found is None or not path.is_file():
            if not path.name.startswith(".") and path.name != TIMES_FILE:
                shown = printable(decoded_name(path.name))
                arranged.notes.append(f"{shown} is not named as Canvas names a file, name_USER_NUMBER_file: left out")
            continue
        name = _AGAIN.sub("", found["file"])
        student = f"{found['name']}-{found['user']}"
        arranged.canvas_ids[student] = found["user"]
        arranged.names[student] = [found["name"]]
        if found["late"]:
            arranged.late.add(student)
        if name not in files:
            arranged.notes.append(
                f"{printable(student)} handed in {printable(found['file'])}, which {lab} does not take: it "
                f"takes {', '.join(files)}"
            )
            (target / student / lab).mkdir(parents=True, exist_ok=True)
            continue
        again = _AGAIN.search(found["file"])
        rank = int(again[0][1:]) if again else 0
        if (student, name) not in newest or rank >= newest[student, name][0]:
            newest[student, name] = rank, path
    for (student, name), (_, path) in newest.items():
        place = target / student / lab
        place.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, place / name, follow_symlinks=False)
    return arranged


def _clones_prefix(folder: Path, names: list[str], lab: str, known: Collection[str]) -> str:
    """`lab-07-` of lab-07-alice and lab-07-bob: what Classroom puts before every student; empty where the folders are
    no clones. A login may hold dashes, too: the folder says where it begins, which Classroom calls lab-07-submissions,
    or the roster; else it is what all have in common. Folders of the plain layout are cut by the first two alone,
    and never where the roster has a folder's whole name."""
    if not lab:
        return ""
    assignment = _assignment_of(folder)
    if assignment and names and all(name.startswith(assignment) for name in names):
        return assignment
    shared = _shared_prefix(names)
    prefixes = ["", *(shared[: at + 1] for at, letter in enumerate(shared) if letter == "-")]
    logins = {one.casefold() for one in known}
    hits = {prefix: sum(name[len(prefix) :].casefold() in logins for name in names) for prefix in prefixes}
    best = max(prefixes, key=lambda prefix: (hits[prefix], len(prefix)))
    if hits[""] and hits[""] == hits[best]:
        return ""
    if hits[best] and len(names) > 1:
        _refuse_ambiguous([prefix for prefix in prefixes if hits[prefix] == hits[best]], names[0])
        return best
    plain = _most((folder / name / lab).is_dir() for name in names)
    return "" if plain or len(names) < 2 else best


def _refuse_ambiguous(prefixes: list[str], name: str) -> None:
    """Two ways of cutting that fit the roster alike would give one student's work to another."""
    if len(prefixes) > 1:
        ways = " or ".join(printable(decoded_name(name[len(prefix) :])) for prefix in prefixes)
        raise UsageError(
            f"the clone {printable(decoded_name(name))} may be of {ways}, all as the roster has them: put the clones "
            "into a folder called ASSIGNMENT-submissions, as gh classroom does"
        )


def _assignment_of(folder: Path) -> str:
    """`lab-07-` of a folder that Classroom called lab-07-submissions, else nothing."""
    found = folder.name.removesuffix("submissions")
    return found if found.endswith("-") and found != folder.name else ""


def _shared_prefix(names: list[str]) -> str:
    """What all of the names begin with, up to a dash."""
    first, last = min(names, default=""), max(names, default="")
    length = next(
        (at for at, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last))
    )
    return first[: first[:length].rfind("-") + 1]


def _classroom(folder: Path, prefix: str, lab: str, files: list[str], target: Path) -> Arranged:
    arranged = Arranged(target, "GitHub Classroom")
    for path in sorted(folder.iterdir()):
        if not path.is_dir() or path.is_symlink() or not path.name.startswith(prefix):
            continue
        folders = (one for one in (path / "labs" / lab, path / lab) if one.is_dir())
        # git keeps links, and whoever pushes one knows what lies beside a clone.
        inner = next((one for one in folders if one.resolve().is_relative_to(path.resolve())), path)
        student = decoded_name(path.name[len(prefix) :])
        taken: list[Path] = []
        arranged.notes += take_declared(inner, target, student, lab, files, taken)
        arranged.origins[student, lab] = taken
    return arranged
