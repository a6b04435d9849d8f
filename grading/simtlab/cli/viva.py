"""`simtlab viva`: questions about a student's own kernel, for an oral exam or to practise for it."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from simtlab.class_run.conditions import Conditions
from simtlab.cli.options import (
    DEFAULT_STORE,
    AllowWeakOption,
    BuildOption,
    JsonOption,
    StoreOption,
    catalogue_of,
    conditions_of,
)
from simtlab.cli.own_test import lab_of
from simtlab.compare.sides import read_side
from simtlab.errors import UsageError
from simtlab.labs.catalogue import Lab
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted
from simtlab.viva.questions import USUAL, Question, questions_of
from simtlab.viva.recording import record

_OWN = "own"


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("viva")(viva)


def viva(
    submission: Annotated[
        str, typer.Argument(metavar="SUBMISSION", help="A student of the store, a folder with kernel.cu, or `own`.")
    ],
    lab: Annotated[str, typer.Argument(metavar="LAB", help="07 or 07-shared-tiling.")],
    seed: Annotated[int, typer.Option("--seed", min=0, help="Other questions; the same seed asks the same ones.")] = 1,
    count: Annotated[int, typer.Option("--count", min=1, max=50, help="How many questions.")] = USUAL,
    sheet: Annotated[
        bool, typer.Option("--sheet", help="For the examiner: with answer key, source and pictures.")
    ] = False,
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Ask about a student's own kernel: what its requests cost, also with another pitch or another shape of blocks,
    which thread writes an element, behind which barrier it is read.

    The answers were counted in a run at the benchmark's size, audited and in the sandbox as a grading's are; `own` runs
    as `make test` does. Exit code 0: there are questions; 1: it does not compile, or made no request to ask about.
    """
    catalogue = catalogue_of(build)
    chosen = lab_of(catalogue, lab)
    own = submission == _OWN
    conditions = Conditions() if own else conditions_of(catalogue, "emulator", "", allow_weak=allow_weak)
    recording = record(chosen, _contents_of(submission, chosen, store), conditions)
    if recording.compilation.verdict is not None:
        said = recording.compilation.stderr.strip() or recording.compilation.message
        for finding in recording.compilation.findings:
            said += f"\n{finding.file}:{finding.line}: not allowed: {finding.message}"
        console().print(
            escape_terminal(f"{chosen.name} does not build, so there is nothing to ask:\n{said}"), soft_wrap=True
        )
        raise typer.Exit(1)
    questions = questions_of(recording.recorded, seed, count)
    why = _why_few(questions, count, ended=bool(recording.result))
    if as_json:
        asked = [{"kind": q.kind, "line": q.line, "text": q.text, "options": q.options, "key": q.key}
                 for q in questions]  # fmt: skip
        document = {"format": "simtlab-viva", "version": 1, "lab": chosen.name, "seed": seed, "questions": asked}
        sys.stdout.write(json.dumps({**document, "note": why}, indent=1) + "\n")
    else:
        lines = [f"{chosen.name}: {counted(len(questions), 'question')} about this kernel, seed {seed}", ""]
        for number, one in enumerate(questions, 1):
            lines += _lines(number, one, with_key=sheet)
        lines += [why] if why else []
        lines += [recording.profile] if sheet else ["The answers: the same command with --sheet."]
        console().print(escape_terminal("\n".join(lines)), soft_wrap=True)
    if not questions:
        raise typer.Exit(1)


def _contents_of(submission: str, lab: Lab, store: Path) -> dict[str, bytes]:
    """The lab's files of a submission."""
    names = lab.specification.files
    path = lab.folder if submission == _OWN else Path(submission)
    if path.is_file():
        return {names[0]: path.read_bytes()}
    if path.is_dir():
        found = {name: (path / name).read_bytes() for name in names if (path / name).is_file()}
    elif (store / "runs").is_dir():
        side = read_side(submission, store, lab.name)
        [one] = side.measurements.values()
        found = {name: text.encode("utf-8") for name, text in side.sources(one).items()}
    else:
        raise UsageError(
            f"{submission} is no folder and no file, and {store} no store of results: expected a student of a grading, "
            f"a folder with {names[0]}, or `{_OWN}`"
        )
    if missing := [name for name in names if name not in found]:
        raise UsageError(f"{submission} has no {', '.join(missing)}: {lab.name} is about {', '.join(names)}")
    return found


def _lines(number: int, one: Question, *, with_key: bool) -> list[str]:
    options = [f"   {'abcd'[at]}) {option}" for at, option in enumerate(one.options)]
    key = [f"   key: {'abcd'[one.key]}) {one.answer}"] if with_key else []
    return [f"{number}. {one.text}", *options, *key, ""]


def _why_few(questions: list[Question], count: int, *, ended: bool) -> str:
    if len(questions) >= min(count, USUAL):
        return ""
    if not ended:
        return "Nothing was recorded: the kernel did not run to its end. Look at `simtlab test` first."
    return (
        f"Only {counted(len(questions), 'question')}: a line is asked about once for each kind of question, and this "
        "kernel has few requests to named arrays that are no atomic operations."
    )
