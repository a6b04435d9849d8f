"""A graded submission as its student may see it.

Nothing is taken away here: the facts are built anew, member by member, from what may be shown, so that a member
nobody thought of is missing instead of public. Whatever the judge worked out over all cases together (verdict,
sentence, findings, counts) is worked out again over the visible ones; of a hidden case only its verdict is ever looked
at, and, where the policy says so, the lab's hint for it.

Under `nothing` all that a student sees follows from the visible cases alone. Points and counters are then left out:
both depend on whether the hidden cases were right.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from simtlab.facts.counters import HostCounters
from simtlab.facts.model import Case, Correct, Facts, Fast, Finding, Measurement, Place, Safe, Status, Timing
from simtlab.feedback.policy import HiddenFeedback
from simtlab.home.hints import fitting_hint, is_explained
from simtlab.labs.specification import LabSpecification
from simtlab.report.submission_page import next_hint
from simtlab.score.gradebook import GradedSubmission
from simtlab.score.points import Grade, PartName, graded_message, graded_verdict
from simtlab.store.result import Result
from simtlab.text import counted
from simtlab.verdict import Verdict

_WAITS = "The grade waits because of a fault of ours; it is not yours, and it will not lower your grade."
_UNSOLVED = (
    "Nothing was written in any case. Either the file is still the stub: start where it says `//@@ your code here`. "
    "Or the entry launches no kernel that stores its results."
)
_LATER = "shown once the hidden cases are"
_WORST_LAST = (
    Verdict.PASS, Verdict.LEAK, Verdict.UNSAFE, Verdict.WRONG_ANSWER, Verdict.OUTPUT_LIMIT, Verdict.MEMORY_LIMIT,
    Verdict.TIMEOUT, Verdict.CRASH, Verdict.FORBIDDEN, Verdict.IMPLAUSIBLE, Verdict.UNSOLVED, Verdict.INTERNAL_ERROR,
)  # fmt: skip
_RIGHT = {Verdict.PASS, Verdict.LEAK, Verdict.UNSAFE}
_SHOWN_OF_A_MEASUREMENT = ("median_milliseconds", "interval_milliseconds", "confidence", "state")
_HIDDEN_OF_A_MEASUREMENT: dict[str, Any] = {
    "host_milliseconds": 0.0, "floor_milliseconds": None, "checked_call": 0, "check": "reference",
    "check_error_probability": 0.0, "drift": 0.0, "attempts": 1, "baselines": [], "read_gigabytes_per_second": None,
    "giga_multiply_adds_per_second": None, "gpu": None, "remarks": [],
}  # fmt: skip
_SEVERITIES = ("error", "warning", "note")


def for_student(
    submission: GradedSubmission, specification: LabSpecification, policy: HiddenFeedback
) -> GradedSubmission:
    """The same submission with a grade and facts that hold nothing beyond the policy."""
    submission = replace(submission, other_name=None)  # it may name somebody else
    result, grade = submission.result, submission.grade
    if grade is None:
        return submission
    if grade.waiting:
        return replace(submission, grade=grade.model_copy(update={"message": _WAITS}), result=None)
    found = submission.facts
    if result is None or found is None:
        return submission  # it never met a hidden case
    facts = students_facts(found, specification, policy)
    withdrawn = grade.verdict is Verdict.FORBIDDEN and found.verdict is not Verdict.FORBIDDEN
    seen = grade if withdrawn else _grade(grade, facts, policy)  # a withdrawal's reason is the student's to know
    return replace(submission, grade=seen, result=_result(result, facts), store=None)


def students_hint(
    submission: GradedSubmission, seen: GradedSubmission, specification: LabSpecification, policy: HiddenFeedback
) -> str:
    """The next step: by what the student sees; where all of that is right and the policy allows it, by the first hidden
    case that is not. `seen` is what `for_student` made of `submission`."""
    facts = seen.facts
    if facts is None or seen.grade is None:
        return next_hint(seen, specification)
    visible = _worst([case for case in facts.cases if not case.hidden])
    by_hidden = visible is Verdict.PASS and seen.grade.verdict not in {Verdict.PASS, Verdict.SLOW}
    found = submission.facts
    if by_hidden and policy is HiddenFeedback.VERDICT_AND_HINT and found:
        hints = (_hint_for(case, specification) for case in found.cases if case.hidden)
        return next((hint for hint in hints if hint), "")
    if by_hidden:
        return ""
    return next_hint(seen, specification)


def students_facts(facts: Facts, specification: LabSpecification, policy: HiddenFeedback) -> Facts:
    """Facts that hold nothing of hidden cases beyond the policy."""
    visible = [case for case in facts.cases if not case.hidden]
    hidden = [case for case in facts.cases if case.hidden]
    unsolved = facts.verdict is Verdict.UNSOLVED
    findings = _merged(visible)
    errors = any(finding.severity == "error" for finding in findings)
    if policy is HiddenFeedback.NOTHING:
        shown: list[Case] = visible
        verdict = Verdict.UNSOLVED if unsolved else _worst(visible)
        passed = sum(case.verdict in _RIGHT for case in visible)
        status = Status.PASS if passed == len(visible) else Status.FAIL
        correct = Correct(status=status, passed=passed, total=len(visible))
        unsafe = Status.NOT_MEASURED if unsolved else Status.FAIL if errors else Status.PASS
        safe = Safe(status=unsafe, reason="", findings=findings)
        fast = Fast(
            status=Status.NOT_MEASURED, reason=_LATER, score=0, pass_at=facts.fast.pass_at, sizes={}, criteria=[]
        )
    else:
        hints = policy is HiddenFeedback.VERDICT_AND_HINT
        shown = visible + [
            _hidden_case(case, number, _hint_for(case, specification) if hints else "")
            for number, case in enumerate(hidden, 1)
        ]
        verdict = facts.verdict
        correct = facts.correct
        safe = Safe(status=facts.safe.status, reason=facts.safe.reason, findings=findings)
        fast = facts.fast
    counters = policy is not HiddenFeedback.NOTHING
    return Facts(
        format=facts.format,
        version=facts.version,
        lab=facts.lab,
        submission=facts.submission,
        backend=facts.backend,
        verdict=verdict,
        message=_UNSOLVED if unsolved else _sentence(visible, verdict),
        seed=0,
        environment=facts.environment,
        cases=shown,
        skipped=[],
        correct=correct,
        safe=safe,
        fast=fast,
        launches=facts.launches if counters else [],
        lines=facts.lines if counters else [],
        host=facts.host if counters else HostCounters(**dict.fromkeys(HostCounters.model_fields, 0)),
        timing=_times(facts.timing) if counters else Timing(cases=[], samples=[], copy_gigabytes_per_second=None),
    )


def _times(timing: Timing) -> Timing:
    """The submission's own times; of the machine, and of what else was timed there, nothing."""
    measured = timing.measurement
    if measured is not None:
        shown = {name: getattr(measured, name) for name in _SHOWN_OF_A_MEASUREMENT}
        measured = Measurement(**shown, **_HIDDEN_OF_A_MEASUREMENT)
    return Timing(cases=[], samples=timing.samples, copy_gigabytes_per_second=None, measurement=measured)


