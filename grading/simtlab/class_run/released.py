"""A released grade never falls because something was graded anew: its result counts on until a better one is there.

That is for the same submission alone; who hands in other files gets what these earn. To let a grade fall, somebody
applies a regrade with `--allow-lower`, which the store's journal keeps.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime

from simtlab.class_run.plan import Plan
from simtlab.course.course import Course
from simtlab.course.names import with_table_names
from simtlab.intake.student_names import StudentNames
from simtlab.score.changes import changes_between
from simtlab.score.gradebook import Gradebook
from simtlab.store.class_run import ClassRun, RunEntry, write_run
from simtlab.store.holds import Journal, holds
from simtlab.store.results import ResultStore
from simtlab.text import points_text, printable

_MOST_TOLD = 5

Entries = Mapping[tuple[str, str], RunEntry]
"""By student and lab."""


def released_grades(store: ResultStore, course: Course, run: ClassRun) -> Callable[[str, str], bool]:
    """Whether the grade of a student in a lab was released, by the store's journal."""
    journal = Journal(holds(store), datetime.now(UTC))
    sections = with_table_names(course, StudentNames(run.students, run.names, run.canvas_ids)).sections_of
    return lambda student, lab: journal.ever_released(lab, sections(student))


def keep_released(
    plan: Plan, before: ClassRun | None, released: Callable[[str, str], bool], store: ResultStore
) -> tuple[Plan, Entries]:
    """The plan in whose run what was released and counted `before` counts on, and the entries that it would have
    had."""
    if before is None or before.class_name != plan.run.class_name:
        return plan, {}
    counted = {(one.student, one.lab): one.key for one in before.entries}
    planned = {one.parts.key: dict(one.parts.files) for one in plan.to_grade}
    new: dict[tuple[str, str], RunEntry] = {}
    entries = []
    for entry in plan.run.entries:
        who = (entry.student, entry.lab)
        key = counted.get(who)
        if key and key != entry.key and released(*who) and _is_same(key, entry.key, planned, store):
            new[who] = entry
            entries.append(entry.model_copy(update={"key": key, "verdict": None, "message": ""}))
        else:
            entries.append(entry)
    return replace(plan, run=plan.run.model_copy(update={"entries": entries})), new


def _is_same(key: str, new_key: str | None, planned: Mapping[str, Mapping[str, str]], store: ResultStore) -> bool:
    """Whether the new result is of the files that the old one is of, or of none: a file that is missing now was handed
    in all the same."""
    old = store.get(key)
    if old is None or new_key is None:
        return old is not None
    if new_key in planned:
        return old.parts.files == planned[new_key]
    new = store.get(new_key)
    return new is not None and old.parts.files == new.parts.files


def settle_released(run: ClassRun, new: Entries, read: Callable[[ClassRun], Gradebook], store: ResultStore) -> ClassRun:
    """The run in which the new results count where no points are lost by it; written where it differs. A note tells
    what counts on."""
    if not new:
        return run
    proposed = run.model_copy(update={"entries": [new.get((one.student, one.lab), one) for one in run.entries]})
    changes = {(one.student, one.lab): one for one in changes_between(read(run), read(proposed))}
    kept = {who: one for who, one in changes.items() if who in new and (one.waits or one.won < 0)}
    entries = [
        one if (one.student, one.lab) in kept else two for one, two in zip(run.entries, proposed.entries, strict=True)
    ]
    told = [
        f"{printable(student)} {lab.partition('-')[0]} (now {points_text(one.after.grade.points)} instead of "
        f"{points_text(one.before.grade.points)} points: {one.why})"
        for (student, lab), one in kept.items()
        if not one.waits and one.after.grade and one.before.grade
        and one.after.grade.points is not None and one.before.grade.points is not None
    ]  # fmt: skip
    problems = list(run.problems)
    if told:
        more = f" and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
        problems.append(
            f"released grades would fall, so the earlier results count on: {', '.join(told[:_MOST_TOLD])}{more}. To "
            'let them fall: `simtlab regrade --what LAB --reason "…"`, then --apply with --allow-lower'
        )
    settled = run.model_copy(update={"entries": entries, "problems": problems, "started_at": datetime.now(UTC)})
    write_run(store, settled)
    return settled
