"""What of a class that keeps handing in is graded now: so many of a student's attempts an hour, in an order that the
course chooses, a few at a time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from simtlab.class_run.plan import Plan, PlannedGrade
from simtlab.store.class_run import ClassRun, RunEntry

_EARLIEST = datetime.min.replace(tzinfo=UTC)


class Order(StrEnum):
    """Who comes first where more has arrived than can be graded at once."""

    NEWEST = "newest"
    """What was handed in last: somebody sits before it."""
    FAIR = "fair"
    """Whoever had the fewest gradings in the last hour, then who has waited longest."""


@dataclass(frozen=True)
class Batch:
    """A part of a plan."""

    plan: Plan
    later: list[PlannedGrade]
    """What comes as soon as this is done."""
    held: dict[tuple[str, str], datetime]
    """By student and lab: until when the limit of an hour holds the newest attempt back."""


def next_batch(
    plan: Plan,
    before: ClassRun | None,
    attempts: Callable[[str, str, datetime], list[datetime]],
    now: datetime,
    *,
    per_hour: int,
    order: Order,
    most: int,
) -> Batch:
    """Takes at most so many of the plan's submissions. `attempts` tells when a student's gradings of a lab were, those
    after a moment. What waits keeps the result that counted `before`."""
    hour_ago = now - timedelta(hours=1)
    recent = {
        (one.submission.student, one.submission.lab): attempts(one.submission.student, one.submission.lab, hour_ago)
        for one in plan.to_grade
    }
    held = {key: min(times) + timedelta(hours=1) for key, times in recent.items() if len(times) >= per_hour}
    free = [one for one in plan.to_grade if (one.submission.student, one.submission.lab) not in held]
    by_student: dict[str, int] = {}
    for (student, _), times in recent.items():
        by_student[student] = by_student.get(student, 0) + len(times)

    free.sort(key=lambda one: one.submission.handed_in or _EARLIEST, reverse=order is Order.NEWEST)
    if order is Order.FAIR:
        free.sort(key=lambda one: by_student[one.submission.student])
    now_graded, later = free[:most], free[most:]
    waiting = {*held, *((one.submission.student, one.submission.lab) for one in later)}
    counted = {(one.student, one.lab): one for one in before.entries} if before else {}
    entries = [_entry(one, counted, waiting) for one in plan.run.entries]
    run = plan.run.model_copy(update={"entries": entries})
    return Batch(replace(plan, run=run, to_grade=now_graded), later, held)


def _entry(entry: RunEntry, counted: dict[tuple[str, str], RunEntry], waiting: set[tuple[str, str]]) -> RunEntry:
    key = (entry.student, entry.lab)
    return counted[key] if key in waiting and key in counted and counted[key].key else entry
