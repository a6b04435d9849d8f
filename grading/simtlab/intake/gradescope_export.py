"""A class as Gradescope exports it: `submission_M/…` for each submission, and `submission_metadata.yml`."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.intake.arranged import Arranged, take_declared
from simtlab.text import printable

METADATA = "submission_metadata.yml"
_ESCAPED = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPES = dict(zip("ntr0abefvNLP_", "\n\t\r\0\a\b\x1b\f\v\x85\u2028\u2029\xa0", strict=True))
"""YAML 1.1's escapes of one letter; any other character stands for itself."""


def arrange_export(folder: Path, lab: str, files: list[str], target: Path) -> Arranged:
    """Brings the submissions into `target/<student>/<lab>`; each of a group has the group's files. A student goes by
    the login in their address. Raises `UsageError` where the export names nobody."""
    arranged = Arranged(target, "Gradescope")
    text = (folder / METADATA).read_text(encoding="utf-8", errors="replace")
    for submission, submitters, handed_in in read_metadata(text):
        source = folder / submission
        students = [one for one in submitters if login_of(one)]
        if not students or not source.is_dir():
            arranged.notes.append(f"{printable(submission)} of the Gradescope export has no students, or no files")
            continue
        for one in students:
            names = [one[key] for key in ("email", "sid", "name") if one.get(key)]
            student = arranged.folder_for(login_of(one), submission.removeprefix("submission_"), names)
            arranged.notes += take_declared(source, target, student, lab, files)
            if handed_in:
                arranged.handed_in[student, lab] = handed_in
    if not arranged.names:
        raise UsageError(f"{folder}: the Gradescope export names no submission in {METADATA}")
    return arranged


def read_metadata(text: str) -> Iterator[tuple[str, list[dict[str, str]], datetime | None]]:
    """Folder, submitters and time of each submission in a Gradescope export's YAML, as Gradescope writes it: one
    mapping, two spaces a level, Ruby's symbols for keys. Only lines at a submission's own depth are read, so that no
    output of a student, which stands deeper, is taken for them."""
    submission, handed_in = "", None
    submitters: list[dict[str, str]] = []
    among_submitters = False
    for line in [*(one.rstrip("\r") for one in text.split("\n")), "end:"]:
        if top := re.fullmatch(r"(\S+):\s*", line):
            if submission:
                yield submission, submitters, handed_in
            submission = top[1] if re.fullmatch(r"submission_\d+", top[1]) else ""
            submitters, handed_in, among_submitters = [], None, False
        elif member := re.fullmatch(r"  :(\w+):\s*(.*)", line):
            among_submitters = member[1] == "submitters"
            if member[1] == "created_at":
                handed_in = _time(_scalar(member[2]))
        elif among_submitters and (about := re.fullmatch(r"  (- |  ):(\w+):\s*(.*)", line)):
            if about[1] == "- ":
                submitters.append({})
            if submitters:
                submitters[-1][about[2]] = _scalar(about[3])


def login_of(submitter: Mapping[str, str]) -> str:
    """The part of the address before the @, which is what rosters call a login; else number or name."""
    return submitter.get("email", "").partition("@")[0] or submitter.get("sid", "") or submitter.get("name", "")


def _scalar(text: str) -> str:
    """A value on one line of YAML: plain, or in quotation marks of either kind."""
    value = text.strip()
    if value[:1] == "'":
        return value[1:].removesuffix("'").replace("''", "'")
    if value[:1] == '"':
        return _ESCAPED.sub(_escape, value[1:].removesuffix('"'))
    return "" if value in ("~", "null") else value


def _escape(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if not code:
        return _ESCAPES.get(found[4], found[4])
    number = int(code, 16)
    return chr(number) if number <= 0x10FFFF else "\ufffd"


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text.replace(" UTC", "+00:00").replace(" Z", "+00:00"))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
