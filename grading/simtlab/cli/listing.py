"""`simtlab list` and `simtlab status`: the labs there are, and how far the latest grading is."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from simtlab.cli.latest import latest_gradebook
from simtlab.cli.options import (
    DEFAULT_STORE,
    BuildOption,
    JsonOption,
    PolicyOption,
    StoreOption,
    catalogue_of,
    stored_results,
)
from simtlab.labs.catalogue import Catalogue
from simtlab.live.follow import follow_run
from simtlab.live.watch import Watch
from simtlab.score.table import class_document, print_class
from simtlab.store.class_run import latest_run
from simtlab.terminal import console, escape_terminal, plain_table
from simtlab.text import points_text


def register(app: typer.Typer) -> None:
    """Adds the subcommands."""
    app.command("list")(list_labs)
    app.command("status")(status)


def list_labs(build: BuildOption = None, as_json: JsonOption = False) -> None:
    """List the labs: title, points, and whether they are ready to grade."""
    catalogue = catalogue_of(build)
    rows = [_row(catalogue, name) for name in catalogue.names]
    if as_json:
        sys.stdout.write(json.dumps({"format": "simtlab-labs", "version": 1, "labs": rows}, indent=1) + "\n")
        return
    table = plain_table("lab", "title", "points", "state", right=("points",))
    for row in rows:
        points = "" if row["points"] is None else points_text(float(str(row["points"])))
        table.add_row(str(row["lab"]), Text(str(row["title"])), points, escape_terminal(str(row["state"])))
    out = console()
    out.print(table)
    if catalogue.unbuilt:
        out.print(escape_terminal(f"To build the labs: cmake --build {catalogue.build}"))


def _row(catalogue: Catalogue, name: str) -> dict[str, object]:
    specification = catalogue.specification(name)
    if name in catalogue.labs:
        state = "ready (" + catalogue.labs[name].build.shown_backends + ")"
        state += ", a draft" if catalogue.labs[name].specification.draft else ""
    elif name in catalogue.unbuilt:
        state = "not built"
    else:
        state = catalogue.faults[name]
    return {
        "lab": name,
        "title": specification.title if specification else "",
        "points": specification.points.total if specification else None,
        "hidden_cases": name in catalogue.labs and catalogue.labs[name].hidden is not None,
        "ready": name in catalogue.labs,
        "state": state,
    }


def status(
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    follow: Annotated[bool, typer.Option("--follow", help="Stay until the grading that runs has ended.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the latest grading: what is graded, what is still waiting. Works while a grading runs.

    `simtlab serve` shows the same as a page that follows.
    """
    results = stored_results(store)
    catalogue = catalogue_of(build)
    if follow:
        follow_run(Watch(results, latest_run(results)), console(stderr=True))
    book = latest_gradebook(results, catalogue, policy)
    if as_json:
        sys.stdout.write(json.dumps(class_document(book), indent=1) + "\n")
        return
    out = console()
    done = len(book.submissions) - len(book.ungraded)
    when = f"{book.run.started_at.astimezone():%Y-%m-%d %H:%M}"
    out.print(escape_terminal(f"{book.run.class_name}, graded from {when}: {done} of {len(book.submissions)} done"))
    for line in book.progress.sentences if book.progress else []:
        out.print(escape_terminal(line))
    print_class(book, out)
