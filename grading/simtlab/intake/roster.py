"""Who is in the course: a roster as Canvas, Gradescope or GitHub Classroom exports it, or a list of names, so that
whoever handed in nothing stands in the table, too."""

import csv
import io
from dataclasses import dataclass, replace
from pathlib import Path

from simtlab.errors import UsageFault
from simtlab.intake.submission import ClassIntake, Refusal
from simtlab.text import counted, printable, shortened
from simtlab.verdict import Verdict

_NAMES = ("sis login id", "github_username", "email", "sis user id", "sid", "id", "identifier", "student", "name")
"""Columns that may hold what a folder is called, the likeliest first."""
_ROLE = "role"
_MOST_NAMED = 5


@dataclass(frozen=True)
class RosterEntry:
    """One student: what a folder of theirs may be called, the name they go by first."""

    names: tuple[str, ...]
    canvas_id: str = ""
    """The number in a Canvas gradebook, by which a download of Canvas names its files."""


def read_roster(path: Path) -> list[RosterEntry]:
    """The students of a CSV with one of the known columns, or of a file with a name a line. Raises `UsageFault`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageFault(f"the roster {path} cannot be read: {error}") from error
    table = list(csv.reader(io.StringIO(text)))
    head = [cell.strip().lower() for cell in table[0]] if table else []
    if not set(head) & set(_NAMES):
        if any(len(row) > 1 for row in table):
            known = ", ".join(_NAMES)
            raise UsageFault(f"the roster {path} has none of the columns {known}: export it again, or list names alone")
        return [RosterEntry((row[0].strip(),)) for row in table if row and row[0].strip()]
    entries = []
    for row in table[1:]:
        cells = dict(zip(head, (cell.strip() for cell in row), strict=False))
        names = [_folder_name(column, cells[column]) for column in _NAMES if cells.get(column)]
        is_student = cells.get(_ROLE, "student").lower() in ("", "student")
        if names and is_student and cells.get("student", "").lower() != "points possible":
            canvas_id = cells.get("id", "") if "student" in cells else ""
            entries.append(RosterEntry(tuple(dict.fromkeys(names)), canvas_id))
    return entries


def _folder_name(column: str, cell: str) -> str:
    return cell.partition("@")[0] if column == "email" else cell


def with_roster(intake: ClassIntake, roster: list[RosterEntry]) -> ClassIntake:
    """The intake with everybody of the roster; who handed in nothing gets `not_submitted` in every lab. Students whom
    the roster does not know are graded and told of."""
    by_number = {number: name for name, number in intake.canvas_ids.items()}
    folders = {name.lower(): name for name in intake.students if name not in intake.canvas_ids}
    absent, known = [], set()
    for entry in roster:
        found = by_number.get(entry.canvas_id)
        found = found or next((folders[name.lower()] for name in entry.names if name.lower() in folders), None)
        if found is None:
            absent.append(entry.names[0])
        else:
            known.add(found)
    strangers = [name for name in intake.students if name not in known]
    problems = list(intake.problems)
    if strangers:
        some = ", ".join(shortened(printable(name), 30) for name in strangers[:_MOST_NAMED])
        more = f" and {len(strangers) - _MOST_NAMED} more" if len(strangers) > _MOST_NAMED else ""
        problems.append(f"{counted(len(strangers), 'student')} not in the roster, graded all the same: {some}{more}")
    refusals = [
        Refusal(name, lab, Verdict.NOT_SUBMITTED, "nothing was handed in: there is no folder of this student")
        for name in absent
        for lab in intake.labs
    ]
    return replace(
        intake,
        students=sorted({*intake.students, *absent}),
        refusals=[*intake.refusals, *refusals],
        problems=problems,
    )
