"""Grades as nbgrader writes and reads them.

`grades.csv` has the columns of `nbgrader export`. `students.csv` and `assignments.csv` are what
`nbgrader db student import` and `nbgrader db assignment import` read. Who handed in nothing has no score: nbgrader's
own export writes a zero there, which is a grade.
"""

from datetime import UTC, datetime

from simtlab.export.spreadsheet import Cell, csv_text
from simtlab.intake.roster import is_address
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.score.points import AdjustmentKind, rounded
from simtlab.verdict import Verdict

GRADES = (
    *("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email"),
    *("raw_score", "late_submission_penalty", "score", "max_score"),
)


def nbgrader_csv(book: Gradebook) -> dict[str, str]:
    """The three files. Times are UTC, as in nbgrader's database; names and addresses as far as the roster or the
    download of the grading knew them."""
    labs = [lab for lab in book.run.labs if lab in book.specifications]
    grades: list[list[Cell]] = [list(GRADES)]
    for lab in labs:
        for one in book.of_lab(lab):
            first, last, address = _person(book, one.student)
            about = [lab, _moment(_due(book, lab)), _moment(one.handed_in), one.student, last, first, address]
            grades.append([*about, *_scores(one), book.specifications[lab].points.total])
    students: list[list[Cell]] = [["id", "first_name", "last_name", "email"]]
    students += [[student, *_person(book, student)] for student in book.run.students]
    assignments: list[list[Cell]] = [["name", "duedate"]]
    assignments += [[lab, _moment(_due(book, lab))] for lab in labs]
    return {
        "grades.csv": csv_text(grades),
        "students.csv": csv_text(students),
        "assignments.csv": csv_text(assignments),
    }


def _scores(one: GradedSubmission) -> list[Cell]:
    """Raw score, penalty and score: the last is the gradebook's, and the first two make it."""
    grade = one.grade
    absent = grade is not None and grade.verdict is Verdict.NOT_SUBMITTED and not grade.settled
    if grade is None or grade.points is None or (absent and not grade.points):
        return [None, None, None]
    late = -sum(each.points for each in grade.adjustments if each.kind is AdjustmentKind.LATE and each.points < 0)
    return [rounded(grade.points + late), rounded(late), grade.points]


def _person(book: Gradebook, student: str) -> tuple[str, str, str]:
    """First name, last name and address; a name of one word is a last name."""
    names = [name for name in book.run.names.get(student, []) if name != student]
    address = next((name for name in names if is_address(name)), "")
    full = next((name for name in names if " " in name.strip() and not name[-1].isdigit()), "")
    if ", " in full:
        last, _, first = full.partition(", ")
    else:
        first, _, last = full.strip().rpartition(" ")
    return first.strip(), last.strip(), address


def _due(book: Gradebook, lab: str) -> datetime | None:
    return book.course.lab(lab).due


def _moment(when: datetime | None) -> str:
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}" if when else ""
