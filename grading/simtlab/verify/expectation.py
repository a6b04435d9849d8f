"""What a variant declares in its first line: `// expect: correct=pass safe=pass fast=45..60`."""

import re
from dataclasses import dataclass

from simtlab.errors import LabError
from simtlab.facts.model import Facts, Status
from simtlab.verdict import Verdict

WIDEST_BAND = 20.0
_LINE = re.compile(r"//\s*expect:\s*(?P<pairs>.*)")
_BAND = re.compile(r"(?P<low>\d+(\.\d+)?)\.\.(?P<high>\d+(\.\d+)?)")
_GRAMMAR = "// expect: correct=pass|fail safe=pass|fail fast=LOW..HIGH|not_measured [verdict=WORD]"


@dataclass(frozen=True)
class Expectation:
    """Declared statuses and score band; a member that is None was not declared and is not checked."""

    verdict: Verdict | None = None
    correct: Status | None = None
    safe: Status | None = None
    fast: Status | tuple[float, float] | None = None

    def __str__(self) -> str:
        pairs = [
            f"{name}={getattr(self, name).value}" for name in ("verdict", "correct", "safe") if getattr(self, name)
        ]
        if isinstance(self.fast, tuple):
            pairs.append(f"fast={self.fast[0]:g}..{self.fast[1]:g}")
        elif self.fast:
            pairs.append(f"fast={self.fast.value}")
        return " ".join(pairs)


def parse_expectation(text: str, where: str) -> Expectation:
    """The expectation in the first line of `text`. Raises `LabError`, naming `where`, for anything it cannot mean."""
    first = text.removeprefix("\ufeff").split("\n", 1)[0].strip()
    line = _LINE.fullmatch(first)
    if not line:
        raise LabError(f"{where}: the first line must declare how it ends, `{_GRAMMAR}`; found {first[:80]!r}")
    pairs: dict[str, str] = {}
    for word in line["pairs"].split():
        name, equals, value = word.partition("=")
        if not equals or name in pairs or name not in {"correct", "safe", "fast", "verdict"}:
            raise LabError(f"{where}: {word!r} cannot be declared; expected `{_GRAMMAR}`")
        pairs[name] = value
    try:
        expectation = Expectation(
            verdict=Verdict(pairs["verdict"]) if "verdict" in pairs else None,
            correct=Status(pairs["correct"]) if "correct" in pairs else None,
            safe=Status(pairs["safe"]) if "safe" in pairs else None,
            fast=_fast(pairs["fast"], where) if "fast" in pairs else None,
        )
    except ValueError as error:
        raise LabError(f"{where}: {error}; expected `{_GRAMMAR}`") from error
    if expectation.verdict is None and expectation.correct is None:
        raise LabError(f"{where}: declares neither correct= nor verdict=; expected `{_GRAMMAR}`")
    if expectation.correct is Status.PASS and expectation.fast is None:
        raise LabError(f"{where}: declares correct=pass without fast=; expected `{_GRAMMAR}`")
    return expectation


def _fast(value: str, where: str) -> Status | tuple[float, float]:
    band = _BAND.fullmatch(value)
    if not band:
        return Status(value)
    low, high = float(band["low"]), float(band["high"])
    if not 0 <= low <= high <= 100:
        raise LabError(f"{where}: the band fast={value} must rise and lie within 0..100")
    if high - low > WIDEST_BAND:
        raise LabError(f"{where}: the band fast={value} is {high - low:g} wide; at most {WIDEST_BAND:g} says something")
    return low, high


def differences(expected: Expectation, verdict: Verdict, facts: Facts | None) -> list[str]:
    """In what the submission ended otherwise than declared; empty when it kept its word."""
    wrong: list[str] = []
    if expected.verdict is not None and verdict is not expected.verdict:
        wrong.append(f"verdict is {verdict.value}, declared {expected.verdict.value}")
    if facts is None:
        if expected.correct or expected.safe or expected.fast:
            wrong.append(f"never ran: {verdict.words}")
        return wrong
    for name in ("correct", "safe"):
        declared: Status | None = getattr(expected, name)
        found: Status = getattr(facts, name).status
        if declared is not None and found is not declared:
            wrong.append(f"{name} is {found.value}, declared {declared.value}")
    if isinstance(expected.fast, Status) and facts.fast.status is not expected.fast:
        wrong.append(f"fast is {facts.fast.status.value}, declared {expected.fast.value}")
    if isinstance(expected.fast, tuple):
        low, high = expected.fast
        score = facts.fast.score
        if facts.fast.status is Status.NOT_MEASURED:
            wrong.append(f"fast is not measured ({facts.fast.reason}), declared {low:g}..{high:g}")
        elif not low <= round(score, 2) <= high:
            wrong.append(f"fast scores {score:.2f}, declared {low:g}..{high:g}")
    return wrong
