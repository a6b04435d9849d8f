"""Results as other autograders take them: Gradescope, Autolab, GitHub Classroom, JUnit.

Where a student reads the result, the texts are those that the course's feedback policy lets a student see.
"""

import base64
import json
import re
from typing import Any
from xml.etree import ElementTree as ET

from simtlab.facts.model import Status
from simtlab.feedback.policy import HiddenFeedback
from simtlab.feedback.students_view import for_student
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.score.points import Grade, Part
from simtlab.text import points_text, printable, slug

_WORKFLOW_HEAD = """name: Autograding Tests
on: [push, workflow_dispatch, repository_dispatch]
permissions:
  checks: write
  actions: read
  contents: read
jobs:
  run-autograding-tests:
    runs-on: ubuntu-latest
    if: github.actor != 'github-classroom[bot]'
    steps:
      - name: Checkout code
        uses: actions/checkout@v4"""
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def gradescope(book: Gradebook) -> dict[str, str]:
    """`<student>/<lab>/results.json` for every graded submission; one that waits has no score and no tests."""
    files = {}
    for one in book.submissions.values():
        if one.grade and one.lab in book.specifications:
            files[f"{slug(one.student)}/{slug(one.lab)}/results.json"] = _json(gradescope_result(one, book))
    return files


def gradescope_result(one: GradedSubmission, book: Gradebook) -> dict[str, Any]:
    """The document that a Gradescope autograder leaves. Points stand in `score`, which overrides the tests' sum."""
    policy = book.course.feedback.hidden
    seen = for_student(one, book.specifications[one.lab], policy).grade
    grade = one.grade
    if grade is None or seen is None or grade.points is None:
        return {
            "output": "The grade waits because of a fault of ours; it will not lower your grade.",
            "visibility": "visible",
        }
    visibility = "after_published" if policy is HiddenFeedback.NOTHING else "visible"
    document: dict[str, Any] = {
        "score": grade.points,
        "output": _sentences(seen),
        "output_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "tests": [
            {
                "name": part.name.value,
                "number": str(number),
                "score": part.earned or 0,
                "max_score": part.possible,
                "status": "passed" if _passed(part) else "failed",
                "output": part.reason,
                "output_format": "text",
                "visibility": visibility,
            }
            for number, part in enumerate(seen.parts, 1)
        ],
        "extra_data": {
            "verdict": seen.verdict.value,
            "lab": one.lab,
            "sandbox": one.result.parts.sandbox if one.result else [],
        },
    }
    facts = one.facts
    board = book.course.leaderboard
    asked = board.is_on(one.lab) and one.student in board.pseudonyms
    if facts and facts.fast.status is not Status.NOT_MEASURED and asked:
        document["leaderboard"] = [{"name": "fast", "value": facts.fast.score}]
    return document


def autolab(book: Gradebook) -> dict[str, str]:
    """`<student>/<lab>.txt`: what an Autolab grader prints, the scores on the last line. The problem's name is the
    lab's; what waits has no file, so that no score is overwritten."""
    files = {}
    for one in book.submissions.values():
        if one.grade is None or one.grade.points is None or one.lab not in book.specifications:
            continue
        seen = for_student(one, book.specifications[one.lab], book.course.feedback.hidden).grade or one.grade
        stages = {part.name.value: {"passed": _passed(part), "hint": printable(part.reason)} for part in seen.parts}
        shown = {"_presentation": "semantic", "stages": [one.lab], one.lab: stages}
        lines = [json.dumps(shown), json.dumps({"scores": {one.lab: one.grade.points}})]
        files[f"{slug(one.student)}/{slug(one.lab)}.txt"] = "\n".join(lines) + "\n"
    return files


def classroom(book: Gradebook) -> dict[str, str]:
    """`<student>/<lab>.txt`: what the runner hands to GitHub Classroom's reporter, base64 of its JSON; and
    `classroom.yml`, the workflow that runs the labs' public tests in a student's repository."""
    files = {"classroom.yml": classroom_workflow(book)}
    for one in book.submissions.values():
        if one.grade is None or one.lab not in book.specifications:
            continue
        seen = for_student(one, book.specifications[one.lab], book.course.feedback.hidden).grade or one.grade
        text = json.dumps(classroom_result(one.grade, seen, book.course.feedback.hidden))
        files[f"{slug(one.student)}/{slug(one.lab)}.txt"] = base64.b64encode(text.encode()).decode() + "\n"
    return files


