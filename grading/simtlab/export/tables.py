"""Grades as one table: a plain CSV of everything."""

from simtlab.export.spreadsheet import csv_text
from simtlab.score.gradebook import Gradebook
from simtlab.score.points import PartName


def grades_csv(book: Gradebook) -> dict[str, str]:
    """`grades.csv`: a row for each student and lab, and one for each total, empty while a grade waits."""
    head = ["student", "lab", "verdict", "points", "possible", *PartName, "adjustments", "left out", "message"]
    rows: list[list[str | float | None]] = [list(map(str, head))]
    for student in book.run.students:
        dropped = book.dropped(student)
        for one in book.of_student(student):
            grade = one.grade
            if grade is None:
                rows.append([student, one.lab, one.absence, *[None] * (len(head) - 3)])
                continue
            parts = {part.name: part.earned for part in grade.parts}
            reasons = "; ".join(each.reason for each in grade.adjustments)
            earned = [parts.get(name) for name in PartName]
            left_out = "yes" if one.lab in dropped else ""
            message = grade.message.strip()
            points = [grade.points, grade.possible, *earned]
            rows.append([student, one.lab, grade.verdict.value, *points, reasons, left_out, message])
        waits = book.open_grades(student)
        total = None if waits else book.total(student)
        rows.append([student, "total", "", total, book.possible, *[None] * (len(head) - 6), waits])
    return {"grades.csv": csv_text(rows)}
