"""Grades for Canvas: the points of each student in the row and the column that Canvas itself knows them by.

A row is written only for a student whom exactly one row of the gradebook stands for. Who matches nobody is listed: an
import that guesses would give somebody else's points, or a zero, to a student who has other ones.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from simtlab.errors import UsageError
from simtlab.export.own_column import own_column
from simtlab.export.spreadsheet import Cell, csv_text
from simtlab.score.gradebook import Gradebook
from simtlab.text import points_text, printable

_ID_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section")
_POINTS_POSSIBLE = "    Points Possible"
_LOGIN = "SIS Login ID"
_NUMBERED = (_LOGIN, "SIS User ID", "ID")
_MATCHED_BY = (*_NUMBERED, "Student")
_TITLE = re.compile(r"(?P<title>.*?)\s*\(\d+\)\s*")


@dataclass(frozen=True)
class CanvasRoster:
    """A gradebook as Canvas exported it: its identity columns, its assignment columns, its students."""

    columns: list[str]
    assignments: list[str]
    students: list[dict[str, str]]
    possible: dict[str, str] = field(default_factory=dict)
    """By assignment: the points that Canvas takes for full marks."""


@dataclass(frozen=True)
class CanvasExport:
    """The file, and what a person has to know before importing it."""

    files: dict[str, str]
    unmatched: list[str]
    """Students whom no row of the gradebook stands for, or more than one: they are in no row of the file."""
    notes: list[str]


def read_canvas(text: str) -> CanvasRoster:
    """The roster in a Canvas gradebook. Raises `UsageError` when it is none."""
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    delimiter = ";" if head.count(";") > head.count(",") else ","
    rows = list(csv.DictReader(io.StringIO(text, newline=""), restkey="beyond", restval="", delimiter=delimiter))
    if not rows or "Student" not in rows[0] or "ID" not in rows[0]:
        raise UsageError("the roster is no gradebook of Canvas: expected columns Student and ID; export it there again")
    columns = [name for name in rows[0] if name in _ID_COLUMNS]
    beyond = [name for name in rows[0] if name and name not in _ID_COLUMNS and name != "beyond"]
    students = [row for row in rows if row["Student"].strip() not in ("", "Points Possible") and row["ID"].strip()]
    full = next((row for row in rows if row["Student"].strip() == "Points Possible"), {})
    assignments = [
        name for name in beyond if "read only" not in name.lower() and "read only" not in full.get(name, "").lower()
    ]
    return CanvasRoster(columns, assignments, students, {name: full.get(name, "").strip() for name in assignments})


def canvas_csv(book: Gradebook) -> dict[str, str]:
    """`canvas.csv` without a gradebook: the folder's name stands as the login, and Canvas makes new assignments."""
    return canvas_export(book, None).files


def canvas_export(book: Gradebook, roster: CanvasRoster | None) -> CanvasExport:
    """`canvas.csv`, matched with the gradebook. Raises `UsageError` where a lab could be several of its assignments."""
    labs = [lab for lab in book.run.labs if lab in book.specifications]
    titles = {lab: _assignment(lab, book.specifications[lab].title, roster) for lab in labs}
    columns = roster.columns if roster else ["Student", "ID", "SIS Login ID", "Section"]
    possible = [book.specifications[lab].points.total for lab in labs]
    rows: list[list[Cell]] = [
        [*columns, *titles.values()],
        [_POINTS_POSSIBLE, *[""] * (len(columns) - 1), *possible],
    ]
    rows_of = {student: _row_of(student, book, roster) for student in book.run.students}
    taken = Counter(row.get("ID", "") for row in rows_of.values() if row and roster)
    unmatched = []
    for student, row in rows_of.items():
        if row is None or taken[row.get("ID", "")] > 1:
            unmatched.append(student)
            continue
        points = [book.submissions[student, lab].grade for lab in labs]
        rows.append([*(row.get(name, "") for name in columns), *(one.points if one else None for one in points)])
    return CanvasExport({"canvas.csv": csv_text(rows)}, unmatched, _notes(titles, book, roster))


def _row_of(student: str, book: Gradebook, roster: CanvasRoster | None) -> dict[str, str] | None:
    """The gradebook's row of a student: by the number in Canvas's own file names; else the one row that has the
    student's name as its login, a number or a name; else the one that has what a download or a roster calls the student
    as its login or a number. A name that several rows have is nobody's."""
    number = book.run.canvas_ids.get(student, "")
    if roster is None:
        return {"Student": student, "ID": number, "SIS Login ID": "" if number else student}
    if number:
        found = [row for row in roster.students if row["ID"].strip() == number]
        return found[0] if len(found) == 1 else None
    also = book.run.names.get(student, [])
    addresses = {name.casefold() for name in also if "@" in name}
    found = _rows_with([student], _MATCHED_BY, addresses, roster) or _rows_with(also, _NUMBERED, addresses, roster)
    return found[0] if len(found) == 1 else None


def _rows_with(
    names: Sequence[str], columns: Sequence[str], addresses: Collection[str], roster: CanvasRoster
) -> list[dict[str, str]]:
    """The rows in which one of the columns is one of the names. Where a login is a whole address and the student's is
    known, it alone decides: two people may share a login, or a number in another column."""
    wanted = {name.strip().casefold() for name in names}
    found = []
    for row in roster.students:
        cells = {column: row.get(column, "").strip().casefold() for column in columns}
        login = cells.get(_LOGIN, "")
        if "@" in login and addresses:
            fits = login in addresses
        else:
            words = {login.partition("@")[0], *cells.values()} - {""}
            fits = bool(wanted & words)
        if fits:
            found.append(row)
    return found


def _assignment(lab: str, title: str, roster: CanvasRoster | None) -> str:
    """The gradebook's own column for a lab: by name, by the lab's title, or the one that begins with its number."""
    if roster is None:
        return lab
    names = {column: _plain(column) for column in roster.assignments}
    return own_column(lab, title, names, "Canvas") or lab


def _plain(column: str) -> str:
    found = _TITLE.fullmatch(column)
    return (found["title"] if found else column).strip()


def _notes(titles: dict[str, str], book: Gradebook, roster: CanvasRoster | None) -> list[str]:
    notes = []
    for lab, column in titles.items() if roster else ():
        if roster and column not in roster.assignments:
            notes.append(f"the gradebook has no assignment for {lab}: Canvas asks, and makes a new one")
            continue
        here = points_text(book.specifications[lab].points.total)
        there = roster.possible.get(column, "") if roster else ""
        if re.fullmatch(r"\d+(\.\d+)?", there) and points_text(float(there)) != here:
            notes.append(f"{printable(column)} is out of {there} points in Canvas, and {lab} out of {here} here")
    return notes
