"""Grades for Moodle's import of CSV files: a file for the course, and one for each lab.

Moodle's import (`grade/import/csv/classes/load_data.php` of its sources) has three traps, and the files avoid them. A
row whose user is unknown stops the whole import, so who matches nobody is listed and in no row. A row whose user cell
is blank, or 0, gets its grades written to the user of the row before, so a column that tells users apart is only
written where every row has it. An empty grade counts as "no grade" and takes away one that Moodle has, so a lab's own
file has nobody without points. Nobody gets a zero for handing in nothing: the cell stays empty.
"""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

from simtlab.errors import UsageError
from simtlab.export.own_column import own_column
from simtlab.export.spreadsheet import Cell, csv_text, harmless_cell
from simtlab.intake.roster import RosterEntry, is_address, match_roster, roster_entry
from simtlab.score.gradebook import Gradebook
from simtlab.text import printable, slug
from simtlab.verdict import Verdict

COURSE_FILE = "moodle.csv"
_KEYS = ("Username", "ID number", "Email address")
"""Columns that Moodle finds a user by."""
_NAMES = ("First name", "Last name", "Surname", "Full name")
_ITEM = re.compile(r"(?:[^:]+:\s*)?(?P<title>.*?)\s*\((?P<what>Real|Feedback|Percentage|Letter)\)\s*")
_POINTS = "Real"


@dataclass(frozen=True)
class MoodleRoster:
    """The participants of a course, or its gradebook, as Moodle exported it."""

    entries: list[RosterEntry]
    rows: list[dict[str, str]]
    """By Moodle's column; as many as entries."""
    items: dict[str, str]
    """Columns of points, and the activity's name in each."""


@dataclass(frozen=True)
class MoodleExport:
    """The files, and what a person has to know before importing them."""

    files: dict[str, str]
    unmatched: list[str]
    """Students whom no row of the roster stands for, or more than one, or whom Moodle could not tell apart."""
    notes: list[str]


def read_moodle(text: str) -> MoodleRoster:
    """A participants' table, a gradebook or a grading worksheet of Moodle, in English. Raises `UsageError` when it is
    none."""
    text = text.removeprefix("\ufeff")
    head = text.partition("\n")[0]
    delimiter = max(",;\t", key=head.count)
    table = list(csv.DictReader(io.StringIO(text, newline=""), restkey="beyond", restval="", delimiter=delimiter))
    known = {name.casefold(): name for name in (*_KEYS, *_NAMES)}
    columns = {name: known.get((name or "").strip().casefold(), name) for name in (table[0] if table else {})}
    if not set(_KEYS) & set(columns.values()):
        raise UsageError(
            f"the roster is none of Moodle: expected one of the columns {', '.join(_KEYS)} and found "
            f"{printable(head.strip())!r}; download the participants' table, or the gradebook, with Moodle in English"
        )
    entries, rows = [], []
    for row in table:
        cells = {columns[name]: (cell or "").strip() for name, cell in row.items() if name != "beyond"}
        entry = roster_entry({name.lower(): cell for name, cell in cells.items()})
        if entry is not None:
            entries.append(entry)
            rows.append(cells)
    found = {name: _ITEM.fullmatch(name) for name in columns.values() if name}
    items = {name: item["title"] for name, item in found.items() if item and item["what"] == _POINTS}
    return MoodleRoster(entries, rows, {name: title for name, title in items.items() if title != "Course total"})


def moodle_csv(book: Gradebook) -> dict[str, str]:
    """The files without a roster: the folder's name is the username, beside the address where everybody's is known."""
    return moodle_export(book, None).files


def moodle_export(book: Gradebook, roster: MoodleRoster | None) -> MoodleExport:
    """`moodle.csv` with a column for each lab, and `moodle/<lab>.csv` of those who have points in it. Raises
    `UsageError` where a lab could be several activities of the gradebook."""
    labs = [lab for lab in book.run.labs if lab in book.specifications]
    titles = {lab: _column(lab, book, roster) for lab in labs}
    people = _people(book, roster)
    keys = _keys(people)
    unknown = [name for name in book.run.students if name not in people]
    vague = [name for name, cells in people.items() if not all(_usable(cells.get(key, "")) for key in keys) or not keys]
    shown = [name for name in _NAMES if roster and any(cells.get(name) for cells in people.values())]
    columns = [*shown, *keys]
    sure = {student: cells for student, cells in people.items() if student not in vague}

    def table(chosen: Sequence[str], *, everybody: bool) -> str:
        rows: list[list[Cell]] = [[*columns, *(titles[lab] for lab in chosen)]]
        for student, cells in sure.items():
            points = [_points(book, student, lab) for lab in chosen]
            if everybody or any(one is not None for one in points):
                rows.append([*(cells.get(name, "") for name in columns), *points])
        return csv_text(rows)

    files = {COURSE_FILE: table(labs, everybody=True)}
    files |= {f"moodle/{slug(lab)}.csv": table([lab], everybody=False) for lab in labs}
    return MoodleExport(files, [*unknown, *vague], _notes(titles, roster, keys))


def _points(book: Gradebook, student: str, lab: str) -> float | None:
    """What Moodle is told; nothing where nothing was handed in, unless somebody set the points by hand."""
    grade = book.submissions[student, lab].grade
    if grade is None or (grade.verdict is Verdict.NOT_SUBMITTED and not grade.settled and not grade.points):
        return None
    return grade.points


def _people(book: Gradebook, roster: MoodleRoster | None) -> dict[str, dict[str, str]]:
    """The identity cells of each student who has some, by the name in the table."""
    if roster is not None:
        matched = match_roster(roster.entries, book.run.students, book.run.names, book.run.canvas_ids)
        rows = {student: roster.rows[position] for position, student in matched.items()}
        return {student: rows[student] for student in book.run.students if student in rows}
    people = {}
    for student in book.run.students:
        addresses = {name for name in book.run.names.get(student, []) if is_address(name)}
        people[student] = {"Username": student, "Email address": next(iter(addresses)) if len(addresses) == 1 else ""}
    return people


def _keys(people: dict[str, dict[str, str]]) -> list[str]:
    """The columns by which Moodle finds every one of these; where no column has all, the one that has most."""
    counts = {key: sum(_usable(cells.get(key, "")) for cells in people.values()) for key in _KEYS}
    whole = [key for key in _KEYS if people and counts[key] == len(people)]
    best = max(_KEYS, key=lambda key: counts[key])
    return whole or ([best] if counts[best] else [])


def _usable(cell: str) -> bool:
    """Whether Moodle reads the cell as it is meant: neither blank to PHP, nor changed for spreadsheets."""
    return cell.strip() not in ("", "0") and harmless_cell(cell) == cell


def _column(lab: str, book: Gradebook, roster: MoodleRoster | None) -> str:
    if roster is None:
        return lab
    return own_column(lab, book.specifications[lab].title, roster.items, "Moodle") or lab


def _notes(titles: dict[str, str], roster: MoodleRoster | None, keys: Sequence[str]) -> list[str]:
    notes = [f"map from {' or '.join(keys)} when Moodle asks"] if keys else []
    if roster and roster.items:
        notes += [
            f"the gradebook has no activity for {lab}: map its column to one, or to a new grade item"
            for lab, column in titles.items()
            if column not in roster.items
        ]
    return notes
