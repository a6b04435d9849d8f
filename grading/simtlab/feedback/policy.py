"""How much students see of hidden cases."""

from enum import StrEnum

from pydantic import Field

from simtlab.record import Record


class HiddenFeedback(StrEnum):
    """How much of the hidden cases a student sees; each word includes the ones before it."""

    NOTHING = "nothing"
    """Visible cases alone; no points, for they would tell."""
    VERDICT = "verdict"
    """Of each hidden case how it ended, and the points."""
    VERDICT_AND_HINT = "verdict and hint"
    """And the lab's hint for that end."""


class Feedback(Record):
    """The table `[feedback]`."""

    hidden: HiddenFeedback = Field(default=HiddenFeedback.VERDICT, strict=False)
