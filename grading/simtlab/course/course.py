"""`course.toml` at the checkout's root: what the course decides for all labs."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, PrivateAttr, model_validator

from simtlab.errors import UsageError
from simtlab.executors.settings import ExecutorSettings
from simtlab.feedback.policy import Feedback, HiddenFeedback
from simtlab.labs.catalogue import COURSE_FILE
from simtlab.record import Record
from simtlab.toml_file import read_toml_as

_TOML_DATE = Field(strict=False)


class Late(Record):
    """`[late]`: what a day costs, begun days counting whole, and when no more is lost."""

    percent_per_day: float = Field(default=0, ge=0, le=100, description="of the points earned")
    at_most_percent: float = Field(default=100, ge=0, le=100)
    grace_minutes: float = Field(default=0, ge=0)


class LabPolicy(Record):
    """`[labs.NN-name]`: what a lab counts and when it is due."""

    points: float | None = Field(default=None, gt=0, description="full marks, instead of the sum in lab.toml")
    weight: float = Field(default=1, ge=0, description="a factor on the lab's points; 0: practice alone")
    due: Annotated[AwareDatetime, _TOML_DATE] | None = None


class Extension(Record):
    """`[[extension]]`: more time for one student, in one lab or in all."""

    student: str
    lab: str = ""
    days: float = Field(gt=0)
    reason: str = ""


class Override(Record):
    """`[[override]]`: points that somebody set by hand; comment and author stand in every place that shows them."""

    student: str
    lab: str
    points: float = Field(ge=0)
    comment: str = Field(min_length=1)
    author: str = Field(min_length=1)


class Group(Record):
    """`[[group]]`: students who hand in together; one's submission counts for all of them."""

    members: list[str] = Field(min_length=2)
    labs: list[str] = Field(default=[], description="empty: all labs")


class Leaderboard(Record):
    """`[leaderboard]`: those who asked to be on it, by the name they chose."""

    labs: list[str] = Field(default=[], description="that have one, before anybody asked, too; empty: all labs")
    pseudonyms: dict[str, str] = Field(default={}, description="student → pseudonym; nobody else is shown")

    @model_validator(mode="after")
    def _distinct(self) -> "Leaderboard":
        names = list(self.pseudonyms.values())
        if len(set(names)) != len(names):
            raise ValueError("two students have the same pseudonym")
        return self

    def is_on(self, lab: str) -> bool:
        """Whether the lab has one."""
        return lab in self.labs if self.labs else bool(self.pseudonyms)


class Course(Record):
    """The members of `course.toml`."""

    feedback: Feedback = Feedback()
    backend: Literal["emulator", "cuda"] = Field(default="emulator", description="what `--backend auto` grades on")
    engine: Literal["g++", "sass"] = Field(
        default="g++", description="what the emulator runs of a kernel: g++'s code, or the machine code that nvcc makes"
    )
    take: Literal["last", "best"] = Field(default="last", description="of several submissions of a lab")
    drop_lowest: int = Field(default=0, ge=0, description="labs left out of a student's total, the worst first")
    late: Late = Late()
    labs: dict[str, LabPolicy] = {}
    extension: list[Extension] = []
    override: list[Override] = []
    group: list[Group] = []
    sections: dict[str, list[str]] = Field(default={}, description="section → students, for `hold --section`")
    leaderboard: Leaderboard = Leaderboard()
    executor: ExecutorSettings = ExecutorSettings()
    _file: str = PrivateAttr(default=COURSE_FILE)

    @property
    def file(self) -> str:
        """The file that the policy was read from, for sentences about it."""
        return self._file

    @model_validator(mode="after")
    def _once(self) -> "Course":
        set_by_hand = [(one.student, one.lab) for one in self.override]
        for student, lab in set_by_hand:
            if set_by_hand.count((student, lab)) > 1:
                raise ValueError(f"override: {student} in {lab} is set twice")
        return self

    def lab(self, name: str) -> LabPolicy:
        """The lab's policy; without a table nothing is changed."""
        return self.labs.get(name, LabPolicy())

    def due(self, student: str, lab: str) -> datetime | None:
        """When the student's submission is due, extensions counted; None where the lab has no date."""
        due = self.lab(lab).due
        if due is None:
            return None
        return due + timedelta(days=sum(one.days for one in self.extensions_of(student, lab)))

    def extensions_of(self, student: str, lab: str) -> list[Extension]:
        """What the student has more time by in the lab."""
        return [one for one in self.extension if one.student == student and one.lab in ("", lab)]

    def override_of(self, student: str, lab: str) -> Override | None:
        """The points that somebody set, if anybody did."""
        return next((one for one in self.override if (one.student, one.lab) == (student, lab)), None)

    def sections_of(self, student: str) -> list[str]:
        """The sections that the student is in."""
        return [name for name, members in self.sections.items() if student in members]

    def partners(self, student: str, lab: str) -> list[str]:
        """Those whose submission counts for the student as well, never the student."""
        groups = [one for one in self.group if student in one.members and (not one.labs or lab in one.labs)]
        return [name for one in groups for name in one.members if name != student]


def read_course(folder: Path, policy: Path | None = None) -> Course:
    """The course's policy: the file that was named, else the `course.toml` of the checkout; without that, everything is
    as it is by default. Raises `UsageError` naming file and member."""
    path = folder / COURSE_FILE if policy is None else policy
    if policy is None and not path.exists():
        return Course()
    course = read_toml_as(path, Course, UsageError)
    course._file = COURSE_FILE if policy is None else str(policy)  # noqa: SLF001 - nothing that the file may say
    return course


def chosen_feedback(wish: str | None, course: Course) -> HiddenFeedback:
    """What `--feedback-hidden` says, else the course."""
    if wish is None:
        return course.feedback.hidden
    try:
        return HiddenFeedback(wish)
    except ValueError as error:
        known = ", ".join(repr(one.value) for one in HiddenFeedback)
        raise UsageError(f"--feedback-hidden {wish!r}: expected one of {known}") from error
