"""What a grading has to do: every submission with its key, and which of the keys have a result already."""

from dataclasses import dataclass
from datetime import UTC, datetime

from simtlab.class_run.conditions import Conditions
from simtlab.intake.submission import ClassIntake, Refusal, Submission
from simtlab.labs.catalogue import Catalogue, Lab
from simtlab.store.class_run import ClassRun, RunEntry
from simtlab.store.key import KeyParts
from simtlab.store.proposals import held_keys
from simtlab.store.results import DamagedResultError, ResultStore
from simtlab.store.set_apart import set_apart
from simtlab.verdict import Verdict


@dataclass(frozen=True)
class PlannedGrade:
    """One submission that is to be graded, and the key its result will have."""

    submission: Submission
    lab: Lab
    parts: KeyParts


@dataclass(frozen=True)
class Regrade:
    """What is graded once more although it has a result, and why; the reason is kept with the run."""

    submissions: frozenset[tuple[str, str]]
    reason: str


@dataclass(frozen=True)
class Plan:
    """A grading before it starts."""

    run: ClassRun
    to_grade: list[PlannedGrade]
    already_graded: int


def make_plan(
    class_name: str,
    intake: ClassIntake,
    catalogue: Catalogue,
    conditions: Conditions,
    store: ResultStore,
    regrade: Regrade | None = None,
) -> Plan:
    """Looks every submission up in the store. A result that was our fault does not count: its next attempt is
    planned."""
    refusals = list(intake.refusals)
    problems = list(intake.problems)
    planned: list[PlannedGrade] = []
    held = held_keys(store)
    specifications = {
        name: conditions.specification_of(catalogue.labs[name])
        for name in {one.lab for one in intake.submissions}
        if conditions.backend in catalogue.labs[name].build.backends
    }
    for submission in intake.submissions:
        lab = catalogue.labs[submission.lab]
        if lab.name in specifications:
            planned.append(
                PlannedGrade(
                    submission,
                    lab,
                    _next_attempt(
                        conditions.key_parts(submission, lab, specifications[lab.name]),
                        submission.label,
                        store,
                        problems,
                        held,
                        once_more=_chosen(submission, regrade),
                    ),
                )
            )
        else:
            built = lab.build.shown_backends
            why = f"{lab.name} is not built for the backend {conditions.backend}, only for {built}"
            refusals.append(Refusal(submission.student, submission.lab, Verdict.INTERNAL_ERROR, why))
    entries = {(one.submission.student, one.submission.lab): _entry(one) for one in planned}
    entries |= {
        (one.student, one.lab): RunEntry(
            student=one.student, lab=one.lab, key=None, verdict=one.verdict, message=one.message
        )
        for one in refusals
    }
    run = ClassRun(
        class_name=class_name,
        started_at=datetime.now(UTC),
        backend=conditions.backend,
        backend_reason=conditions.backend_reason,
        seed=conditions.seed,
        students=intake.students,
        labs=intake.labs,
        entries=[entries[student, lab] for student in intake.students for lab in intake.labs],
        problems=problems,
        canvas_ids=dict(intake.canvas_ids),
        names={student: list(names) for student, names in intake.names.items()},
        regrade=regrade.reason if regrade else "",
    )
    to_grade = [one for one in planned if not store.has(one.parts.key)]
    return Plan(run, to_grade, len(planned) - len(to_grade))


def _chosen(submission: Submission, regrade: Regrade | None) -> bool:
    return regrade is not None and (submission.student, submission.lab) in regrade.submissions


def _entry(planned: PlannedGrade) -> RunEntry:
    return RunEntry(
        student=planned.submission.student,
        lab=planned.submission.lab,
        key=planned.parts.key,
        handed_in=planned.submission.handed_in,
    )


def _next_attempt(
    parts: KeyParts,
    label: str,
    store: ResultStore,
    problems: list[str],
    held: set[str],
    *,
    once_more: bool,
) -> KeyParts:
    """The key of the newest attempt that is not `held`; of one that nobody has made where that was our fault, or is to
    be graded once more. A file that is no result of its key is set apart, and told of in `problems`."""
    following = parts
    while store.has((following := following.model_copy(update={"attempt": following.attempt + 1})).key):
        if following.key not in held:
            parts = following
    if not store.has(parts.key):
        return parts
    try:
        result = store.get(parts.key)
    except DamagedResultError:
        if place := set_apart(store, parts.key):
            problems.append(
                f"{label} {parts.lab}: the file of the result was damaged; it lies in {place}, and the "
                "submission is graded again"
            )
        return parts
    was_our_fault = result is not None and result.verdict is Verdict.INTERNAL_ERROR
    return following if once_more or was_our_fault else parts
