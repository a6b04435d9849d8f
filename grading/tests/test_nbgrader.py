"""nbgrader's files: the columns that its own export writes, and what its imports of students and assignments read."""

import csv
import io
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simtlab.course.course import Course, LabPolicy, Late
from simtlab.export.nbgrader import GRADES, nbgrader_csv
from simtlab.export.spreadsheet import harmless_cell
from simtlab.score.gradebook import Gradebook
from simtlab.verdict import Verdict
from tests.example_facts import passed_facts, wrong_facts
from tests.graded_book import book_of

LAB, BANKS = "07-shared-tiling", "08-bank-conflicts"
DUE = datetime(2026, 10, 1, 12, tzinfo=UTC)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_a_score_is_raw_score_less_penalty_and_nobody_gets_a_zero_for_nothing() -> None:
    course = Course(late=Late(percent_per_day=10), labs={LAB: LabPolicy(due=DUE)})
    late = datetime(2026, 10, 2, 13, tzinfo=UTC)
    book = book_of({("ann", LAB): passed_facts(), ("bob", LAB): Verdict.NOT_SUBMITTED}, course, late)
    ann, bob = rows(nbgrader_csv(book)["grades.csv"])
    assert float(ann["raw_score"]) - float(ann["late_submission_penalty"]) == pytest.approx(float(ann["score"]))
    assert (ann["raw_score"], ann["late_submission_penalty"], ann["max_score"]) == ("92.5", "18.5", "100")
    assert (ann["duedate"], ann["timestamp"]) == ("2026-10-01 12:00:00.000000", "2026-10-02 13:00:00.000000")
    assert (bob["raw_score"], bob["late_submission_penalty"], bob["score"]) == ("", "", "")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["Lee, Ann", "ann@a.org"], ("Ann", "Lee", "ann@a.org")),
        (["Ann Maria Lee", "Participant 17"], ("Ann Maria", "Lee", "")),
        (["4711"], ("", "", "")),
    ],
)
def test_names_are_taken_apart(names: list[str], expected: tuple[str, str, str]) -> None:
    book = book_of({("ann", LAB): passed_facts()})
    book = replace(book, run=book.run.model_copy(update={"names": {"ann": ["ann", *names]}}))
    [row] = rows(nbgrader_csv(book)["students.csv"])
    assert (row["first_name"], row["last_name"], row["email"]) == expected


_NAMES = st.lists(
    st.text(st.sampled_from("abÄé王, '\"=+-@\n"), min_size=1, max_size=8).filter(lambda name: bool(name.strip())),
    min_size=1, max_size=5, unique=True,
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(_NAMES)
def test_every_name_comes_back_with_its_own_score(names: list[str]) -> None:
    book = book_of({(name, lab): wrong_facts() if at % 2 else passed_facts()
                    for at, name in enumerate(names) for lab in (LAB, BANKS)})  # fmt: skip
    files = nbgrader_csv(book)
    found = {(row["student_id"], row["assignment"]): row for row in rows(files["grades.csv"])}
    assert tuple(next(csv.reader(io.StringIO(files["grades.csv"])))) == GRADES
    for (name, lab), one in book.submissions.items():
        assert one.grade
        assert float(found[harmless_cell(name), lab]["score"]) == one.grade.points
    assert [row["id"] for row in rows(files["students.csv"])] == [harmless_cell(name) for name in names]
    assert [row["name"] for row in rows(files["assignments.csv"])] == [LAB, BANKS]


def test_nbgrader_itself_reads_the_files(tmp_path: Path) -> None:
    """The package is large, so it is no dependency of ours: `pip install nbgrader` where this test is to run."""
    pytest.importorskip("nbgrader", reason="nbgrader is not installed")
    from nbgrader.api import Gradebook as Theirs
    from nbgrader.apps.dbapp import DbAssignmentImportApp, DbStudentImportApp

    book = _named(book_of({("ann", LAB): passed_facts(), ("o'neil", LAB): wrong_facts()}))
    for name, text in nbgrader_csv(book).items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    base = [f"--CourseDirectory.root={tmp_path}", f"--CourseDirectory.db_url=sqlite:///{tmp_path}/gradebook.db"]
    for app, name in ((DbStudentImportApp, "students.csv"), (DbAssignmentImportApp, "assignments.csv")):
        app.clear_instance()
        app.launch_instance([str(tmp_path / name), *base])
        app.clear_instance()
    with Theirs(f"sqlite:///{tmp_path}/gradebook.db") as theirs:
        people = {one.id: (one.first_name, one.last_name, one.email) for one in theirs.students}
        assert people == {"ann": ("Ann", "Lee", "ann@a.org"), "o'neil": (None, None, None)}
        assert [one.name for one in theirs.assignments] == [LAB]
        from nbgrader.plugins.export import CsvExportPlugin

        plugin = CsvExportPlugin(to=str(tmp_path / "theirs.csv"))
        plugin.export(theirs)
    [head, *_] = (tmp_path / "theirs.csv").read_text(encoding="utf-8").splitlines()
    assert head == ",".join(GRADES)
    with sqlite3.connect(tmp_path / "gradebook.db") as database:
        assert database.execute("select count(*) from student").fetchone() == (2,)


def _named(book: Gradebook) -> Gradebook:
    return replace(book, run=book.run.model_copy(update={"names": {"ann": ["ann", "Lee, Ann", "ann@a.org"]}}))
