"""A class's grades as every table, page and export reads them: worked out from the run's entries and the stored
facts."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from simtlab.course.arithmetic import counted_specification, left_out, total, with_policy
from simtlab.course.course import Course
from simtlab.course.names import course_notes, with_table_names
from simtlab.course.undated import undated_notes
from simtlab.errors import GraderError
from simtlab.facts.model import Facts
from simtlab.intake.student_names import StudentNames, canvas_test_students
from simtlab.labs.catalogue import COURSE_FILE, Catalogue
from simtlab.labs.specification import LabSpecification
from simtlab.predict.names import OtherName, other_name
from simtlab.sandbox.layers import weakness
from simtlab.score.device_notes import device_notes
from simtlab.score.points import Adjustment, Grade, grade_from_facts, grade_without_facts, rounded
from simtlab.store.canaries import drift_notes
from simtlab.store.class_run import ClassRun, RunEntry, all_runs
from simtlab.store.holds import Held, Journal, holds
from simtlab.store.progress import RunProgress, read_progress
from simtlab.store.proposals import held_keys
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.store.withdrawals import Withdrawal, withdrawn_results
from simtlab.text import counted, moment_text, printable
from simtlab.verdict import Verdict


@dataclass(frozen=True)
class GradedSubmission:
    """One student's grade in one lab; the grade is None until the submission has been graded."""

    student: str
    lab: str
    grade: Grade | None
    result: Result | None
    """As a book has it that was read from a store, without the facts."""
    handed_in: datetime | None = None
    due: datetime | None = None
    """Until when it counts as in time, the student's extensions counted."""
    by: str = ""
    """The partner who handed it in, empty when the student did."""
    regraded: str = ""
    """Why it was graded once more; empty for a first attempt."""
    other_name: OtherName | None = None
    """For the grader alone: that the answers in predict.toml were given under another name."""
    held: Held | None = None
    """Why the student does not see the grade yet."""
    store: ResultStore | None = None
    """Where the facts lie; None: in the result."""
    was_judged: bool = False
    """Whether there are facts."""

    @property
    def facts(self) -> Facts | None:
        """What the judge found. It is read anew each time: a class's facts take 40 KB a submission and more."""
        if self.result is None or self.store is None:
            return self.result.facts if self.result else None
        whole = self.store.get(self.result.key) if self.was_judged else None
        return whole.facts if whole else None

    @property
    def absence(self) -> str:
        """What stands where there is no grade."""
        return self.held.student_words if self.held else "not graded yet"

    @property
    def times(self) -> str:
        """When it was handed in and due, as far as both are known; empty where there is nothing to say."""
        if self.handed_in:
            return f"Handed in {moment_text(self.handed_in)}" + (f", due {moment_text(self.due)}." if self.due else ".")
        if not self.due or not self.result:
            return ""
        return f"Due {moment_text(self.due)}; when it was handed in is not known, so it counts as in time."

    @property
    def marks(self) -> list[str]:
        """What stands beside the points in the class's table: late, extended, set by hand, answers of another name."""
        policy = [one.mark for one in self.grade.adjustments] if self.grade else []
        names = [self.other_name.mark] if self.other_name else []
        return [*policy, *names, *(["held"] if self.held else [])]


