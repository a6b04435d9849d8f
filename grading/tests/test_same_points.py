"""One number everywhere: for random facts and a course's policy, the points that a test works out from the stored JSON
are those of the terminal, of every page as a browser shows it, and of every export as a foreign parser reads it."""

import base64
import csv
import io
import json
import random
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page

from simtlab.export.formats import FORMATS
from simtlab.store.class_run import ClassRun, RunEntry, write_run
from simtlab.store.results import ResultStore
from simtlab.text import slug
from simtlab.verdict import Verdict
from tests.chromium import CHROMIUM
from tests.fake_checkout import FakeCheckout
from tests.graded_book import STARTED, random_facts, result_of
from tests.test_cli_after_grading import simtlab
from tests.test_export import GRADESCOPE

TILING, BANKS = "07-shared-tiling", "08-bank-conflicts"
STUDENTS = ("alice", "Ünal, Öykü", "=1+1 <b>\x1b[31m")
COURSE = """
[labs.08-bank-conflicts]
weight = 0.5
[[override]]
student = "alice"
lab = "08-bank-conflicts"
points = {points}
comment = "seen by hand"
author = "A. Teacher"
"""
Points = dict[tuple[str, str], float | None]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium found in PATH")


@pytest.fixture(scope="module")
def module_checkout(tmp_path_factory: pytest.TempPathFactory) -> FakeCheckout:
    return FakeCheckout(tmp_path_factory.mktemp("points") / "checkout")


def filled(folder: Path, draw: random.Random) -> None:
    """A store with a grading of random facts, as the grader leaves it."""
    store, entries = ResultStore(folder), []
    for student in STUDENTS:
        for lab in (TILING, BANKS):
            what = random_facts(draw)
            if isinstance(what, Verdict):
                entries.append(RunEntry(student=student, lab=lab, key=None, verdict=what, message="told"))
                continue
            result = result_of(student, lab, what, store.keep_file(b"// a kernel\n"))
            store.add(result)
            entries.append(RunEntry(student=student, lab=lab, key=result.key))
    run = ClassRun(
        class_name="class", started_at=STARTED, backend="emulator", backend_reason="asked for", seed=1,
        students=list(STUDENTS), labs=[TILING, BANKS], entries=entries, problems=[],
    )  # fmt: skip
    write_run(store, run)


def worked_out(root: Path, folder: Path) -> Points:
    """The points by this test's own arithmetic on the stored documents, lab.toml and course.toml."""
    [path] = (folder / "runs").glob("*.json")
    course = tomllib.loads((root / "course.toml").read_text(encoding="utf-8"))
    found: Points = {}
    for entry in json.loads(path.read_text(encoding="utf-8"))["entries"]:
        student, lab = entry["student"], entry["lab"]
        table = tomllib.loads((root / "labs" / lab / "lab.toml").read_text(encoding="utf-8"))["points"]
        weight = course["labs"].get(lab, {}).get("weight", 1)
        earned: float | None = 0.0 if entry["verdict"] != "internal_error" else None
        if entry["key"]:
            stored = folder / "results" / entry["key"][:2] / f"{entry['key']}.json"
            facts = json.loads(stored.read_text(encoding="utf-8"))["facts"]
            passed, total = facts["correct"]["passed"], facts["correct"]["total"]
            earned = hundredth(table["correct"] * weight * passed / total)
            if facts["correct"]["status"] == "pass":
                earned += table["safe"] * weight if facts["safe"]["status"] == "pass" else 0
                earned += hundredth(table["fast"] * weight * facts["fast"]["score"] / 100)
        for one in course["override"]:
            if (one["student"], one["lab"]) == (student, lab):
                earned = one["points"]
        found[student, lab] = None if earned is None else hundredth(earned)
    return found


def hundredth(points: float) -> float:
    return round(points + 1e-9, 2)


def number(text: str) -> float | None:
    """A number as a person reads it; a dash or nothing where a grade waits."""
    return None if text.strip() in ("–", "") else float(text)


