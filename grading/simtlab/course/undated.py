"""Dates that cannot be applied: a lab is due, and nobody knows when its submissions were handed in."""

from collections.abc import Sequence
from datetime import datetime

from simtlab.course.course import Course
from simtlab.text import counted, moment_text, printable, shortened

_MOST_NAMED = 5


def undated_notes(course: Course, handed_in: Sequence[tuple[str, str, datetime | None]]) -> list[str]:
    """A sentence for each lab with a date and with submissions of unknown time: who they are, that they count as in
    time, and what to do. `handed_in` has student, lab and time of all that was handed in."""
    notes = []
    for lab, policy in course.labs.items():
        times = [(student, when) for student, name, when in handed_in if name == lab]
        undated = [student for student, when in times if when is None]
        if policy.due is None or not undated:
            continue
        if len(undated) == len(times):
            found = "the class says of nobody when it was handed in: nobody counts as late"
        else:
            whose = f"{len(undated)} of {counted(len(times), 'submission')} {'has' if len(undated) == 1 else 'have'}"
            found = f"{whose} no time ({_some(undated)}), and without one nothing counts as late"
        notes.append(
            f"{lab} was due {moment_text(policy.due)}, but {found}. "
            "Say when in submitted.csv beside the students' folders, or grade with --times"
        )
    return notes


def _some(names: list[str]) -> str:
    some = ", ".join(shortened(printable(name), 30) for name in names[:_MOST_NAMED])
    return some + (f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else "")
