"""Text from outside is text everywhere: in every member of the facts, in names, comments and pseudonyms, on every page,
on the terminal, and in every export."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from simtlab.cli.explain import _print_criteria, _print_points, _print_replay
from simtlab.compare.comparison import compare
from simtlab.compare.measurement import measurement_of
from simtlab.course.course import Course, Leaderboard, Override
from simtlab.export.formats import FORMATS
from simtlab.feedback.policy import HiddenFeedback
from simtlab.report.compare_page import write_comparison
from simtlab.report.for_students import write_students_site
from simtlab.report.site import write_site
from simtlab.score.gradebook import Gradebook
from simtlab.score.table import print_class
from simtlab.store.results import ResultStore
from tests.example_facts import timed_facts, unsafe_facts, wrong_facts
from tests.graded_book import book_of
from tests.test_report import Page

HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J\r=cmd|'/C calc'!A0</script><script>alert(1)</script>"
    "<img src=x onerror=alert(2)>\u202e\"' {{7*7}}"
)
MEMBERS = {"message", "printed", "variable", "kernel", "action", "reason", "hint", "file", "metric", "argument", "unit",
           "name", "compiler", "driver", "favour"}  # fmt: skip
LAB = "07-shared-tiling"


def poisoned(document: Any) -> Any:
    """The facts with every text that somebody else wrote replaced."""
    if isinstance(document, list):
        return [poisoned(one) for one in document]
    if not isinstance(document, dict):
        return document
    return {
        name: HOSTILE if name in MEMBERS and isinstance(value, str) else poisoned(value)
        for name, value in document.items()
    }


@pytest.fixture(scope="module")
def hostile() -> Gradebook:
    course = Course(
        leaderboard=Leaderboard(pseudonyms={HOSTILE: HOSTILE}),
        override=[Override(student=HOSTILE, lab=LAB, points=1, comment=HOSTILE, author=HOSTILE)],
    )
    facts = {"alice": unsafe_facts(), "bob": wrong_facts(), HOSTILE: timed_facts(), "=dave": wrong_facts()}
    return book_of({(student, LAB): poisoned(one) for student, one in facts.items()}, course)


def test_no_page_takes_text_for_markup(hostile: Gradebook, tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    write_site(hostile, store, tmp_path / "site")
    write_students_site(hostile, store, tmp_path / "students", HiddenFeedback.VERDICT_AND_HINT)
    measured = [measurement_of(one.result) for one in hostile.submissions.values() if one.result]
    found = [compare(one, one) for one in measured if one]
    sources = (lambda _: {HOSTILE: f"{HOSTILE}\n"}, lambda _: {HOSTILE: f"{HOSTILE}2\n"})
    write_comparison(found, [HOSTILE], (HOSTILE, HOSTILE), sources, tmp_path / "site" / "compare.html")
    pages = [Page(path) for path in tmp_path.rglob("*.html")]
    assert len(pages) >= 12
    for page in pages:
        assert page.tags.count("script") == 1, page.path
        assert (page.unbalanced, page.open) == ([], []), page.path
        assert not [name for name, _ in page.attributes if name.startswith("on")], page.path
        assert not [one for one in page.links if "<" in one or one.lower().startswith("javascript")], page.path
        assert not {"\x1b", "\x07", "\u202e", "\r"} & set(page.text), page.path
        assert "49" not in page.visible.split(), "a template inside a text was computed"


def test_no_control_character_reaches_the_terminal(hostile: Gradebook) -> None:
    out = Console(file=io.StringIO(), width=80, no_color=True, markup=False, highlight=False, emoji=False)
    print_class(hostile, out)
    for one in hostile.submissions.values():
        assert one.grade
        _print_points(one.grade, out)
        assert one.result
        assert one.result.facts
        _print_criteria(one.result.facts, out)
        _print_replay([(case, case) for case in one.result.facts.cases], one.result.facts, out)
    text = out.file.getvalue()  # type: ignore[attr-defined]
    assert "alice" in text
    assert not {"\x1b", "\x07", "\u202e", "\r"} & set(text)
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("kind", FORMATS)
def test_every_export_stays_well_formed(hostile: Gradebook, kind: str) -> None:
    for name, text in FORMATS[kind](hostile).items():
        if name.endswith(".json"):
            json.loads(text)
        elif name.endswith(".xml"):
            ET.fromstring(text)  # noqa: S314 - our own
        elif name.endswith(".csv"):
            rows = list(csv.reader(io.StringIO(text)))
            assert len({len(row) for row in rows}) == 1, "no text breaks a row"
            for cell in (cell for row in rows for cell in row):
                assert cell.replace(".", "").replace("-", "").isdigit() or not cell.lstrip().startswith(tuple("=+-@"))
                assert not {"\x1b", "\r", "\n"} & set(cell)
