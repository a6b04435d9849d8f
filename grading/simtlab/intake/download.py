"""Downloads of other systems brought into `<student>/<lab>/…`, the one layout that intake reads.

    plain       <student>/<lab>/kernel.cu, in a folder or a zip, perhaps below one folder of the archive's own name
    Gradescope  assignment_N_export/submission_M/… with submission_metadata.yml: who, and when
    Canvas      submissions.zip of name_[LATE_]USER_NUMBER_kernel.cu, one lab
    Classroom   <assignment>-<student>/…, a clone a student, one lab or a folder a lab

Gradescope, Canvas and Classroom export one assignment at a time; its lab is named by the caller.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from simtlab.errors import UsageFault
from simtlab.intake.archive import unpack
from simtlab.intake.times import TIMES_FILE
from simtlab.text import decoded_name, printable

_CANVAS = re.compile(r"(?P<name>[^_]+)_(?P<late>LATE_)?(?P<user>\d+)_(?P<number>\d+)_(?P<file>.+)")
_AGAIN = re.compile(r"-\d+(?=\.[^.]+$)")
"""What Canvas adds to the name of a file that was handed in again: kernel-1.cu."""
_METADATA = "submission_metadata.yml"


@dataclass
class Arranged:
    """A class in the plain layout below `folder`, with what the download knew besides."""

    folder: Path
    layout: str
    handed_in: dict[tuple[str, str], datetime] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    table: Path | None = None
    """The table of times beside the students' folders."""
    origins: dict[tuple[str, str], list[Path]] = field(default_factory=dict)
    """By student and lab: the files of a clone that were taken, where their history still is."""
    canvas_ids: dict[str, str] = field(default_factory=dict)
    """By student: the number that Canvas knows them by, in its file names and in the column ID of its gradebook."""


def arrange(source: Path, lab: str, files: list[str], place: Path) -> Arranged:
    """Brings a zip or folder into the plain layout below `place`, an empty folder. `lab` and `files` name the one lab
    of a download that does not say; empty for plain ones, which are left where they are. Raises `UsageFault`."""
    folder, notes = source, list[str]()
    if source.is_file():
        folder = place / "unpacked"
        notes = unpack(source, folder).notes
    elif not source.is_dir():
        raise UsageFault(f"{source} is not a folder, nor a zip. Expected: DIR/<student>/<lab>/kernel.cu, or a download")
    inner = _only_folder(folder)
    arranged = _arranged(inner, lab, files, place / "arranged")
    arranged.table = next((one / TIMES_FILE for one in (folder, inner) if (one / TIMES_FILE).is_file()), None)
    arranged.notes[:0] = notes
    return arranged


def _arranged(folder: Path, lab: str, files: list[str], arranged: Path) -> Arranged:
    if (folder / _METADATA).is_file():
        return _gradescope(folder, _named(lab, "Gradescope"), files, arranged)
    names = sorted(entry.name for entry in folder.iterdir())
    ordinary = [name for name in names if not name.startswith(".") and name != TIMES_FILE]
    if ordinary and all(_CANVAS.fullmatch(decoded_name(name)) and (folder / name).is_file() for name in ordinary):
        return _canvas(folder, _named(lab, "Canvas"), files, arranged)
    prefix = _shared_prefix([name for name in ordinary if (folder / name).is_dir()])
    if prefix and lab:
        return _classroom(folder, prefix, lab, files, arranged)
    return Arranged(folder, "plain")


def _named(lab: str, system: str) -> str:
    if not lab:
        raise UsageFault(f"this is a download of {system}, which holds one assignment: name its lab with --labs 07")
    return lab


def _only_folder(folder: Path) -> Path:
    """The folder that a zip wraps everything in: `assignment_12_export`, or the class's own name."""
    entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".") and entry.name != TIMES_FILE]
    if len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink():
        inner = [entry for entry in entries[0].iterdir() if not entry.name.startswith(".")]
        wraps = any((entry / "kernel.cu").is_file() for entry in inner if entry.is_dir())
        if (entries[0] / _METADATA).is_file() or (inner and not wraps and not (entries[0] / "kernel.cu").is_file()):
            return entries[0]
    return folder


def _gradescope(folder: Path, lab: str, files: list[str], target: Path) -> Arranged:
    arranged = Arranged(target, "Gradescope")
    whose: dict[str, str] = {}
    for submission, students, handed_in in read_metadata(
        (folder / _METADATA).read_text(encoding="utf-8", errors="replace")
    ):
        source = folder / submission
        if not students or not source.is_dir():
            arranged.notes.append(f"{printable(submission)} of the Gradescope export has no students, or no files")
            continue
        for name in students:
            student = _unlike(name, submission, whose, arranged)
            arranged.notes += take_declared(source, target, student, lab, files)
            if handed_in:
                arranged.handed_in[student, lab] = handed_in
    if not arranged.handed_in and not target.is_dir():
        raise UsageFault(f"{folder}: the Gradescope export names no submission in {_METADATA}")
    return arranged


