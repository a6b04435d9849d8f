"""When submissions were handed in, where the class is folders that do not say: a table beside them, the files' own
times, or git commits. Only the table is used without being asked for: times of files and commits are easily others
than those of handing in.
"""

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.intake.commit_time import CommitTimes, NoCommitTime
from simtlab.intake.student_names import StudentNames
from simtlab.intake.submission import ClassIntake
from simtlab.text import counted, printable, shortened

TIMES_FILE = "submitted.csv"
FILES, GIT = "files", "git"
_STUDENT = ("student", "login", "github_username", "email", "sid", "name")
_WHEN = ("submitted", "submitted at", "submitted_at", "submission_timestamp", "submission time", "handed in", "time")
_LAB = "lab"
_MOST_TOLD = 5

Times = Mapping[tuple[str, str], datetime]
"""By student and lab."""


@dataclass(frozen=True)
class TimesRow:
    """A line of the table; without a lab it is of every lab."""

    line: int
    student: str
    lab: str
    when: datetime


def read_times(path: Path, resolve: Callable[[str], str]) -> list[TimesRow]:
    """The rows of a CSV with a student, a time with its zone and perhaps a lab, whose name `resolve` makes whole.
    Raises `UsageError` that names line, what was found, and what to write."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from error
    first = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=";" if first.count(";") > first.count(",") else ",")
    head = [cell.strip().lower() for cell in next(rows, [])]
    student = next((name for name in _STUDENT if name in head), None)
    when = next((name for name in _WHEN if name in head), None)
    if student is None or when is None:
        raise UsageError(
            f"{path}:1: expected a line of columns such as student,lab,submitted and found {printable(first.strip())!r}"
        )
    found = []
    for row in rows:
        cells = dict(zip(head, (cell.strip() for cell in row), strict=False))
        if not any(cells.values()) or not cells.get(when):
            continue
        try:
            lab = resolve(cells[_LAB]) if cells.get(_LAB) else ""
        except UsageError as fault:
            raise UsageError(f"{path}:{rows.line_num}: {fault}") from fault
        found.append(TimesRow(rows.line_num, cells[student], lab, read_moment(cells[when], f"{path}:{rows.line_num}")))
    return found


def read_moment(text: str, where: str) -> datetime:
    """A time as people and services write it, which has to have its zone: an hour more or less costs a day."""
    tidy = re.sub(r"\s+(?=(?:[+-]\d\d:?\d\d|Z)$)", "", re.sub(r"\s*\b(UTC|GMT)$", "Z", text))
    try:
        found = datetime.fromisoformat(tidy)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        missing = "a time with its zone" if found else "a time"
        raise UsageError(
            f"{where}: expected {missing}, such as 2026-10-01T23:58:00+02:00, and found {printable(text)!r}"
        )
    return found


def times_of_rows(rows: list[TimesRow], intake: ClassIntake, source: str) -> tuple[Times, list[str]]:
    """The time of each submission that a row speaks of, the latest of several, and a sentence about rows of nobody."""
    students = StudentNames(intake.students, intake.names, intake.canvas_ids)
    found: dict[tuple[str, str], datetime] = {}
    strangers: dict[str, None] = {}
    for row in rows:
        meant = students.find(row.student)
        if len(meant) != 1:
            strangers[row.student] = None
            continue
        [student] = meant
        for lab in [row.lab] if row.lab else intake.labs:
            found[student, lab] = max(row.when, found.get((student, lab), row.when))
    if not strangers:
        return found, []
    some = ", ".join(shortened(printable(name), 30) for name in list(strangers)[:_MOST_TOLD])
    more = f" and {len(strangers) - _MOST_TOLD} more" if len(strangers) > _MOST_TOLD else ""
    whose = f"{counted(len(strangers), 'name')} that the class does not have, or has twice"
    return found, [f"{source} has times of {whose}: {some}{more}"]


def times_of_files(files: Mapping[tuple[str, str], list[Path]]) -> Times:
    """When the newest file of each submission was changed last."""
    return {
        key: datetime.fromtimestamp(max(path.stat().st_mtime for path in paths), UTC)
        for key, paths in files.items()
        if paths
    }


def times_of_commits(files: Mapping[tuple[str, str], list[Path]], place: Path) -> tuple[Times, list[str]]:
    """When the newest file of each submission was committed, and a sentence for each without such a time. `place` is an
    empty folder."""
    commits, found, notes = CommitTimes(place), dict[tuple[str, str], datetime](), []
    for (student, lab), paths in files.items():
        try:
            times = [commits.of(path) for path in paths]
        except NoCommitTime as why:
            notes.append(f"{printable(student)}/{lab} {why}: no time of handing in")
            continue
        if times:
            found[student, lab] = max(times)
    return found, notes


def with_times(intake: ClassIntake, times: Times, notes: list[str]) -> ClassIntake:
    """The intake with these times; what they say nothing of keeps what the download knew."""
    submissions = [
        replace(one, handed_in=times.get((one.student, one.lab), one.handed_in)) for one in intake.submissions
    ]
    return replace(intake, submissions=submissions, problems=[*intake.problems, *notes])
