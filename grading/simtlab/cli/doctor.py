"""`simtlab doctor`: what this machine has and lacks."""

import json
import sys
from dataclasses import asdict

import typer
from rich.text import Text

from simtlab.cli.options import BuildOption, JsonOption
from simtlab.doctor.checks import diagnose
from simtlab.terminal import console, escape_terminal, plain_table


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("doctor")(doctor)


def doctor(build: BuildOption = None, as_json: JsonOption = False) -> None:
    """Check compiler, emulator, labs and GPU; say what is missing and the next step.

    Exit code 0: everything that grading needs is there; 1: something is missing.
    """
    diagnoses = diagnose(build)
    if as_json:
        document = {"format": "simtlab-doctor", "version": 1, "checks": [asdict(one) for one in diagnoses]}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        out = console()
        table = plain_table("", "what", "found")
        for one in diagnoses:
            if one.present:
                mark = Text("ok", style="green")
            else:
                mark = Text("MISSING", style="bold red") if one.needed else Text("–", style="dim")
            found = escape_terminal(one.found)
            if not one.present:
                found.append(f"\nnext: {one.next_step}", style="dim")
            table.add_row(mark, Text(one.name), found)
        out.print(table)
    if any(one.needed and not one.present for one in diagnoses):
        raise typer.Exit(1)
