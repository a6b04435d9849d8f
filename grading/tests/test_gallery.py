"""docs/gallery: every right solution of every lab as pictures of its requests, numbers as the emulator counts them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simtlab.facts.model import DrawnRequest, Facts
from simtlab.labs.catalogue import default_build, find_root
from simtlab.labs.section import SOLUTION
from simtlab.report.gallery_page import LectureFigure, step_of, write_index, write_ladder
from tests.example_facts import facts_of, passed_facts

ROOT = find_root()
GALLERY = ROOT / "docs" / "gallery"
LABS = sorted(path.name for path in (ROOT / "solutions").iterdir() if (path / "kernel.cu").is_file())
FIRST = LABS[0]
UNBUILT = not (default_build(ROOT) / "labs" / FIRST / "lab.json").is_file()


def ladder(lab: str) -> set[str]:
    """The right variants, as the table of ladders has them."""
    table = (ROOT / "solutions" / "ladders.md").read_text(encoding="utf-8").split(f"\n## {lab}\n")[1].split("\n## ")[0]
    return set(re.findall(r"^\| ([a-z0-9-]+) \| [\d.]+ \|", table, re.MULTILINE))


@pytest.mark.parametrize("lab", LABS)
def test_every_right_solution_of_a_lab_is_drawn(lab: str) -> None:
    page = (GALLERY / f"{lab}.html").read_text(encoding="utf-8")
    steps = set(re.findall(r'<h2 id="([a-z0-9-]+)">', page))
    assert ladder(lab) <= steps
    assert SOLUTION in steps
    assert "<svg" in page or lab.startswith("14"), "something is drawn"


def test_the_index_has_every_lab_and_five_figures_of_the_lectures() -> None:
    page = (GALLERY / "index.html").read_text(encoding="utf-8")
    assert {link.partition("#")[0] for link in re.findall(r'href="([^"#]+\.html[^"]*)"', page)} == {
        f"{lab}.html" for lab in LABS
    }
    rows = re.findall(
        r'<tr><th scope="row">(.*?)</th><td><a href="(.*?)">.*?</a></td><td>(.*?)</td><td>(.*?)</td>', page
    )
    assert len(rows) >= 5
    for figure, link, expected, found in rows:
        assert expected == found, figure
        file, _, step = link.partition("#")
        assert f'<h2 id="{step}">' in (GALLERY / file).read_text(encoding="utf-8")


@pytest.mark.build_tree
@pytest.mark.skipif(UNBUILT, reason=f"no lab is built in {default_build(ROOT)}")
def test_a_lab_drawn_anew_is_the_page_that_stands_there(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "gallery.ladders", FIRST, "--out", str(tmp_path)]
    words += ["--build", str(default_build(ROOT))]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'harness'}:{ROOT / 'grading'}"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    page = f"{FIRST}.html"
    assert (tmp_path / page).read_text(encoding="utf-8") == (GALLERY / page).read_text(encoding="utf-8"), (
        "what is drawn has changed: run `python -m gallery.ladders`, and look at the pages"
    )


def costly_facts(*excess: int) -> Facts:
    """Facts whose lines 1, 2, … cost so much beyond the fewest."""
    picture = {"access": "read a", "words": "4 sectors.", "unit": "sector", "cells_between_bars": 8, "more_rows": 0}
    picture |= {"agrees": True, "rows": [{"label": "a + 0", "cells": "." * 32}]}
    facts = facts_of(passed_facts())
    pattern = facts.lines[0]
    return facts.model_copy(
        update={
            "lines": [
                pattern.model_copy(
                    update={"line": number, "excess": each, "pictures": [DrawnRequest.model_validate(picture)] * 2}
                )
                for number, each in enumerate(excess, 1)
            ]
        }
    )


@pytest.mark.parametrize(
    ("excess", "shown"), [((0, 7, 3), [2, 3]), ((0, 7), [2]), ((0, 0, 0), [1, 2]), ((9, 8, 7), [1, 2])]
)
def test_a_step_shows_its_dearest_lines_and_ideal_ones_only_where_none_is_dear(
    excess: tuple[int, ...], shown: list[int]
) -> None:
    step = step_of("a", "About it.", "one\ntwo\nthree\n", costly_facts(*excess))
    assert [line.line for line in step.lines] == shown
    assert [line.source for line in step.lines] == [("one", "two", "three")[number - 1] for number in shown]
    assert all(len(line.figures) == 1 for line in step.lines)


def test_pages_hold_nothing_of_the_day_they_were_made(tmp_path: Path) -> None:
    steps = [step_of("late", "x", "", costly_facts()), step_of("early", "`y`", "", costly_facts())]
    page = write_ladder(tmp_path, "01-lab", "A <lab>", steps).read_text(encoding="utf-8")
    index = write_index(
        tmp_path, [("01-lab", "A <lab>", 2)], [LectureFigure("aligned", "01-lab", "early", "4", "4")]
    ).read_text(encoding="utf-8")
    assert page.index('id="early"') < page.index('id="late"'), "equal scores stand by name"
    for text in (page, index):
        assert "A &lt;lab&gt;" in text
        assert "UTC" not in text
