"""Whether each criterion tells some right kernel from a good one, and the scores that a handout names are true."""

import re
from collections.abc import Iterator, Mapping, Sequence

from simtlab.facts.model import Criterion, Facts
from simtlab.verify.check import Check, Subject
from simtlab.verify.markdown import Section

_SCORE = re.compile(r"\b(?:gets?|earns?|gives) (\d+)\b(?! ?%)")
"""How a handout speaks of points of `fast`: one matrix alone gives 50."""


def criteria_check(lab: str, ends: Sequence[Facts]) -> Check:
    """The check of the criteria that this backend measures, by the facts of solution, variants and mutants."""
    return Check(lab, "criteria", problems=list(_problems(ends)), subject=Subject.HANDOUT)


def scores_check(lab: str, fast: Section | None, scores: Mapping[str, float]) -> Check:
    """The check of the scores that the text below a handout's table of criteria names; `scores` are those of all right
    variants and of the solution."""
    lines = fast.text.splitlines() if fast else []
    prose = " ".join(line for line in lines if not line.startswith("|"))
    problems = [
        f"README.md:{fast.line} ({fast.title}): speaks of {said} points, and no right variant scores that: "
        f"{', '.join(f'{name} {score:.0f}' for name, score in sorted(scores.items(), key=lambda one: one[1]))}"
        for said in _SCORE.findall(prose)
        if fast and int(said) not in {round(score) for score in scores.values()}
    ]
    return Check(lab, "handout: scores", problems=problems, subject=Subject.HANDOUT)


def _problems(ends: Sequence[Facts]) -> Iterator[str]:
    met: dict[str, bool] = {}
    for facts in ends:
        for criterion in facts.fast.criteria:
            if criterion.status == "measured":
                name = _name_of(criterion)
                met[name] = met.get(name, True) and criterion.fraction >= 1
    for name, always in met.items():
        if always:
            what = "Add a variant with the mistake that it tells, or take the criterion out"
            yield f"{name}: every right kernel here earns all of it. {what}"


def _name_of(criterion: Criterion) -> str:
    return f'{criterion.metric}("{criterion.argument}")' if criterion.argument else criterion.metric
