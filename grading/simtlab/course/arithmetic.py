"""The course's arithmetic on top of a lab's own: what a lab counts, what being late costs, what somebody set by hand,
and which labs are left out of a total. Pure: dates and points go in, points with their reasons come out."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from simtlab.course.course import Course
from simtlab.labs.specification import LabSpecification, PointsTable
from simtlab.score.points import Adjustment, AdjustmentKind, Grade, rounded
from simtlab.text import counted, moment_text, points_text

_DAY = timedelta(days=1)


def counted_specification(specification: LabSpecification, course: Course, lab: str) -> LabSpecification:
    """The lab with the points that it has in this course; its parts keep their proportions."""
    policy = course.lab(lab)
    table = specification.points
    factor = policy.weight * (table.total if policy.points is None else policy.points) / table.total
    if factor == 1:
        return specification
    scaled = PointsTable(**{name: rounded(getattr(table, name) * factor) for name in PointsTable.model_fields})
    return specification.model_copy(update={"points": scaled})


def days_late(handed_in: datetime, due: datetime, grace_minutes: float) -> int:
    """Begun days after the due date; within the grace none, after it the grace is no gift."""
    late = handed_in - due
    return 0 if late <= timedelta(minutes=grace_minutes) else math.ceil(late / _DAY)


def with_policy(grade: Grade, course: Course, student: str, lab: str, handed_in: datetime | None) -> Grade:
    """The grade with the course's adjustments, each with its reason. A grade that waits is left alone, unless somebody
    set it."""
    by_hand = course.override_of(student, lab)
    adjustments = _extended(course, student, lab)
    if not grade.waiting:
        adjustments += _late(grade, course, student, lab, handed_in)
    if by_hand:
        before = rounded((grade.points or 0) + sum(one.points for one in adjustments))
        reason = f"set to {points_text(by_hand.points)} by {by_hand.author}: {by_hand.comment}"
        difference = rounded(by_hand.points - before)
        adjustments.append(Adjustment(kind=AdjustmentKind.OVERRIDE, reason=reason, points=difference))
    return grade.model_copy(update={"adjustments": adjustments, "settled": by_hand is not None})


def _extended(course: Course, student: str, lab: str) -> list[Adjustment]:
    """The student's extension, several as one; none where the lab has no date."""
    due, found = course.due(student, lab), course.extensions_of(student, lab)
    if due is None or not found:
        return []
    days = sum(one.days for one in found)
    reasons = "; ".join(one.reason for one in found if one.reason)
    reason = f"{points_text(days)} {'day' if days == 1 else 'days'} more, until {moment_text(due)}"
    reason += f": {reasons}" if reasons else ""
    return [Adjustment(kind=AdjustmentKind.EXTENSION, reason=reason, points=0.0, days=days)]


def _late(grade: Grade, course: Course, student: str, lab: str, handed_in: datetime | None) -> list[Adjustment]:
    due, late = course.due(student, lab), course.late
    if due is None or handed_in is None:
        return []
    days = days_late(handed_in, due, late.grace_minutes)
    if not days:
        return []
    if not late.percent_per_day or not grade.points:
        costs = "nothing was earned" if late.percent_per_day else "which costs nothing in this course"
        return [
            Adjustment(kind=AdjustmentKind.LATE, reason=f"{counted(days, 'day')} late; {costs}", points=0, days=days)
        ]
    percent = min(days * late.percent_per_day, late.at_most_percent)
    reason = (
        f"{counted(days, 'day')} late, {points_text(late.percent_per_day)} % a day"
        f"{', at most ' + points_text(late.at_most_percent) + ' %' if percent == late.at_most_percent else ''}: "
        f"{points_text(percent)} % of {points_text(grade.points)}"
    )
    lost = rounded(grade.points * percent / 100)
    return [Adjustment(kind=AdjustmentKind.LATE, reason=reason, points=-lost if lost else 0.0, days=days)]


def left_out(grades: Sequence[tuple[str, Grade | None]], count: int) -> list[str]:
    """The labs that `drop_lowest` leaves out: the lowest share of the points first, a later lab before an earlier one.
    What is not known yet is not left out, and one lab always remains."""
    known = [
        (grade.points / grade.possible, -position, lab)
        for position, (lab, grade) in enumerate(grades)
        if grade and grade.points is not None and grade.possible
    ]
    return [lab for _, _, lab in sorted(known)[: min(count, max(len(known) - 1, 0))]]


def total(grades: Sequence[tuple[str, Grade | None]], dropped: Sequence[str], possible: float) -> float:
    """A student's total out of `possible`: what the labs that count earned, stretched over those left out."""
    counting = [grade for lab, grade in grades if lab not in dropped and grade]
    earned = sum(grade.points or 0 for grade in counting)
    if not dropped:
        return rounded(earned)
    missing = sum(grade.possible for lab, grade in grades if lab in dropped and grade)
    remaining = possible - missing
    return rounded(earned * possible / remaining) if remaining > 0 else 0.0
