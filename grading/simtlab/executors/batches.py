"""Units parted into the batches of tasks: equal submissions in one batch, so that they are judged once."""

from collections.abc import Sequence

from simtlab.class_run.equal_submissions import submission_alone
from simtlab.class_run.plan import PlannedGrade

_MOST_TASKS = 1000
_USUAL_UNITS = 8  # a task needs a second to begin


def batches_of(units: Sequence[PlannedGrade], per_task: int) -> list[list[PlannedGrade]]:
    """Batches of so many different submissions; 0: few in a small class, and about a thousand tasks in a large one."""
    groups: dict[str, list[PlannedGrade]] = {}
    for one in units:
        groups.setdefault(submission_alone(one.parts), []).append(one)
    each = per_task or max(1, min(_USUAL_UNITS, len(groups) // 32), -(-len(groups) // _MOST_TASKS))
    ordered = list(groups.values())
    return [[one for group in ordered[begin : begin + each] for one in group] for begin in range(0, len(ordered), each)]
