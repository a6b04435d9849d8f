"""`simtlab report`: writes the report of the latest grading again, from the store alone."""

from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import DEFAULT_REPORT, DEFAULT_STORE, BuildOption, StoreOption, catalogue_of
from simtlab.errors import UsageFault
from simtlab.report.site import write_site
from simtlab.score.gradebook import read_gradebook
from simtlab.store.class_run import latest_run
from simtlab.store.results import ResultStore
from simtlab.terminal import console, harmless


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("report")(report)


def report(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")] = Path(DEFAULT_REPORT),
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
) -> None:
    """Write the report of the latest grading; open OUT/index.html, no network needed."""
    if not (store / "runs").is_dir():
        raise UsageFault(f"{store} is no store of results: run `simtlab grade DIR` first, or name one with --store")
    results = ResultStore(store)
    book = read_gradebook(latest_run(results), results, catalogue_of(build))
    console().print(harmless(f"report: {write_site(book, results, out)}"))
