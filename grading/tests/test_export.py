"""Every format holds the gradebook's own points, read back by a parser that is not ours; no text breaks a format."""

import base64
import csv
import io
import json
import random
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from simtlab.course.course import Course
from simtlab.errors import UsageError
from simtlab.export.autograders import autolab, classroom, gradescope, junit
from simtlab.export.canvas import canvas_csv, canvas_export, read_canvas
from simtlab.export.formats import FORMATS
from simtlab.export.spreadsheet import csv_text, harmless_cell
from simtlab.export.tables import grades_csv
from simtlab.feedback.policy import Feedback, HiddenFeedback
from simtlab.score.gradebook import Gradebook
from simtlab.score.table import class_document, print_class
from simtlab.text import points_text, slug
from simtlab.verdict import Verdict
from tests.example_facts import passed_facts, wrong_facts
from tests.graded_book import book_of, random_facts

TILING, BANKS = "07-shared-tiling", "08-bank-conflicts"
HOSTILE = '=cmd|" /C calc"!A0\n<b>&\x1b[31m,;\'"'
GRADESCOPE: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"},
        "execution_time": {"type": "number"},
        "output": {"type": "string"},
        "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
        "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
        "stdout_visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
        "extra_data": {"type": "object"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["score", "max_score", "name"],
                "additionalProperties": False,
                "properties": {
                    "score": {"type": "number"},
                    "max_score": {"type": "number"},
                    "status": {"enum": ["passed", "failed"]},
                    "name": {"type": "string"},
                    "number": {"type": "string"},
                    "output": {"type": "string"},
                    "output_format": {"enum": ["text", "html", "simple_format", "md", "ansi"]},
                    "visibility": {"enum": ["hidden", "after_due_date", "after_published", "visible"]},
                },
            },
        },
        "leaderboard": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name", "value"],
                "properties": {"order": {"enum": ["asc", "desc"]}},
            },
        },
    },
}


def random_book(seed: int, course: Course | None = None) -> Gradebook:
    draw = random.Random(seed)
    names = ["alice", HOSTILE, "Ünal, Öykü", "-2+3"]
    return book_of({(name, lab): random_facts(draw) for name in names for lab in (TILING, BANKS)}, course)


def rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def points(book: Gradebook) -> dict[tuple[str, str], float | None]:
    return {key: one.grade.points if one.grade else None for key, one in book.submissions.items()}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10**6))
def test_every_export_holds_the_same_points(seed: int) -> None:
    book = random_book(seed)
    expected = points(book)
    table = {(row[0], row[1]): row[3] for row in rows(grades_csv(book)["grades.csv"])[1:]}
    canvas = rows(canvas_csv(book)["canvas.csv"])
    scopes, labs, tests = gradescope(book), autolab(book), classroom(book)
    document = {one["student"]: one for one in class_document(book)["students"]}
    cases = {
        (case.get("classname"), case.get("name")): case
        for case in ET.fromstring(junit(book)["junit.xml"]).iter("testcase")  # noqa: S314 - our own
    }
    for (student, lab), value in expected.items():
        shown = "" if value is None else points_text(value)
        assert table[harmless_cell(student), lab] == shown
        column = canvas[0].index(lab)
        [canvas_row] = [row for row in canvas[2:] if row[0] == harmless_cell(student)]
        assert canvas_row[column] == shown
        name = f"{slug(student)}/{slug(lab)}"
        scope = json.loads(scopes[f"{name}/results.json"])
        jsonschema.validate(scope, GRADESCOPE)
        assert scope.get("score") == value
        assert document[student]["labs"][lab]["points"] == value
        if value is None:
            assert f"{name}.txt" not in labs
        else:
            assert json.loads(labs[f"{name}.txt"].splitlines()[-1]) == {"scores": {lab: value}}
        runner = json.loads(base64.b64decode(tests[f"{name}.txt"]))
        assert sum(one["score"] for one in runner["tests"]) == (value or 0)
        found = [case for (_, part), case in cases.items() if part == "correct"]
        assert len(found) == len(expected)
    for student in book.run.students:
        total = "" if book.open_grades(student) else points_text(book.total(student))
        assert table[harmless_cell(student), "total"] == total
    console = Console(record=True, width=200, file=io.StringIO())
    print_class(book, console)
    shown = console.export_text()
    for student in ("alice", "-2+3"):
        assert any(
            line.startswith(student)
            and line.rstrip().removesuffix(" …").endswith(points_text(book.total(student)))
            and line.rstrip().endswith("…") == bool(book.open_grades(student))
            for line in shown.splitlines()
        )


@given(st.text(max_size=30))
def test_no_text_becomes_a_formula(text: str) -> None:
    [[cell, after]] = rows(csv_text([[text, 1.5]]))
    assert after == "1.5"
    assert not cell.lstrip(" \u00a0").startswith(("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"))
    assert "\x1b" not in cell


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\u00a0=1", "＝1"])
def test_what_a_spreadsheet_would_compute_gets_an_apostrophe(text: str) -> None:
    assert harmless_cell(text).startswith("'")


