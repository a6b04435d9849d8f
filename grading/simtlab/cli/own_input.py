"""`simtlab run`: a lab's kernel once, on a small input of one's own."""

import subprocess
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import BuildOption, catalogue_of
from simtlab.errors import UsageFault


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("run")(run)


def run(
    lab: Annotated[str, typer.Argument(metavar="LAB", help="07 or 07-shared-tiling.")],
    input_file: Annotated[Path, typer.Option("--input", help="Sizes and arrays; docs/student.md has the format.")],
    print_arrays: Annotated[bool, typer.Option("--print", help="Print what went in and what came out.")] = False,
    build: BuildOption = None,
) -> None:
    """Run labs/LAB/kernel.cu on the emulator with a small input of your own.

    Exit code 0: the answer is right; 1: it is not, or the kernel does not build; 2: the input does not fit the lab.
    """
    catalogue = catalogue_of(build)
    name = catalogue.resolve(lab)
    if not input_file.is_file():
        raise UsageFault(f"there is no file {input_file}")
    script = catalogue.root / "harness" / "setup" / "run_lab.sh"
    words: list[str | Path] = [script, catalogue.build.resolve(), name, input_file.resolve()]
    if print_arrays:
        words.append("--print")
    raise typer.Exit(subprocess.run(words, cwd=catalogue.root, check=False).returncode)
