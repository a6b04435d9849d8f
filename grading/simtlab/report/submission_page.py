"""What a submission's page shows beyond its facts: the sources in context, and the one next step to take."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from simtlab.audit.finding import AuditFinding
from simtlab.errors import GraderError
from simtlab.facts.model import Facts, Finding, Line, LineAccess, Place
from simtlab.home.hints import fitting_hint, is_explained
from simtlab.labs.specification import LabSpecification
from simtlab.report.pages import site_environment
from simtlab.report.pictures import OutputPictures, pictures_of
from simtlab.report.request_pictures import LineFigures, request_figures
from simtlab.report.source import AnnotatedLine, annotated_source, excerpt, for_page, same_file, without_colours
from simtlab.score.gradebook import GradedSubmission
from simtlab.store.results import ResultStore
from simtlab.text import shortened
from simtlab.verdict import Verdict

_MOST_FINDINGS = 6
_MOST_ACCESSES = 30
_FEW_LINES = 20
_LARGEST_PAGE = 60_000
"""Bytes without drawings. Pages stay small, for a class has thousands; `simtlab explain --json` has everything."""
_LARGEST_WITH_DRAWINGS = 150_000
"""Drawings of requests that would make a page larger stay away, the cheapest lines' first."""


@dataclass(frozen=True)
class FindingInContext:
    """A finding with the lines around its one or two places."""

    finding: Finding
    first: list[AnnotatedLine]
    second: list[AnnotatedLine]


@dataclass(frozen=True)
class AuditInContext:
    """A finding of the audit with the lines around its place."""

    finding: AuditFinding
    place: Place
    lines: list[AnnotatedLine]


@dataclass(frozen=True)
class AnnotatedFile:
    """One submitted file."""

    name: str
    lines: list[AnnotatedLine]
    numbers: set[int]
    """Of the lines that are shown."""
    has_sectors: bool
    has_wavefronts: bool
    has_counters: bool


@dataclass(frozen=True)
class Times:
    """The benchmark's samples of one process run: the judge's median and its interval, in milliseconds."""

    count: int
    median: float
    interval: tuple[float, float] | None
    """None: too few samples for one."""
    confidence: float
    copy_gigabytes_per_second: float | None


@dataclass(frozen=True)
class SubmissionView:
    """A submission's page."""

    submission: GradedSubmission
    specification: LabSpecification
    brief: bool
    files: list[AnnotatedFile]
    findings: list[FindingInContext]
    more_findings: int
    audit: list[AuditInContext]
    accesses: list[tuple[Line, LineAccess]]
    hint: str
    times: Times | None
    pictures: dict[str, OutputPictures]
    drawn_lines: list[LineFigures]
    """Lines whose requests are drawn, dearest first."""

    @property
    def has_steps(self) -> bool:
        """Whether there are lines that the page's keys go to."""
        return any(line.heat or line.severities for file in self.files for line in file.lines)


def submission_view(
    submission: GradedSubmission, specification: LabSpecification, store: ResultStore, *, brief: bool = False
) -> SubmissionView:
    """Collects what the page shows, from the store alone; `brief` shows less of everything that may be long."""
    facts = submission.facts
    sources = _sources(submission, store)
    return SubmissionView(
        submission=submission,
        specification=specification,
        brief=brief,
        files=[_annotated_file(name, text, facts, brief=brief) for name, text in sources.items()],
        findings=[
            FindingInContext(
                finding, excerpt(sources, finding.first), excerpt(sources, finding.second) if finding.second else []
            )
            for finding in (facts.safe.findings[:_MOST_FINDINGS] if facts else [])
        ],
        more_findings=max(len(facts.safe.findings) - _MOST_FINDINGS, 0) if facts else 0,
        audit=[_audit_in_context(sources, one) for one in submission.result.audit[:_MOST_FINDINGS]]
        if submission.result
        else [],
        accesses=[(line, access) for line in facts.lines for access in line.accesses][:_MOST_ACCESSES] if facts else [],
        hint=next_hint(submission, specification),
        times=_times(facts) if facts else None,
        pictures=pictures_of(facts) if facts and not brief else {},
        drawn_lines=request_figures(facts, _texts_of(sources, facts)) if facts else [],
    )


