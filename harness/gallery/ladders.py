"""The labs' ladders as pictures: `python -m gallery.ladders [LAB…]` grades every right solution on the emulator and
writes docs/gallery, one page a lab and an index.

What was graded is kept in build/docs/gallery-results, so that a second run only draws. The index compares five figures
that every lecture draws with what is counted here.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.worker import grade_submission
from simtlab.facts.model import Facts
from simtlab.labs.catalogue import Lab, read_catalogue
from simtlab.labs.variants import variants_of
from simtlab.report.gallery_page import LectureFigure, Step, step_of, write_index, write_ladder
from simtlab.store.results import ResultStore
from simtlab.text import counted
from simtlab.verify.lab import plan_of
from simtlab.verify.specimen import Specimen, right_specimens

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "docs" / "gallery"


@dataclass(frozen=True)
class Lecture:
    """A figure of the lectures: a step of a ladder, an access of it, and what one request costs."""

    figure: str
    lab: str
    step: str
    access: str
    unit: str
    expected: int


LECTURES = (
    Lecture("aligned: 32 neighbouring words", "02-global-coalescing", "solution", "read row_major", "sector", 4),
    Lecture("shifted by a word", "02-global-coalescing", "shifted-by-one", "read row_major", "sector", 5),
    Lecture("stride of a row", "02-global-coalescing", "both-strided", "read row_major", "sector", 32),
    Lecture("broadcast: one word for all lanes", "02-global-coalescing", "solution", "read factors", "sector", 1),
    Lecture("a row of a tile", "08-bank-conflicts", "unpadded", "write tile", "wavefront", 1),
    Lecture("a column of a tile without padding", "08-bank-conflicts", "unpadded", "read tile", "wavefront", 32),
    Lecture("a column of a padded tile", "08-bank-conflicts", "solution", "read tile", "wavefront", 1),
)


def cost_of(facts: Facts, lecture: Lecture) -> int:
    """What the first picture of that access says a request costs; 0: there is none."""
    for line in facts.lines:
        for picture in line.pictures:
            cost = re.search(rf"(\d+) {lecture.unit}s?\b", picture.words)
            if picture.access == lecture.access and cost:
                return int(cost[1])
    return 0


def steps_of_lab(lab: Lab, conditions: Conditions, store: ResultStore) -> dict[str, tuple[Step, Facts]]:
    """Each right solution by its name; ValueError where one has no facts."""
    about = {variant.name: variant.about for variant in variants_of(lab.solution_folder)}
    right = right_specimens(lab)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        graded = list(pool.map(lambda one: facts_of(one, conditions, store), right))
    found = {}
    for specimen, facts in zip(right, graded, strict=True):
        name = Path(specimen.name).stem
        source = specimen.files[lab.specification.files[0]].decode()
        found[name] = step_of(name, about.get(name, "The model solution."), source, facts), facts
    return found


def facts_of(specimen: Specimen, conditions: Conditions, store: ResultStore) -> Facts:
    """Graded now, or before; ValueError where there are none."""
    plan = plan_of(specimen, conditions, store)
    result = store.get(plan.parts.key) or grade_submission(
        plan.submission, plan.lab, plan.parts, conditions, store, threading.Event()
    )
    store.add(result)
    if result.facts is None:
        message = f"{specimen.lab.name}, {specimen.name}: {result.verdict.value} {result.message}"
        raise ValueError(message)
    return result.facts


def main(arguments: list[str] | None = None) -> int:
    """Writes the pages; the index only where all labs are asked for."""
    parser = argparse.ArgumentParser(prog="gallery.ladders", description=__doc__.split("\n", 1)[0])
    parser.add_argument("labs", nargs="*", help="07 or 07-shared-tiling; default: all, and the index")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "default", help="the build tree of the labs")
    parser.add_argument("--out", type=Path, default=GALLERY, help="where the pages go (docs/gallery)")
    given = parser.parse_args(arguments)
    catalogue = read_catalogue(ROOT, given.build.absolute())
    names = [catalogue.resolve(word) for word in given.labs] or catalogue.names
    if unbuilt := [name for name in names if name not in catalogue.labs]:
        parser.error(f"{', '.join(unbuilt)}: not built in {catalogue.build}; `simtlab list` says why")
    store = ResultStore(ROOT / "build" / "docs" / "gallery-results")
    given.out.mkdir(parents=True, exist_ok=True)
    drawn: dict[str, dict[str, tuple[Step, Facts]]] = {}
    for name in names:
        lab = catalogue.labs[name]
        drawn[name] = steps_of_lab(lab, Conditions(), store)
        page = write_ladder(given.out, name, lab.specification.title, [step for step, _ in drawn[name].values()])
        print(f"{page}: {len(drawn[name])} steps, {page.stat().st_size // 1000} kB", flush=True)
    if not given.labs:
        labs = [(name, catalogue.labs[name].specification.title, len(steps)) for name, steps in drawn.items()]
        print(write_index(given.out, labs, [figure_of(one, drawn[one.lab][one.step][1]) for one in LECTURES]))
    return 0


def figure_of(lecture: Lecture, facts: Facts) -> LectureFigure:
    """The row of the index; ValueError where the figure does not come out."""
    found = cost_of(facts, lecture)
    if found != lecture.expected:
        message = f"{lecture.lab}, {lecture.step}: {counted(lecture.expected, lecture.unit)} expected, found {found}"
        raise ValueError(message)
    words = (counted(number, lecture.unit) for number in (lecture.expected, found))
    return LectureFigure(f"{lecture.figure} ({lecture.access})", lecture.lab, lecture.step, *words)


if __name__ == "__main__":
    sys.exit(main())
