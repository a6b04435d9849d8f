"""A warp's requests in a report: drawn as the judge draws them, and small whatever they are."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from simtlab.facts.model import DrawnRequest
from simtlab.report.request_pictures import request_figures, request_svg
from simtlab.report.site import write_site
from simtlab.store.results import ResultStore
from tests.example_facts import facts_of, passed_facts
from tests.graded_book import book_of
from tests.graded_class import TILING

GOLDEN = Path(__file__).resolve().parents[2] / "harness" / "tests" / "judge" / "golden" / "request_pictures.json"
DRAWN: dict[str, dict[str, Any]] = {one["pattern"]: one for one in json.loads(GOLDEN.read_text("utf-8"))}
LANES = [str(lane) for lane in range(32)]


def request(pattern: str) -> DrawnRequest:
    return DrawnRequest.model_validate(DRAWN[pattern]["request"])


def texts(svg: str) -> list[str]:
    """What the cells say, row after row."""
    return re.findall(r'<text class="l"[^>]*>([^<]*)</text>', svg)


def rows(svg: str) -> list[str]:
    """The rows' labels."""
    return re.findall(r'<text x="0"[^>]*>([^<]*)</text>', svg)


@pytest.mark.parametrize("pattern", DRAWN)
def test_a_report_draws_what_the_profile_draws(pattern: str) -> None:
    assert str(request_svg(request(pattern), 8)) == DRAWN[pattern]["svg"]


def test_the_lectures_figures_have_the_lectures_numbers() -> None:
    """Lane by lane, and sector by sector: what stands in the pictures is read."""
    drawn = {pattern: str(request_svg(request(pattern), 8)) for pattern in DRAWN}
    sectors = {pattern: svg.count('<rect class="m"') for pattern, svg in drawn.items()}
    assert (texts(drawn["aligned"]), sectors["aligned"]) == (LANES, 4)
    assert (texts(drawn["shifted by one"]), sectors["shifted by one"]) == (LANES, 5)
    assert rows(drawn["shifted by one"]) == ["a + 0", "a + 128"]
    assert (texts(drawn["stride 2"]), sectors["stride 2"]) == (LANES, 8)
    assert (texts(drawn["broadcast"]), sectors["broadcast"]) == (["×32"], 1)
    assert rows(drawn["column of a padded tile"]) == ["pass 1"]
    assert texts(drawn["column of a padded tile"]) == LANES
    assert rows(drawn["column of a tile"]) == [f"pass {number}" for number in range(1, 9)]
    assert request("column of a tile").more_rows == 24


def facts_with(*patterns: str, lines: int = 1) -> dict[str, Any]:
    document = passed_facts()
    document["lines"][0]["pictures"] = [DRAWN[pattern]["request"] for pattern in patterns]
    document["lines"] += [document["lines"][0] | {"line": 7 + number} for number in range(lines - 1)]
    return document


def test_the_dearest_line_comes_first_with_its_text() -> None:
    document = facts_with("aligned")
    document["lines"][1]["pictures"] = [DRAWN["column of a tile"]["request"]]
    document["lines"][1]["excess"] = 9999
    found = request_figures(facts_of(document), {("kernel.cu", 6): "x = tile[i];"})
    assert [(one.line, one.source) for one in found] == [(6, "x = tile[i];"), (4, "")]
    assert found[0].figures[0].below == "and 24 rows more"


def test_a_request_without_rows_has_words_alone() -> None:
    document = facts_with("aligned")
    bare = document["lines"][0]["pictures"][0] | {"rows": [], "agrees": True}
    document["lines"][0]["pictures"] = [bare]
    [figure] = request_figures(facts_of(document), {})[0].figures
    assert (str(figure.svg), figure.below) == ("", "")


def full_request() -> dict[str, Any]:
    """As much as a picture can hold, with names that HTML would read."""
    rows = [{"label": f"<b>{'n' * 200}&{number}", "cells": "0" * 32} for number in range(8)]
    aligned: dict[str, Any] = DRAWN["aligned"]["request"]
    return aligned | {"rows": rows, "more_rows": 100, "access": "<i>read", "words": "<script>"}


def test_a_lines_drawings_and_the_page_stay_small_whatever_is_drawn(tmp_path: Path) -> None:
    document = facts_with("aligned", lines=40)
    for line in document["lines"]:
        line["pictures"] = [full_request()] * 6
    for one in request_figures(facts_of(document), {}):
        assert sum(len(figure.svg.encode()) for figure in one.figures) <= 30_000
    text = page_of(document, tmp_path)
    assert len(text.encode()) < 150_000
    assert "Requests of the dearest lines" in text
    assert "<script>" not in text.replace("<script>\n", "").split("</main>")[0]
    assert "<i>read" not in text


def page_of(document: dict[str, Any], folder: Path) -> str:
    store = ResultStore(folder / "store")
    digest = store.keep_file("".join(f"line {number};\n" for number in range(1, 60)).encode())
    index = write_site(book_of({("alice", TILING): document}, digest=digest), store, folder / "report")
    return (index.parent / "submissions" / f"alice.{TILING}.html").read_text(encoding="utf-8")


def test_the_page_leads_from_a_drawn_line_to_the_source(tmp_path: Path) -> None:
    text = page_of(facts_with("stride 2", "column of a tile"), tmp_path)
    section = text[text.index('id="requests"') :].split("</section>")[0]
    assert '<a href="#line-4">kernel.cu:4</a>' in section
    assert "line 4;" in section
    assert section.count("<svg") == 2
    assert "and 24 rows more" in section


def test_facts_of_earlier_judges_have_no_drawings(tmp_path: Path) -> None:
    assert 'id="requests"' not in page_of(passed_facts(), tmp_path)