@pytest.mark.parametrize("name", FORMATS)
def test_hostile_names_stay_inside_the_folder(name: str) -> None:
    files = FORMATS[name](book_of({("../../etc", TILING): passed_facts(), (HOSTILE, TILING): wrong_facts()}))
    for path in files:
        assert ".." not in path.split("/")
        assert not path.startswith("/")


CLASSROOM_RESULT: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "status", "max_score", "tests"],
    "properties": {
        "version": {"const": 1},
        "status": {"enum": ["pass", "fail", "error"]},
        "max_score": {"type": "number"},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["name", "status", "score", "message", "test_code", "filename", "line_no", "duration"],
                "properties": {
                    "name": {"type": "string"},
                    "status": {"enum": ["pass", "fail", "error"]},
                    "score": {"type": "number"},
                    "message": {"type": "string"},
                    "test_code": {"type": "string"},
                    "filename": {"type": "string"},
                    "line_no": {"type": "integer"},
                    "duration": {"type": "number"},
                },
            },
        },
    },
}


@pytest.mark.parametrize("seed", range(8))
def test_classroom_autolab_and_junit_follow_their_readers_rules(seed: int) -> None:
    book = random_book(seed)
    for name, text in classroom(book).items():
        if name.endswith(".txt"):
            assert "\n" not in text.rstrip("\n"), "one line, as an output of a step has to be"
            jsonschema.validate(json.loads(base64.b64decode(text, validate=False)), CLASSROOM_RESULT)
    for text in autolab(book).values():
        shown, scores = map(json.loads, text.splitlines())
        assert shown["_presentation"] == "semantic"
        assert set(shown["stages"]) == set(scores["scores"]) == set(shown) - {"_presentation", "stages"}
    for suite in ET.fromstring(junit(book)["junit.xml"]).iter("testsuite"):  # noqa: S314 - our own
        cases = list(suite.iter("testcase"))
        counted = {kind: sum(case.find(one) is not None for case in cases) for kind, one in JUNIT_KINDS.items()}
        assert {kind: int(suite.get(kind, "")) for kind in counted} == counted
        assert int(suite.get("tests", "")) == len(cases)


JUNIT_KINDS = {"failures": "failure", "errors": "error", "skipped": "skipped"}


def test_hidden_cases_stay_hidden_where_the_course_says_so() -> None:
    nothing = Course(feedback=Feedback(hidden=HiddenFeedback.NOTHING))
    book = book_of({("alice", TILING): wrong_facts()}, nothing)
    for files in (gradescope(book), autolab(book), classroom(book)):
        text = "".join(base64.b64decode(one).decode() if "{" not in one else one for one in files.values())
        assert "ragged edges" not in text
        assert "65 of 2145" not in text
    scope = json.loads(next(iter(gradescope(book).values())))
    assert scope["visibility"] == "after_published"
    assert scope["tests"] == []


def test_the_workflow_names_every_lab_its_result_and_its_points() -> None:
    text = classroom(book_of({("alice", TILING): passed_facts(), ("alice", BANKS): passed_facts()}))["classroom.yml"]
    for number, lab in (("07", TILING), ("08", BANKS)):
        assert f"id: lab-{lab}\n" in text
        assert f"command: make test LAB={number} BACKEND=emulator\n" in text
        assert f"LAB-{lab.upper()}_RESULTS: ${{{{steps.lab-{lab}.outputs.result}}}}" in text
    assert f"runners: lab-{TILING},lab-{BANKS}\n" in text
    assert text.count("max-score: 100") == 2
    assert "\t" not in text


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,07-shared-tiling (4711),Current Score (read only)
,,,,,Manual Posting,
"    Points Possible",,,,,100,(read only)
"Liddell, Alice",17,s17,alice,G1,,
"Brown, Bob",18,s18,bob,G1,,
"""


def test_a_canvas_gradebook_is_matched_by_login_and_title() -> None:
    book = book_of({("alice", TILING): passed_facts(), ("s18", TILING): wrong_facts(), ("zoe", TILING): Verdict.CRASH})
    roster = read_canvas(CANVAS)
    exported = canvas_export(book, roster)
    text = rows(exported.files["canvas.csv"])
    assert text[0] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "07-shared-tiling (4711)"]
    assert text[1] == ["    Points Possible", "", "", "", "", "100"]
    assert text[2] == ["Liddell, Alice", "17", "s17", "alice", "G1", "92.5"]
    assert text[3] == ["Brown, Bob", "18", "s18", "bob", "G1", "25"]
    assert exported.unmatched == ["zoe"]
    assert [
        one["ID"] for one in read_canvas("\r\n".join(",".join(f'"{c}"' for c in row) for row in text[:4])).students
    ] == ["17", "18"]


def test_what_is_no_gradebook_is_refused() -> None:
    with pytest.raises(UsageError, match="no gradebook of Canvas"):
        read_canvas("name,mail\nalice,a@example.org\n")


def test_every_row_of_the_csv_has_the_columns_of_its_head() -> None:
    """Totals and waiting rows were a column short once the predictions had one."""
    text = rows(grades_csv(random_book(3))["grades.csv"])
    assert {len(row) for row in text} == {len(text[0])}
