"""The command `simtlab`: one module a subcommand."""

import importlib
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from simtlab import __version__
from simtlab.errors import SimtlabError, UsageError
from simtlab.full_disk import disk_sentence
from simtlab.text import printable

_MODULE_OF = {
    "grade": "grade",
    "watch": "watch",
    "list": "listing",
    "status": "listing",
    "serve": "serve",
    "test": "own_test",
    "run": "own_input",
    "report": "report",
    "compare": "compare",
    "similarity": "similarity",
    "viva": "viva",
    "explain": "explain",
    "replay": "explain",
    "export": "export",
    "audit": "audit",
    "withdraw": "audit",
    "regrade": "regrade",
    "hold": "hold",
    "release-grades": "hold",
    "gradescope": "gradescope",
    "prairielearn": "prairielearn",
    "store": "store",
    "verify": "verify",
    "variant": "variant",
    "calibrate": "calibrate",
    "canary": "canary",
    "ceilings": "ceilings",
    "claims": "claims",
    "new-lab": "new_lab",
    "lab": "lab",
    "new-course": "new_course",
    "release": "release",
    "doctor": "doctor",
}
"""Every subcommand, in the order of the help, and the module that adds it."""


def _group(**settings: Any) -> typer.Typer:
    return typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None, **settings)


class _Subcommands(TyperGroup):
    """Imports the module of the subcommand that is asked for, and all where the name is none: all together take a
    second."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - as the base class has it
        """For the help and for completion."""
        return list(_MODULE_OF)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """None where there is no such subcommand."""
        wanted = {_MODULE_OF[cmd_name]} if cmd_name in _MODULE_OF else set(_MODULE_OF.values())
        if cmd_name not in self.commands:
            for module in wanted:
                group = _group()
                importlib.import_module(f"simtlab.cli.{module}").register(group)
                self.commands.update(typer.main.get_group(group).commands)
        return super().get_command(ctx, cmd_name)


app = _group(
    name="simtlab",
    help="Grades GPU programming labs: builds, runs, judges, scores and reports a class of submissions.",
    cls=_Subcommands,
)


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
