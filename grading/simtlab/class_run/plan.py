"""What a grading has to do: every submission with its key, and which of the keys have a result already."""

from dataclasses import dataclass
from datetime import UTC, datetime

from simtlab.class_run.conditions import Conditions
from simtlab.errors import GraderFault
from simtlab.intake.submission import ClassIntake, Refusal, Submission
from simtlab.labs.catalogue import Catalogue, Lab
from simtlab.store.class_run import ClassRun, RunEntry
from simtlab.store.key import KeyParts
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict


@dataclass(frozen=True)
class PlannedGrade:
    """One submission that is to be graded, and the key its result will have."""

    submission: Submission
    lab: Lab
    parts: KeyParts


@dataclass(frozen=True)
class Plan:
    """A grading before it starts."""

    run: ClassRun
    to_grade: list[PlannedGrade]
    already_graded: int


def make_plan(
    class_name: str, intake: ClassIntake, catalogue: Catalogue, conditions: Conditions, store: ResultStore
) -> Plan:
    """Looks every submission up in the store. A result that was our fault does not count: its next attempt is
    planned."""
    refusals = list(intake.refusals)
    planned: list[PlannedGrade] = []
    for submission in intake.submissions:
        lab = catalogue.labs[submission.lab]
        if conditions.backend in lab.build.backends:
            planned.append(PlannedGrade(submission, lab, _next_attempt(submission, lab, conditions, store)))
        else:
            built = ", ".join(lab.build.backends)
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
        problems=intake.problems,
    )
    to_grade = [one for one in planned if not store.has(one.parts.key)]
    return Plan(run, to_grade, len(planned) - len(to_grade))


def _entry(planned: PlannedGrade) -> RunEntry:
    return RunEntry(student=planned.submission.student, lab=planned.submission.lab, key=planned.parts.key)


def _next_attempt(submission: Submission, lab: Lab, conditions: Conditions, store: ResultStore) -> KeyParts:
    """The key of the first attempt that has no result, or one that counts."""
    parts = conditions.key_parts(submission, lab)
    while store.has(parts.key) and _was_our_fault(store, parts.key):
        parts = parts.model_copy(update={"attempt": parts.attempt + 1})
    return parts


def _was_our_fault(store: ResultStore, key: str) -> bool:
    try:
        result = store.get(key)
    except GraderFault:
        return True  # a damaged result stays where it is, and the submission is graded again
    return result is None or result.verdict is Verdict.INTERNAL_ERROR
