"""The command `simtlab`: one module a subcommand."""

import sys
from typing import Annotated

import typer

from simtlab import __version__
from simtlab.cli import (
    audit,
    calibrate,
    ceilings,
    claims,
    compare,
    doctor,
    explain,
    export,
    grade,
    gradescope,
    listing,
    new_course,
    new_lab,
    own_input,
    own_test,
    prairielearn,
    regrade,
    release,
    report,
    serve,
    similarity,
    store,
    variant,
    verify,
    viva,
    watch,
)
from simtlab.errors import SimtlabError, UsageError
from simtlab.full_disk import disk_sentence
from simtlab.text import printable

app = typer.Typer(
    name="simtlab",
    help="Grades GPU programming labs: builds, runs, judges, scores and reports a class of submissions.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for module in (
    grade,
    watch,
    listing,
    serve,
    own_test,
    own_input,
    report,
    compare,
    similarity,
    viva,
    explain,
    export,
    audit,
    regrade,
    gradescope,
    prairielearn,
    store,
    verify,
    variant,
    calibrate,
    ceilings,
    claims,
    new_lab,
    new_course,
    release,
    doctor,
):
    module.register(app)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"simtlab {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Options before the subcommand."""


def main() -> None:
    """Runs the command; an error of ours or of the user's is one message on stderr. 2: usage, 1: everything else."""
    try:
        app()
    except SimtlabError as error:
        print(f"simtlab: {printable(str(error), keep_lines=True)}", file=sys.stderr)  # noqa: T201
        sys.exit(2 if isinstance(error, UsageError) else 1)
    except OSError as error:
        sentence = disk_sentence(error)
        if sentence is None:
            raise
        print(f"simtlab: {printable(sentence)}", file=sys.stderr)  # noqa: T201
        sys.exit(1)
