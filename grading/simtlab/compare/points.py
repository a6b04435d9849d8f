"""The points of what is compared, by today's policy: kernels that count alike can have different ones."""

from simtlab.compare.comparison import Comparison
from simtlab.compare.measurement import Measurement
from simtlab.compare.sides import Side
from simtlab.course.course import Course
from simtlab.labs.catalogue import Catalogue
from simtlab.score.gradebook import read_gradebook
from simtlab.score.points import Grade

Grades = dict[tuple[str, str], Grade]


def grades_of(side: Side, catalogue: Catalogue, course: Course) -> Grades:
    """The grade of each submission of the side, by student and lab; of a file without its store there is none."""
    if side.store is None or side.run is None:
        return {}
    book = read_gradebook(side.run, side.store, catalogue, course)
    return {key: one.grade for key, one in book.submissions.items() if one.grade}


def points_of(grades: Grades, one: Measurement) -> float | None:
    """The points of a submission; None where there are none, or they wait."""
    grade = grades.get((one.student, one.lab))
    return grade.points if grade else None


def points_lines(one: Comparison, before: Grades, after: Grades) -> list[str]:
    """`Points: A 72.5 of 100, B 92.5 of 100.`, and what the course's policy did (late days, an extension, points set by
    hand) where the two differ in it; nothing where neither side has points."""
    pair = {"A": before.get((one.a.student, one.a.lab)), "B": after.get((one.b.student, one.b.lab))}
    known = {side: grade for side, grade in pair.items() if grade}
    if not known:
        return []
    lines = [f"Points: {', '.join(f'{side} {grade.points_shown}' for side, grade in known.items())}."]
    policies = [[(each.kind, each.days, each.points) for each in grade.adjustments] for grade in known.values()]
    if len(policies) == len(pair) and policies[0] == policies[1]:
        return lines
    return lines + [f"{side}: {each.reason}." for side, grade in known.items() for each in grade.adjustments]
