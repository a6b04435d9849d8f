"""`simtlab prairielearn`: grades the one submission of a job of PrairieLearn; what an external grader's image runs."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from simtlab.cli.one_submission import grade_one, write_document
from simtlab.cli.options import (
    DEFAULT_STORE,
    AllowWeakOption,
    BuildOption,
    JsonOption,
    LabsOption,
    PolicyOption,
    StoreOption,
)
from simtlab.export.prairielearn import OUR_FAULT, not_gradable, prairielearn_result
from simtlab.intake.arranged import Arranged
from simtlab.intake.prairielearn import arrange_job


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("prairielearn")(prairielearn)


def prairielearn(
    root: Annotated[Path, typer.Argument(metavar="ROOT", help="The folder with student/ and results/.")] = Path(
        "/grade"
    ),
    labs: LabsOption = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Grade ROOT/student and write ROOT/results/results.json, as PrairieLearn's external graders do.

    The entrypoint of an image for one lab: `simtlab prairielearn --labs 08`. Exit code 0: the file is there and
    gradable or not by what was handed in; 1: a fault of ours, which the file calls not gradable, so no points are lost.
    """
    document: dict[str, Any] = not_gradable(OUR_FAULT)

    def arrange(lab: str, files: list[str], place: Path) -> Arranged:
        return arrange_job(root, lab, files, place)

    waits = True
    try:
        one, book = grade_one("PrairieLearn", arrange, labs, build, store, policy, allow_weak=allow_weak, quiet=as_json)
        document = prairielearn_result(one, book)
        waits = one.grade is None or one.grade.waiting
    finally:
        write_document(document, root / "results" / "results.json", as_json=as_json)
    if waits:
        sys.exit(1)
