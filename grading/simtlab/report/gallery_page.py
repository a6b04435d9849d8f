"""Pages of the labs' ladders as pictures: the requests of each right solution. They are no pages for students."""

from dataclasses import dataclass
from pathlib import Path

from simtlab.facts.model import Facts
from simtlab.report.pages import replace_file, site_environment
from simtlab.report.request_pictures import LineFigures, request_figures

_MOST_LINES = 2
_MOST_FIGURES = 1
"""Of a line: each further one would show a border or a rare case, and the page would be too large to look at."""


@dataclass(frozen=True)
class Step:
    """One right solution of a lab."""

    name: str
    about: str
    score: float
    lines: list[LineFigures]


@dataclass(frozen=True)
class LectureFigure:
    """A figure that every lecture draws, and where the gallery has it."""

    figure: str
    lab: str
    step: str
    expected: str
    found: str


def step_of(name: str, about: str, source: str, facts: Facts) -> Step:
    """The step's dearest lines, as long as they cost more than they must; else some that don't. `source`: the kernel's
    text."""
    rows = source.splitlines()
    texts = {(line.file, line.line): rows[line.line - 1].strip() for line in facts.lines if 0 < line.line <= len(rows)}
    drawn = request_figures(facts, texts)[:_MOST_LINES]
    costly = [one for one in drawn if one.excess] or drawn
    lines = [LineFigures(one.file, one.line, one.source, one.excess, one.figures[:_MOST_FIGURES]) for one in costly]
    return Step(name, about, facts.fast.score or 0.0, lines)


def write_ladder(folder: Path, lab: str, title: str, steps: list[Step]) -> Path:
    """One lab's page, lowest score first; returns its path."""
    ordered = sorted(steps, key=lambda step: (step.score, step.name))
    text = site_environment().get_template("gallery.html").render(title=title, steps=ordered)
    replace_file(folder / f"{lab}.html", text)
    return folder / f"{lab}.html"


def write_index(folder: Path, labs: list[tuple[str, str, int]], lectures: list[LectureFigure]) -> Path:
    """The page of all labs: (name, title, steps) each."""
    text = site_environment().get_template("gallery_index.html").render(labs=labs, lectures=lectures)
    replace_file(folder / "index.html", text)
    return folder / "index.html"
