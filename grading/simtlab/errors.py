"""Whose fault an error is decides what happens next, so the three faults are three types.

Every message names the object, what was expected, what was found and the next step.
"""

from simtlab.verdict import Verdict


class SimtlabError(Exception):
    """Base of all errors that are meant to be read by a person; the text is the whole message."""


class UsageError(SimtlabError):
    """The command cannot do what was asked: bad arguments, nothing to grade. Exit code 2."""


class NothingToGradeError(UsageError):
    """No submission is there yet, which only a watch goes on from."""


class SubmissionError(SimtlabError):
    """The student's fault, found before anything ran: it becomes the submission's verdict."""

    def __init__(self, verdict: Verdict, message: str) -> None:
        super().__init__(message)
        self.verdict = verdict


class LabError(SimtlabError):
    """The lab author's fault: a specification or an expectation that cannot be read. The lab's grades wait."""


class GraderError(SimtlabError):
    """Our fault: the grade waits, and is never lowered."""


class GradingStopped(SimtlabError):
    """Somebody asked the grading to stop; what was running left no result."""
