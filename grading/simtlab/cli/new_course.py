"""`simtlab new-course`: begins a course."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab import __version__
from simtlab.cli.options import BuildOption, JsonOption, selected_labs
from simtlab.installed import installed_tree
from simtlab.labs.catalogue import default_build, labs_of_package, read_catalogue
from simtlab.new_course.create import NewCourse, create_course
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted, printable


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("new-course")(new_course)


def new_course(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The course's folder: new, or empty.")],
    labs: Annotated[
        str, typer.Option("--labs", help="The course's labs: 01,07,08.", show_default="every lab there is")
    ] = "",
    build: BuildOption = None,
    as_json: JsonOption = False,
) -> None:
    """Begin a course: its labs, its policy, a sample class to grade, and the version of simtlab that grades it.

    Needs no network. Exit code 0: written; 2: the folder is in use, cannot be written, or a lab is unknown.
    """
    root = labs_of_package()
    catalogue = read_catalogue(root, (build or default_build(root)).absolute())
    chosen = selected_labs(catalogue, labs) or catalogue.names
    course = create_course(folder, sorted(set(chosen)), catalogue)
    if as_json:
        document = {
            "format": "simtlab-new-course",
            "version": 1,
            "simtlab": __version__,
            "labs": course.labs,
            "wheel": course.wheel,
            "files": [str(path.relative_to(course.folder)) for path in course.files],
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
        return
    console().print(escape_terminal(_said(course)), soft_wrap=True)  # commands stay whole


def _said(course: NewCourse) -> str:
    shown = printable(str(course.folder))
    in_checkout = [
        "  make wheel           # in this checkout; some minutes",
        f"  cp dist/simtlab-{__version__}-*.whl {shown}/wheels/",
    ]
    lines = [
        f"{shown}: {counted(len(course.labs), 'lab')}, graded by simtlab {__version__}",
        "",
        "Next:",
        *([] if course.wheel or installed_tree() else in_checkout),
        f"  cd {shown}",
        "  make grade           # the sample class; then SUBMISSIONS=your-class",
        "  git init && git add . && git commit -m 'Begin the course'",
        "",
        "It holds hidden cases and right answers: keep the repository private.",
    ]
    if not course.wheel and installed_tree():
        lines += [
            f"`make setup` on another machine takes simtlab {__version__} from pip's index, or from a file in wheels/: "
            "this package was not installed from a file that could be put there."
        ]
    return "\n".join(lines)