def submission_text(view: Callable[[bool], SubmissionView], **others: object) -> str:
    """The page of a submission. `view` collects what it shows, briefly where the page would be too large."""
    template = site_environment().get_template("submission.html")

    def page(one: SubmissionView) -> str:
        return template.render(view=one, **others)

    def is_too_large(one: SubmissionView) -> bool:
        return len(page(replace(one, drawn_lines=[])).encode()) > _LARGEST_PAGE

    whole = view(False)
    if is_too_large(whole):
        whole = _without_colours(whole)
    if is_too_large(whole):
        whole = _without_colours(view(True))
    for most in range(len(whole.drawn_lines), 0, -1):
        text = page(replace(whole, drawn_lines=whole.drawn_lines[:most]))
        if len(text.encode()) < _LARGEST_WITH_DRAWINGS:
            return text
    return page(replace(whole, drawn_lines=[]))


def _without_colours(one: SubmissionView) -> SubmissionView:
    return replace(
        one,
        files=[replace(each, lines=without_colours(each.lines)) for each in one.files],
        findings=[
            replace(each, first=without_colours(each.first), second=without_colours(each.second))
            for each in one.findings
        ],
        audit=[replace(each, lines=without_colours(each.lines)) for each in one.audit],
    )


def _texts_of(sources: dict[str, str], facts: Facts) -> dict[tuple[str, int], str]:
    """The text of each line of the facts, by the facts' own file names."""
    texts = {}
    for name, text in sources.items():
        lines = text.splitlines()
        for one in facts.lines:
            if same_file(one.file, name) and 1 <= one.line <= len(lines):
                texts[one.file, one.line] = shortened(lines[one.line - 1].strip(), 120)
    return texts


def _times(facts: Facts) -> Times | None:
    measured = facts.timing.measurement
    if measured is None or measured.median_milliseconds is None:
        return None
    return Times(
        len(facts.timing.samples),
        measured.median_milliseconds,
        measured.interval_milliseconds,
        measured.confidence,
        facts.timing.copy_gigabytes_per_second,
    )


def _audit_in_context(sources: dict[str, str], finding: AuditFinding) -> AuditInContext:
    place = Place(file=finding.file, line=finding.line, thread=None, block=None, action="")
    return AuditInContext(finding, place, excerpt(sources, place))


def next_hint(submission: GradedSubmission, specification: LabSpecification) -> str:
    """The one step to take next: by the first finding that is an error, the verdict, or the criterion that costs
    most."""
    grade = submission.grade
    facts = submission.facts
    if grade is None or grade.waiting or grade.points == grade.possible:
        return ""
    if facts and grade.verdict is Verdict.WRONG_ANSWER and is_explained(facts.message):
        return ""
    found = [one for one in facts.safe.findings if one.severity == "error"] if facts else []
    situations = [(finding.rule, finding.variable) for finding in found]
    if text := fitting_hint(specification.hints, [*situations, (grade.verdict.value, "")]):
        return text
    if facts and grade.verdict in {Verdict.PASS, Verdict.SLOW}:
        missed = [one for one in facts.fast.criteria if one.status == "measured" and one.fraction < 1]
        if missed:
            worst = max(missed, key=lambda one: one.weight * (1 - one.fraction))
            return fitting_hint(specification.hints, [(worst.metric, worst.argument)]) or worst.hint
    general = [hint.text for hint in specification.hints if not hint.when]
    return general[0] if general else ""


def _sources(submission: GradedSubmission, store: ResultStore) -> dict[str, str]:
    if submission.result is None:
        return {}
    texts: dict[str, str] = {}
    for name, digest in submission.result.parts.files.items():
        try:
            texts[name] = store.file(digest).decode("utf-8", "replace")
        except GraderError as fault:
            texts[name] = f"// {fault}"
    return texts


def _annotated_file(name: str, text: str, facts: Facts | None, *, brief: bool) -> AnnotatedFile:
    annotated = annotated_source(name, text, facts)
    lines = for_page(annotated, _FEW_LINES) if brief else for_page(annotated)
    counters = [line.counters for line in lines if line.counters]
    return AnnotatedFile(
        name=name,
        lines=lines,
        numbers={line.number for line in lines},
        has_sectors=any(one.per_request.sectors is not None for one in counters),
        has_wavefronts=any(one.per_request.wavefronts is not None for one in counters),
        has_counters=bool(counters),
    )