@settings(
    max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), phases=(Phase.explicit, Phase.generate)
)
@given(seed=st.integers(0, 10**6))
def test_points_are_one_number_everywhere(
    seed: int, module_checkout: FakeCheckout, tab: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(seed)
    root = module_checkout.root
    monkeypatch.chdir(root)
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    (root / "course.toml").write_text(COURSE.format(points=hundredth(draw.uniform(0, 50))), encoding="utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        filled(folder / "store", draw)
        expected = worked_out(root, folder / "store")
        totals = {
            student: hundredth(sum(expected[student, lab] or 0 for lab in (TILING, BANKS))) for student in STUDENTS
        }
        kept = ["--store", str(folder / "store")]
        assert simtlab("report", str(folder / "report"), *kept)[0] == 0
        assert simtlab("report", "--for-students", str(folder / "students"), *kept)[0] == 0
        for kind in FORMATS:
            assert simtlab("export", kind, str(folder / kind), *kept)[0] == 0

        for (student, lab), points in expected.items():
            said = json.loads(simtlab("explain", student, lab, "--json", *kept)[1])
            assert (said["points"], said["total"]) == (points, totals[student]), "explain"
        assert in_the_terminal(simtlab("status", *kept)[1]) == (expected, totals)
        assert in_the_document(json.loads(simtlab("status", "--json", *kept)[1])) == (expected, totals)
        assert in_the_document(json.loads((folder / "json" / "grades.json").read_text("utf-8"))) == (expected, totals)
        assert on_the_class_page(tab, folder / "report") == (expected, totals)
        assert on_the_lab_pages(tab, folder / "report") == expected
        assert on_the_submission_pages(tab, folder / "report") == expected
        assert on_the_students_pages(tab, folder / "students") == expected
        final = {
            student: None if None in (expected[student, TILING], expected[student, BANKS]) else total
            for student, total in totals.items()
        }
        assert in_the_csv(folder / "csv" / "grades.csv") == (expected, final)
        assert for_canvas(folder / "canvas" / "canvas.csv") == expected
        for (student, lab), points in expected.items():
            place = f"{slug(student)}/{slug(lab)}"
            scope = json.loads((folder / "gradescope" / place / "results.json").read_text("utf-8"))
            jsonschema.validate(scope, GRADESCOPE)
            assert scope.get("score") == points, "Gradescope"
            for_autolab = folder / "autolab" / f"{place}.txt"
            last = for_autolab.read_text("utf-8").splitlines()[-1] if for_autolab.exists() else '{"scores": {}}'
            assert json.loads(last)["scores"].get(lab) == points, "Autolab"
            runner = json.loads(base64.b64decode((folder / "classroom" / f"{place}.txt").read_text("utf-8")))
            scores = [one["score"] for one in runner["tests"]]
            assert scores == ([] if points is None else [points]), "GitHub Classroom"
        assert in_junit(folder / "junit" / "junit.xml") == expected


def in_the_terminal(text: str) -> tuple[Points, dict[str, float]]:
    """From `simtlab status` at 80 columns: each line of a table begins with the student."""
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    points: Points = {}
    totals: dict[str, float] = {}
    for student in STUDENTS:
        shown = student.replace("\x1b", "\\x1b")
        lines = [line.removeprefix(shown) for line in text.splitlines() if line.startswith(f"{shown} ")]
        rest = " ".join(line for line in lines if not line.startswith(" 0"))
        cells = re.findall(r"(–|\d+(?:\.\d+)?) (?=[a-z])", rest)
        for lab, cell in zip((TILING, BANKS), cells, strict=True):
            points[student, lab] = number(cell)
        waits = None in (points[student, TILING], points[student, BANKS])
        assert rest.rstrip().endswith("…") == waits, "the total is not final"
        totals[student] = float(rest.rstrip(" …").split()[-1])
    return points, totals


def in_the_document(document: dict[str, Any]) -> tuple[Points, dict[str, float]]:
    points = {(s["student"], lab): one["points"] for s in document["students"] for lab, one in s["labs"].items()}
    return points, {one["student"]: one["total"] for one in document["students"]}


def on_the_class_page(page: Page, report: Path) -> tuple[Points, dict[str, float]]:
    page.goto((report / "index.html").as_uri())
    cells = page.eval_on_selector_all(
        "#class-table tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.innerText))"
    )
    keys = page.eval_on_selector_all(
        "#class-table tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.dataset.key))"
    )
    points, totals = {}, {}
    for student, row, sorted_by in zip(STUDENTS, cells, keys, strict=True):
        assert row[0].strip() == student.replace("\x1b", "\\x1b")
        for lab, cell, key in zip((TILING, BANKS), row[1:3], sorted_by[1:3], strict=True):
            points[student, lab] = number(cell.split()[0])
            assert float(key) == (-1 if points[student, lab] is None else points[student, lab]), "what sorting goes by"
        assert row[3].endswith("…") == (None in (points[student, TILING], points[student, BANKS]))
        totals[student] = float(row[3].rstrip(" …"))
    return points, totals


def on_the_lab_pages(page: Page, report: Path) -> Points:
    points: Points = {}
    for lab in (TILING, BANKS):
        page.goto((report / "labs" / f"{lab}.html").as_uri())
        rows = page.eval_on_selector_all("#lab-table tbody tr", "rows => rows.map(row => row.cells[2].innerText)")
        points |= {(student, lab): number(cell) for student, cell in zip(STUDENTS, rows, strict=True)}
    return points


def on_the_submission_pages(page: Page, report: Path) -> Points:
    points: Points = {}
    for student in STUDENTS:
        for lab in (TILING, BANKS):
            page.goto((report / "submissions" / f"{slug(student)}.{slug(lab)}.html").as_uri())
            points[student, lab] = number(page.locator(".big").inner_text())
            if points[student, lab] is not None:
                rows = page.locator("#points ~ .scroll tbody td:nth-child(2)").all_inner_texts()
                parts = sum(number(one.split("/")[0]) or 0 for one in rows)
                assert parts == pytest.approx(points[student, lab], abs=0.005), "the parts add up"
    return points


def on_the_students_pages(page: Page, folder: Path) -> Points:
    points: Points = {}
    for student in STUDENTS:
        page.goto((folder / slug(student) / "index.html").as_uri())
        rows = page.eval_on_selector_all("tbody tr", "rows => rows.map(row => row.cells[2].innerText)")
        points |= {(student, lab): number(row.split("/")[0]) for lab, row in zip((TILING, BANKS), rows, strict=True)}
    return points


def table_of(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"))))


def in_the_csv(path: Path) -> tuple[Points, dict[str, float | None]]:
    """The total of a student with a grade that waits is left empty, like that grade."""
    points: Points = {}
    totals: dict[str, float | None] = {}
    names = {student.replace("\x1b", "\\x1b"): student for student in STUDENTS}
    for row in table_of(path)[1:]:
        student = names[row[0].removeprefix("'")]
        if row[1] == "total":
            totals[student] = number(row[3])
        else:
            points[student, row[1]] = number(row[3])
    return points, totals


def for_canvas(path: Path) -> Points:
    head, possible, *rows = table_of(path)
    assert possible[0].strip() == "Points Possible"
    assert [possible[head.index(lab)] for lab in (TILING, BANKS)] == ["100", "50"]
    return {
        (student, lab): number(row[head.index(lab)])
        for student, row in zip(STUDENTS, rows, strict=True)
        for lab in (TILING, BANKS)
    }


def in_junit(path: Path) -> Points:
    points: Points = {}
    for student, suite in zip(STUDENTS, ET.parse(path).getroot(), strict=True):  # noqa: S314 - our own
        for case in suite.iter("testcase"):
            lab = next(lab for lab in (TILING, BANKS) if str(case.get("classname")).endswith(f".{lab}"))
            [value] = [one.get("value") for one in case.iter("property") if one.get("name") == "points"]
            points[student, lab] = number(str(value))
    return points