def classroom_workflow(book: Gradebook) -> str:
    """`.github/workflows/classroom.yml` for the students' copy: `make test` for each lab, then the reporter. Scores
    there are whole numbers, and all or nothing; the course's points are the grader's."""
    ids = {lab: "lab-" + re.sub(r"[^a-z0-9]+", "-", lab.lower()).strip("-") for lab in book.specifications}
    lines = _WORKFLOW_HEAD.splitlines()
    for lab, name in ids.items():
        points = round(book.specifications[lab].points.total)
        lines += [
            f"      - name: {lab}",
            f"        id: {name}",
            "        uses: classroom-resources/autograding-command-grader@v1",
            "        with:",
            f"          test-name: {lab}",
            f"          command: make test LAB={lab.split('-', 1)[0]} BACKEND=emulator",
            "          timeout: 10",
            f"          max-score: {points}",
        ]
    lines += [
        "      - name: report",
        "        uses: classroom-resources/autograding-grading-reporter@v1",
        "        env:",
    ]
    lines += [f"          {name.upper()}_RESULTS: ${{{{steps.{name}.outputs.result}}}}" for name in ids.values()]
    lines += ["        with:", f"          runners: {','.join(ids.values())}"]
    return "\n".join(lines) + "\n"


def classroom_result(grade: Grade, seen: Grade, policy: HiddenFeedback) -> dict[str, Any]:
    """The runner's result. The score of the first test carries the course's adjustments, for their sum is the grade."""
    if grade.points is None:
        return {"version": 1, "status": "error", "max_score": grade.possible, "tests": []}
    name = "all" if policy is HiddenFeedback.NOTHING else "points"
    everything = grade.points >= grade.possible
    return {
        "version": 1,
        "status": "pass" if everything else "fail",
        "max_score": grade.possible,
        "tests": [
            {
                "name": name,
                "status": "pass" if everything else "fail",
                "score": grade.points,
                "message": _sentences(seen),
                "test_code": "",
                "filename": "kernel.cu",
                "line_no": 0,
                "duration": 0,
            }
        ],
    }


def junit(book: Gradebook) -> dict[str, str]:
    """`junit.xml`: a suite a student, a case for each lab's part. What was not measured or waits is skipped, and a part
    that another one's failure took along counts as failed."""
    root = ET.Element("testsuites", name=_xml(book.run.class_name))
    for student in book.run.students:
        cases, failures, errors, skipped = [], 0, 0, 0
        for one in book.of_student(student):
            if one.grade is None:
                continue
            for part in one.grade.parts:
                case = ET.Element("testcase", classname=_xml(f"{student}.{one.lab}"), name=part.name.value)
                if one.grade.waiting:
                    ET.SubElement(case, "error", message=_xml(part.reason), type=one.grade.verdict.value)
                    errors += 1
                elif part.possible == 0:
                    ET.SubElement(case, "skipped", message=_xml(part.reason))
                    skipped += 1
                elif not _passed(part):
                    failure = ET.SubElement(case, "failure", message=_xml(part.reason), type=one.grade.verdict.value)
                    failure.text = _xml(one.grade.message)
                    failures += 1
                points = "" if one.grade.points is None else points_text(one.grade.points)
                properties = ET.SubElement(case, "properties")
                ET.SubElement(properties, "property", name="points", value=points)
                cases.append(case)
        suite = ET.SubElement(
            root, "testsuite", name=_xml(student), tests=str(len(cases)), failures=str(failures), errors=str(errors),
            skipped=str(skipped),
        )  # fmt: skip
        suite.extend(cases)
    ET.indent(root)
    return {"junit.xml": '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"}


def _passed(part: Part) -> bool:
    return part.status is Status.PASS and (part.earned or 0) > 0


def _sentences(grade: Grade) -> str:
    lines = [grade.verdict.words, *([grade.message.strip()] if grade.message.strip() else [])]
    lines += [one.reason for one in grade.adjustments]
    return printable("\n".join(lines), keep_lines=True)


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _xml(text: str) -> str:
    """Text without what XML 1.0 cannot hold."""
    return _NOT_IN_XML.sub("\ufffd", printable(text, keep_lines=True))
