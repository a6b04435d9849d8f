"""The report for students: a folder for each with that student's pages alone, holding what the policy lets them see."""

import contextlib
import os
import shutil
from dataclasses import replace
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.feedback.policy import HiddenFeedback
from simtlab.feedback.students_view import for_student, students_hint
from simtlab.labs.specification import LabSpecification
from simtlab.report.leaderboard import leaderboard_page
from simtlab.report.pages import site_environment
from simtlab.report.submission_page import SubmissionView, submission_text, submission_view
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.store.results import ResultStore
from simtlab.text import slug

_MARK = ".simtlab-students"
"""In a folder that we wrote: it alone may be replaced."""


def write_students_site(book: Gradebook, store: ResultStore, folder: Path, policy: HiddenFeedback) -> int:
    """Writes `folder/<student>/index.html` and a page per lab; returns the number of students. The folder is replaced
    as a whole, so that no page of an earlier, more generous policy stays; one that we did not write is refused. What is
    held back is on no page."""
    folder = folder.absolute()
    book = book.released()
    if folder.is_symlink() or (
        folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not (folder / _MARK).is_file()))
    ):
        raise UsageError(f"{folder} holds something else than an earlier report for students: name another folder")
    place, before = (folder.with_name(f".{folder.name}.{os.getpid()}.{word}") for word in ("new", "old"))
    try:
        place.mkdir(parents=True)
        (place / _MARK).write_text(f"hidden cases: {policy.value}\n", encoding="utf-8")
        for student in book.run.students:
            _write_student(book, store, place / slug(student), student, policy)
        if folder.exists():
            folder.rename(before)
        place.rename(folder)
    except OSError as error:
        raise UsageError(f"the report {folder} cannot be written: {error.strerror}") from error
    finally:
        for leftover in (place, before):
            with contextlib.suppress(OSError):
                shutil.rmtree(leftover)
    return len(book.run.students)


def _write_student(book: Gradebook, store: ResultStore, folder: Path, student: str, policy: HiddenFeedback) -> None:
    folder.mkdir()
    site = site_environment()
    points_shown = policy is not HiddenFeedback.NOTHING
    rows = []
    for submission in book.of_student(student):
        specification = book.specifications.get(submission.lab)
        if specification is None:
            continue
        seen = for_student(submission, specification, policy)

        def view(
            brief: bool,
            submission: GradedSubmission = submission,
            seen: GradedSubmission = seen,
            specification: LabSpecification = specification,
        ) -> SubmissionView:
            shown = submission_view(seen, specification, store, brief=brief)
            return replace(shown, hint=students_hint(submission, seen, specification, policy))

        name = f"{slug(submission.lab)}.html"
        text = submission_text(
            view,
            class_name=book.run.class_name,
            home="index.html",
            lab_page="",
            facts=seen.facts,
            previous=None,
            following=None,
            names={},
            points_shown=points_shown,
        )
        (folder / name).write_text(text, encoding="utf-8")
        rows.append((seen, specification, name))
    board = leaderboard_page(book, "index.html") if points_shown else ""
    if board:
        (folder / "leaderboard.html").write_text(board, encoding="utf-8")
    page = site.get_template("student.html").render(
        student=student,
        class_name=book.run.class_name,
        rows=rows,
        points_shown=points_shown,
        has_leaderboard=bool(board),
        total=book.total(student) if points_shown else None,
        possible=book.possible,
        waits=book.open_grades(student),
    )
    (folder / "index.html").write_text(page, encoding="utf-8")
