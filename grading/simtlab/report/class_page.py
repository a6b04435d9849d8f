"""What the class page shows: the labs with their scores and what failed most, and the students who need somebody."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from simtlab.facts.model import Facts, Status
from simtlab.report.charts import histogram
from simtlab.score.gradebook import Gradebook
from simtlab.verdict import Verdict

_KINDS = ("rule", "criterion", "case")
_MOST_SHOWN_OF_A_KIND = 3


@dataclass(frozen=True)
class Stumble:
    """Something that went wrong in several submissions: a case, a rule or a criterion."""

    kind: str
    name: str
    count: int
    example: str


@dataclass(frozen=True)
class LabOverview:
    """One lab of the class page."""

    lab: str
    title: str
    topic: str
    possible: float
    chart: Markup
    verdicts: list[tuple[Verdict, int]]
    stumbles: list[Stumble]
    mean: float | None
    unproven: list[str]
    """Of a draft: what is not proven of the lab; empty of a lab that is none."""


@dataclass(frozen=True)
class Attention:
    """A student who may need help, and why; `share` is of the points that are known."""

    student: str
    share: float
    reasons: list[str]


_HELP_BELOW = 0.5
_MOST_ATTENTION = 30


def attention(book: Gradebook) -> list[Attention]:
    """Students below half of the points, fewest first, with what stands in the way; a grade that waits for us counts
    neither way."""
    found = []
    for student in book.run.students:
        known = [one for one in book.of_student(student) if one.grade and one.grade.points is not None]
        possible = sum(one.grade.possible for one in known if one.grade)
        if not possible:
            continue
        share = sum(one.grade.points or 0 for one in known if one.grade) / possible
        if share < _HELP_BELOW:
            ends = Counter(one.grade.verdict for one in known if one.grade and one.grade.verdict is not Verdict.PASS)
            words = [
                f"{count} × {verdict.words}" if count > 1 else verdict.words for verdict, count in ends.most_common()
            ]
            found.append(Attention(student, share, words))
    return sorted(found, key=lambda one: (one.share, one.student))[:_MOST_ATTENTION]


def totals_chart(book: Gradebook) -> Markup:
    """How the students' totals are spread."""
    shares = [book.total(student) / book.possible for student in book.run.students] if book.possible else []
    return histogram([min(max(share, 0.0), 1.0) for share in shares], "Totals")


def lab_overviews(book: Gradebook) -> list[LabOverview]:
    """The labs in the order of the course; one whose lab.toml cannot be read is left to the notes."""
    overviews: list[LabOverview] = []
    for lab, specification in book.specifications.items():
        graded = [one for one in book.of_lab(lab) if one.grade]
        points = [one.grade.points for one in graded if one.grade and one.grade.points is not None]
        possible = specification.points.total
        verdicts = Counter(one.grade.verdict for one in graded if one.grade)
        overviews.append(
            LabOverview(
                lab=lab,
                title=specification.title,
                topic=specification.topic,
                possible=possible,
                chart=histogram(
                    [min(max(value / possible, 0.0), 1.0) for value in points if possible], f"Scores of {lab}"
                ),
                verdicts=sorted(verdicts.items(), key=lambda item: (-item[1], item[0].value)),
                stumbles=stumbles(facts for one in graded if (facts := one.facts)),
                mean=sum(points) / len(points) if points else None,
                unproven=specification.unproven,
            )
        )
    return overviews


def stumbles(facts_of_lab: Iterable[Facts]) -> list[Stumble]:
    """What failed most: rules, then criteria, then cases, each counted once a submission and most frequent first. An
    unsolved submission fails everything and says nothing, so it is left out."""
    found: dict[str, Counter[str]] = {kind: Counter() for kind in _KINDS}
    examples: dict[tuple[str, str], str] = {}
    for facts in facts_of_lab:
        if facts.verdict is Verdict.UNSOLVED:
            continue
        seen = _stumbles_of(facts)
        for (kind, name), example in seen.items():
            found[kind][name] += 1
            examples.setdefault((kind, name), example)
    ranked = {kind: sorted(found[kind].items(), key=lambda item: (-item[1], item[0])) for kind in _KINDS}
    return [
        Stumble(kind, name, count, examples[kind, name])
        for kind in _KINDS
        for name, count in ranked[kind][:_MOST_SHOWN_OF_A_KIND]
    ]


def _stumbles_of(facts: Facts) -> dict[tuple[str, str], str]:
    """What one submission failed in, with a sentence each."""
    seen: dict[tuple[str, str], str] = {}
    for finding in facts.safe.findings:
        if finding.severity == "error":
            seen.setdefault(("rule", finding.rule), finding.message)
    if facts.fast.status is not Status.NOT_MEASURED:
        for criterion in facts.fast.criteria:
            if criterion.status == "measured" and criterion.fraction < 1:
                name = f"{criterion.metric.replace('_', ' ')} {criterion.argument}".strip()
                seen.setdefault(("criterion", name), criterion.hint)
    for case in facts.cases:
        if case.verdict not in {Verdict.PASS, Verdict.LEAK, Verdict.UNSAFE}:
            seen.setdefault(("case", case.name), case.verdict.words)
    return seen
