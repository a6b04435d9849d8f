"""What a regrade changes: points before and after, and what the difference comes from."""

from dataclasses import dataclass

from simtlab.facts.model import Facts
from simtlab.score.gradebook import Gradebook, GradedSubmission


@dataclass(frozen=True)
class Change:
    """A submission that was graded once more."""

    student: str
    lab: str
    before: GradedSubmission
    after: GradedSubmission
    why: str
    """What differs between the two results besides their facts, in words."""

    @property
    def won(self) -> float:
        """The difference of the points, negative for a loss; 0 where one of the two grades waits."""
        old = self.before.grade.points if self.before.grade else None
        new = self.after.grade.points if self.after.grade else None
        return 0.0 if old is None or new is None else round(new - old, 6)

    @property
    def waits(self) -> bool:
        """Whether the new grade is not known: not graded, or a fault of ours."""
        return self.after.grade is None or self.after.grade.waiting


def changes_between(before: Gradebook, after: Gradebook) -> list[Change]:
    """The submissions whose result is another one, in the order of the class."""
    found = []
    for key, new in after.submissions.items():
        old = before.submissions[key]
        if old.result == new.result and old.grade == new.grade:
            continue
        found.append(Change(*key, old, new, _why(old, new)))
    return found


def _why(before: GradedSubmission, after: GradedSubmission) -> str:
    old, new = before.result, after.result
    if new is None:
        return "not graded yet"
    if old is None:
        return "graded for the first time"
    differing = [name for name in type(old.parts).model_fields if getattr(old.parts, name) != getattr(new.parts, name)]
    words = {
        "files": "another submission",
        "specification": "the lab or its judge changed",
        "grader_version": "another version of simtlab",
        "backend": "another backend",
        "gpu": "another GPU",
        "seed": "other inputs",
        "limits": "other limits",
        "sandbox": "another sandbox",
        "runner_prefix": "other words before the runner",
    }
    found = [words[name] for name in differing if name in words]
    if found:
        return ", ".join(found)
    is_noise = _is_noise(before.facts, after.facts)
    return "graded again: the times differ within their intervals" if is_noise else "graded again"


def _is_noise(old: Facts | None, new: Facts | None) -> bool:
    """Whether all that two gradings of one submission measured differently are times whose intervals meet."""
    if old is None or new is None or old.verdict is not new.verdict:
        return False
    pairs = [(a, b) for a, b in zip(old.fast.criteria, new.fast.criteria, strict=False) if a.value != b.value]
    meet = [
        a.interval is not None and b.interval is not None
        and a.interval[0] <= b.interval[1] and b.interval[0] <= a.interval[1]
        for a, b in pairs
    ]  # fmt: skip
    return bool(pairs) and all(meet)
