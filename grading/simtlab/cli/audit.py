"""`simtlab audit --stored` and `simtlab withdraw`: today's audit over what was graded, and a person's word."""

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.grading import stop_on_signals
from simtlab.class_run.stored_audit import AuditedResult, audit_stored
from simtlab.cli.explain import LabArgument, StudentArgument
from simtlab.cli.options import (
    DEFAULT_STORE,
    AllowWeakOption,
    BuildOption,
    JsonOption,
    LabsOption,
    StoreOption,
    WorkersOption,
    catalogue_of,
    selected_labs,
    stored_results,
    worker_count,
)
from simtlab.errors import UsageError
from simtlab.sandbox.sandbox import require_sandbox
from simtlab.store.class_run import latest_run
from simtlab.store.withdrawals import Withdrawal, add_withdrawal, withdrawn_results
from simtlab.terminal import console, escape_terminal
from simtlab.text import counted, printable, shortened

_LONGEST_MESSAGE = 300


def register(app: typer.Typer) -> None:
    """Adds the subcommands."""
    app.command("audit")(audit)
    app.command("withdraw")(withdraw)


def audit(
    stored: Annotated[bool, typer.Option("--stored", help="Go over every submission in the store.")] = False,
    labs: LabsOption = "",
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    workers: WorkersOption = None,
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Audit what was graded before by today's rules: compile it again, run nothing, change no grade.

    What is found is a list for a person; `simtlab withdraw` takes a result's points away, with a name and a reason.
    Exit code 0: nothing new; 1: something was found, or could not be audited; 2: there is no store.
    """
    if not stored:
        raise UsageError("audit goes over a store: simtlab audit --stored [--store results]")
    results, catalogue = stored_results(store), catalogue_of(build)
    sandbox = require_sandbox(catalogue.build, catalogue.root, allow_weak=allow_weak)
    people, out = console(stderr=True), console()

    def told(one: AuditedResult) -> None:
        if not as_json and (one.is_news or not one.audited):
            parts = one.result.parts
            what = "found" if one.is_news else "not audited"
            message = shortened(printable(one.message), _LONGEST_MESSAGE)
            verdict = one.result.verdict.words
            out.print(escape_terminal(f"{what}: {printable(parts.student)} {parts.lab} ({verdict}): {message}"))

    with stop_on_signals() as stop:
        chosen = selected_labs(catalogue, labs)
        found = audit_stored(
            results, catalogue, Conditions(sandbox=sandbox), chosen, workers=worker_count(workers), told=told, stop=stop
        )
    sandbox.sweep()
    news = [one for one in found if one.is_news]
    missed = [one for one in found if not one.audited and not one.is_news]
    if as_json:
        document = {
            "format": "simtlab-stored-audit",
            "version": 1,
            "audited": len(found) - len(missed),
            "found": [_document(one) for one in news],
            "not_audited": [_document(one) for one in missed],
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        said = f"{counted(len(found), 'result')}: {len(news)} with findings that the grading did not know"
        people.print(escape_terminal(f"{said}, {len(missed)} not audited. No grade was changed."))
        if news:
            people.print(escape_terminal('To withdraw one: simtlab withdraw STUDENT LAB --by NAME --reason "…"'))
    if news or missed:
        raise typer.Exit(1)


def withdraw(
    student: StudentArgument,
    lab: LabArgument,
    by: Annotated[str, typer.Option("--by", help="The person who decides.")],
    reason: Annotated[str, typer.Option("--reason", help="The reason; it stands beside the points everywhere.")],
    undo: Annotated[bool, typer.Option("--undo", help="Give the points back.")] = False,
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    as_json: JsonOption = False,
) -> None:
    """Take the points of a graded submission away, or give them back; both stay in the store's journal.

    The result itself stays as it is. Whoever hands in anew is graded anew.
    """
    results = stored_results(store)
    name = catalogue_of(build).resolve(lab)
    if not by.strip() or not reason.strip():
        raise UsageError("--by and --reason say who withdraws a result and why: neither may be empty")
    key = next((one.key for one in latest_run(results).entries if (one.student, one.lab) == (student, name)), None)
    if key is None or not results.has(key):
        raise UsageError(f"the latest grading in {store} has no result of {printable(student)} in {name}")
    if (key in withdrawn_results(results)) != undo:
        state = "is not withdrawn" if undo else "is withdrawn already: --undo gives it back"
        raise UsageError(f"the result of {printable(student)} in {name} {state}")
    entry = Withdrawal(
        key=key,
        student=student,
        lab=name,
        withdrawn=not undo,
        by=by.strip(),
        reason=reason.strip(),
        at=datetime.now(UTC),
    )
    add_withdrawal(results, entry)
    if as_json:
        sys.stdout.write(entry.model_dump_json(indent=1) + "\n")
        return
    console().print(escape_terminal(f"{printable(student)} {name}: {printable(entry.sentence)}"))


def _document(one: AuditedResult) -> dict[str, object]:
    parts = one.result.parts
    return {
        "student": parts.student,
        "lab": parts.lab,
        "key": one.result.key,
        "verdict": one.result.verdict.value,
        "message": one.message,
        "findings": [asdict(finding) for finding in one.findings],
    }
