"""`course.toml` at the checkout's root: what the course decides for all labs."""

import tomllib
from enum import StrEnum
from pathlib import Path

from pydantic import Field, ValidationError

from simtlab.errors import UsageFault
from simtlab.facts.read import first_problem
from simtlab.record import Record

COURSE_FILE = "course.toml"


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


class Course(Record):
    """The members of `course.toml`."""

    feedback: Feedback = Feedback()


def read_course(folder: Path) -> Course:
    """The course of a checkout; without the file, everything is as it is by default. Raises `UsageFault` naming file
    and member."""
    path = folder / COURSE_FILE
    try:
        return Course.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return Course()
    except OSError as error:
        raise UsageFault(f"{path}: cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageFault(f"{path}: is not TOML: {error}") from error
    except ValidationError as error:
        raise UsageFault(f"{path}: {first_problem(error)}") from error


def chosen_feedback(wish: str | None, folder: Path) -> HiddenFeedback:
    """What `--feedback-hidden` says, else the course."""
    if wish is None:
        return read_course(folder).feedback.hidden
    try:
        return HiddenFeedback(wish)
    except ValueError as error:
        known = ", ".join(repr(one.value) for one in HiddenFeedback)
        raise UsageFault(f"--feedback-hidden {wish!r}: expected one of {known}") from error
