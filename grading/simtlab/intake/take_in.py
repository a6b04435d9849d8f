"""A class in any form becomes an intake: arranged, read, and with the times of handing in."""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.intake.arranged import Arranged
from simtlab.intake.class_folder import read_class
from simtlab.intake.download import arrange
from simtlab.intake.roster import RosterEntry, with_roster
from simtlab.intake.submission import ClassIntake
from simtlab.intake.times import FILES, GIT, read_times, times_of_commits, times_of_files, times_of_rows, with_times
from simtlab.labs.catalogue import Catalogue
from simtlab.text import printable


def take_in(
    source: Path,
    catalogue: Catalogue,
    keep: Callable[[bytes], str],
    selected: Sequence[str] | None = None,
    times: str = "",
    roster: Sequence[RosterEntry] = (),
) -> ClassIntake:
    """Takes in a folder, a zip or another system's download; `keep` stores each file, so the rest may go. `times` says
    where the times of handing in are: a table's path, `files`, `git`; empty for the table beside the students, if there
    is one. Everybody of the roster is in the class. Raises `UsageError`."""
    only = selected[0] if selected and len(selected) == 1 else ""
    files = catalogue.labs[only].taken_files if only in catalogue.labs else []
    with tempfile.TemporaryDirectory(prefix="simtlab-intake-") as place:
        arranged = arrange(source, only, files, Path(place), [name for one in roster for name in one.names])
        intake = read_class(arranged.folder, catalogue, keep, selected, arranged.handed_in)
        intake.problems.extend(arranged.notes)
        intake = replace(intake, canvas_ids=arranged.canvas_ids, names=arranged.names)
        if roster:
            intake = with_roster(intake, roster)
        intake = _with_times(intake, arranged, times, catalogue, source, Path(place))
        intake.problems.extend(_late_notes(intake, arranged.late))
        return intake


def _late_notes(intake: ClassIntake, late: set[str]) -> list[str]:
    """A sentence about those whom Canvas calls late, and of whom nobody says when."""
    dated = {one.student for one in intake.submissions if one.handed_in}
    if not (undated := sorted(late - dated)):
        return []
    return [
        f"late in Canvas: {printable(', '.join(undated))}. The download has no times: say when with --times, or take "
        "points off in Canvas"
    ]


def _with_times(
    intake: ClassIntake, arranged: Arranged, times: str, catalogue: Catalogue, source: Path, place: Path
) -> ClassIntake:
    """The times that `--times` asks for, or those of the table in the class's folder."""
    if times in (FILES, GIT):
        if arranged.layout not in ("plain", "GitHub Classroom") or (times == FILES and arranged.layout != "plain"):
            raise UsageError(f"--times {times}: a download of {arranged.layout} has no such times; name a CSV instead")
        if source.is_file():
            raise UsageError(f"--times {times}: {source} is a zip, whose times have no zone: unpack it, or name a CSV")
        files = {
            (one.student, one.lab): arranged.origins.get(
                (one.student, one.lab), [arranged.folder / one.student / one.lab / name for name in one.files]
            )
            for one in intake.submissions
        }
        if times == FILES:
            return with_times(intake, times_of_files(files), [])
        repository = place / "git"
        repository.mkdir()
        return with_times(intake, *times_of_commits(files, repository))
    table = Path(times) if times else arranged.table
    if table is None:
        return intake
    return with_times(intake, *times_of_rows(read_times(table, catalogue.resolve), intake, table.name))
