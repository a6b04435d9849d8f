"""`simtlab run`: a lab's kernel once, on a small input of one's own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import BuildOption, JsonOption, catalogue_of
from simtlab.errors import UsageError


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("run")(run)


def run(
    lab: Annotated[str, typer.Argument(metavar="LAB", help="07 or 07-shared-tiling.")],
    input_file: Annotated[Path, typer.Option("--input", help="Sizes and arrays, or a picture; see docs/student.md.")],
    print_arrays: Annotated[bool, typer.Option("--print", help="Print what went in and what came out.")] = False,
    sizes: Annotated[str, typer.Option("--sizes", help="Sizes that the input leaves out: radius=5,width=8.")] = "",
    build: BuildOption = None,
    as_json: JsonOption = False,
) -> None:
    """Run labs/LAB/kernel.cu on the emulator with a small input of your own, or with a picture.

    Exit code 0: the answer is right; 1: it is not, or the kernel does not build; 2: the input does not fit the lab.
    """
    catalogue = catalogue_of(build)
    name = catalogue.resolve(lab)
    if not input_file.is_file():
        raise UsageError(f"there is no file {input_file}")
    script = catalogue.root / "harness" / "setup" / "run_lab.sh"
    words: list[str | Path] = [script, catalogue.build.resolve(), name, input_file.resolve()]
    if print_arrays:
        words.append("--print")
    if sizes:
        words += ["--sizes", sizes]
    done = subprocess.run(
        words, cwd=catalogue.root, check=False, text=True, stdout=subprocess.PIPE if as_json else None
    )
    if as_json:
        found = {"lab": name, "input": str(input_file), "exit_code": done.returncode, "right": done.returncode == 0}
        document = {"format": "simtlab-own-input", "version": 1, **found, "output": done.stdout}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    raise typer.Exit(done.returncode)
