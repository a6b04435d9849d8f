"""Whether each criterion of a lab tells some right kernel from a good one."""

from collections.abc import Iterator, Sequence

from simtlab.facts.model import Criterion, Facts
from simtlab.verify.check import Check, Subject


def criteria_check(lab: str, ends: Sequence[Facts]) -> Check:
    """The check of the criteria that this backend measures, by the facts of solution, variants and mutants."""
    return Check(lab, "criteria", problems=list(_problems(ends)), subject=Subject.HANDOUT)


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
