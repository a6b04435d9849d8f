"""Taking one declared file out of a student's folder, which may hold anything: links, pipes, gigabytes, any bytes."""

import os
import stat
from pathlib import Path

from simtlab.errors import GraderError, SubmissionError
from simtlab.text import counted, printable
from simtlab.verdict import Verdict

LARGEST_FILE_BYTES = 1024 * 1024


def read_declared_file(folder: Path, name: str, student_folder: Path) -> bytes:
    """The content of `folder/name`: UTF-8 text of at most `LARGEST_FILE_BYTES`, from inside `student_folder`.

    Raises `SubmissionError` with the verdict and what to do next, `GraderError` when this machine cannot read the file.
    """
    path = folder / name
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError:
        raise SubmissionError(*_missing(folder, name)) from None
    except (OSError, RuntimeError):
        raise SubmissionError(Verdict.FORBIDDEN, f"{name} is a symbolic link in a circle: hand in the file") from None
    if not real.is_relative_to(student_folder.resolve()):
        raise SubmissionError(
            Verdict.FORBIDDEN,
            f"{name} is a symbolic link that leaves the submission's folder; hand in the file itself, not a link",
        )
    content = _read_regular_file(real, name)
    if len(content) > LARGEST_FILE_BYTES:
        size = real.stat().st_size
        raise SubmissionError(
            Verdict.FORBIDDEN,
            f"{name} has {size / 1e6:.1f} MB and at most {LARGEST_FILE_BYTES / 1e6:.1f} MB are taken; "
            "hand in the source alone, without data",
        )
    if not content.strip():
        raise SubmissionError(Verdict.COMPILE_ERROR, f"{name} is empty: hand in the file with your code")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SubmissionError(
            Verdict.COMPILE_ERROR,
            f"{name}:{line}: the byte 0x{content[error.start]:02x} is not UTF-8 text; save the file as UTF-8 "
            "(most editors: “Save with encoding”) and hand it in again",
        ) from None
    return content


def _read_regular_file(real: Path, name: str) -> bytes:
    """At most one byte more than is taken; opened without waiting, so that a pipe cannot hold up the class."""
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except PermissionError:
        raise GraderError(f"{name} cannot be read here (permission denied): make it readable and grade again") from None
    except OSError as error:
        raise SubmissionError(Verdict.FORBIDDEN, f"{name} is not an ordinary file ({error.strerror})") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise SubmissionError(Verdict.FORBIDDEN, f"{name} is not an ordinary file; hand in the source file itself")
    with os.fdopen(descriptor, "rb") as stream:
        return stream.read(LARGEST_FILE_BYTES + 1)


def _missing(folder: Path, name: str) -> tuple[Verdict, str]:
    """Verdict and sentence for a file that is not there, naming a near miss such as `Kernel.cu`."""
    if (folder / name).is_symlink():
        return Verdict.FORBIDDEN, f"{name} is a symbolic link to nothing; hand in the file itself, not a link"
    try:
        with os.scandir(folder) as entries:
            present = sorted(entry.name for entry in entries if not entry.name.startswith("."))
    except OSError:
        present = []
    if not present:
        return Verdict.NOT_SUBMITTED, f"{name} is missing: the lab's folder is empty"
    shown = ", ".join(printable(other) for other in present[:3])
    more = f" and {counted(len(present) - 3, 'more file')}" if len(present) > 3 else ""
    return Verdict.NOT_SUBMITTED, f"{name} is missing: found {shown}{more}; the file must be called {name}"
