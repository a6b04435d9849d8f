"""What the class page shows of each lab: how scores are distributed, how submissions ended, and what failed most."""

from collections import Counter
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
                chart=histogram([value / possible for value in points], f"Scores of {lab}"),
                verdicts=sorted(verdicts.items(), key=lambda item: (-item[1], item[0].value)),
                stumbles=stumbles([one.result.facts for one in graded if one.result and one.result.facts]),
                mean=sum(points) / len(points) if points else None,
            )
        )
    return overviews


def stumbles(facts_of_lab: list[Facts]) -> list[Stumble]:
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
        if case.verdict not in {Verdict.PASS, Verdict.UNSAFE}:
            seen.setdefault(("case", case.name), case.verdict.words)
    return seen
