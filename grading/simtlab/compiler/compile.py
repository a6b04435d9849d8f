"""Compiles a submission into a runner by the lab's build description: `compiler… kernel.cu link… -o runner`.

The compiler runs in the submission's own folder, so that its messages name `kernel.cu:12`, in the sandbox and inside
bounds. Its exit code says whose fault it was: 1 the program's, anything else ours; a bound that was reached is a
verdict of its own, however the compiler put it into words.
"""

import math
import os
import re
import signal
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from simtlab.errors import GraderFault
from simtlab.labs.build_description import BackendBuild
from simtlab.process.bounded import Bounds, Ending, Outcome, run_bounded
from simtlab.sandbox.sandbox import UNPROTECTED, LaunchStatus, Sandbox, read_launch_status
from simtlab.text import printable
from simtlab.verdict import Verdict

_OUT_OF_BOUNDS_WORDS = re.compile(
    rb"virtual memory exhausted|out of memory allocating|cannot allocate memory|memory exhausted|std::bad_alloc"
    rb"|Killed signal terminated|CPU time limit exceeded|File size limit exceeded|No space left on device",
    re.IGNORECASE,
)
_LIMIT_SIGNALS = {signal.SIGKILL, signal.SIGXCPU, signal.SIGXFSZ, signal.SIGABRT}
_NOT_ALLOWED = re.compile(r"^\S+:\d+:\d+: error: not allowed: ", re.MULTILINE)  # how simtcc begins such a refusal
_SHOWN_STDERR_BYTES = 16 * 1024
_SECONDS_TO_CLEAR_AWAY = 5.0
_CLOCK_FOR_PROCESSOR_TIME = 3  # a compiler that sleeps is ended too


@dataclass(frozen=True)
class CompilerBounds:
    """What compiling one submission may use. `seconds` are processor time, so that a loaded machine refuses nobody."""

    seconds: float = 60
    memory_mb: int = 2048
    file_mb: int = 256
    output_bytes: int = 1024 * 1024


@dataclass(frozen=True)
class Compilation:
    """How compiling ended: the verdict is None when there is a runner."""

    verdict: Verdict | None
    message: str
    stderr: str
    seconds: float


def compile_submission(
    build: BackendBuild,
    files: Sequence[str],
    folder: Path,
    runner: Path,
    *,
    sandbox: Sandbox = UNPROTECTED,
    bounds: CompilerBounds | None = None,
    stop: threading.Event | None = None,
) -> Compilation:
    """Compiles `files`, which lie in `folder`, into `runner`, whose folder nobody else uses. Raises `GraderFault` when
    it could not be tried properly."""
    bounds = bounds or CompilerBounds()
    # Where the sandbox can write, and where it cannot: beside the folder, not in it.
    output = runner.parent / "compiled"
    output.mkdir()
    status = runner.parent / "compiler.json"
    prefix = sandbox.compiler_words(build, folder, output, status, bounds.memory_mb)
    outcome = run_bounded(
        [*prefix, *build.compiler, *files, *build.link, "-o", str(output / runner.name)],
        folder,
        Bounds(
            seconds=bounds.seconds * _CLOCK_FOR_PROCESSOR_TIME,
            output_bytes=bounds.output_bytes,
            cpu_seconds=math.ceil(bounds.seconds),
            memory_mb=bounds.memory_mb,
            file_mb=bounds.file_mb,
            grace_seconds=_SECONDS_TO_CLEAR_AWAY if prefix else 0,
        ),
        stop,
    )
    stderr = _shown(outcome.stderr)
    launched = read_launch_status(status) if prefix and outcome.ending is Ending.EXITED else None
    limit = _limit_reached(outcome, launched, bounds)
    if limit:
        return Compilation(Verdict.COMPILER_LIMIT, f"the compiler {limit}", stderr, outcome.seconds)
    if outcome.exit_code == 1:
        verdict = Verdict.FORBIDDEN if _NOT_ALLOWED.search(stderr) else Verdict.COMPILE_ERROR
        return Compilation(verdict, _first_error(stderr, files), stderr, outcome.seconds)
    if outcome.exit_code != 0:
        raise GraderFault(f"{build.compiler[0]} ended with exit code {outcome.exit_code}:\n{stderr[-2000:]}")
    _take(output / runner.name, runner, build)
    return Compilation(None, "", stderr, outcome.seconds)


def _take(made: Path, runner: Path, build: BackendBuild) -> None:
    """Moves the runner out of the sandbox's reach. A link would show the next sandbox what it points at."""
    if made.is_symlink() or not made.is_file():
        raise GraderFault(f"{build.compiler[0]} exited with 0 but wrote no runner")
    made.rename(runner)
    if os.geteuid() == 0:
        os.chown(runner, 0, 0)
    runner.chmod(0o755)


def _limit_reached(outcome: Outcome, launched: LaunchStatus | None, bounds: CompilerBounds) -> str | None:
    """Which bound ended the compiler, as the rest of a sentence."""
    if outcome.ending is Ending.TIME:
        return f"ran longer than {bounds.seconds:g} s: look for templates or macros that expand without end"
    if outcome.ending is Ending.OUTPUT:
        return f"wrote more than {bounds.output_bytes // 1024} KB of messages: mend the first error and compile again"
    if outcome.exit_code == 0:
        return None
    ended_by = launched.signal if launched else -outcome.exit_code
    beyond = launched is not None and (launched.memory_kills > 0 or launched.disk_full)
    if beyond or ended_by in _LIMIT_SIGNALS or _OUT_OF_BOUNDS_WORDS.search(outcome.stderr):
        return (
            f"needed more than it may use ({bounds.memory_mb} MB of memory, {bounds.seconds:g} s, "
            f"files of {bounds.file_mb} MB): look for huge arrays, templates or macros"
        )
    return None


def _first_error(stderr: str, files: Sequence[str]) -> str:
    """The first line that names the student's own file, else the first line that says error, else the first at all."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    own = [line for line in lines if any(re.match(rf"(\S*/)?{re.escape(name)}[:(]\d+", line) for name in files)]
    errors = [line for line in own if "error" in line] or own or [line for line in lines if "error" in line] or lines
    return errors[0].strip()[:500] if errors else "the compiler failed without a message"


def _shown(stderr: bytes) -> str:
    """The compiler's messages as text to keep: the beginning, where the first error is."""
    text = printable(stderr[:_SHOWN_STDERR_BYTES].decode("utf-8", "replace"), keep_lines=True)
    left_out = len(stderr) - _SHOWN_STDERR_BYTES
    return text if left_out <= 0 else f"{text}\n… {left_out} bytes more"
