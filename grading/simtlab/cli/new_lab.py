"""`simtlab new-lab`: begins a lab."""

import json
import sys
from typing import Annotated

import typer

from simtlab.cli.options import JsonOption
from simtlab.labs.catalogue import find_root
from simtlab.new_lab.create import create_lab
from simtlab.release.solutions import write_stub
from simtlab.terminal import console, escape_terminal


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("new-lab")(new_lab)


def new_lab(
    name: Annotated[str, typer.Argument(metavar="NN-NAME", help="Two digits and lower-case words: 14-occupancy.")],
    title: Annotated[str, typer.Option(help="The lab's title; the name's words by default.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Begin a lab: labs/NN-NAME and solutions/NN-NAME, with FILL IN at every place that needs you.

    Exit code 0: written; 2: that is not a lab's name, or it is taken.
    """
    root = find_root()
    files = create_lab(root, name, title)
    files.append(write_stub(root, name))
    if as_json:
        written = [str(path.relative_to(root)) for path in files]
        sys.stdout.write(json.dumps({"format": "simtlab-new-lab", "version": 1, "files": written}, indent=1) + "\n")
        return
    out = console()
    for path in files:
        out.print(escape_terminal(str(path.relative_to(root))))
    number = name.split("-")[0]
    out.print(
        f"\nNext: fill in what says FILL IN (docs/lab-author.md is the guide), then\n"
        f"  make setup                     # once: builds the labs, and puts simtlab into .venv/bin\n"
        f"  .venv/bin/simtlab lab check {number}     # writes the stub, builds the labs, proves this one"
    )
