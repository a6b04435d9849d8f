"""Which of a lab's hints fits how a submission ended: one for the variable that a finding names before one for the rule
alone, and none for values that the judge has explained better."""

from collections.abc import Iterable, Sequence
from typing import Protocol

EXPLAINED_BY = (
    "This is what comes out if",
    "This is what comes out with",
    "The result is 0, and every element",
    "look swapped",
    "swapped in the grid",
    "The grid needs more blocks",
    "rounds down",
    "Launch more blocks",
    "has no first value",
    "plus that of the call before",
    "number above zero",
    "float above zero",
    "another of the input's values",
    "number of its elements",
    "are numbers of elements",
    "out begins at byte",
    "they leave out",
    "The width used for",
    "rows were stored",
)
"""Words of judge/decide/ that name the cause of wrong values. harness/setup/test_labs.sh has the same."""


class Situated(Protocol):
    """A hint, whoever has read it."""

    @property
    def when(self) -> str:
        """A verdict, a finding's rule, a metric, or nothing."""

    @property
    def variable(self) -> str:
        """Of a finding's rule or a metric: the one array that the hint speaks of, or nothing."""

    @property
    def text(self) -> str:
        """For the student."""


def is_explained(message: str) -> bool:
    """Whether the judge's words name the cause of wrong values."""
    return any(words in message for words in EXPLAINED_BY)


def fitting_hint(hints: Sequence[Situated], situations: Iterable[tuple[str, str]]) -> str:
    """The text for the first situation that has one: a rule or a verdict, with the variable that it is about."""
    for when, variable in situations:
        fitting = [hint for hint in hints if hint.when == when and hint.variable in {"", variable}]
        if fitting:
            return max(fitting, key=lambda hint: hint.variable != "").text
    return ""
