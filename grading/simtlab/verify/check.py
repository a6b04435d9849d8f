"""What `simtlab verify` finds out, one check after the other."""

from dataclasses import dataclass, field
from enum import StrEnum

FEWEST_VARIANTS = 8
MOST_OFF_TOPIC = 70
"""Percent of a lab's points that a correct kernel without the lab's topic may earn."""
LEAST_APART = 10
"""Points of `fast` between neighbouring textbook steps on some backend."""


class Subject(StrEnum):
    """What a check is about."""

    SPECIMEN = "specimen"
    """The stub, the solution or a variant: ends as it declares."""
    MUTANT = "mutant"
    """The solution with one mistake: does not earn full marks."""
    HANDOUT = "handout"
    """What students read agrees with the specification, and the lab is complete."""


@dataclass(frozen=True)
class Check:
    """One end beside its declaration; no problems means that it kept its word."""

    lab: str
    specimen: str
    expected: str = ""
    verdict: str = ""
    correct: str = ""
    safe: str = ""
    fast: str = ""
    problems: list[str] = field(default_factory=list)
    subject: Subject = Subject.SPECIMEN

    @property
    def passed(self) -> bool:
        """Whether it ended as declared."""
        return not self.problems


BASE = ("stub", "solution")
"""The specimens that no lab can do without, a draft included."""

KILLED, SURVIVED, EQUIVALENT, STILLBORN = "killed", "survived", "equivalent", "does not compile"
"""How a mutant ends, in `Mutation.end`."""


@dataclass(frozen=True)
class Mutation(Check):
    """The check of one mutant."""

    subject: Subject = Subject.MUTANT
    end: str = ""
    """`KILLED`, `SURVIVED`, `EQUIVALENT` (argued and survived) or `STILLBORN`; empty when it was not run."""
    told_by: str = ""
    """The part of the judgement that told it: correct, safe or fast."""
    place: str = ""


@dataclass(frozen=True)
class LabReport:
    """All checks of a lab, stub first."""

    lab: str
    checks: list[Check]
    mutants: int = 0
    """How many the solution has; fewer may have been run."""

    @property
    def mutations(self) -> list[Mutation]:
        """The mutants that were run."""
        return [check for check in self.checks if isinstance(check, Mutation)]

    @property
    def passed(self) -> bool:
        """Whether every check did."""
        return all(check.passed for check in self.checks)

    @property
    def is_usable(self) -> bool:
        """Whether students can work at it: the stub is unsolved, and the solution has full marks."""
        found = {check.specimen: check.passed for check in self.checks}
        return all(found.get(name, False) for name in BASE)

    @property
    def unproven(self) -> list[str]:
        """What failed, a sentence each; of a specimen its first problem."""
        failed = [check for check in self.checks if not check.passed]
        return [f"{check.specimen.removeprefix('variants/')}: {check.problems[0]}" for check in failed]
