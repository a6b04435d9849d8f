"""`simtlab report`: writes the report of the latest grading again, from the store alone."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.latest import latest_gradebook
from simtlab.cli.options import (
    DEFAULT_REPORT,
    DEFAULT_STORE,
    BuildOption,
    JsonOption,
    PolicyOption,
    StoreOption,
    catalogue_of,
    stored_results,
)
from simtlab.course.course import chosen_feedback
from simtlab.errors import UsageError
from simtlab.report.anonymous import anonymised
from simtlab.report.for_students import write_students_site
from simtlab.report.site import write_site
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("report")(report)


def report(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")] = Path(DEFAULT_REPORT),
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    for_students: Annotated[
        Path | None,
        typer.Option("--for-students", metavar="DIR", help="Write the students' pages instead: DIR/<student>/."),
    ] = None,
    feedback_hidden: Annotated[
        str | None,
        typer.Option(
            "--feedback-hidden",
            help="What students see of hidden cases: nothing, verdict, 'verdict and hint'.",
            show_default="course.toml, else verdict",
        ),
    ] = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Pseudonyms instead of names, for marking without knowing whose.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the report of the latest grading; open OUT/index.html, no network needed.

    OUT is for instructors and shows everything. With --for-students, each student gets a folder with pages that show of
    hidden cases what the course allows.
    """
    if feedback_hidden is not None and for_students is None:
        raise UsageError("--feedback-hidden is for the students' pages: give --for-students DIR, too")
    results = stored_results(store)
    catalogue = catalogue_of(build)
    book = latest_gradebook(results, catalogue, policy)
    if anonymous:
        if for_students is not None:
            raise UsageError("--anonymous is for the instructors' report: students read their own names")
        book = anonymised(book, results.seed())
    if for_students is not None:
        hidden = chosen_feedback(feedback_hidden, book.course)
        count = write_students_site(book, results, for_students, hidden)
        if as_json:
            _say(kind="students", path=str(for_students), students=count, hidden=hidden.value)
            return
        console().print(
            escape_terminal(f"{for_students}: {counted(count, 'student')}; of hidden cases: {hidden.value}")
        )
        return
    page = write_site(book, results, out)
    if as_json:
        _say(kind="class", path=str(page), students=len(book.run.students), anonymous=anonymous)
        return
    console().print(escape_terminal(f"report: {page}"))


def _say(**members: object) -> None:
    sys.stdout.write(json.dumps({"format": "simtlab-report", "version": 1, **members}, indent=1) + "\n")