@dataclass(frozen=True)
class Gradebook:
    """Students × labs."""

    run: ClassRun
    specifications: dict[str, LabSpecification]
    submissions: dict[tuple[str, str], GradedSubmission] = field(default_factory=dict)
    course: Course = field(default_factory=Course)
    progress: RunProgress | None = None
    """How far the grading is, where it is running still."""
    drifts: list[str] = field(default_factory=list)
    """GPUs that drifted while they timed some of it, a sentence each."""

    def of_student(self, student: str) -> list[GradedSubmission]:
        """A student's submissions in the order of the labs."""
        return [self.submissions[student, lab] for lab in self.run.labs]

    def of_lab(self, lab: str) -> list[GradedSubmission]:
        """A lab's submissions in the order of the students."""
        return [self.submissions[student, lab] for student in self.run.students]

    def total(self, student: str) -> float:
        """The points a student has so far; what waits counts when it is known."""
        return total(self._grades(student), self.dropped(student), self.possible)

    def open_grades(self, student: str) -> str:
        """`1 grade waits` where a total is not final: a grade waits because of a fault of ours, or is not there
        yet. Empty where all are there."""
        missing = sum(one.grade is None or one.grade.waiting for one in self.of_student(student))
        return f"{counted(missing, 'grade')} {'waits' if missing == 1 else 'wait'}" if missing else ""

    def dropped(self, student: str) -> list[str]:
        """The labs that are left out of the student's total by the course's `drop_lowest`."""
        return left_out(self._grades(student), self.course.drop_lowest)

    def _grades(self, student: str) -> list[tuple[str, Grade | None]]:
        return [(one.lab, one.grade) for one in self.of_student(student)]

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
        return sorted({weakness(result.parts.sandbox, result.parts.backend) for result in results} - {""})

    @property
    def notes(self) -> list[str]:
        """What the instructor should look at: names in the policy that nobody has, dates that cannot be applied, and
        what intake left alone."""
        handed_in = [
            (one.student, one.lab, one.handed_in)
            for one in self.submissions.values()
            if one.grade and one.grade.verdict is not Verdict.NOT_SUBMITTED
        ]
        return [
            *self._policy_notes,
            *device_notes(one.result for one in self.submissions.values() if one.result and one.was_judged),
            *self.drifts,
            *self._held_notes,
            *course_notes(self.course, self.run.students),
            *undated_notes(self.course, handed_in),
            *self.run.problems,
        ]

    @property
    def _policy_notes(self) -> list[str]:
        """Which policy made the points, where that is not the course's own, or another than the grading had."""
        if self.course.file == (self.run.policy or COURSE_FILE):
            return [f"the points are by the policy {printable(self.course.file)}"] if self.run.policy else []
        asked = printable(self.run.policy) or COURSE_FILE
        return [f"the points are by {printable(self.course.file)}, while the grading had the policy {asked}"]

    @property
    def _held_notes(self) -> list[str]:
        """What students do not see, a sentence for each lab and hold."""
        found: dict[tuple[str, str], int] = {}
        for one in self.submissions.values():
            if one.held:
                found[one.lab, one.held.sentence] = found.get((one.lab, one.held.sentence), 0) + 1
        return [f"{lab}: {counted(count, 'grade')} {sentence}" for (lab, sentence), count in found.items()]

    def released(self) -> "Gradebook":
        """The book as it may leave for students: of what is held neither grade nor result nor total."""
        found = {
            key: replace(one, grade=None, result=None, regraded="", other_name=None) if one.held else one
            for key, one in self.submissions.items()
        }
        return replace(self, submissions=found)

    def only(self, students: Collection[str]) -> "Gradebook":
        """The book of these students alone, in its own order."""
        kept = [name for name in self.run.students if name in students]
        found = {key: one for key, one in self.submissions.items() if key[0] in students}
        return replace(self, run=self.run.model_copy(update={"students": kept}), submissions=found)

    def only_labs(self, labs: Collection[str]) -> "Gradebook":
        """The book of these labs alone, in its own order."""
        kept = [name for name in self.run.labs if name in labs]
        found = {key: one for key, one in self.submissions.items() if key[1] in labs}
        return replace(self, run=self.run.model_copy(update={"labs": kept}), submissions=found)

    def under_other_names(self) -> list[tuple[GradedSubmission, OtherName]]:
        """The submissions whose predictions were answered under another name, in the order of the table."""
        return [
            (one, one.other_name) for student in self.run.students for one in self.of_student(student) if one.other_name
        ]

    def adjusted(self) -> list[tuple[GradedSubmission, Adjustment]]:
        """Every submission with each of what the course's policy did to it, in the order of the table."""
        return [
            (one, each)
            for student in self.run.students
            for one in self.of_student(student)
            if one.grade
            for each in one.grade.adjustments
        ]

    @property
    def ungraded(self) -> list[GradedSubmission]:
        """The submissions that no grading has reached yet."""
        return [one for one in self.submissions.values() if one.grade is None]


def read_gradebook(run: ClassRun, store: ResultStore, catalogue: Catalogue, course: Course) -> Gradebook:
    """The gradebook of a run as the store has it now, by the course's policy (`course_of`)."""
    run = without_test_student(run)
    course = with_table_names(course, StudentNames(run.students, run.names, run.canvas_ids))
    specifications = {
        lab: counted_specification(spec, course, lab) for lab in run.labs if (spec := catalogue.specification(lab))
    }
    timed = {entry.key for entry in run.entries if entry.key} if run.backend == "cuda" else set()
    book = Gradebook(
        run,
        specifications,
        course=course,
        progress=read_progress(store, run.started_at),
        drifts=drift_notes(store, timed) if timed else [],
    )
    withdrawn = withdrawn_results(store)
    earlier = all_runs(store, run.class_name) if course.take == "best" else []
    held = held_keys(store) if earlier else set()
    handed_in = {(entry.student, entry.lab): entry for entry in run.entries}
    for entry in run.entries:
        specification = specifications.get(entry.lab)
        candidates = [entry]
        candidates += [
            handed_in[name, entry.lab]
            for name in course.partners(entry.student, entry.lab)
            if (name, entry.lab) in handed_in
        ]
        candidates += [
            one
            for past in earlier
            for one in past.entries
            if one.key and (one.student, one.lab) == (entry.student, entry.lab) and one.key not in held | {entry.key}
        ]
        found = [_graded(one, store, specification, course, entry.student, withdrawn) for one in candidates]
        book.submissions[entry.student, entry.lab] = _counting(found)
    _tell_holds(book, store)
    _tell_regrades(book, store)
    name_the_answers(book)
    return book


