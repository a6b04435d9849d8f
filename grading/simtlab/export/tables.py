"""Grades as tables: a plain CSV of everything, and the file that Canvas imports."""

import csv
import io
from dataclasses import dataclass

from simtlab.errors import UsageFault
from simtlab.export.spreadsheet import csv_text
from simtlab.score.gradebook import Gradebook
from simtlab.score.points import PartName

_CANVAS_ID_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section")
_POINTS_POSSIBLE = "    Points Possible"


def grades_csv(book: Gradebook) -> dict[str, str]:
    """`grades.csv`: a row for each student and lab, and one for each total."""
    head = ["student", "lab", "verdict", "points", "possible", *PartName, "adjustments", "left out", "message"]
    rows: list[list[str | float | None]] = [list(map(str, head))]
    for student in book.run.students:
        dropped = book.dropped(student)
        for one in book.of_student(student):
            grade = one.grade
            if grade is None:
                rows.append([student, one.lab, "not graded yet", *[None] * (len(head) - 3)])
                continue
            parts = {part.name: part.earned for part in grade.parts}
            reasons = "; ".join(each.reason for each in grade.adjustments)
            earned = [parts.get(name) for name in PartName]
            left_out = "yes" if one.lab in dropped else ""
            message = grade.message.strip()
            points = [grade.points, grade.possible, *earned]
            rows.append([student, one.lab, grade.verdict.value, *points, reasons, left_out, message])
        rows.append([student, "total", "", book.total(student), book.possible, *[None] * (len(head) - 5)])
    return {"grades.csv": csv_text(rows)}


@dataclass(frozen=True)
class CanvasRoster:
    """A gradebook as Canvas exported it: its identity columns, its assignment columns, its students."""

    columns: list[str]
    assignments: list[str]
    students: list[dict[str, str]]


def read_canvas(text: str) -> CanvasRoster:
    """The roster in a Canvas gradebook. Raises `UsageFault` when it is none."""
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff")), restkey="beyond", restval=""))
    if not rows or "Student" not in rows[0] or "ID" not in rows[0]:
        raise UsageFault("the roster is no gradebook of Canvas: expected columns Student and ID; export it there again")
    columns = [name for name in rows[0] if name in _CANVAS_ID_COLUMNS]
    beyond = [name for name in rows[0] if name and name not in _CANVAS_ID_COLUMNS and name != "beyond"]
    students = [row for row in rows if row["Student"].strip() not in ("", "Points Possible") and row["ID"].strip()]
    return CanvasRoster(columns, [name for name in beyond if "read only" not in name.lower()], students)


def canvas_csv(book: Gradebook, roster: CanvasRoster | None = None) -> dict[str, str]:
    """`canvas.csv`. With a roster its students are matched by login, SIS number, number or name, and its assignments by
    title; without one, the folder's name stands as the login, and Canvas makes new assignments."""
    labs = [lab for lab in book.run.labs if lab in book.specifications]
    titles = {lab: _assignment(lab, roster) for lab in labs}
    columns = roster.columns if roster else ["Student", "ID", "SIS Login ID", "Section"]
    head: list[str | float | None] = [*columns, *titles.values()]
    possible = [book.specifications[lab].points.total for lab in labs]
    rows: list[list[str | float | None]] = [head, [_POINTS_POSSIBLE, *[""] * (len(columns) - 1), *possible]]
    for student in book.run.students:
        identity = _identity(student, roster)
        points = [book.submissions[student, lab].grade for lab in labs]
        rows.append([*(identity.get(name, "") for name in columns), *(one.points if one else None for one in points)])
    return {"canvas.csv": csv_text(rows)}


def unmatched(book: Gradebook, roster: CanvasRoster) -> list[str]:
    """Students of the class whom the roster does not know; Canvas would leave them out."""
    return [student for student in book.run.students if _in_roster(student, roster) is None]


def _assignment(lab: str, roster: CanvasRoster | None) -> str:
    for name in roster.assignments if roster else []:
        if name.rsplit(" (", 1)[0].strip().lower() == lab.lower():
            return name
    return lab


def _identity(student: str, roster: CanvasRoster | None) -> dict[str, str]:
    known = _in_roster(student, roster) if roster else None
    return known or {"Student": student, "SIS Login ID": student}


def _in_roster(student: str, roster: CanvasRoster) -> dict[str, str] | None:
    for column in ("SIS Login ID", "SIS User ID", "ID", "Student"):
        for row in roster.students:
            if row.get(column, "").strip().lower() == student.strip().lower():
                return row
    return None
