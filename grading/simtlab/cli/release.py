"""`simtlab release`: the students' copy, and the proof that nothing hidden is in it."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import JsonOption
from simtlab.errors import SimtlabError, UsageError
from simtlab.labs.catalogue import find_root
from simtlab.release.check import Leak, LeakSearch, find_leaks
from simtlab.release.release import release as write_release
from simtlab.release.repository import author_of, git_folder_of
from simtlab.release.solutions import read_solutions
from simtlab.terminal import LineProgress, console, escape_terminal
from simtlab.text import counted, printable

_LEAK, _OURS = 1, 3
_MOST_SHOWN = 50


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
    as_json: JsonOption = False,
) -> None:
    """Write the students' copy: no solutions, hidden cases or grading policy, and a history of one commit.

    The copy's content is checked before the copy gets its name. Exit code 0: clean; 1: something hidden would be in it,
    with the places; 2: wrong arguments; 3: a fault of ours or of a lab.
    """
    try:
        root = find_root()
        with LineProgress(sys.stderr) as progress:
            leaks = (
                find_leaks(out, LeakSearch(read_solutions(root)), progress.show)
                if check
                else write_release(root, out, author_of(author, root), progress.show)
            )
    except UsageError:
        raise
    except SimtlabError as error:
        console(stderr=True).print(escape_terminal(f"simtlab: {error}"))
        raise typer.Exit(_OURS) from error
    if as_json:
        document = {"format": "simtlab-release", "version": 1, "leaks": [leak.as_json() for leak in leaks]}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    elif leaks:
        _print(leaks, out, written=check)
    else:
        history = "" if git_folder_of(out) else " It has no git history."
        console().print(escape_terminal(f"{printable(str(out))}: nothing of solutions/ is in it.{history}"))
    if leaks:
        raise typer.Exit(_LEAK)


def _print(leaks: list[Leak], out: Path, *, written: bool) -> None:
    people = console()
    for leak in leaks[:_MOST_SHOWN]:
        people.print(escape_terminal(f"{leak.place}: {leak.what}\n  next: {leak.next_step}"), soft_wrap=True)
    if len(leaks) > _MOST_SHOWN:
        people.print(f"... and {len(leaks) - _MOST_SHOWN} more")
    ending = "" if written else "; nothing was written"
    people.print(escape_terminal(f"{printable(str(out))}: {counted(len(leaks), 'leak')}{ending}"))