def without_test_student(run: ClassRun) -> ClassRun:
    """The run without Canvas's test student, who is nobody: neither a table nor a mean nor an export has a place for
    one. A note says so where something was handed in."""
    left_out = canvas_test_students(run.students, run.names, run.canvas_ids)
    if not left_out:
        return run
    handed_in = sorted({one.student for one in run.entries if one.student in left_out and one.key})
    notes = [f"{printable(name)} is Canvas's test student: left out of tables, means and exports" for name in handed_in]
    return run.model_copy(
        update={
            "students": [name for name in run.students if name not in left_out],
            "entries": [one for one in run.entries if one.student not in left_out],
            "problems": [*run.problems, *notes],
        }
    )


def name_the_answers(book: Gradebook) -> None:
    """Puts beside each submission whether its predictions were answered under another name; a partner's is as good."""
    everybody = {student: [student, *book.run.names.get(student, [])] for student in book.run.students}
    for key, one in book.submissions.items():
        allowed = [one.student, *book.course.partners(one.student, one.lab)]
        own = [name for student in allowed for name in everybody.get(student, [student])]
        found = other_name(one.result.predictions, own, everybody) if one.result else None
        if found:
            book.submissions[key] = replace(one, other_name=found)


def _tell_holds(book: Gradebook, store: ResultStore) -> None:
    """Puts beside each submission whether its student may not see it now."""
    if steps := holds(store):
        journal = Journal(steps, datetime.now(UTC))
        for key, one in book.submissions.items():
            if held := journal.held(one.lab, book.course.sections_of(one.student)):
                book.submissions[key] = replace(one, held=held)


def _tell_regrades(book: Gradebook, store: ResultStore) -> None:
    """Puts the reason of the run that made a later attempt beside it, whichever run is the latest now."""
    again = {key: one for key, one in book.submissions.items() if one.result and one.result.parts.attempt > 1}
    if not again:
        return
    reasons: dict[str, str] = {}
    for run in all_runs(store, book.run.class_name):
        for entry in run.entries:
            if entry.key:
                reasons.setdefault(entry.key, run.regrade)
    for key, one in again.items():
        if one.result:
            book.submissions[key] = replace(one, regraded=reasons.get(one.result.key, ""))


def _counting(found: list[GradedSubmission]) -> GradedSubmission:
    """Of the student's own, a partner's and earlier ones: the best, the own one when nothing is better. A grade that is
    still to come is waited for."""
    own = found[0]
    if own.grade is None or own.grade.waiting:
        return own
    return max(found, key=lambda one: one.grade.points or 0 if one.grade and not one.grade.waiting else -1.0)


def _graded(
    entry: RunEntry,
    store: ResultStore,
    specification: LabSpecification | None,
    course: Course,
    student: str,
    withdrawn: dict[str, Withdrawal],
) -> GradedSubmission:
    grade, result = _lab_grade(entry, store, specification)
    if result and specification and (entry_of := withdrawn.get(result.key)):
        grade = grade_without_facts(
            Verdict.FORBIDDEN, entry_of.sentence, specification.points, result.predictions, why="withdrawn"
        )
    if grade:
        grade = with_policy(grade, course, student, entry.lab, entry.handed_in)
    by = entry.student if entry.student != student else ""
    due, handed_in = course.due(student, entry.lab), entry.handed_in
    if due and handed_in:
        handed_in = handed_in.astimezone(due.tzinfo)  # side by side, two clocks would mislead
    light = result and result.model_copy(update={"facts": None})
    was_judged = result is not None and result.facts is not None
    return GradedSubmission(student, entry.lab, grade, light, handed_in, due, by, store=store, was_judged=was_judged)


def _lab_grade(
    entry: RunEntry, store: ResultStore, specification: LabSpecification | None
) -> tuple[Grade | None, Result | None]:
    """What the lab's own points are, before the course's policy."""
    if specification is None:
        message = entry.message or f"{entry.lab} has no readable lab.toml, so its points are not known"
        return Grade(verdict=Verdict.INTERNAL_ERROR, message=message, parts=[]), None
    points = specification.points
    if entry.key is None:
        return grade_without_facts(entry.verdict or Verdict.INTERNAL_ERROR, entry.message, points), None
    try:
        result = store.get(entry.key)
    except GraderError as fault:
        return grade_without_facts(Verdict.INTERNAL_ERROR, str(fault), points), None
    if result is None:
        return None, None
    if result.facts is None:
        return grade_without_facts(result.verdict, result.message, points, result.predictions), result
    return grade_from_facts(result.facts, points, result.predictions), result
