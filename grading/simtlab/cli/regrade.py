"""`simtlab regrade`: a part of a class graded once more, seen before it counts."""

import contextlib
import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.text import Text

from simtlab.class_run.grading import grade_class
from simtlab.class_run.regrade import apply_proposal, entries_before, plan_regrade, revert_proposal, with_entries
from simtlab.class_run.released import released_grades
from simtlab.cli.latest import latest_gradebook
from simtlab.cli.options import (
    DEFAULT_STORE,
    AllowWeakOption,
    BuildOption,
    JsonOption,
    PolicyOption,
    StoreOption,
    WorkersOption,
    catalogue_of,
    conditions_of,
    stored_results,
    worker_count,
)
from simtlab.cli.progress import progress_for
from simtlab.errors import UsageError
from simtlab.intake.student_names import StudentNames
from simtlab.labs.catalogue import Catalogue
from simtlab.score.changes import Change, changes_between
from simtlab.score.gradebook import Gradebook, read_gradebook
from simtlab.score.points import Grade
from simtlab.store.class_run import ClassRun, RunEntry, latest_run
from simtlab.store.proposals import Proposal, add_proposal, chosen_proposal, newest_decisions, proposals
from simtlab.store.results import ResultStore
from simtlab.terminal import console, escape_terminal, plain_table
from simtlab.text import counted, points_text, printable

_MOST_TOLD = 5


def register(app: typer.Typer) -> None:
    """Adds the subcommand."""
    app.command("regrade")(regrade)


