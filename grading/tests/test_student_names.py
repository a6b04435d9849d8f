"""A student goes by the table's name, or by what the download or the roster calls them."""

import zipfile
from pathlib import Path

import pytest

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import make_plan
from simtlab.cli.grade import _regrade
from simtlab.course.course import Course
from simtlab.errors import UsageError
from simtlab.intake.roster import read_roster
from simtlab.intake.student_names import StudentNames, canvas_test_students
from simtlab.intake.submission import ClassIntake
from simtlab.intake.take_in import take_in
from simtlab.labs.catalogue import Catalogue
from simtlab.score.gradebook import read_gradebook
from simtlab.store.results import ResultStore

LAB = "07-shared-tiling"
ROSTER = """Student,ID,SIS User ID,SIS Login ID,Section
"Garcia Diaz, Maria",1237,s77,mgarcia,A
"Brown, Bob",18,s78,bob@example.org,A
"Student, Test",900,,,A
"""
NAMES = StudentNames(
    ["garciadiaz-1237", "bob", "Bob2"],
    {"garciadiaz-1237": ["garciadiaz", "mgarcia", "Garcia Diaz, Maria"], "bob": ["b@x.org", "7"], "Bob2": ["7"]},
    {"garciadiaz-1237": "1237"},
)


@pytest.mark.parametrize("word", ["garciadiaz-1237", "MGarcia", "1237", "Garcia Diaz, Maria", " mgarcia "])
def test_whatever_a_student_is_called_finds_them(word: str) -> None:
    assert NAMES.one(word) == "garciadiaz-1237"


def test_the_tables_name_goes_first_and_two_are_nobody() -> None:
    assert NAMES.one("Bob") == "bob"
    assert NAMES.one("bob@example.org") == "bob"
    assert NAMES.find("7") == {"bob", "Bob2"}
    assert NAMES.one("7") == "7"
    assert NAMES.find("nobody") == set()
    assert NAMES.listed() == "garciadiaz-1237, bob, Bob2"


def class_of(tmp_path: Path, catalogue: Catalogue, store: ResultStore, times: str = "") -> ClassIntake:
    """A download of Canvas whose teacher handed in as the test student, with a roster and perhaps times."""
    source, roster = tmp_path / "submissions.zip", tmp_path / "roster.csv"
    with zipfile.ZipFile(source, "w") as target:
        target.writestr("garciadiazmaria_LATE_1237_900_kernel.cu", "// a\n")
        target.writestr("brownbob_LATE_18_901_kernel.cu", "// b\n")
        target.writestr("studenttest_900_902_kernel.cu", "// t\n")
    roster.write_text(ROSTER, encoding="utf-8")
    table = ""
    if times:
        (tmp_path / "times.csv").write_text(times, encoding="utf-8")
        table = str(tmp_path / "times.csv")
    return take_in(source, catalogue, store.keep_file, [LAB], table, read_roster(roster))


def test_canvas_lateness_is_told_of_those_without_a_time(
    tmp_path: Path, catalogue: Catalogue, store: ResultStore
) -> None:
    def late(times: str) -> list[str]:
        problems = class_of(tmp_path, catalogue, store, times).problems
        return [note.partition(". ")[0] for note in problems if note.startswith("late in Canvas")]

    head = "student,submitted\n"
    assert late("") == ["late in Canvas: brownbob-18, garciadiazmaria-1237"]
    assert late(f"{head}mgarcia,2026-10-01T23:58:00Z\n") == ["late in Canvas: brownbob-18"]
    assert late(f"{head}mgarcia,2026-10-01T23:58:00Z\n18,2026-10-01T23:58:00Z\n") == []


def test_the_policy_and_a_regrade_take_the_rosters_names(
    tmp_path: Path, catalogue: Catalogue, store: ResultStore
) -> None:
    intake = class_of(tmp_path, catalogue, store)
    again = _regrade("mgarcia/07,18", "the machine was at fault", intake, catalogue)
    assert again
    assert again.submissions == {("garciadiazmaria-1237", LAB), ("brownbob-18", LAB)}
    with pytest.raises(UsageError, match="the students are: brownbob-18, garciadiazmaria-1237"):
        _regrade("mallory", "why", intake, catalogue)
    course = Course.model_validate(
        {
            "extension": [{"student": "mgarcia", "days": 3, "reason": "ill"}],
            "override": [{"student": "18", "lab": LAB, "points": 80, "comment": "c", "author": "a"}],
            "group": [{"members": ["mgarcia", "bob@example.org"]}],
        }
    )
    plan = make_plan("class", intake, catalogue, Conditions(), store)
    book = read_gradebook(plan.run, store, catalogue, course)
    assert [one.student for one in book.course.extension] == ["garciadiazmaria-1237"]
    assert [one.student for one in book.course.override] == ["brownbob-18"]
    assert book.course.partners("brownbob-18", LAB) == ["garciadiazmaria-1237"]
    assert not [note for note in book.notes if "does not have" in note]


def test_canvas_test_student_is_nobody(tmp_path: Path, catalogue: Catalogue, store: ResultStore) -> None:
    intake = class_of(tmp_path, catalogue, store)
    assert canvas_test_students(intake.students, intake.names, intake.canvas_ids) == ["studenttest-900"]
    plan = make_plan("class", intake, catalogue, Conditions(), store)
    book = read_gradebook(plan.run, store, catalogue, Course())
    assert book.run.students == ["brownbob-18", "garciadiazmaria-1237"]
    assert {student for student, _ in book.submissions} == set(book.run.students)
    assert "studenttest-900 is Canvas's test student: left out of tables, means and exports" in book.notes
    assert canvas_test_students(["test student"], {}, {}) == [], "a folder of that name in no download of Canvas"
