"""Makes the example site: every kind of page, from the bundled class as it is graded here and now, and a comparison of
times that were measured on two H200."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from simtlab.compare.comparison import compare
from simtlab.compare.measurement import Measurement, ProcessRun
from simtlab.compare.points import points_lines
from simtlab.compare.sides import read_side
from simtlab.course.course import Course, Leaderboard
from simtlab.feedback.policy import HiddenFeedback
from simtlab.labs.catalogue import read_catalogue
from simtlab.report.compare_page import write_comparison
from simtlab.report.for_students import write_students_site
from simtlab.report.pages import replace_file, site_environment
from simtlab.report.site import write_site
from simtlab.score.gradebook import Gradebook, read_gradebook
from simtlab.store.class_run import latest_run
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "grading" / "tests" / "data"
SEED = 20261122  # public: the example's pages show no secret
STUDENT = "lindqvist-elin"
SLOWER, FASTER, LAB = "schmidt-lena", "okafor-amara", "08-bank-conflicts"
_PSEUDONYMS = {"lindqvist-elin": "Heron", "okafor-amara": "Otter", "schmidt-lena": "Bat", "rossi-giulia": "Newt"}
_KERNELS = ("scale", "saxpy", "transpose", "sum", "tiled product", "histogram")
"""By the number that harness/bench/noise/kernels.cu prints."""


@dataclass(frozen=True)
class ExampleSite:
    """The pages by kind, below one folder."""

    folder: Path
    pages: dict[str, Path]
    store: Path


def make_site(folder: Path, build: Path) -> ExampleSite:
    """Grades the class into `folder/results`, where that is not done yet, and writes all pages anew."""
    store = folder / "results"
    grade(store, folder / "class", build)
    results = ResultStore(store)
    course = Course(leaderboard=Leaderboard(pseudonyms=_PSEUDONYMS))
    book = read_gradebook(latest_run(results), results, read_catalogue(ROOT, build), course)
    index = write_site(book, results, folder / "class")
    only = book.run.model_copy(update={"students": [STUDENT]})
    write_students_site(replace(book, run=only), results, folder / "students", HiddenFeedback.VERDICT)
    pages = {
        "class": index,
        "lab": index.parent / "labs" / f"{LAB}.html",
        "wrong answer": index.parent / "submissions" / f"garcia-lucia.{LAB}.html",
        "unsafe": index.parent / "submissions" / f"petrov-ivan.{LAB}.html",
        "right": index.parent / "submissions" / f"{SLOWER}.{LAB}.html",
        "leaderboard": index.parent / "leaderboard.html",
        "student": folder / "students" / STUDENT / "index.html",
        "two submissions": _two_submissions(store, folder, book),
        "two terms": _two_terms(folder),
    }
    replace_file(folder / "index.html", _contents(folder, pages, book))
    return ExampleSite(folder, pages, store)


def grade(store: Path, report: Path, build: Path) -> None:
    """`simtlab grade` over the bundled class."""
    words = [sys.executable, "-m", "simtlab", "grade", "--seed", str(SEED), "--allow-weak", "--json"]
    places = ["--build", str(build), "--store", str(store), "--report", str(report)]
    done = subprocess.run([*words, *places], cwd=ROOT, stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        raise SystemExit(f"grading the bundled class ended with exit code {done.returncode}; its words are above")
    json.loads(done.stdout)


def _two_submissions(store: Path, folder: Path, book: Gradebook) -> Path:
    """As `simtlab compare schmidt-lena okafor-amara 08 --page` does."""
    a, b = (read_side(student, store, LAB) for student in (SLOWER, FASTER))
    [before], [after] = a.measurements.values(), b.measurements.values()
    names, sources = (SLOWER, FASTER), (a.sources, b.sources)
    grades = {key: one.grade for key, one in book.submissions.items() if one.grade}
    found = compare(before, after)
    points = [points_lines(found, grades, grades)]
    return write_comparison([found], [], names, sources, folder / "compare-submissions.html", points)


def _two_terms(folder: Path) -> Path:
    """Six kernels on two H200: as they are, and with 3 % less work; the same, once more, of the first two."""
    before, after = measured("h200-first.txt"), measured("h200-second.txt")
    pairs = [(key, "0.97") for key in _KERNELS if key != "sum"] + [(key, "1") for key in _KERNELS[:2]]
    found = [
        compare(_measurement(kernel, "1", before[kernel, "1"]), _measurement(kernel, share, after[kernel, share]))
        for kernel, share in pairs
    ]
    names = ("first allocation", "second allocation, with 3 % less work or unchanged")
    return write_comparison(found, [], names, (lambda _: {}, lambda _: {}), folder / "compare-terms.html")


def measured(name: str) -> dict[tuple[str, str], list[list[float]]]:
    """(kernel, share of the work) → process runs of 15 samples in milliseconds."""
    runs: dict[tuple[str, str], list[list[float]]] = {}
    for line in (SAMPLES / name).read_text(encoding="ascii").splitlines():
        number, share, *samples = line.split()
        runs.setdefault((_KERNELS[int(number)], share), []).append([float(one) for one in samples])
    return runs


def _measurement(kernel: str, share: str, runs: list[list[float]]) -> Measurement:
    return Measurement(
        student=kernel,
        lab="whole work" if share == "1" else "3 % less work",
        files={"kernels.cu": share},
        verdict=Verdict.PASS,
        score=None,
        backend="cuda",
        machine="NVIDIA H200",
        sizes={},
        runs=[ProcessRun(milliseconds=samples) for samples in runs],
    )


_CONTENTS = """{% extends "base.html" %}
{% block title %}Example site – simtlab{% endblock %}
{% block top %}<p class="path">simtlab</p>
<h1>Example site</h1>
<p class="under">The bundled class, {{ students }} students, graded on the emulator; times of two H200. Made
{{ today }} by <code>make docs</code>.</p>{% endblock %}
{% block content %}<ul>{% for name, target in pages %}<li><a href="{{ target }}">{{ name }}</a></li>
{% endfor %}</ul>{% endblock %}
"""


def _contents(folder: Path, pages: dict[str, Path], book: Gradebook) -> str:
    links = [(name, path.relative_to(folder).as_posix()) for name, path in pages.items()]
    template = site_environment().from_string(_CONTENTS)
    return template.render(pages=links, students=len(book.run.students), today=f"{datetime.now(UTC):%Y-%m-%d}")
