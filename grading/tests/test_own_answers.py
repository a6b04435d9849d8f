"""Answers under another name than the student's are pointed out to the grader, and to nobody else."""

import io
import json
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from rich.console import Console

from simtlab.course.course import Course
from simtlab.feedback.policy import HiddenFeedback
from simtlab.feedback.students_view import for_student
from simtlab.labs.specification import PointsTable
from simtlab.predict.model import Predictions
from simtlab.predict.names import other_name, same_name, spellings
from simtlab.report.anonymous import anonymised
from simtlab.report.for_students import write_students_site
from simtlab.report.site import write_site
from simtlab.score.gradebook import Gradebook, name_the_answers
from simtlab.score.points import grade_from_facts
from simtlab.score.table import class_document, print_class
from simtlab.store.results import ResultStore
from tests.example_facts import facts_of, passed_facts
from tests.graded_book import book_of

TILING = "07-shared-tiling"


def predictions(name: str, answered: int = 4) -> Predictions:
    return Predictions(student=name, right=2, answered=answered, total=4)


@pytest.mark.parametrize(
    ("typed", "known"),
    [
        ("Elin Lindqvist", "lindqvist-elin"),
        ("ann", "ANN@example.org"),
        ("ann@example.org", "ann"),
        ("Lee, Ann", "leeann"),
        ("Ann Lee", "Lee, Ann Marie"),
        ("Jürgen Groß", "juergen.gross"),
        ("Jürgen Groß", "Gross, Jurgen"),
        ("Łukasz", "lukasz"),
        ("Søren Å", "soren-a"),
        ("王小明", "王小明"),
        ("O’Brien", "obrien"),
        ("ＡＤＡ", "ada"),
    ],
)
def test_one_person_is_written_in_many_ways(typed: str, known: str) -> None:
    assert same_name(typed, known)


@pytest.mark.parametrize(
    ("typed", "known"), [("ann", "anna"), ("lee", "leeann"), ("Ann Lee", "Ann"), ("", ""), ("-", "_")]
)
def test_who_is_somebody_else_is_not_taken_for_the_student(typed: str, known: str) -> None:
    assert not same_name(typed, known)


_NAMES = st.text(st.sampled_from("abcÄöüßéłŚ王9 ,.-'’"), min_size=1, max_size=14).filter(
    lambda name: bool(spellings(name))
)


@given(_NAMES)
@example("ß-Ä")
def test_no_way_of_writing_ones_own_name_is_pointed_out(name: str) -> None:
    for typed in (name, name.upper(), f" {name} ", unicodedata.normalize("NFD", name), f"{name}@example.org"):
        assert other_name(predictions(typed), [name], {"a": [name], "b": [typed]}) is None


@pytest.mark.parametrize(
    "typed",
    ["alice\u0305\u034d", "a\u200blice", "ａlice", "al\u00adice", "lee alice lee", "alice x lee", "alice lee lee lee"],
)
def test_letters_that_draw_other_numbers_under_ones_own_name_are_pointed_out(typed: str) -> None:
    known = ["alice", "alice lee"]
    found = other_name(predictions(typed), known, {"alice": known})
    assert found
    assert found.mark == "other name"
    assert found.own == any(same_name(typed, one) for one in known)
    if found.own:
        assert ascii(typed) in found.sentence


@given(_NAMES, st.text(st.sampled_from("\u0300\u0305\u034d\u200b\u00ad\ufe0f"), min_size=1, max_size=3))
def test_no_mark_that_is_not_seen_draws_numbers_unnoticed(name: str, marks: str) -> None:
    typed = name + marks
    assume(unicodedata.normalize("NFC", typed) not in name)
    assume(all(unicodedata.category(c)[0] in "MC" for c in unicodedata.normalize("NFC", typed)[-len(marks) :]))
    assert other_name(predictions(typed), [name], {"a": [name]}) is not None


@given(st.lists(_NAMES, min_size=2, max_size=5, unique=True))
@example(["99.9", "99.9.9"])
def test_another_students_name_is_told_as_theirs(names: list[str]) -> None:
    mine, *others = names
    everybody = {name: [name] for name in names}
    for name in others:
        found = other_name(predictions(name), [mine], everybody)
        if same_name(mine, name):  # one's own, perhaps with a word more, which draws other numbers
            assert found is None or found.own
            continue
        assert found
        alike = [each for each in names if same_name(name, each)]
        assert found.student == (name if alike == [name] else "")


