"""`simtlab lab check`: builds labs of a checkout and proves them, in one command."""

import subprocess
from typing import Annotated

import typer

from simtlab.class_run.conditions import DEFAULT_SEED
from simtlab.cli.options import (
    AllowWeakOption,
    BackendOption,
    EngineOption,
    JsonOption,
    WorkersOption,
    backend_of,
    conditions_of,
    worker_count,
)
from simtlab.cli.verify import labs_to_verify, prove
from simtlab.errors import GraderError, UsageError
from simtlab.labs.catalogue import default_build, find_checkout, read_catalogue
from simtlab.release.solutions import write_stub
from simtlab.terminal import console, escape_terminal

_TARGET = "simtlab_judges"
_LAST_LINES = 20


def register(app: typer.Typer) -> None:
    """Adds the subcommand with its own."""
    group = typer.Typer(no_args_is_help=True, help="Work on labs of a checkout.", rich_markup_mode=None)
    group.callback()(_group)
    group.command("check")(check)
    app.add_typer(group, name="lab")


def _group() -> None:
    """Work on labs of a checkout: `simtlab lab check 99`."""


def check(
    lab: Annotated[list[str], typer.Argument(metavar="LAB…", help="99 or 99-my-topic.")],
    workers: WorkersOption = None,
    backend: BackendOption = "auto",
    engine: EngineOption = "",
    allow_weak: AllowWeakOption = False,
    all_mutants: Annotated[bool, typer.Option("--all-mutants", help="Run every mutant and variant.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the stub of a lab's solution, build the labs, and prove this one: what `simtlab verify` does, with what it
    needs. Of a draft (`draft = true` in lab.toml) what could not be proven goes into solutions/LAB/unproven.toml, and
    the reports say it.

    Exit code 0: every check passed, or of a draft stub and solution did; 1: the build or a check failed; 2: there is no
    such lab, or nothing is set up.
    """
    root = find_checkout("labs to build and prove")
    build = default_build(root)
    if not (build / "CMakeCache.txt").is_file():
        raise UsageError(f"{build} is no build tree: run `make setup` once in {root}")
    names = sorted({read_catalogue(root, build).resolve(word) for word in lab})
    people = console(stderr=True)
    for name in names:
        people.print(escape_terminal(f"stub of {name}: {write_stub(root, name).relative_to(root)}"))
    people.print(escape_terminal(f"building the labs in {build}"))
    command = ["cmake", "--build", str(build), "--target", _TARGET]
    built = subprocess.run(command, check=False, capture_output=True, text=True, errors="replace")
    if built.returncode != 0:
        last = "\n".join((built.stdout + built.stderr).rstrip().splitlines()[-_LAST_LINES:])
        raise GraderError(f"the labs do not build: mend what the compiler names, and try again\n{last}")
    catalogue = read_catalogue(root, build)
    conditions = conditions_of(catalogue, backend_of(backend, engine), "", seed=DEFAULT_SEED, allow_weak=allow_weak)
    prove(
        labs_to_verify(catalogue, names),
        catalogue,
        conditions,
        workers=worker_count(workers),
        all_mutants=all_mutants,
        keep_unproven=True,
        as_json=as_json,
    )