def regrade(
    what: Annotated[str, typer.Option("--what", metavar="LAB,…", help="The labs: 08, labs/08.")] = "",
    students: Annotated[str, typer.Option("--students", metavar="A,B", help="These students alone.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="Why; kept with the proposal, and shown to students.")] = "",
    apply: Annotated[str, typer.Option("--apply", metavar="PROPOSAL", help="Let it count; `latest`: the newest.")] = "",
    revert: Annotated[str, typer.Option("--revert", metavar="PROPOSAL", help="Let count what counted before.")] = "",
    by: Annotated[str, typer.Option("--by", help="Who decides; needed by --apply and --revert.")] = "",
    allow_lower: Annotated[
        bool, typer.Option("--allow-lower", help="Apply or revert although points are lost.")
    ] = False,
    build: BuildOption = None,
    store: StoreOption = Path(DEFAULT_STORE),
    policy: PolicyOption = None,
    workers: WorkersOption = None,
    allow_weak: AllowWeakOption = False,
    as_json: JsonOption = False,
) -> None:
    """Grade a part of the latest grading once more, from the store, and show what would change: nothing counts before
    --apply. Without options: the proposals so far.

    Exit code 0: done; 1: some new grade waits because of a fault of ours; 2: there is nothing to do, or it was refused.
    """
    if sum(bool(word) for word in (what or students, apply, revert)) > 1:
        raise UsageError("one of --what, --apply and --revert at a time")
    catalogue = catalogue_of(build)
    results = stored_results(store)
    run = latest_run(results)
    before = latest_gradebook(results, catalogue, policy)
    if apply:
        _apply(results, catalogue, run, before, apply, by, allow_lower=allow_lower, as_json=as_json)
    elif revert:
        name, proposal = chosen_proposal(results, revert)
        if not allow_lower:
            _require_no_released_fall(results, catalogue, run, before, name, proposal)
        back = revert_proposal(results, run, name, proposal, _somebody(by, "--revert"))
        if as_json:
            _write({"proposal": name, "reverted": [_named(one) for one in back]})
        else:
            console().print(f"{name}: {counted(len(back), 'earlier result')} of {len(proposal.entries)} count again")
    elif not what and not students:
        _list(results, as_json=as_json)
    else:
        if not reason.strip():
            raise UsageError("a regrade needs --reason: it is kept, and stands beside the new points")
        conditions = conditions_of(catalogue, run.backend, "", seed=run.seed, allow_weak=allow_weak)
        plan = plan_regrade(
            run, _chosen(run, catalogue, what, students), catalogue, conditions, results, reason.strip()
        )
        with contextlib.ExitStack() as stack:
            people, count = console(stderr=True), worker_count(workers)
            listener = progress_for(people, stack, len(plan.to_grade), count, quiet=as_json)
            outcome = grade_class(plan, conditions, results, listener, workers=count, counts=False)
        conditions.sandbox.sweep()
        if outcome.stopped:
            people.print("Stopped: what is graded is kept, and nothing has changed. The same command goes on.")
            raise typer.Exit(130)
        counting = {(one.student, one.lab): one.key for one in run.entries}
        entries = [one for one in plan.run.entries if one.key and one.key != counting[one.student, one.lab]]
        proposal = Proposal(class_name=run.class_name, reason=reason.strip(), at=plan.run.started_at, entries=entries)
        name = add_proposal(results, proposal)
        changes = changes_between(before, _after(before, run, proposal, results, catalogue))
        _show(name, proposal, changes, as_json=as_json)
        if any(one.waits for one in changes):
            raise typer.Exit(1)


def _chosen(run: ClassRun, catalogue: Catalogue, what: str, students: str) -> set[tuple[str, str]]:
    labs = {
        catalogue.resolve(word.strip().removeprefix("labs/").rstrip("/")) for word in what.split(",") if word.strip()
    }
    names = StudentNames(run.students, run.names, run.canvas_ids)
    wanted = {names.one(word.strip()) for word in students.split(",") if word.strip()}
    if unknown := sorted(wanted - set(run.students)):
        raise UsageError(
            f"--students {printable(unknown[0])}: the students of the latest grading are: {names.listed()}"
        )
    found = {
        (one.student, one.lab)
        for one in run.entries
        if one.key and (not labs or one.lab in labs) and (not wanted or one.student in wanted)
    }
    if not found:
        raise UsageError(f"the latest grading has no submission of that choice; its labs are: {', '.join(run.labs)}")
    return found


def _after(before: Gradebook, run: ClassRun, proposal: Proposal, store: ResultStore, catalogue: Catalogue) -> Gradebook:
    return read_gradebook(with_entries(run, proposal.entries, proposal.reason), store, catalogue, before.course)


def _apply(
    store: ResultStore,
    catalogue: Catalogue,
    run: ClassRun,
    before: Gradebook,
    word: str,
    by: str,
    *,
    allow_lower: bool,
    as_json: bool,
) -> None:
    name, proposal = chosen_proposal(store, word)
    if proposal.class_name != run.class_name:
        raise UsageError(
            f"{name} is about the class {proposal.class_name}, and the latest grading is {run.class_name}'s"
        )
    changes = changes_between(before, _after(before, run, proposal, store, catalogue))
    lower = [one for one in changes if one.won < 0]
    if lower and not allow_lower:
        raise UsageError(
            f"{counted(len(lower), 'grade')} would fall: {_listed(lower)}. Look at the proposal, then apply it with "
            "--allow-lower; nothing was changed"
        )
    waiting = {(one.student, one.lab) for one in changes if one.waits}
    entries = [one for one in proposal.entries if (one.student, one.lab) not in waiting]
    apply_proposal(store, run, name, proposal, entries, _somebody(by, "--apply"))
    if as_json:
        _write({"proposal": name, "applied": [_named(one) for one in entries], **_won_and_lost(changes)})
        return
    left = f"; {counted(len(waiting), 'grade')} keep the old result, the new one waits" if waiting else ""
    console().print(f"{name}: {counted(len(entries), 'result')} count now{left}. {_sums(changes)}", soft_wrap=True)
    console().print(f"To take it back: simtlab regrade --revert {name} --by …; `simtlab report` writes the pages anew")


def _require_no_released_fall(
    store: ResultStore, catalogue: Catalogue, run: ClassRun, before: Gradebook, name: str, proposal: Proposal
) -> None:
    """Raises `UsageError` where taking the proposal back would lower what students have seen."""
    released = released_grades(store, before.course, run)
    reverted = read_gradebook(
        with_entries(run, entries_before(store, run, name, proposal), ""), store, catalogue, before.course
    )
    lower = [one for one in changes_between(before, reverted) if one.won < 0 and released(one.student, one.lab)]
    if lower:
        raise UsageError(
            f"{counted(len(lower), 'released grade')} would fall: {_listed(lower)}. Revert with --allow-lower if that "
            "is meant; nothing was changed"
        )


def _somebody(by: str, option: str) -> str:
    if not by.strip():
        raise UsageError(f'{option} needs --by "A. Teacher": the journal keeps who decided')
    return by.strip()


def _named(entry: RunEntry) -> dict[str, str]:
    return {"student": entry.student, "lab": entry.lab}


def _write(members: dict[str, Any]) -> None:
    document = {"format": "simtlab-regrade", "version": 1, **members}
    sys.stdout.write(json.dumps(document, indent=1) + "\n")


def _list(store: ResultStore, *, as_json: bool) -> None:
    newest = newest_decisions(store)
    if as_json:
        rows = [
            {
                "proposal": name,
                "results": len(one.entries),
                "reason": one.reason,
                "applied": newest[name].applied if name in newest else None,
                "by": newest[name].by if name in newest else None,
            }
            for name, one in proposals(store).items()
        ]
        _write({"proposals": rows})
        return
    table = plain_table("proposal", "results", "reason", "decided")
    for name, one in proposals(store).items():
        decision = newest.get(name)
        words = f"{'applied' if decision.applied else 'reverted'} by {decision.by}" if decision else "open"
        table.add_row(name, str(len(one.entries)), escape_terminal(one.reason), escape_terminal(words))
    console().print(table if table.row_count else "no proposals; `simtlab regrade --what LAB --reason WHY` makes one")


def _show(name: str, proposal: Proposal, changes: list[Change], *, as_json: bool) -> None:
    if as_json:
        _write({"proposal": name, "reason": proposal.reason, **_changed(changes)})
        return
    out = console()
    table = plain_table("student", "lab", "before", "after", "", "because", right=("before", "after", ""))
    different = [one for one in changes if one.waits or one.won]
    for one in different:
        sign = f"{one.won:+g}" if one.won else ""
        style = "red" if one.won < 0 else "green" if one.won > 0 else "yellow"
        cells = (_points(one.before.grade), _points(one.after.grade))
        table.add_row(escape_terminal(one.student), one.lab, *cells, Text(sign, style=style), one.why)
    if different:
        out.print(table)
    same = len(changes) - len(different)
    out.print(
        f"{counted(len(proposal.entries), 'submission')} graded once more, {same} with equal points. {_sums(changes)}"
    )
    out.print(f"Nothing counts yet. Next: simtlab regrade --apply {name} --by …", soft_wrap=True)


def _changed(changes: list[Change]) -> dict[str, Any]:
    rows = [
        {
            "student": one.student,
            "lab": one.lab,
            "before": one.before.grade.points if one.before.grade else None,
            "after": one.after.grade.points if one.after.grade else None,
            "because": one.why,
        }
        for one in changes
    ]
    return {"changes": rows, **_won_and_lost(changes)}


def _won_and_lost(changes: list[Change]) -> dict[str, float]:
    won = sum(one.won for one in changes if one.won > 0)
    return {"won": won, "lost": -sum(one.won for one in changes if one.won < 0)}


def _points(grade: Grade | None) -> str:
    return "–" if grade is None or grade.points is None else points_text(grade.points)


def _sums(changes: list[Change]) -> str:
    won = [one.won for one in changes if one.won > 0]
    lost = [-one.won for one in changes if one.won < 0]
    return (
        f"{points_text(sum(won))} points won by {counted(len(won), 'grade')}, "
        f"{points_text(sum(lost))} lost by {counted(len(lost), 'grade')}."
    )


def _listed(changes: list[Change]) -> str:
    some = [f"{printable(one.student)} {one.lab.partition('-')[0]} by {points_text(-one.won)}" for one in changes]
    more = len(some) - _MOST_TOLD
    return ", ".join(some[:_MOST_TOLD]) + (f" and {more} more" if more > 0 else "")
