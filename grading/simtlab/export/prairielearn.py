"""Results as PrairieLearn's external graders leave them in /grade/results/results.json.

Its documentation (docs/externalGrading.md of PrairieLearn) asks for a score between 0 and 1, a file of at most 1 MB,
and `gradable: false` where nothing can be graded: such a submission costs neither points nor one of the attempts.
What does not compile is so, and so is a fault of ours.
"""

import json
from typing import Any

from simtlab.feedback.students_view import for_student
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.score.points import Grade
from simtlab.text import printable, shortened, slug
from simtlab.verdict import Verdict

OUR_FAULT = "The grade waits because of a fault of ours; it will not lower your grade. Tell the course's staff."
_NOT_GRADABLE = (Verdict.NOT_SUBMITTED, Verdict.COMPILE_ERROR, Verdict.COMPILER_LIMIT)
_LONGEST = 100_000
"""Characters of a text: all of them, six bytes each where JSON escapes them, stay below 1 MB."""


def prairielearn(book: Gradebook) -> dict[str, str]:
    """`<student>/<lab>/results.json` for every graded submission."""
    files = {}
    for one in book.submissions.values():
        if one.grade and one.lab in book.specifications:
            document = json.dumps(prairielearn_result(one, book), indent=1, allow_nan=False) + "\n"
            files[f"{slug(one.student)}/{slug(one.lab)}/results.json"] = document
    return files


def prairielearn_result(one: GradedSubmission, book: Gradebook) -> dict[str, Any]:
    """The document. `score` is the gradebook's points over full marks; a test is a part of the lab's points, as far as
    the course's policy lets students see it."""
    seen = for_student(one, book.specifications[one.lab], book.course.feedback.hidden).grade
    grade = one.grade
    if grade is None or seen is None or grade.points is None:
        return not_gradable(OUR_FAULT)
    if grade.verdict in _NOT_GRADABLE and not grade.settled:
        return not_gradable(_sentences(seen))
    return {
        "gradable": True,
        "score": min(max(grade.points / grade.possible, 0.0), 1.0) if grade.possible else 0.0,
        "message": shortened(printable(seen.verdict.words), _LONGEST),
        "output": _sentences(seen),
        "tests": [
            {
                "name": part.name.value,
                "points": part.earned or 0,
                "max_points": part.possible,
                "message": shortened(printable(part.reason), 2_000),
            }
            for part in seen.parts
        ],
    }


def not_gradable(why: str) -> dict[str, Any]:
    """What costs the student nothing, and the sentence that they read."""
    return {"gradable": False, "message": why, "format_errors": [why]}


def _sentences(grade: Grade) -> str:
    lines = [grade.verdict.words, *([grade.message.strip()] if grade.message.strip() else [])]
    lines += [one.reason for one in grade.adjustments]
    return shortened(printable("\n".join(lines), keep_lines=True), _LONGEST // 2)
