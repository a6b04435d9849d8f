"""A class's grades as every table, page and export reads them: worked out from the run's entries and the stored
facts."""

from dataclasses import dataclass, field

from simtlab.errors import GraderFault
from simtlab.labs.catalogue import Catalogue
from simtlab.labs.specification import LabSpecification
from simtlab.sandbox.layers import weakness
from simtlab.score.points import Grade, grade_from_facts, grade_without_facts, rounded
from simtlab.store.class_run import ClassRun, RunEntry
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict


@dataclass(frozen=True)
class GradedSubmission:
    """One student's grade in one lab; the grade is None until the submission has been graded."""

    student: str
    lab: str
    grade: Grade | None
    result: Result | None


@dataclass(frozen=True)
class Gradebook:
    """Students × labs."""

    run: ClassRun
    specifications: dict[str, LabSpecification]
    submissions: dict[tuple[str, str], GradedSubmission] = field(default_factory=dict)

    def of_student(self, student: str) -> list[GradedSubmission]:
        """A student's submissions in the order of the labs."""
        return [self.submissions[student, lab] for lab in self.run.labs]

    def of_lab(self, lab: str) -> list[GradedSubmission]:
        """A lab's submissions in the order of the students."""
        return [self.submissions[student, lab] for student in self.run.students]

    def total(self, student: str) -> float:
        """The points a student has so far; what waits counts when it is known."""
        grades = (submission.grade for submission in self.of_student(student))
        return rounded(sum(grade.points or 0 for grade in grades if grade))

    @property
    def possible(self) -> float:
        """What full marks in all graded labs are."""
        return rounded(
            sum(self.specifications[lab].points.total for lab in self.run.labs if lab in self.specifications)
        )

    @property
    def waiting(self) -> list[GradedSubmission]:
        """The submissions whose grade waits because of a fault of ours."""
        return [one for one in self.submissions.values() if one.grade and one.grade.waiting]

    @property
    def sandbox_notes(self) -> list[str]:
        """What the sandbox lacked when these results were made, a sentence each; usually none."""
        results = [one.result for one in self.submissions.values() if one.result]
        return sorted({weakness(result.parts.sandbox) for result in results} - {""})

    @property
    def ungraded(self) -> list[GradedSubmission]:
        """The submissions that no grading has reached yet."""
        return [one for one in self.submissions.values() if one.grade is None]


def read_gradebook(run: ClassRun, store: ResultStore, catalogue: Catalogue) -> Gradebook:
    """The gradebook of a run as the store has it now."""
    specifications = {lab: spec for lab in run.labs if (spec := catalogue.specification(lab))}
    book = Gradebook(run, specifications)
    for entry in run.entries:
        book.submissions[entry.student, entry.lab] = _graded(entry, store, specifications.get(entry.lab))
    return book


def _graded(entry: RunEntry, store: ResultStore, specification: LabSpecification | None) -> GradedSubmission:
    if specification is None:
        message = entry.message or f"{entry.lab} has no readable lab.toml, so its points are not known"
        waiting = Grade(verdict=Verdict.INTERNAL_ERROR, message=message, parts=[])
        return GradedSubmission(entry.student, entry.lab, waiting, None)
    points = specification.points
    if entry.key is None:
        verdict = entry.verdict or Verdict.INTERNAL_ERROR
        return GradedSubmission(entry.student, entry.lab, grade_without_facts(verdict, entry.message, points), None)
    try:
        result = store.get(entry.key)
    except GraderFault as fault:
        grade = grade_without_facts(Verdict.INTERNAL_ERROR, str(fault), points)
        return GradedSubmission(entry.student, entry.lab, grade, None)
    if result is None:
        return GradedSubmission(entry.student, entry.lab, None, None)
    if result.facts is None:
        grade = grade_without_facts(result.verdict, result.message, points, result.predictions)
    else:
        grade = grade_from_facts(result.facts, points, result.predictions)
    return GradedSubmission(entry.student, entry.lab, grade, result)
