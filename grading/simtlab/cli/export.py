"""`simtlab export`: the grades for Canvas, Gradescope, Autolab, GitHub Classroom, or a spreadsheet."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import DEFAULT_STORE, BuildOption, JsonOption, StoreOption, catalogue_of
from simtlab.errors import UsageFault
from simtlab.export.formats import FORMATS, write_files
from simtlab.export.tables import canvas_csv, read_canvas, unmatched
from simtlab.score.gradebook import read_gradebook
from simtlab.store.class_run import latest_run
from simtlab.store.results import ResultStore
from simtlab.terminal import console, harmless
from simtlab.text import counted, printable


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("export")(export)


def export(
    kind: Annotated[str, typer.Argument(metavar="FORMAT", help=", ".join(FORMATS) + ".")],
    out: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write into.")] = Path("export"),
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    roster: Annotated[
        Path | None, typer.Option("--roster", help="The gradebook that Canvas exported, to match its students.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the latest grading's points for another system; they are the same numbers as in the report.

    What students would read there follows the course's feedback policy. A grade that waits is left out or empty.
    """
    if kind not in FORMATS:
        raise UsageFault(f"there is no format {kind!r}; expected one of {', '.join(FORMATS)}")
    if roster is not None and kind != "canvas":
        raise UsageFault("--roster is for the format canvas")
    if not (store / "runs").is_dir():
        raise UsageFault(f"{store} is no store of results: run `simtlab grade DIR` first, or name one with --store")
    results = ResultStore(store)
    book = read_gradebook(latest_run(results), results, catalogue_of(build))
    missing: list[str] = []
    if roster is not None:
        try:
            known = read_canvas(roster.read_text(encoding="utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise UsageFault(f"{roster} cannot be read: {error}") from error
        files = canvas_csv(book, known)
        missing = unmatched(book, known)
    else:
        files = FORMATS[kind](book)
    write_files(files, out)
    if as_json:
        found = {"files": [str(out / name) for name in files], "unmatched": missing, "waiting": len(book.waiting)}
        sys.stdout.write(json.dumps({"format": "simtlab-export", "version": 1, "kind": kind, **found}, indent=1) + "\n")
        return
    output = console()
    for student in missing:
        output.print(harmless(f"note: {printable(student)} is not in {roster}"))
    output.print(harmless(f"{out}: {counted(len(files), 'file')}"))
    if book.waiting:
        output.print(
            harmless(f"note: {counted(len(book.waiting), 'grade waits', 'grades wait')} because of a fault of ours")
        )
