"""The one submission that Gradescope hands to an autograder: `ROOT/submission/` and `ROOT/submission_metadata.json`."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from simtlab.errors import UsageError
from simtlab.intake.arranged import Arranged, take_declared
from simtlab.intake.gradescope_export import login_of

_METADATA = "submission_metadata.json"
_NOBODY = "student"
"""Who handed in, where Gradescope does not say."""


def arrange_submission(root: Path, lab: str, files: list[str], place: Path) -> Arranged:
    """Brings the submission into `place/<student>/<lab>`, a class of one. The student is the login in the address of
    the first who handed in, as in an export of the class. Raises `UsageError` where `root` has no submission."""
    source = root / "submission"
    if not source.is_dir():
        raise UsageError(f"{source} is no folder: expected Gradescope's layout, ROOT/submission and ROOT/results")
    about = _metadata(root / _METADATA)
    users = about.get("users")
    first = users[0] if isinstance(users, list) and users and isinstance(users[0], dict) else {}
    submitter = {name: value for name, value in first.items() if isinstance(value, str)}
    arranged = Arranged(place, "Gradescope")
    names = [submitter[key] for key in ("email", "sid", "name") if submitter.get(key)]
    student = arranged.folder_for(login_of(submitter) or _NOBODY, "", names)
    take_declared(source, place, student, lab, files)
    if handed_in := _time(about.get("created_at")):
        arranged.handed_in[student, lab] = handed_in
    return arranged


def _metadata(path: Path) -> dict[str, Any]:
    """What Gradescope says of the submission; nothing where it says nothing that can be read."""
    try:
        about = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return about if isinstance(about, dict) else {}


def _time(text: object) -> datetime | None:
    try:
        found = datetime.fromisoformat(text) if isinstance(text, str) else None
    except ValueError:
        return None
    return found.replace(tzinfo=UTC) if found and not found.tzinfo else found
