"""Runs one program inside bounds of time, memory and output, and leaves nothing of it behind.

The program leads a process group of its own. Its output is read while it runs, into at most `output_bytes`; the clock,
the output bound and a request to stop are looked at between reads, and each ends in SIGKILL of the whole group. The
group is killed after a normal end too, before the leader is collected (its number cannot be anybody else's yet), so a
background child can neither outlive its parent nor hold the pipe open. Memory, CPU time and file size are set by
`prlimit` before the program starts, and `setpriv --pdeathsig` makes the program die with this one, so that a killed
grading leaves no compiler running.
"""

import contextlib
import os
import select
import selectors
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from simtlab.errors import GraderError, GradingStopped

_LOOK_EVERY_SECONDS = 0.05
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME")


class Ending(Enum):
    """Why a program is no longer running."""

    EXITED = "exited"
    TIME = "ran past its time"
    OUTPUT = "wrote more than it may"


@dataclass(frozen=True)
class Bounds:
    """What one program may use; None means no bound."""

    seconds: float
    output_bytes: int = 1024 * 1024
    cpu_seconds: int | None = None
    memory_mb: int | None = None
    file_mb: int | None = None
    grace_seconds: float = 0
    """Between SIGTERM to the program and SIGKILL to its group, for one that has to clear away."""


@dataclass(frozen=True)
class Outcome:
    """How the program ended. `exit_code` is negative for a signal, as Python's `subprocess` has it."""

    ending: Ending
    exit_code: int
    stdout: bytes
    stderr: bytes
    seconds: float


def run_bounded(
    command: Sequence[str],
    folder: Path,
    bounds: Bounds,
    stop: threading.Event | None = None,
    environment: Mapping[str, str] | None = None,
) -> Outcome:
    """Runs `command` in `folder`. Raises `GraderError` when it cannot be started, `GradingStopped` once `stop` is
    set."""
    started = time.monotonic()
    if not shutil.which(command[0], path=bare_environment(folder)["PATH"]):
        raise GraderError(f"{command[0]} cannot be started: there is no such program")
    try:
        process = subprocess.Popen(
            [*_limiting_prefix(bounds), *command],
            cwd=folder,
            env={**bare_environment(folder), **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            umask=0o022,
        )
    except OSError as error:
        raise GraderError(f"{command[0]} cannot be started ({error.filename}: {error.strerror})") from error
    assert process.stdout is not None  # noqa: S101 - both are pipes, for the type checker
    assert process.stderr is not None  # noqa: S101
    streams = {1: process.stdout.fileno(), 2: process.stderr.fileno()}
    try:
        with _end_of(process) as end:
            ending, output = read_until_end(end, streams, lambda: _kill_members(process), bounds, started, stop)
    finally:
        if bounds.grace_seconds:
            _ask_to_end(process, bounds.grace_seconds)
        _kill_group(process)
        for stream in (process.stdout, process.stderr):
            if stream:
                stream.close()
    return Outcome(ending, process.returncode, bytes(output[1]), bytes(output[2]), time.monotonic() - started)


def bare_environment(folder: Path) -> dict[str, str]:
    """The environment of every program the grader starts: nothing of the instructor's session beyond search paths."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    return {
        "PATH": "/usr/bin:/bin",
        **kept,
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
    }


def limits_of(bounds: Bounds) -> dict[str, tuple[int, int]]:
    """What the system bounds, soft and hard, by prlimit's names; `resource` calls them RLIMIT_CORE and so on."""
    limits = {"core": (0, 0)}
    if bounds.cpu_seconds is not None:
        limits["cpu"] = (bounds.cpu_seconds, bounds.cpu_seconds + 1)
    if bounds.memory_mb is not None:
        limits["data"] = (bounds.memory_mb << 20, bounds.memory_mb << 20)
    if bounds.file_mb is not None:
        limits["fsize"] = (bounds.file_mb << 20, bounds.file_mb << 20)
    return limits


def _limiting_prefix(bounds: Bounds) -> list[str]:
    limits = [f"--{name}={soft}:{hard}" for name, (soft, hard) in limits_of(bounds).items()]
    return ["setpriv", "--pdeathsig", "KILL", "prlimit", *limits, "--"]


def read_until_end(
    end: int,
    streams: Mapping[int, int],
    end_the_rest: Callable[[], None],
    bounds: Bounds,
    started: float,
    stop: threading.Event | None,
) -> tuple[Ending, dict[int, bytearray]]:
    """Reads a program's stdout (1) and stderr (2) until its end or a bound; output of both together counts against the
    bound. `end` is a descriptor that is ready to be read once the program has ended; what it left running is ended
    then. Raises `GradingStopped` once `stop` is set."""
    output = {1: bytearray(), 2: bytearray()}
    with selectors.DefaultSelector() as selector:
        selector.register(end, selectors.EVENT_READ)
        for number, stream in streams.items():
            os.set_blocking(stream, False)
            selector.register(stream, selectors.EVENT_READ, number)
        while True:
            ended = _is_ready(end)
            if ended and end in selector.get_map():
                selector.unregister(end)
            _read_ready(selector, output, 0 if ended else _LOOK_EVERY_SECONDS)
            if sum(map(len, output.values())) > bounds.output_bytes:
                _cut(output, bounds.output_bytes)
                return Ending.OUTPUT, output
            if ended:
                end_the_rest()
                _drain(selector, output, bounds.output_bytes)
                _cut(output, bounds.output_bytes)
                return Ending.EXITED, output
            if stop is not None and stop.is_set():
                raise GradingStopped
            if time.monotonic() - started > bounds.seconds:
                return Ending.TIME, output


@contextlib.contextmanager
def _end_of(process: subprocess.Popen[bytes]) -> Iterator[int]:
    """A file descriptor that is ready to be read once the program has ended."""
    descriptor = os.pidfd_open(process.pid)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _is_ready(descriptor: int) -> bool:
    asked = select.poll()
    asked.register(descriptor, select.POLLIN)
    return bool(asked.poll(0))


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program ended; it stays uncollected, so that its group keeps its number."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _read_ready(selector: selectors.BaseSelector, output: dict[int, bytearray], wait_seconds: float) -> bool:
    """Reads once from every pipe that has something, and lets go of those that ended; False if there was none."""
    ready = [key for key, _ in selector.select(timeout=wait_seconds) if key.data is not None]
    for key in ready:
        chunk = os.read(key.fd, 65536)
        if chunk:
            output[key.data] += chunk
        else:
            selector.unregister(key.fd)
    return bool(ready)


def _drain(selector: selectors.BaseSelector, output: dict[int, bytearray], most: int) -> None:
    """What the ended program left in its pipes; a daemon that still holds one is not waited for."""
    while selector.get_map() and sum(map(len, output.values())) <= most:
        if not _read_ready(selector, output, 0):
            return


def _cut(output: dict[int, bytearray], most: int) -> None:
    del output[2][most:]
    del output[1][max(most - len(output[2]), 0) :]


def _ask_to_end(process: subprocess.Popen[bytes], grace_seconds: float) -> None:
    end = time.monotonic() + grace_seconds
    if not _has_ended(process):
        os.kill(process.pid, signal.SIGTERM)
    while not _has_ended(process) and time.monotonic() < end:
        time.sleep(_LOOK_EVERY_SECONDS / 10)


def _kill_members(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Ends the program and all of its group, and collects its exit code."""
    _kill_members(process)
    process.wait()
