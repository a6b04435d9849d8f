"""`simtlab hold` and `simtlab release-grades`: from when students see a lab's grades."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from simtlab.cli.options import (
    DEFAULT_STORE,
    BuildOption,
    JsonOption,
    PolicyOption,
    StoreOption,
    catalogue_of,
    selected_labs,
    stored_results,
)
from simtlab.course.names import course_of
from simtlab.errors import UsageError
from simtlab.intake.times import read_moment
from simtlab.labs.catalogue import Catalogue
from simtlab.score.table import held_document
from simtlab.store.holds import Held, HoldStep, Journal, add_hold, holds
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal, plain_table
from simtlab.text import moment_text, printable

LabsArgument = Annotated[str, typer.Argument(metavar="[LAB,…]", help="The labs: 07,08.", show_default="what is held")]
SectionOption = Annotated[
    str, typer.Option("--section", help="This section of the policy's [sections] alone.", show_default="everybody")
]
ByOption = Annotated[str, typer.Option("--by", help="Who decides; the journal keeps it.")]
ReasonOption = Annotated[str, typer.Option("--reason", help="Why; the journal keeps it.")]


def register(app: typer.Typer) -> None:
    """Adds the subcommands."""
    app.command("hold")(hold)
    app.command("release-grades")(release_grades)


def hold(
    labs: LabsArgument = "",
    section: SectionOption = "",
    until: Annotated[
        str, typer.Option("--until", metavar="TIME", help="Students see them then: 2026-10-09T18:00+02:00.")
    ] = "",
    by: ByOption = "",
    reason: ReasonOption = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Hold the grades of labs back from students, at once; without LAB: list what is held.

    What is held is in no export, on no student's page and on no leaderboard; your own report and table have it.
    """
    results = stored_results(store)
    if labs:
        step = _Step("hold", section, "--until", until, by, reason)
        _add(step, labs, results, catalogue_of(build), policy, released=False, as_json=as_json)
    elif section or until or by or reason:
        raise UsageError("hold: expected the labs, as in `simtlab hold 07,08 --by NAME --reason WHY`")
    else:
        _list(results, as_json=as_json)


def release_grades(
    labs: Annotated[str, typer.Argument(metavar="LAB,…", help="The labs: 07,08.")],
    section: SectionOption = "",
    at: Annotated[
        str, typer.Option("--at", metavar="TIME", help="From then on: 2026-10-09T18:00+02:00.", show_default="at once")
    ] = "",
    by: ByOption = "",
    reason: ReasonOption = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let students see the grades of labs, now or from a time on; nothing has to run then.

    A grade that was released does not fall when it is graded again, unless `simtlab regrade --apply` gets
    --allow-lower. (`simtlab release` writes the students' copy of the course.)
    """
    step = _Step("release-grades", section, "--at", at, by, reason)
    _add(step, labs, stored_results(store), catalogue_of(build), policy, released=True, as_json=as_json)


class _Step:
    """What the options say."""

    def __init__(self, command: str, section: str, option: str, when: str, by: str, reason: str) -> None:
        if not by.strip() or not reason.strip():
            raise UsageError(f'{command} needs --by "A. Teacher" and --reason "…": the journal keeps who and why')
        self.section, self.by, self.reason = section.strip(), by.strip(), reason.strip()
        self.when = read_moment(when.strip(), option) if when.strip() else None
        if self.when is not None and self.when <= datetime.now(UTC):
            raise UsageError(f"{option} {when}: expected a time to come; it is {moment_text(datetime.now(UTC))} now")


def _add(
    step: _Step,
    labs: str,
    store: ResultStore,
    catalogue: Catalogue,
    policy: Path | None,
    *,
    released: bool,
    as_json: bool,
) -> None:
    course = course_of(catalogue, policy)
    if step.section and step.section not in course.sections:
        known = ", ".join(map(printable, course.sections)) or "none"
        raise UsageError(
            f"--section {printable(step.section)}: {course.file} has no such section; its [sections] are: {known}"
        )
    added = []
    for lab in selected_labs(catalogue, labs) or []:
        one = HoldStep(
            lab=lab,
            section=step.section,
            released=released,
            when=step.when,
            by=step.by,
            reason=step.reason,
            at=datetime.now(UTC),
        )
        add_hold(store, one)
        added.append(one)
    if as_json:
        _write({"steps": [one.model_dump(mode="json") for one in added]})
        return
    for one in added:
        console().print(escape_terminal(_sentence(one)), soft_wrap=True)
        sections = [one.section] if one.section else []
        if released and one.when and not Journal(holds(store), datetime.now(UTC)).held(one.lab, sections):
            again = f"simtlab hold {one.lab}" + (f" --section {printable(one.section)}" if one.section else "")
            note = f"Nothing holds them until then, so they are shown: {again} holds them."
            console().print(escape_terminal(note), soft_wrap=True)
    console().print("Pages and exports that were written before stay as they are: write them again.")


def _sentence(step: HoldStep) -> str:
    whose = f" of section {printable(step.section)}" if step.section else ""
    word = "released" if step.released else "held"
    when = (f" {'from' if step.released else 'until'} {moment_text(step.when)}" if step.when else "") + (
        " on" if step.released and step.when else ""
    )
    return f"{step.lab}: grades{whose} are {word}{when} ({printable(step.by)}: {printable(step.reason)})"


def _list(store: ResultStore, *, as_json: bool) -> None:
    steps = holds(store)
    held = _held_now(steps)
    if as_json:
        rows = [{"lab": lab, "section": section, **held_document(one)} for lab, section, one in held]
        _write({"held": rows, "journal": [one.model_dump(mode="json") for one in steps]})
        return
    out = console()
    table = plain_table("lab", "section", "held since", "until", "by", "because")
    for lab, section, one in held:
        words = (section or "everybody", moment_text(one.since), moment_text(one.until), one.by, one.reason)
        table.add_row(lab, *(escape_terminal(printable(word)) for word in words))
    out.print(table if held else "nothing is held")
    for step in steps:
        out.print(escape_terminal(f"{moment_text(step.at)}  {_sentence(step)}"), soft_wrap=True)


def _held_now(steps: list[HoldStep]) -> list[tuple[str, str, Held]]:
    """Lab, section and hold: of those in no section first, then of each section that the journal names."""
    journal = Journal(steps, datetime.now(UTC))
    found = []
    for lab in sorted({one.lab for one in steps}):
        sections = sorted({one.section for one in steps if one.lab == lab and one.section})
        everybody = journal.held(lab)
        if everybody:
            found.append((lab, "", everybody))
        for section in sections:
            held = journal.held(lab, [section])
            if held and held != everybody:
                found.append((lab, section, held))
    return found


def _write(members: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"format": "simtlab-holds", "version": 1, **members}, indent=1) + "\n")
