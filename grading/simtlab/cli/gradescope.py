"""`simtlab gradescope`: grades the one submission in Gradescope's layout; what an exported autograder runs."""

import json
import sys
import tempfile
import time
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
from simtlab.export.autograders import gradescope_result
from simtlab.intake.arranged import Arranged
from simtlab.intake.forwarded import unpack_forwarded
from simtlab.intake.gradescope import arrange_submission

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
    forwarded: Annotated[
        bool,
        typer.Option(
            "--forwarded", help="ROOT comes as a tar on stdin, the document goes to stdout; the course grades."
        ),
    ] = False,
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Grade ROOT/submission and write ROOT/results/results.json, as Gradescope's containers have them.

    `simtlab export gradescope-autograder` makes a zip that runs this. Exit code 0: graded; else there is no score.
    With --forwarded a container elsewhere has asked: the course's backend and executor grade, into the course's store.
    """
    started = time.monotonic()
    document: dict[str, Any] = dict(_OURS)
    quiet = as_json or forwarded

    def arrange(lab: str, files: list[str], place: Path) -> Arranged:
        if not forwarded:
            return arrange_submission(root, lab, files, place)
        with tempfile.TemporaryDirectory(prefix="simtlab-forwarded-") as own:
            unpack_forwarded(sys.stdin.buffer, Path(own))
            return arrange_submission(Path(own), lab, files, place)

    try:
        one, book = grade_one(
            "Gradescope", arrange, labs, build, store, policy,
            allow_weak=allow_weak, quiet=quiet, by_course=forwarded,
        )  # fmt: skip
        document = gradescope_result(one, book)
    finally:
        document["execution_time"] = round(time.monotonic() - started, 1)
        if forwarded:
            sys.stdout.write(json.dumps(document, indent=1) + "\n")
        else:
            write_document(document, root / "results" / "results.json", as_json=False)
    if as_json and not forwarded:
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    if "score" not in document:
        sys.exit(1)
