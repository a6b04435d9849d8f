"""Gradebooks of synthetic facts: no judge, no files; for what is only arithmetic and pages."""

import copy
import random
from datetime import UTC, datetime
from typing import Any

from simtlab.course.arithmetic import counted_specification, with_policy
from simtlab.course.course import Course
from simtlab.labs.specification import LabSpecification, PointsTable
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.score.points import grade_from_facts, grade_without_facts
from simtlab.store.class_run import ClassRun
from simtlab.store.key import KeyParts
from simtlab.store.result import Result
from simtlab.verdict import Verdict
from tests.example_facts import facts_of, passed_facts, unsafe_facts, wrong_facts

STARTED = datetime(2026, 10, 1, 12, tzinfo=UTC)


def specification(title: str = "a lab", correct: float = 50, safe: float = 20, fast: float = 30) -> LabSpecification:
    return LabSpecification(title=title, points=PointsTable(correct=correct, safe=safe, fast=fast))


def result_of(student: str, lab: str, document: dict[str, Any], digest: str = "0" * 64, seed: int = 1) -> Result:
    """A result that holds the facts."""
    facts = facts_of({**document, "lab": lab, "submission": "s"})
    parts = KeyParts(
        student=student, lab=lab, files={"kernel.cu": digest}, specification="s", backend=facts.backend, gpu="",
        seed=seed, limits=[], runner_prefix=[], sandbox=[], grader_version="1", attempt=1,
    )  # fmt: skip
    return Result(
        key=parts.key, parts=parts, verdict=facts.verdict, message=facts.message, compiler=None, facts=facts,
        graded_at=STARTED, seconds=1.0,
    )  # fmt: skip


def book_of(
    documents: dict[tuple[str, str], dict[str, Any] | Verdict],
    course: Course | None = None,
    handed_in: datetime | None = None,
    digest: str = "0" * 64,
) -> Gradebook:
    """A gradebook of facts, or of verdicts where nothing ran; a missing pair was not handed in."""
    course = course or Course()
    students = list(dict.fromkeys(student for student, _ in documents))
    labs = sorted({lab for _, lab in documents})
    run = ClassRun(
        class_name="the class", started_at=STARTED, backend="emulator", backend_reason="asked for", seed=1,
        students=students, labs=labs, entries=[], problems=[],
    )  # fmt: skip
    specifications = {lab: counted_specification(specification(f"title of {lab}"), course, lab) for lab in labs}
    book = Gradebook(run, specifications, course=course)
    for student in students:
        for lab in labs:
            table = specifications[lab].points
            what = documents.get((student, lab), Verdict.NOT_SUBMITTED)
            result = None if isinstance(what, Verdict) else result_of(student, lab, what, digest)
            if result is None or result.facts is None:
                grade = grade_without_facts(what if isinstance(what, Verdict) else Verdict.CRASH, "told", table)
            else:
                grade = grade_from_facts(result.facts, table)
            grade = with_policy(grade, course, student, lab, handed_in)
            book.submissions[student, lab] = GradedSubmission(
                student, lab, grade, result, handed_in, course.due(student, lab)
            )
    return book


def random_facts(draw: random.Random) -> dict[str, Any] | Verdict:
    """Facts of any end, with random cases passed, scores and samples."""
    kind = draw.choice(["pass", "pass", "pass", "unsafe", "wrong", "missing", "ours"])
    if kind == "missing":
        return draw.choice([Verdict.NOT_SUBMITTED, Verdict.COMPILE_ERROR, Verdict.FORBIDDEN])
    if kind == "ours":
        return Verdict.INTERNAL_ERROR
    document = copy.deepcopy({"pass": passed_facts, "unsafe": unsafe_facts, "wrong": wrong_facts}[kind]())
    if kind == "wrong":
        total = draw.randint(2, 13)
        document["correct"] = {"status": "fail", "passed": draw.randint(0, total - 1), "total": total}
    else:
        document["fast"]["score"] = round(draw.uniform(0, 100), draw.randint(0, 6))
        for criterion in document["fast"]["criteria"]:
            criterion["fraction"] = draw.random()
            criterion["value"] = draw.uniform(0.1, 2)
    return document
