"""What a lab's page shows: how scores, counters and times are spread, and what failed most with an example."""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from markupsafe import Markup

from simtlab.facts.model import Criterion, Facts, Place, Status
from simtlab.report.charts import (
    Ceilings,
    RooflinePoint,
    Strip,
    Threshold,
    roofline,
    strips,
    value_histogram,
)
from simtlab.report.class_page import LabOverview
from simtlab.report.medians import median_interval
from simtlab.report.source import AnnotatedLine, excerpt
from simtlab.score.gradebook import Gradebook, GradedSubmission
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict

_MOST_RULES = 8


@dataclass(frozen=True)
class CriterionOverview:
    """One criterion over the class. `met` of `measured` submissions reach the value for full points."""

    name: str
    unit: str
    met: int
    measured: int
    mean_fraction: float
    full_at: float
    none_at: float
    chart: Markup


@dataclass(frozen=True)
class CommonFinding:
    """A rule that several submissions broke, with one of them as the example."""

    rule: str
    severity: str
    count: int
    message: str
    student: str
    place: Place
    lines: list[AnnotatedLine]


@dataclass(frozen=True)
class CaseOverview:
    """A case of the lab and how many submissions that ran got it right."""

    name: str
    hidden: bool
    right: int
    ran: int


@dataclass(frozen=True)
class LabView:
    """A lab's page."""

    overview: LabOverview
    submissions: list[GradedSubmission]
    criteria: list[CriterionOverview]
    findings: list[CommonFinding]
    cases: list[CaseOverview]
    timing: Markup
    roofline: Markup
    roofline_lacks: str
    machine: str


def lab_view(
    book: Gradebook, overview: LabOverview, store: ResultStore, link: Callable[[GradedSubmission], str]
) -> LabView:
    """Collects what the page shows; `link` gives a submission's page."""
    submissions = book.of_lab(overview.lab)
    ran = [(one, facts) for one in submissions if (facts := one.facts)]
    solved = [(one, facts) for one, facts in ran if facts.verdict is not Verdict.UNSOLVED]
    return LabView(
        overview=overview,
        submissions=submissions,
        criteria=_criteria([facts for _, facts in solved]),
        findings=_findings(solved, store),
        cases=_cases([facts for _, facts in solved]),
        timing=strips(_strips(ran, link), "ms", f"Times of {overview.lab}"),
        roofline=_roofline(ran, link, overview.lab),
        roofline_lacks=_roofline_lacks([facts for _, facts in ran]),
        machine=next((f"{facts.environment.gpu.name}" for _, facts in ran if facts.environment.gpu), ""),
    )


def _criteria(all_facts: list[Facts]) -> list[CriterionOverview]:
    found: defaultdict[tuple[str, str, float, float], list[Criterion]] = defaultdict(list)
    for facts in all_facts:
        if facts.fast.status is not Status.NOT_MEASURED:
            for one in facts.fast.criteria:
                found[one.metric, one.argument, one.full_at, one.none_at].append(one)
    overviews = []
    for (metric, argument, full_at, none_at), each in found.items():
        name = f"{metric.replace('_', ' ')} {argument}".strip()
        measured = [one for one in each if one.status == "measured" and one.value is not None]
        thresholds = [Threshold(full_at, "full points"), Threshold(none_at, "none")]
        overviews.append(
            CriterionOverview(
                name=name,
                unit=each[0].unit,
                met=sum(one.fraction >= 1 for one in measured),
                measured=len(measured),
                mean_fraction=sum(one.fraction for one in measured) / len(measured) if measured else 0.0,
                full_at=full_at,
                none_at=none_at,
                chart=value_histogram([one.value for one in measured if one.value is not None], thresholds, name),
            )
        )
    return overviews