@given(_NAMES, _NAMES)
def test_both_are_the_same_whichever_comes_first(one: str, other: str) -> None:
    assume(one != other)
    assert same_name(one, other) == same_name(other, one)


def test_nothing_is_said_where_nothing_was_answered_and_no_name_is_told() -> None:
    assert other_name(None, ["ada"], {}) is None
    assert other_name(predictions("bob", answered=0), ["ada"], {}) is None
    found = other_name(predictions("  "), ["ada"], {})
    assert found
    assert found.sentence == "predict.toml has no name: its numbers are the same for all who left it out"


def graded(names: dict[str, str], course: Course | None = None, known: dict[str, list[str]] | None = None) -> Gradebook:
    """A book in which each student answered under a name."""
    book = book_of({(student, TILING): passed_facts() for student in names}, course)
    table = PointsTable(correct=50, safe=20, fast=20, predict=10)
    for key, one in book.submissions.items():
        assert one.result
        said = predictions(names[one.student])
        grade = grade_from_facts(facts_of(passed_facts()), table, said)
        result = one.result.model_copy(update={"predictions": said})
        book.submissions[key] = replace(one, grade=grade, result=result)
    book = replace(book, run=book.run.model_copy(update={"names": known or {}}))
    name_the_answers(book)
    return book


NAMES = {"ada17": "ada17", "bob3": "Ada Lovelace", "carol": "", "dave": "someone"}
KNOWN = {"ada17": ["Ada Lovelace", "ada17@example.org"]}


def test_the_class_table_the_pages_and_the_document_point_it_out(tmp_path: Path) -> None:
    book = graded(NAMES, known=KNOWN)
    console = Console(record=True, width=120, file=io.StringIO())
    print_class(book, console)
    text = console.export_text()
    rows = {line.split()[0]: line for line in text.splitlines() if "pass" in line and line.split()[0] in NAMES}
    assert ("other name" in rows["bob3"], "no name" in rows["carol"], "other name" in rows["dave"]) == (True,) * 3
    assert "name" not in rows["ada17"]
    theirs = "predict.toml has the name Ada Lovelace, which is ada17 of this class"
    assert f"answers: bob3 {TILING}: {theirs}" in text
    students = {one["student"]: one["labs"][TILING]["other_name"] for one in class_document(book)["students"]}
    assert students["ada17"] is None
    assert students["bob3"] == {"name": "Ada Lovelace", "student": "ada17", "own": False, "sentence": theirs}
    store = ResultStore(tmp_path / "store")
    store.keep_file(b"")
    page = write_site(book, store, tmp_path / "report")
    assert theirs in page.read_text(encoding="utf-8")
    assert theirs in (tmp_path / "report" / "submissions" / f"bob3.{TILING}.html").read_text(encoding="utf-8")
    assert "has the name" not in (tmp_path / "report" / "submissions" / f"ada17.{TILING}.html").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("policy", HiddenFeedback)
def test_no_student_reads_it(tmp_path: Path, policy: HiddenFeedback) -> None:
    book = graded(NAMES, known=KNOWN)
    for one in book.submissions.values():
        assert for_student(one, book.specifications[TILING], policy).other_name is None
    write_students_site(book, ResultStore(tmp_path / "store"), tmp_path / "pages", policy)
    text = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "pages").rglob("*.html"))
    assert "of this class" not in text
    assert "other name" not in text


def test_partners_answer_under_either_name() -> None:
    course = Course.model_validate({"group": [{"members": ["ada17", "bob3"]}]})
    book = graded(NAMES, course, KNOWN)
    assert book.submissions["bob3", TILING].other_name is None


def test_an_anonymous_report_names_nobody_by_their_answers(tmp_path: Path) -> None:
    book = anonymised(graded(NAMES, known=KNOWN), 7)
    text = json.dumps(class_document(book))
    store = ResultStore(tmp_path / "store")
    store.keep_file(b"")
    write_site(book, store, tmp_path / "report")
    text += "".join(path.read_text(encoding="utf-8") for path in (tmp_path / "report").rglob("*.html"))
    assert "Lovelace" not in text
    assert "ada17" not in text
    assert "which is student-" in text
