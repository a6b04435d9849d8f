"""`simtlab release`: the students' copy, and the proof that nothing hidden is in it."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Annotated

import typer

from simtlab.cli.options import JsonOption, LabsOption, selected_labs
from simtlab.errors import SimtlabError, UsageError
from simtlab.labs.catalogue import default_build, find_root, is_checkout, is_course, read_catalogue
from simtlab.release.check import Leak, LeakSearch, find_leaks, leaks_of_other_labs
from simtlab.release.course_copy import release_course
from simtlab.release.release import release as write_release
from simtlab.release.repository import author_of, git_folder_of
from simtlab.release.solutions import read_solutions
from simtlab.release.students_copy import CheckoutState, checkout_state
from simtlab.terminal import LineProgress, console, escape_terminal
from simtlab.text import counted, printable

_LEAK, _OURS = 1, 3
_MOST_SHOWN = 50
_MOST_NAMED = 8


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("release")(release)


def release(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder that does not exist yet, or is empty.")],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; check the copy in OUT, and its history.")
    ] = False,
    author: Annotated[
        str | None,
        typer.Option(
            "--author", metavar='"NAME <MAIL>"', help="The author of the one commit.", show_default="git's user.name"
        ),
    ] = None,
    labs: LabsOption = "",
    as_json: JsonOption = False,
) -> None:
    """Write the students' copy: no solutions, hidden cases or grading policy, and a history of one commit.

    Git's files go out, with the contents that they have in the working tree; what git does not know is left out, and
    named. The copy's content is checked before the copy gets its name. Exit code 0: clean; 1: something hidden would be
    in it, with the places; 2: wrong arguments, or a lab whose lab.cpp git has not; 3: a fault of ours or of a lab.

    In a course without a checkout: its handouts and stubs, each byte for byte the package's, and how to test them.
    """
    root = find_root()
    if is_course(root) and not is_checkout(root):
        _release_course(root, out, labs, check=check, as_json=as_json)
        return
    try:
        chosen = selected_labs(read_catalogue(root, default_build(root)), labs) if labs else None
        state = CheckoutState() if check else checkout_state(root, chosen)
        for note in _notes(state):
            console(stderr=True).print(escape_terminal(f"note: {note}"), soft_wrap=True)
        with LineProgress(sys.stderr) as progress:
            if check:
                leaks = find_leaks(out, LeakSearch(read_solutions(root)), progress.show)
                leaks = leaks_of_other_labs(out, chosen) + leaks if chosen else leaks
            else:
                leaks = write_release(root, out, author_of(author, root), progress.show, chosen)
    except UsageError:
        raise
    except SimtlabError as error:
        console(stderr=True).print(escape_terminal(f"simtlab: {error}"))
        raise typer.Exit(_OURS) from error
    if as_json:
        document = {
            "format": "simtlab-release",
            "version": 1,
            "leaks": [leak.as_json() for leak in leaks],
            "left_out": [str(path) for path in state.left_out],
            "uncommitted": [str(path) for path in state.uncommitted],
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    elif leaks:
        _print(leaks, out, written=check)
    else:
        history = "" if git_folder_of(out) else " It has no git history."
        console().print(escape_terminal(f"{printable(str(out))}: nothing of solutions/ is in it.{history}"))
    if leaks:
        raise typer.Exit(_LEAK)


def _release_course(root: Path, out: Path, labs: str, *, check: bool, as_json: bool) -> None:
    """The copy of a course that has no checkout, and so no solutions to look for."""
    if check:
        raise UsageError("--check looks for solutions, which a course without a checkout does not have")
    catalogue = read_catalogue(root, default_build(root))
    chosen = selected_labs(catalogue, labs) or list(catalogue.names)
    written = release_course(catalogue, chosen, out)
    wheel = any(path.suffix == ".whl" for path in written)
    if as_json:
        document = {"format": "simtlab-release", "version": 1, "labs": chosen, "students_wheel": wheel}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
        return
    console().print(escape_terminal(f"{printable(str(out))}: {counted(len(chosen), 'lab')} for students"))
    if not wheel:
        console(stderr=True).print(
            "note: put simtlab_student-….whl into its wheels/ (or the course's, and release again): students install it"
        )


def _notes(state: CheckoutState) -> list[str]:
    """What of the working tree stays here, and what goes out although no commit has it."""
    notes = []
    if state.left_out:
        notes.append(f"{_named(state.left_out)}: left out, for git does not have it; git add it first")
    if state.uncommitted:
        have = "has" if len(state.uncommitted) == 1 else "have"
        files = counted(len(state.uncommitted), "file")
        notes.append(f"{files} {have} uncommitted changes, which go out as they are: {_named(state.uncommitted)}")
    return notes


def _named(paths: Sequence[PurePosixPath]) -> str:
    more = f" and {len(paths) - _MOST_NAMED} more" if len(paths) > _MOST_NAMED else ""
    return printable(", ".join(map(str, paths[:_MOST_NAMED])) + more)


def _print(leaks: list[Leak], out: Path, *, written: bool) -> None:
    people = console()
    for leak in leaks[:_MOST_SHOWN]:
        people.print(escape_terminal(f"{leak.place}: {leak.what}\n  next: {leak.next_step}"), soft_wrap=True)
    if len(leaks) > _MOST_SHOWN:
        people.print(f"... and {len(leaks) - _MOST_SHOWN} more")
    ending = "" if written else "; nothing was written"
    people.print(escape_terminal(f"{printable(str(out))}: {counted(len(leaks), 'leak')}{ending}"))
