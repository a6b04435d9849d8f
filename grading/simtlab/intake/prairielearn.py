"""The one submission that PrairieLearn hands to an external grader: the files in `ROOT/student/`."""

from pathlib import Path

from simtlab.errors import UsageError
from simtlab.intake.arranged import Arranged, take_declared

_NOBODY = "student"
"""PrairieLearn does not say who handed in."""


def arrange_job(root: Path, lab: str, files: list[str], place: Path) -> Arranged:
    """Brings the submission into `place/student/<lab>`, a class of one. Raises `UsageError` where `root` has none."""
    source = root / "student"
    if not source.is_dir():
        raise UsageError(
            f"{source} is no folder: expected a job of PrairieLearn, whose files of the student stand in /grade/student"
        )
    arranged = Arranged(place, "PrairieLearn")
    student = arranged.folder_for(_NOBODY, "", [])
    arranged.notes += take_declared(source, place, student, lab, files)
    return arranged
