"""The zip of an autograder that grades nothing itself: it forwards each submission to the course's machine, and waits.

In it are two scripts and the files that the way there needs, a key for example; no judge, no hidden case, no seed.
"""

import shlex
import shutil
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

from simtlab.errors import UsageError
from simtlab.export.gradescope_zip import SCRIPTS, write_zip


def write_forwarder(lab: str, forward: str, command: Sequence[str], folder: Path, extra: Sequence[Path]) -> Path:
    """Writes `gradescope-<lab>.zip` into the folder and returns its path. `forward`: words before one line of shell
    that the course's machine runs, as in `ssh grader@head`; `command`: what grades there, reading the submission and
    writing the document. Raises `UsageError` for words that are none, and for files that cannot be read or written."""
    words = _words(forward)
    call = f"  {shlex.join(words)} {shlex.quote(f'cd {shlex.quote(str(Path.cwd()))} && exec {shlex.join(command)}')}"
    filled = {"@FORWARD@": call, "@PROGRAM@": shlex.quote(words[0])}
    members = {}
    for script in SCRIPTS:
        text = (files("simtlab.export") / "gradescope_forward" / script).read_text(encoding="utf-8")
        for name, value in filled.items():
            text = text.replace(name, value)
        members[script] = text.encode()
    for path in extra:
        if path.name in members:
            raise UsageError(f"--with {path}: there is a file of that name already; rename it")
        try:
            members[path.name] = path.read_bytes()
        except OSError as error:
            raise UsageError(f"--with {path} cannot be read: {error.strerror}") from error
    return write_zip(lab, members, {path.name for path in extra}, folder)


def _words(forward: str) -> list[str]:
    try:
        words = shlex.split(forward)
    except ValueError as error:
        raise UsageError(f"--forward {forward!r}: {error}") from error
    if not words:
        raise UsageError('--forward: expected words before a line of shell, as in "ssh grader@head.example.edu"')
    if "/" not in words[0] and words[0] != "ssh" and shutil.which(words[0]) is None:
        raise UsageError(f'--forward: there is no program {words[0]}; expected one as in "ssh grader@head.example.edu"')
    return words
