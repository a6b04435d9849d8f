"""The version of simtlab that a course is graded by: the one place where it stands is `requirements.txt`."""

import re
from pathlib import Path

from simtlab import __version__
from simtlab.errors import UsageError

REQUIREMENTS = "requirements.txt"
_PIN = re.compile(r"^simtlab *(?:\[[a-z,]*\])? *== *([^\s;#]+)", re.MULTILINE)


def pinned_version(course: Path) -> str:
    """The version in the course's `requirements.txt`, empty where it names none."""
    file = course / REQUIREMENTS
    found = _PIN.search(file.read_text(encoding="utf-8", errors="replace")) if file.is_file() else None
    return found[1] if found else ""


def refuse_other_version(course: Path) -> None:
    """Raises `UsageError` where the course is to be graded by another version than this one: points would differ."""
    wanted = pinned_version(course)
    if wanted and wanted != __version__:
        raise UsageError(
            f"{course / REQUIREMENTS} says that simtlab {wanted} grades this course, and this is {__version__}. "
            f"Next: make setup, which installs {wanted}; or change the version in the file, for later gradings"
        )
