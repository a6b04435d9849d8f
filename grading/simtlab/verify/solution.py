"""Whether a lab's own solution holds up. Where it does not, lab.cpp and the solution contradict each other, and every
variant and mutant would say so once more."""

import math

from simtlab.facts.model import Case, Mismatch, Status
from simtlab.labs.description import LabDescription, ToleranceParts
from simtlab.store.result import Result
from simtlab.verdict import Verdict

NEXT = "variants and mutants were not run: mend lab.cpp or the solution, build, and verify again"


def solution_faults(lab: str, described: LabDescription, result: Result) -> list[str]:
    """Why the solution does not pass, as a matter of lab.cpp; none where it does, whatever it earns of `fast`."""
    if result.verdict is Verdict.PASS:
        return []
    if result.verdict is Verdict.COMPILE_ERROR:
        return [f"solutions/{lab}/kernel.cu does not compile: {_first_error(result.message)}", NEXT]
    facts = result.facts
    if result.verdict is Verdict.INTERNAL_ERROR or facts is None:
        return [f"labs/{lab}/lab.cpp: {result.message.strip() or result.verdict.words}", NEXT]
    failed = [case for case in facts.cases if case.verdict is not Verdict.PASS]
    problems = [_case_problem(failed[0], described, len(failed), len(facts.cases))] if failed else []
    if facts.safe.status is not Status.PASS:
        first = next((one.message for one in facts.safe.findings if one.severity == "error"), facts.safe.reason)
        problems.append(f"the solution is not safe: {first}")
    return [*(problems or [f"the solution ends as {result.verdict.words}: {_first_line(result.message)}"]), NEXT]


def _case_problem(case: Case, described: LabDescription, failed: int, of: int) -> str:
    """`lab.cpp, case "one element" (n = 1): the solution gives a wrong answer: …`, the first of those that fail."""
    sizes = ", ".join(f"{name} = {value}" for name, value in case.sizes.items())
    place = "hidden.toml" if case.hidden else "lab.cpp"
    text = f'{place}, case "{case.name}"{f" ({sizes})" if sizes else ""}: the solution ends as {case.verdict.words}'
    if failed > 1:
        text += f", as it does in {failed} of {of} cases"
    if empty := [name for name, value in case.sizes.items() if value == 0]:
        return (
            f"{text}. The case has {empty[0]} = 0, no element, and CUDA launches no grid of 0 blocks: take the case "
            f"out of {place}, or let the solution return before it launches"
        )
    allowed = next((one.tolerance for one in described.cases if one.name == case.name), None)
    if case.mismatch is not None and (bound := _bound_text(case.mismatch, allowed)):
        return f"{text}: {bound}"
    return f"{text}: {_first_line(case.message)}"


def _bound_text(mismatch: Mismatch, allowed: ToleranceParts | None) -> str:
    """What lab.cpp allows, and by how much the solution is off; empty where no number says it."""
    if mismatch.never_written or allowed is None:
        return ""
    off = 0.0
    for one in mismatch.first:
        error = abs(float(one.actual) - float(one.expected))
        if not math.isfinite(error):
            return ""
        off = max(off, error)
    return (
        f"{mismatch.argument} is wrong in {mismatch.wrong} of {mismatch.total} elements; lab.cpp allows "
        f"{_tolerance_text(allowed)}, and the solution is off by {off:.2g}"
    )


def _tolerance_text(allowed: ToleranceParts) -> str:
    parts = [
        f"{allowed.absolute:g}" if allowed.absolute else "",
        f"{allowed.relative:g} of the expected value" if allowed.relative else "",
        f"{allowed.ulps:g} ulp" if allowed.ulps else "",
        f"{allowed.condition:.2g} of the sum of all terms' sizes" if allowed.condition else "",
    ]
    return " + ".join(part for part in parts if part) or "no error (.tolerance = exact)"


def _first_error(message: str) -> str:
    lines = message.strip().splitlines()
    return next((line for line in lines if "error" in line), _first_line(message))


def _first_line(message: str) -> str:
    return next(iter(message.strip().splitlines()), "")