def _findings(ran: list[tuple[GradedSubmission, Facts]], store: ResultStore) -> list[CommonFinding]:
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], tuple[GradedSubmission, Facts]] = {}
    for submission, facts in ran:
        for kind in dict.fromkeys((str(one.severity), one.rule) for one in facts.safe.findings):
            counts[kind] += 1
            examples.setdefault(kind, (submission, facts))
    order = ["error", "warning", "note"]
    ranked = sorted(counts, key=lambda rule: (order.index(rule[0]), -counts[rule], rule[1]))[:_MOST_RULES]
    found = []
    for severity, rule in ranked:
        submission, facts = examples[severity, rule]
        example = next(one for one in facts.safe.findings if (one.severity, one.rule) == (severity, rule))
        sources = {
            name: store.file(digest).decode("utf-8", "replace")
            for name, digest in (submission.result.parts.files if submission.result else {}).items()
            if store.has_file(digest)
        }
        lines = excerpt(sources, example.first)
        found.append(
            CommonFinding(
                rule, severity, counts[severity, rule], example.message, submission.student, example.first, lines
            )
        )
    return found


def _cases(all_facts: list[Facts]) -> list[CaseOverview]:
    ran: Counter[tuple[str, bool]] = Counter()
    right: Counter[tuple[str, bool]] = Counter()
    for facts in all_facts:
        for case in facts.cases:
            ran[case.name, case.hidden] += 1
            right[case.name, case.hidden] += case.verdict in {Verdict.PASS, Verdict.LEAK, Verdict.UNSAFE}
    return [CaseOverview(name, hidden, right[name, hidden], ran[name, hidden]) for name, hidden in ran]


def _strips(ran: list[tuple[GradedSubmission, Facts]], link: Callable[[GradedSubmission], str]) -> list[Strip]:
    """Fastest first; beside them what the same run measured as a baseline."""
    rows = []
    baselines: defaultdict[str, list[float]] = defaultdict(list)
    for submission, facts in ran:
        measured = facts.timing.measurement
        if measured is None or not measured.median_milliseconds or facts.correct.status is not Status.PASS:
            continue
        centre = measured.median_milliseconds
        low, high = measured.interval_milliseconds or (min(facts.timing.samples), max(facts.timing.samples))
        rows.append(Strip(submission.student, centre, low, high, link(submission)))
        for one in facts.fast.criteria:
            if one.metric.startswith("ratio_to") and one.value:
                baselines[one.argument or one.metric.removeprefix("ratio_to_").replace("_", " ")].append(
                    centre * one.value
                )
    rows += [Strip(f"baseline: {name}", *median_interval(values), reference=True) for name, values in baselines.items()]
    return sorted(rows, key=lambda one: one.centre)


def _roofline(ran: list[tuple[GradedSubmission, Facts]], link: Callable[[GradedSubmission], str], lab: str) -> Markup:
    points, copies, peaks = [], [], []
    for submission, facts in ran:
        work, samples = facts.fast.work, [value for value in facts.timing.samples if value > 0]
        copy = facts.timing.copy_gigabytes_per_second
        if work and copy and samples and work.operations > 0 and work.bytes > 0:
            copies.append(copy)
            if peak := _peak(facts):
                peaks.append(peak)
            rate = work.operations / (median(samples) * 1e6)
            points.append(RooflinePoint(submission.student, work.operations / work.bytes, rate, link(submission)))
    ceilings = Ceilings(median(copies) if copies else 0.0, median(peaks) if peaks else None)
    return roofline(points, ceilings, f"Roofline of {lab}")


def _peak(facts: Facts) -> float | None:
    measured = facts.timing.measurement
    return measured.giga_multiply_adds_per_second if measured else None


def _roofline_lacks(all_facts: list[Facts]) -> str:
    """What the facts lack for a roofline, or for one of its ceilings; empty when nothing is missing."""
    if not all_facts:
        return ""
    timed = any(facts.timing.samples for facts in all_facts)
    if not timed and all(facts.backend == "emulator" for facts in all_facts):
        return (
            "No roofline here: it needs times, a copy's bandwidth and the rate of multiply-adds, all measured on a GPU"
            " (--backend cuda). The emulator counts; it measures no time."
        )
    missing = {
        "times": timed,
        "a copy's bandwidth": any(facts.timing.copy_gigabytes_per_second for facts in all_facts),
        "the rate of multiply-adds, so the flat ceiling is not drawn": any(map(_peak, all_facts)),
    }
    lacking = [what for what, there in missing.items() if not there]
    return f"Not measured: {'; '.join(lacking)}." if lacking else ""
