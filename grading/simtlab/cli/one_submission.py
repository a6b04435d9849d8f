"""Grading the one submission of a container that another system starts: Gradescope's, PrairieLearn's."""

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from simtlab.class_run.grading import grade_class
from simtlab.class_run.plan import make_plan
from simtlab.class_run.progress import Quiet
from simtlab.cli.options import backend_of, catalogue_of, conditions_of, selected_labs
from simtlab.course.names import course_of_one_lab
from simtlab.errors import SimtlabError, UsageError
from simtlab.executors.choose import executor_of
from simtlab.intake.arranged import Arranged
from simtlab.intake.class_folder import read_class
from simtlab.labs.catalogue import Catalogue
from simtlab.report.pages import replace_file
from simtlab.sandbox.layers import weakness
from simtlab.score.gradebook import Gradebook, GradedSubmission, read_gradebook
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal
from simtlab.text import points_text

Arrange = Callable[[str, list[str], Path], Arranged]
"""Brings the submission into an empty folder, by lab and the files that the lab takes."""


def grade_one(
    system: str,
    arrange: Arrange,
    labs: str,
    build: Path | None,
    store: Path,
    policy: Path | None,
    *,
    allow_weak: bool,
    quiet: bool,
    by_course: bool = False,
) -> tuple[GradedSubmission, Gradebook]:
    """The graded submission; for the course's staff a few lines on stdout, which students do not see. `by_course`: not
    in a container of its own but by the course's backend and executor, into the course's store, beside its gradings."""
    catalogue = catalogue_of(build)
    course = course_of_one_lab(catalogue, policy)
    lab = _only_lab(system, catalogue, labs)
    kept = ResultStore(store)
    backend = backend_of(course.backend, course.engine) if by_course else "emulator"
    conditions = replace(conditions_of(catalogue, backend, "", allow_weak=allow_weak), seed=kept.seed())
    with tempfile.TemporaryDirectory(prefix="simtlab-intake-") as place:
        arranged = arrange(lab, catalogue.labs[lab].taken_files, Path(place))
        intake = read_class(arranged.folder, catalogue, kept.keep_file, [lab], arranged.handed_in)
        intake = replace(intake, names=arranged.names)
    plan = make_plan(system, intake, catalogue, conditions, kept)
    executor = executor_of(course.executor, catalogue, conditions, kept, 1) if by_course else None
    grade_class(plan, conditions, kept, Quiet(), workers=1, executor=executor, counts=not by_course)
    book = read_gradebook(plan.run, kept, catalogue, course)
    [one] = book.submissions.values()
    out = console()
    out.quiet = quiet
    out.print(
        escape_terminal(weakness(conditions.sandbox.layers, conditions.backend) or "sandbox: every layer is active")
    )
    out.print(escape_terminal(f"sandbox layers: {', '.join(conditions.sandbox.layers) or 'none'}"))
    if one.grade is None:
        raise SimtlabError("the grading was stopped before its result was there")
    points = "waits" if one.grade.points is None else points_text(one.grade.points)
    out.print(
        escape_terminal(f"{one.student}, {lab}: {one.grade.verdict.words}, {points} of {points_text(book.possible)}")
    )
    if one.grade.waiting:
        out.print(escape_terminal(one.grade.message))
    return one, book


def write_document(document: dict[str, Any], path: Path, *, as_json: bool) -> None:
    """Writes what the other system reads, whole or not at all, and prints it where asked for."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_file(path, json.dumps(document, indent=1, allow_nan=False) + "\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    if as_json:
        sys.stdout.write(json.dumps(document, indent=1) + "\n")


def _only_lab(system: str, catalogue: Catalogue, words: str) -> str:
    chosen = selected_labs(catalogue, words) or catalogue.names
    if len(chosen) != 1:
        raise UsageError(f"{system}'s assignments hold one lab each: name it with --labs, one of {', '.join(chosen)}")
    if chosen[0] not in catalogue.labs:
        raise UsageError(f"{chosen[0]} is not built in {catalogue.build}: run `simtlab list` to see why")
    return chosen[0]
