"""`simtlab export`: the grades for Canvas, Moodle, Gradescope, PrairieLearn, Autolab, GitHub Classroom, nbgrader, or a
spreadsheet."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.latest import latest_gradebook
from simtlab.cli.options import (
    DEFAULT_STORE,
    BuildOption,
    JsonOption,
    LabsOption,
    PolicyOption,
    StoreOption,
    catalogue_of,
    selected_labs,
    stored_results,
)
from simtlab.course.names import course_of
from simtlab.errors import UsageError
from simtlab.export.canvas import canvas_export, read_canvas
from simtlab.export.formats import FORMATS, write_files
from simtlab.export.gradescope_forward import write_forwarder
from simtlab.export.gradescope_zip import write_autograder
from simtlab.export.moodle import moodle_export, read_moodle
from simtlab.intake.roster import match_roster, read_roster
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted, printable

_AUTOGRADER = "gradescope-autograder"
_BY_LAB = ("moodle", "nbgrader", "prairielearn")
"""Formats that may hold some labs alone: they have no total of the course."""


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("export")(export)


def export(
    kind: Annotated[str, typer.Argument(metavar="FORMAT", help=", ".join([*FORMATS, _AUTOGRADER]) + ".")],
    out: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write into.")] = Path("export"),
    labs: LabsOption = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    roster: Annotated[
        Path | None,
        typer.Option("--roster", help="Who is in the course; for canvas and moodle, what they exported."),
    ] = None,
    allow_unmatched: Annotated[
        bool, typer.Option("--allow-unmatched", help="Exit code 0 although somebody matches no row of the roster.")
    ] = False,
    forward: Annotated[
        str,
        typer.Option(
            "--forward",
            metavar="WORDS",
            help='For gradescope-autograder: grade here, where the container comes by "ssh grader@head".',
        ),
    ] = "",
    extra: Annotated[
        list[Path] | None,
        typer.Option("--with", metavar="FILE", help="With --forward: goes in, too, as a key for ssh."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write the latest grading's points for another system; they are the same numbers as in the report.

    What students would read there follows the course's feedback policy. A grade that waits, or is held back, is left
    out or empty.
    Exit code 1: a student matches no row of --roster, or several; that student is left out, all others are exported.
    gradescope-autograder needs no grading: it writes one zip per lab, which Gradescope runs per submission (--labs 08).
    moodle, nbgrader and prairielearn take --labs, too; whoever handed in nothing has an empty cell in moodle's files.
    """
    if (forward or extra) and (kind != _AUTOGRADER or not forward):
        raise UsageError(f"--forward WORDS, and --with FILE beside it, are for {_AUTOGRADER}")
    if kind == _AUTOGRADER:
        _write_autograders(out, labs, build, store, policy, forward, extra or [], as_json=as_json)
        return
    if kind not in FORMATS:
        raise UsageError(f"there is no format {kind!r}; expected one of {', '.join([*FORMATS, _AUTOGRADER])}")
    if labs and kind not in _BY_LAB:
        those = ", ".join([*_BY_LAB, _AUTOGRADER])
        raise UsageError(f"--labs is for {those}; the other formats hold every lab of the latest grading")
    results = stored_results(store)
    catalogue = catalogue_of(build)
    everything = latest_gradebook(results, catalogue, policy)
    if chosen := selected_labs(catalogue, labs):
        everything = everything.only_labs(chosen)
    book = everything.released()
    held = sum(bool(one.held) for one in book.submissions.values())
    missing: list[str] = []
    notes: list[str] = []
    if roster is not None and kind not in ("canvas", "moodle"):
        run = book.run
        known = set(match_roster(read_roster(roster), run.students, run.names, run.canvas_ids).values())
        missing = [student for student in run.students if student not in known]
        files = FORMATS[kind](book.only(known))
    elif roster is not None:
        try:
            own = roster.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"{roster} cannot be read: {error}") from error
        exported = moodle_export(book, read_moodle(own)) if kind == "moodle" else canvas_export(book, read_canvas(own))
        files, missing, notes = exported.files, exported.unmatched, exported.notes
    else:
        files = FORMATS[kind](book)
    write_files(files, out, FORMATS[kind](everything) if held else ())
    if as_json:
        found: dict[str, object] = {"files": [str(out / name) for name in files], "unmatched": missing, "notes": notes}
        found["waiting"] = len(book.waiting)
        found["held"] = held
        sys.stdout.write(json.dumps({"format": "simtlab-export", "version": 1, "kind": kind, **found}, indent=1) + "\n")
        raise typer.Exit(1 if missing and not allow_unmatched else 0)
    output = console()
    for student in missing:
        output.print(escape_terminal(f"not exported: {printable(student)} matches no row of {roster}, or several"))
    for note in notes:
        output.print(escape_terminal(f"note: {note}"))
    output.print(escape_terminal(f"{out}: {counted(len(files), 'file')}"))
    if held:
        output.print(f"note: {counted(held, 'grade')} held back, and left out; `simtlab hold` lists them")
    if book.waiting:
        output.print(
            escape_terminal(
                f"note: {counted(len(book.waiting), 'grade waits', 'grades wait')} because of a fault of ours"
            )
        )
    if missing and not allow_unmatched:
        raise typer.Exit(1)


def _write_autograders(
    out: Path,
    labs: str,
    build: Path | None,
    store: Path,
    policy: Path | None,
    forward: str,
    extra: list[Path],
    *,
    as_json: bool,
) -> None:
    """A zip a lab. The store's seed goes in, so that Gradescope finds what a grading into this store would; a container
    that forwards needs neither seed nor judge."""
    catalogue = catalogue_of(build)
    course_of(catalogue, policy)  # a mistake in it is told here, not on Gradescope
    chosen = selected_labs(catalogue, labs) or catalogue.names
    seed = ResultStore(store).seed()
    if forward:
        places = {"--build": catalogue.build, "--store": store, "--policy": policy}
        words = [word for name, path in places.items() if path is not None for word in (name, str(path.absolute()))]
        ours = [sys.executable, "-m", "simtlab", "gradescope", "--forwarded"]
        written = [write_forwarder(lab, forward, [*ours, "--labs", lab, *words], out, extra) for lab in chosen]
    else:
        written = [write_autograder(catalogue, lab, seed, out, policy) for lab in chosen]
    if as_json:
        found = {"kind": _AUTOGRADER, "files": [str(path) for path in written], "unmatched": [], "waiting": 0}
        sys.stdout.write(json.dumps({"format": "simtlab-export", "version": 1, **found}, indent=1) + "\n")
        return
    inside = "the way to this machine is in it" if forward else "hidden cases are in it"
    for path in written:
        console().print(escape_terminal(f"{path}: {path.stat().st_size / 1e6:.1f} MB; keep it to the staff, {inside}"))