def _unlike(name: str, submission: str, whose: dict[str, str], arranged: Arranged) -> str:
    """The student's name; with the submission's number where another submission is of that name already, so that no
    file takes another's place."""
    if whose.setdefault(name.casefold(), submission) == submission:
        return name
    other = f"{name}-{submission.removeprefix('submission_')}"
    arranged.notes.append(
        f"two students of the Gradescope export are called {printable(name)}: one is graded as {printable(other)}"
    )
    return other


def read_metadata(text: str) -> Iterator[tuple[str, list[str], datetime | None]]:
    """Folder, students and time of each submission in a Gradescope export's YAML, as Gradescope writes it: one mapping,
    two spaces a level, Ruby's symbols for keys. Only lines at a submission's own depth are read, so that no output of a
    student, which stands deeper, is taken for them."""
    submission, handed_in = "", None
    submitters: list[dict[str, str]] = []
    among_submitters = False
    for line in [*text.splitlines(), "end:"]:
        if top := re.fullmatch(r"(\S+):\s*", line):
            if submission:
                yield submission, [name for one in submitters if (name := login_of(one))], handed_in
            submission = top[1] if re.fullmatch(r"submission_\d+", top[1]) else ""
            submitters, handed_in, among_submitters = [], None, False
        elif member := re.fullmatch(r"  :(\w+):\s*(.*)", line):
            among_submitters = member[1] == "submitters"
            if member[1] == "created_at":
                handed_in = _time(_unquoted(member[2]))
        elif among_submitters and (about := re.fullmatch(r"  (- |  ):(name|sid|email):\s*(.*)", line)):
            if about[1] == "- ":
                submitters.append({})
            if submitters:
                submitters[-1][about[2]] = _unquoted(about[3])


def login_of(submitter: Mapping[str, str]) -> str:
    """The part of the address before the @, which is what rosters call a login; else number or name."""
    return submitter.get("email", "").partition("@")[0] or submitter.get("sid", "") or submitter.get("name", "")


def _unquoted(value: str) -> str:
    return value.strip().strip("'\"")


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.replace(" UTC", "+00:00").replace(" Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _canvas(folder: Path, lab: str, files: list[str], target: Path) -> Arranged:
    arranged = Arranged(target, "Canvas")
    newest: dict[tuple[str, str], tuple[int, Path]] = {}
    late: set[str] = set()
    for path in sorted(folder.iterdir()):
        found = _CANVAS.fullmatch(decoded_name(path.name))
        if found is None:
            continue
        name = _AGAIN.sub("", found["file"])
        student = f"{found['name']}-{found['user']}"
        arranged.canvas_ids[student] = found["user"]
        if found["late"]:
            late.add(student)
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
    if late:
        arranged.notes.append(
            f"late in Canvas: {printable(', '.join(sorted(late)))}. The download has no times, so course.toml's days "
            "late do not count: take points off in Canvas"
        )
    return arranged


def _shared_prefix(names: list[str]) -> str:
    """`lab-07-` of lab-07-alice and lab-07-bob: what Classroom puts before every student; empty when there is none."""
    if len(names) < 2:
        return ""
    first, last = min(names), max(names)
    length = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), min(len(first), len(last)))
    prefix = first[:length]
    return prefix[: prefix.rfind("-") + 1]


def _classroom(folder: Path, prefix: str, lab: str, files: list[str], target: Path) -> Arranged:
    arranged = Arranged(target, "GitHub Classroom")
    for path in sorted(folder.iterdir()):
        if not path.is_dir() or path.is_symlink() or not path.name.startswith(prefix):
            continue
        inner = next((one for one in (path / "labs" / lab, path / lab) if one.is_dir() and not one.is_symlink()), path)
        student = decoded_name(path.name[len(prefix) :])
        taken: list[Path] = []
        arranged.notes += take_declared(inner, target, student, lab, files, taken)
        arranged.origins[student, lab] = taken
    return arranged


def take_declared(
    source: Path, target: Path, student: str, lab: str, files: list[str], taken: list[Path] | None = None
) -> list[str]:
    """Copies the declared files into `target/<student>/<lab>`, wherever in the submission's folder they first stand;
    never a link. Where none of them is there, a sentence that names what is. `taken` collects what was copied."""
    place = target / _folder_name(student) / lab
    place.mkdir(parents=True, exist_ok=True)
    for name in files:
        found = [path for path in sorted(source.rglob(name)) if path.is_file() and not path.is_symlink()]
        inside = [path for path in found if path.resolve().is_relative_to(source.resolve())]
        if inside:
            chosen = min(inside, key=lambda path: len(path.parts))
            shutil.copyfile(chosen, place / name, follow_symlinks=False)
            if taken is not None:
                taken.append(chosen)
    if any(place.iterdir()):
        return []
    shown = sorted(printable(decoded_name(path.name)) for path in source.rglob("*") if path.is_file())
    more = f" and {len(shown) - 3} more" if len(shown) > 3 else ""
    return [f"{printable(student)} handed in {', '.join(shown[:3]) or 'nothing'}{more}: {lab} takes {', '.join(files)}"]


def _folder_name(student: str) -> str:
    """The student's name as one component of a path."""
    name = student.replace("/", "_").replace("\\", "_").replace("\0", "").strip()
    return name.lstrip(".") or "unnamed"
