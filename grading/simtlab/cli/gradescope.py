"""`simtlab gradescope`: grades the one submission in Gradescope's layout; what an exported autograder runs."""

import json
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from simtlab.class_run.grading import grade_class
from simtlab.class_run.plan import make_plan
from simtlab.class_run.progress import Quiet
from simtlab.cli.options import (
    DEFAULT_STORE,
    AllowWeakOption,
    BuildOption,
    JsonOption,
    LabsOption,
    PolicyOption,
    StoreOption,
    catalogue_of,
    conditions_of,
    selected_labs,
)
from simtlab.course.names import course_of_one_lab
from simtlab.errors import SimtlabError, UsageError
from simtlab.export.autograders import gradescope_result
from simtlab.intake.class_folder import read_class
from simtlab.intake.gradescope import arrange_submission
from simtlab.labs.catalogue import Catalogue
from simtlab.report.pages import replace_file
from simtlab.sandbox.layers import weakness
from simtlab.score.gradebook import read_gradebook
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal
from simtlab.text import points_text

_OURS = {
    "output": "The autograder could not grade this: a fault of ours, not yours. Your submission is kept; tell the"
    " course's staff.",
    "visibility": "visible",
}
"""Without a score: Gradescope then counts the run as failed, and no points are lost."""


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("gradescope")(gradescope)


def gradescope(
    root: Annotated[Path, typer.Argument(metavar="ROOT", help="The folder with submission/ and results/.")] = Path(
        "/autograder"
    ),
    labs: LabsOption = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Grade ROOT/submission and write ROOT/results/results.json, as Gradescope's containers have them.

    `simtlab export gradescope-autograder` makes a zip that runs this. Exit code 0: graded; else there is no score.
    """
    started = time.monotonic()
    results = root / "results" / "results.json"
    document: dict[str, Any] = dict(_OURS)
    try:
        document = _graded(root, labs, build, store, policy, allow_weak=allow_weak, quiet=as_json)
    finally:
        document["execution_time"] = round(time.monotonic() - started, 1)
        try:
            results.parent.mkdir(parents=True, exist_ok=True)
            replace_file(results, json.dumps(document, indent=1, allow_nan=False) + "\n")
        except OSError as error:
            raise UsageError(f"{results} cannot be written: {error.strerror}") from error
    if as_json:
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    if "score" not in document:
        sys.exit(1)


def _graded(
    root: Path, labs: str, build: Path | None, store: Path, policy: Path | None, *, allow_weak: bool, quiet: bool
) -> dict[str, Any]:
    """The document for Gradescope, and for the course's staff a few lines on stdout, which students do not see."""
    catalogue = catalogue_of(build)
    course = course_of_one_lab(catalogue, policy)
    lab = _only_lab(catalogue, labs)
    kept = ResultStore(store)
    conditions = replace(conditions_of(catalogue, "emulator", "", allow_weak=allow_weak), seed=kept.seed())
    with tempfile.TemporaryDirectory(prefix="simtlab-intake-") as place:
        arranged = arrange_submission(root, lab, catalogue.labs[lab].taken_files, Path(place))
        intake = read_class(arranged.folder, catalogue, kept.keep_file, [lab], arranged.handed_in)
        intake = replace(intake, names=arranged.names)
    plan = make_plan("Gradescope", intake, catalogue, conditions, kept)
    grade_class(plan, conditions, kept, Quiet(), workers=1)
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
    return gradescope_result(one, book)


def _only_lab(catalogue: Catalogue, words: str) -> str:
    chosen = selected_labs(catalogue, words) or catalogue.names
    if len(chosen) != 1:
        raise UsageError(f"Gradescope's assignments hold one lab each: name it with --labs, one of {', '.join(chosen)}")
    if chosen[0] not in catalogue.labs:
        raise UsageError(f"{chosen[0]} is not built in {catalogue.build}: run `simtlab list` to see why")
    return chosen[0]
