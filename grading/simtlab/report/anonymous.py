"""Anonymous marking: the same book under names that tell nobody who is who.

A name is drawn from the store's secret, so it stays the same in every report of the store, and whoever has the store
can find the student: `simtlab explain` and `simtlab replay` take either name. What a student wrote into the source is
shown as it is.
"""

import hmac
from collections.abc import Mapping, Sequence
from dataclasses import replace

from simtlab.course.course import Leaderboard
from simtlab.predict.names import OtherName
from simtlab.score.gradebook import Gradebook, GradedSubmission


def pseudonyms(students: Sequence[str], secret: int) -> dict[str, str]:
    """Student → `student-3f9a12c4`; all different."""
    key = str(secret).encode()
    return {
        name: "student-" + hmac.new(key, name.encode("utf-8", "surrogatepass"), "sha256").hexdigest()[:8]
        for name in students
    }


def _anonymous(one: GradedSubmission, names: Mapping[str, str]) -> GradedSubmission:
    """The submission by pseudonyms, and without the name that its predictions were answered under."""
    other, grade, result = one.other_name, one.grade, one.result
    if other:
        other = OtherName("…" if other.name else "", names.get(other.student, ""), other.own)
    if result and result.predictions:
        typed = result.predictions
        nameless = typed.model_copy(update={"student": "…" if typed.student else ""})
        result = result.model_copy(update={"predictions": nameless})
        if grade:
            parts = [
                part.model_copy(update={"reason": part.reason.replace(typed.reason, nameless.reason)})
                for part in grade.parts
            ]
            grade = grade.model_copy(update={"parts": parts})
    return replace(
        one, student=names[one.student], by=names.get(one.by, ""), other_name=other, grade=grade, result=result
    )


def anonymised(book: Gradebook, secret: int) -> Gradebook:
    """The book by pseudonyms, in the order of those, without the sentences that name students."""
    names = pseudonyms(book.run.students, secret)
    run = book.run.model_copy(
        update={"students": sorted(names.values()), "entries": [], "problems": [], "names": {}, "canvas_ids": {}}
    )
    found = {(names[student], lab): _anonymous(one, names) for (student, lab), one in book.submissions.items()}
    ordered = {(student, lab): found[student, lab] for student in run.students for lab in run.labs}
    running = book.progress and book.progress.model_copy(
        update={
            "running": [
                one.model_copy(update={"student": names.get(one.student, "a student")}) for one in book.progress.running
            ]
        }
    )
    # The policy has done its work on the grades; what is left of it names students.
    course = book.course.model_copy(update={"extension": [], "override": [], "group": [], "leaderboard": Leaderboard()})
    return replace(book, run=run, submissions=ordered, progress=running, course=course)
