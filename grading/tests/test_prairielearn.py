"""PrairieLearn's results by a schema of its documentation's rules, and a job graded as an external grader does it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simtlab.course.course import Course
from simtlab.export.prairielearn import prairielearn
from simtlab.feedback.policy import Feedback, HiddenFeedback
from simtlab.text import slug
from simtlab.verdict import Verdict
from tests.example_facts import unsafe_facts, wrong_facts
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.graded_book import book_of
from tests.test_cli_after_grading import simtlab
from tests.test_export import random_book

LAB = "07-shared-tiling"
MOST_BYTES = 1_000_000
_IMAGES = {
    "type": "array",
    "items": {
        "anyOf": [
            {"type": "string"},
            {
                "type": "object",
                "required": ["url"],
                "properties": {"url": {"type": "string"}, "label": {"type": "string"}},
            },
        ]
    },
}
RESULTS: dict[str, Any] = {
    "$comment": "The section Grading results of docs/externalGrading.md in PrairieLearn's sources.",
    "type": "object",
    "properties": {
        "gradable": {"type": "boolean"},
        "score": {"type": "number", "minimum": 0, "maximum": 1},
        "message": {"type": "string"},
        "output": {"type": "string"},
        "images": _IMAGES,
        "format_errors": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "tests": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["name"],
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string"},
                    "description": {"type": "string"},
                    "points": {"type": "number"},
                    "max_points": {"type": "number"},
                    "message": {"type": "string"},
                    "output": {"type": "string"},
                    "images": _IMAGES,
                },
            },
        },
    },
    "if": {"properties": {"gradable": {"const": False}}, "required": ["gradable"]},
    "then": {"required": ["format_errors"], "not": {"required": ["score"]}},
    "else": {"required": ["score"]},
}


def document(text: str) -> dict[str, Any]:
    assert len(text.encode()) <= MOST_BYTES
    found: dict[str, Any] = json.loads(text)
    jsonschema.validate(found, RESULTS)
    return found


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_every_result_is_valid_and_has_the_gradebooks_fraction(seed: int) -> None:
    book = random_book(seed)
    files = prairielearn(book)
    for (student, lab), one in book.submissions.items():
        assert one.grade
        found = document(files[f"{slug(student)}/{slug(lab)}/results.json"])
        free = one.grade.points is None or one.grade.verdict in (Verdict.NOT_SUBMITTED, Verdict.COMPILE_ERROR)
        assert found.get("gradable", True) is not free
        if not free and one.grade.points is not None:
            assert found["score"] * one.grade.possible == pytest.approx(one.grade.points)
            assert sum(test["points"] for test in found["tests"]) == pytest.approx(one.grade.points)


def test_what_does_not_compile_costs_no_attempt_and_a_fault_of_ours_no_points() -> None:
    book = book_of({("a", LAB): Verdict.COMPILE_ERROR, ("b", LAB): Verdict.INTERNAL_ERROR, ("c", LAB): unsafe_facts()})
    own, ours, unsafe = (document(text) for text in prairielearn(book).values())
    assert own["gradable"] is ours["gradable"] is False
    assert "fault of ours" in ours["format_errors"][0]
    assert unsafe["score"] == 0.725


def test_hidden_cases_stay_hidden_where_the_course_says_so() -> None:
    nothing = Course(feedback=Feedback(hidden=HiddenFeedback.NOTHING))
    [text] = prairielearn(book_of({("alice", LAB): wrong_facts()}, nothing)).values()
    assert "ragged edges" not in text
    assert document(text)["tests"] == []


@pytest.mark.parametrize("text", ["a", "\u0001", "\ud800", "王"])
def test_a_long_message_stays_below_a_megabyte(text: str) -> None:
    book = book_of({("a", LAB): Verdict.CRASH})
    [one] = book.submissions.values()
    assert one.grade
    book.submissions["a", LAB] = replace(one, grade=one.grade.model_copy(update={"message": text * 2_000_000}))
    [found] = prairielearn(book).values()
    assert document(found)["output"].startswith("crash")


@pytest.fixture
def fake(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    return checkout


def job(root: Path, text: str | None) -> Path:
    """/grade as PrairieLearn makes it: the folder of results is the grader's to make."""
    (root / "student").mkdir(parents=True)
    (root / "data").mkdir()
    (root / "data" / "data.json").write_text("{}", encoding="utf-8")
    if text is not None:
        (root / "student" / "kernel.cu").write_text(text, encoding="utf-8")
    return root


@pytest.mark.parametrize(("wish", "score"), [("unsafe", 0.725), ("wrong_answer", 0.25), ("full", 1.0)])
def test_a_job_gets_the_points_that_a_grading_gives(
    fake: FakeCheckout, tmp_path: Path, wish: str, score: float
) -> None:
    root = job(tmp_path / "grade", f"{KERNEL}// fake judge: {wish}\n")
    code, text = simtlab("prairielearn", str(root), "--labs", "07")
    assert code == 0, text
    assert document((root / "results" / "results.json").read_text(encoding="utf-8"))["score"] == score


def test_a_job_without_a_file_or_with_one_that_does_not_compile_is_not_gradable(
    fake: FakeCheckout, tmp_path: Path
) -> None:
    for name, text in (("none", None), ("error", f"{KERNEL}// fake compiler: error\n")):
        root = job(tmp_path / name, text)
        assert simtlab("prairielearn", str(root), "--labs", "07")[0] == 0
        found = document((root / "results" / "results.json").read_text(encoding="utf-8"))
        assert found["gradable"] is False


def test_our_fault_leaves_a_result_that_costs_nothing(fake: FakeCheckout, tmp_path: Path) -> None:
    root = job(tmp_path / "grade", "x")
    code, text = simtlab("prairielearn", str(root), "--labs", "99")
    assert code == 2, text
    assert document((root / "results" / "results.json").read_text(encoding="utf-8"))["gradable"] is False
    code, text = simtlab("prairielearn", str(tmp_path / "absent"), "--labs", "07")
    assert (code, "is no folder: expected a job of PrairieLearn" in text) == (2, True)
