"""A part of a class graded once more out of the store, as a proposal: nothing counts before somebody applies it."""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.plan import Plan, Regrade, make_plan
from simtlab.errors import UsageError
from simtlab.intake.submission import ClassIntake, Refusal, Submission
from simtlab.labs.catalogue import Catalogue
from simtlab.store.class_run import ClassRun, RunEntry, write_run
from simtlab.store.proposals import (
    Decision,
    Proposal,
    add_decision,
    newest_decisions,
)
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict

Chosen = Collection[tuple[str, str]]
"""Student and lab of each submission."""


def plan_regrade(
    run: ClassRun, chosen: Chosen, catalogue: Catalogue, conditions: Conditions, store: ResultStore, reason: str
) -> Plan:
    """What is to be graded so that each of the chosen submissions has a result that does not count yet: today's, where
    the lab, the grader or the conditions have changed since; else one more attempt."""
    intake = _intake(run, chosen, store)
    counting = {(one.student, one.lab): one.key for one in run.entries}
    today = make_plan(run.class_name, intake, catalogue, conditions, store)
    unchanged = {
        (one.student, one.lab) for one in today.run.entries if one.key and one.key == counting[one.student, one.lab]
    }
    plan = make_plan(
        run.class_name,
        intake,
        catalogue,
        conditions,
        store,
        Regrade(frozenset(unchanged), reason) if unchanged else None,
    )
    return replace(plan, run=with_entries(run, [one for one in plan.run.entries if _of(one) in chosen], reason))


def with_entries(run: ClassRun, entries: list[RunEntry], reason: str) -> ClassRun:
    """The grading as it would be with these entries in place of those of the same submissions."""
    new = {_of(one): one for one in entries}
    changed = [new.get(_of(one), one) for one in run.entries]
    return run.model_copy(update={"entries": changed, "started_at": datetime.now(UTC), "regrade": reason})


def apply_proposal(
    store: ResultStore, run: ClassRun, name: str, proposal: Proposal, entries: list[RunEntry], by: str
) -> None:
    """Lets these entries of a proposal count in the class's grading from now on."""
    if name in (newest := newest_decisions(store)) and newest[name].applied:
        raise UsageError(f"the proposal {name} counts already: {newest[name].by} applied it")
    replaced = [one for one in run.entries if _of(one) in {_of(new) for new in entries}]
    _decide(store, with_entries(run, entries, proposal.reason), name, replaced, by, applied=True)


def revert_proposal(store: ResultStore, run: ClassRun, name: str, proposal: Proposal, by: str) -> list[RunEntry]:
    """Lets count again what an applied proposal replaced, where nothing newer counts meanwhile; returns those."""
    back = entries_before(store, run, name, proposal)
    replaced = [one for one in run.entries if _of(one) in {_of(old) for old in back}]
    _decide(store, with_entries(run, back, ""), name, replaced, by, applied=False)
    return back


def entries_before(store: ResultStore, run: ClassRun, name: str, proposal: Proposal) -> list[RunEntry]:
    """What an applied proposal replaced, where nothing newer counts meanwhile. Raises `UsageError` for another one."""
    decision = newest_decisions(store).get(name)
    if decision is None or not decision.applied:
        raise UsageError(f"the proposal {name} does not count, so there is nothing to revert")
    proposed = {_of(one): one.key for one in proposal.entries}
    counting = {_of(one): one.key for one in run.entries}
    return [one for one in decision.replaced if counting.get(_of(one)) == proposed.get(_of(one))]


def _decide(store: ResultStore, run: ClassRun, name: str, replaced: list[RunEntry], by: str, *, applied: bool) -> None:
    add_decision(store, Decision(proposal=name, applied=applied, by=by, at=run.started_at, replaced=replaced))
    write_run(store, run)


def _of(entry: RunEntry) -> tuple[str, str]:
    return entry.student, entry.lab


def _intake(run: ClassRun, chosen: Chosen, store: ResultStore) -> ClassIntake:
    submissions, refusals = [], []
    for entry in run.entries:
        result = store.get(entry.key) if entry.key and _of(entry) in chosen else None
        if result is not None:
            submissions.append(Submission(entry.student, entry.lab, result.parts.files, entry.handed_in))
        else:
            refusals.append(Refusal(entry.student, entry.lab, entry.verdict or Verdict.INTERNAL_ERROR, entry.message))
    return ClassIntake(run.students, run.labs, submissions, refusals)
