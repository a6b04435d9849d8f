"""`simtlab store`: whether a store is whole, its index, its backup, and its numbers for research."""

import contextlib
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab.cli.options import (
    DEFAULT_STORE,
    JsonOption,
    StoreOption,
    stored_results,
)
from simtlab.errors import UsageError
from simtlab.store.archive import export_store, import_store
from simtlab.store.index import ResultIndex
from simtlab.store.inspection import inspect_store
from simtlab.store.research import export_research, salt_of
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted

_FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A .tar.zst file.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Adds the subcommands."""
    store = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(store, name="store", help="Look after a store of results: verify, rebuild, export, import.")
    store.command("verify")(verify)
    store.command("rebuild")(rebuild)
    store.command("export")(export)
    store.command("import")(import_)
    store.command("research")(research)


def verify(store: StoreOption = Path(DEFAULT_STORE), as_json: JsonOption = False) -> None:
    """Read every file of a store and compare it with its name; change nothing.

    Exit code 0: the store is whole; 1: something is damaged, missing or foreign; 2: there is no store.
    """
    found = inspect_store(stored_results(store, "results"))
    if as_json:
        document = {
            "format": "simtlab-store-inspection",
            "version": 1,
            "counts": found.counts,
            "problems": found.problems,
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        for problem in found.problems:
            console().print(escape_terminal(problem), style="red", soft_wrap=True)
        held = ", ".join(f"{count} in {name}/" for name, count in found.counts.items())
        console().print(escape_terminal(f"{store}: {held}; {counted(len(found.problems), 'problem')}"), soft_wrap=True)
    if found.problems:
        raise typer.Exit(1)


def rebuild(store: StoreOption = Path(DEFAULT_STORE), as_json: JsonOption = False) -> None:
    """Make the index of a store anew from its results. Gradings do so by themselves where it is damaged."""
    results = stored_results(store, "results")
    (store / "index.sqlite").unlink(missing_ok=True)
    with contextlib.closing(ResultIndex(results)) as index:
        left = len(set(results.keys())) - index.count()
        words = f"{store}/index.sqlite: {counted(index.count(), 'result')}"
        _say(words, as_json, kind="index", results=index.count(), unreadable=left)
    if left and not as_json:
        console().print(f"{counted(left, 'file')} could not be read: `simtlab store verify` names them", style="red")
    if left:
        raise typer.Exit(1)


def export(file: _FileArgument, store: StoreOption = Path(DEFAULT_STORE), as_json: JsonOption = False) -> None:
    """Write a store into one file with checksums: a term's backup, or its move to another machine.

    The file has students' code and the secret seed: only its owner may read it.
    """
    count = export_store(stored_results(store, "results"), file)
    _say(f"{file}: {counted(count, 'file')} of {store}", as_json, kind="archive", path=str(file), files=count)


def import_(file: _FileArgument, store: StoreOption = Path(DEFAULT_STORE), as_json: JsonOption = False) -> None:
    """Add what FILE has to a store, which is made where there is none. What the store has stays as it is.

    A damaged file changes nothing. Exit code 1: the store has files of the same names with another content.
    """
    if not file.is_file():
        raise UsageError(f"{file} is no file: expected what `simtlab store export` wrote")
    done = import_store(file, ResultStore(store))
    words = f"{store}: {counted(done.added, 'file')} added, {done.present} were there already"
    _say(words, as_json, kind="import", added=done.added, present=done.present, other=done.other, notes=done.notes)
    for line in [*done.notes, *(f"{name} has another content there; the store's own stays" for name in done.other)]:
        if not as_json:
            console().print(escape_terminal(line), style="yellow", soft_wrap=True)
    if done.other:
        raise typer.Exit(1)


def research(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .jsonl file.", show_default=False)],
    salt: Annotated[Path, typer.Option("--salt", help="The file of the secret that ids depend on; drawn if missing.")],
    store: StoreOption = Path(DEFAULT_STORE),
    as_json: JsonOption = False,
) -> None:
    """Write the numbers of every result, a line each, with pseudonyms for students and nothing that they wrote.

    Whoever has the salt's file can find a student's id: keep it apart from FILE, or remove it for good.
    """
    if file.exists():
        raise UsageError(f"{file} exists: name a new file, or move that one away")
    results = stored_results(store, "results")
    with file.open("x", encoding="utf-8") as stream:
        count = export_research(results, salt_of(salt), stream)
    words = f"{file}: {counted(count, 'result')}; the ids' secret is {salt}"
    _say(words, as_json, kind="research", path=str(file), results=count, salt=str(salt))


def _say(words: str, as_json: bool, **members: object) -> None:
    if as_json:
        sys.stdout.write(json.dumps({"format": "simtlab-store", "version": 1, **members}) + "\n")
    else:
        console().print(escape_terminal(words), soft_wrap=True)