def _hidden_case(case: Case, number: int, hint: str) -> Case:
    return Case(
        name=f"hidden case {number}",
        hidden=True,
        sizes={},
        verdict=case.verdict,
        message=hint,
        printed="",
        mismatch=None,
        findings=[],
    )


def _hint_for(case: Case, specification: LabSpecification) -> str:
    """The lab's hint for a case that is not right: by its first finding that is an error, else by its verdict."""
    if case.verdict is Verdict.PASS:
        return ""
    situations = [(finding.rule, finding.variable) for finding in case.findings if finding.severity == "error"]
    if not is_explained(case.message):
        situations.append((case.verdict.value, ""))
    return fitting_hint(specification.hints, situations)


def _worst(cases: Sequence[Case]) -> Verdict:
    return max((case.verdict for case in cases), key=_WORST_LAST.index, default=Verdict.PASS)


def _sentence(visible: Sequence[Case], verdict: Verdict) -> str:
    """The sentence beside the verdict: of the first visible case that ended so, else that a hidden one did."""
    if verdict is Verdict.PASS:
        return ""
    for case in visible:
        if case.verdict is verdict:
            sizes = ", ".join(f"{name} {value}" for name, value in case.sizes.items())
            return f"{case.name} ({sizes}): {case.message}"
    others = "The cases that you can see are right. " if _worst(visible) is Verdict.PASS else ""
    return f"{others}A hidden case ended with: {verdict.words}."


def _merged(cases: Sequence[Case]) -> list[Finding]:
    """The findings of the cases, each (rule, lines, variable) once, worst first: as the judge merges those of all."""
    merged: dict[tuple[object, ...], Finding] = {}
    for case in cases:
        for finding in case.findings:
            places = sorted([_line_of(finding.first), _line_of(finding.second)])
            key = (finding.rule, *places, finding.variable)
            known = merged.get(key)
            merged[key] = known.model_copy(update={"count": known.count + finding.count}) if known else finding
    return sorted(merged.values(), key=lambda finding: _SEVERITIES.index(finding.severity))


def _line_of(place: Place | None) -> tuple[str, int]:
    return (place.file, place.line) if place else ("", 0)


def _grade(grade: Grade, facts: Facts, policy: HiddenFeedback) -> Grade:
    parts = []
    if policy is not HiddenFeedback.NOTHING:
        errors = sum(finding.severity == "error" for finding in facts.safe.findings)
        for part in grade.parts:
            reason = part.reason
            if part.name is PartName.SAFE and part.status is Status.FAIL:
                seen = f"{counted(errors, 'finding')} of severity error"
                reason = seen if errors else "something unsafe was found in a hidden case"
            parts.append(part.model_copy(update={"reason": reason}))
    adjustments = grade.adjustments if parts else []
    return Grade(verdict=graded_verdict(facts), message=graded_message(facts), parts=parts, adjustments=adjustments)


def _result(result: Result, facts: Facts) -> Result:
    return result.model_copy(
        update={"verdict": facts.verdict, "message": facts.message, "facts": facts, "seconds": 0.0}
    )
