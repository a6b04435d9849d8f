"""What intake hands on: for every student and lab either files to grade or the reason why there are none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from simtlab.text import slug
from simtlab.verdict import Verdict


@dataclass(frozen=True)
class Submission:
    """One student's files for one lab, already copied into the store."""

    student: str
    lab: str
    files: Mapping[str, str]
    """File name → SHA-256 of its content, under which the store keeps it."""
    handed_in: datetime | None = None
    """When, as far as the download tells."""

    @property
    def label(self) -> str:
        """The submission's name on command lines and in facts: plain letters, whatever the student is called."""
        return slug(self.student)


@dataclass(frozen=True)
class Refusal:
    """A submission that is not graded, and what the student reads about it."""

    student: str
    lab: str
    verdict: Verdict
    message: str


@dataclass(frozen=True)
class ClassIntake:
    """Everything found in a class's folder."""

    students: list[str]
    labs: list[str]
    """The labs that are graded, in the order of the course."""
    submissions: list[Submission] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    """Sentences for the instructor about what was found and left alone."""
    names: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By student: what else the download or the roster calls them: name, number, address."""
    canvas_ids: Mapping[str, str] = field(default_factory=dict)
    """By student: the number that Canvas knows them by, of a download of Canvas."""
