"""The canary: three kernels (copy, shared memory, FP32) whose times say whether a GPU still is what it was.

`harness/cuda/canary.cu` is the program; SIMTLAB_CANARY names another one that prints the same document. Two runs of it
are compared kernel by kernel (`compare/statistics.py`): a kernel has drifted where the whole interval of the ratio of
its times lies beyond `MARGIN`. On an H100 and an H200 medians of runs differed by up to 2 %; a GPU that throttles, or
whose memory runs at another clock, differs by more than the margin.
"""

import contextlib
import fcntl
import json
import math
import os
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from simtlab.compare.statistics import CONFIDENCE, Difference, RatioInterval, difference, ratio_interval
from simtlab.device.device_class import first_visible
from simtlab.errors import GraderError, UsageError

MARGIN = 0.03
"""What a kernel's times may differ by between two runs: more than noise of 2 %, less than a GPU that lost 5 %."""
KERNELS = ("copy", "shared", "fp32")
_WORDS = {"copy": "the copy", "shared": "shared memory", "fp32": "FP32"}
_SECONDS = 120
_LOCK_SECONDS = 600.0

Times = Mapping[str, Sequence[float]]
"""Milliseconds by kernel, a value per round."""


@dataclass(frozen=True)
class Drift:
    """A kernel whose times are others than they were; above 1 the GPU is slower now."""

    kernel: str
    interval: RatioInterval

    @property
    def sentence(self) -> str:
        """`shared memory 5.1 % slower (4.8 to 5.4 %)`."""
        word = "slower" if self.interval.ratio > 1 else "faster"
        shown = self.interval if self.interval.ratio > 1 else self.interval.inverse()
        percent = [100 * (value - 1) for value in (shown.ratio, *sorted((shown.low, shown.high)))]
        return f"{_WORDS[self.kernel]} {percent[0]:.1f} % {word} ({percent[1]:.1f} to {percent[2]:.1f} %)"


def canary_program(build: Path) -> Path:
    """The program of a build tree, or the one that SIMTLAB_CANARY names."""
    named = os.environ.get("SIMTLAB_CANARY")
    return Path(named) if named else build / "harness" / "cuda" / "canary"


def require_canary(build: Path) -> Path:
    """The same. Raises `UsageError` where it is not there."""
    program = canary_program(build)
    if not os.access(program, os.X_OK):
        raise UsageError(
            f"there is no canary {program}, which times the GPU before and after each task's chunk: "
            f"`cmake --build {build} --target simtlab-canary` makes it where nvcc is, or SIMTLAB_CANARY names one"
        )
    return program.absolute()


def run_canary(program: Path) -> Times:
    """The times of one run, while no judge of this machine times anything on the GPU. Raises `GraderError`."""
    with _gpu_alone():
        try:
            done = subprocess.run([program], capture_output=True, text=True, timeout=_SECONDS, check=False)
        except subprocess.TimeoutExpired as error:
            raise GraderError(f"the canary {program} did not end within {_SECONDS} s: is the GPU in order?") from error
        except OSError as error:
            raise GraderError(f"the canary {program} cannot be started: {error.strerror}; build it again") from error
    if done.returncode:
        said = " ".join(done.stderr.split()[:60]) or f"exit code {done.returncode} without a word"
        raise GraderError(f"the canary {program} failed ({said}): is the GPU in order?")
    return _times(program, done.stdout)


def drifts(before: Times, after: Times) -> list[Drift]:
    """The kernels that drifted from one run to the other."""
    found = []
    for kernel in KERNELS:
        interval = ratio_interval(before[kernel], after[kernel])
        if difference(interval, MARGIN) in (Difference.FASTER, Difference.SLOWER):
            found.append(Drift(kernel, interval))
    return found


def median_interval(samples: Sequence[float], confidence: float = CONFIDENCE) -> tuple[float, float, float]:
    """The median with an interval between two samples in order, which holds for any distribution (sign test)."""
    ordered, count = sorted(samples), len(samples)
    tail, rank = 0.0, 0
    while rank < count // 2 and tail + math.comb(count, rank) / 2**count <= (1 - confidence) / 2:
        tail += math.comb(count, rank) / 2**count
        rank += 1
    if rank == 0:
        return median(ordered), 0.0, math.inf
    return median(ordered), ordered[rank - 1], ordered[count - rank]


def _times(program: Path, text: str) -> Times:
    try:
        document = json.loads(text)
        times = {kernel: [float(value) for value in document["milliseconds"][kernel]] for kernel in KERNELS}
        is_whole = document["format"] == "simtlab-canary" and all(map(_are_times, times.values()))
    except (ValueError, KeyError, TypeError):
        is_whole, times = False, {}
    if not is_whole:
        raise GraderError(
            f"the canary {program} printed no times: expected milliseconds of {', '.join(KERNELS)}, found "
            f"{text.strip()[:80]!r}; build it again"
        )
    return times


def _are_times(values: Sequence[float]) -> bool:
    return bool(values) and all(math.isfinite(value) and value > 0 for value in values)


@contextlib.contextmanager
def _gpu_alone() -> Iterator[None]:
    """The two locks of harness/judge/gpu/gpu_lock.cpp, held alone: nobody of this machine times meanwhile."""
    name = "".join(letter if letter.isalnum() else "-" for letter in first_visible(os.environ) or "0")
    end = time.monotonic() + _LOCK_SECONDS
    with contextlib.ExitStack() as held:
        for part in ("queue", "room"):
            path = f"/tmp/simtlab-gpu-{name}.{part}"  # noqa: S108 - as the judges
            try:
                try:
                    lock = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
                except FileNotFoundError:
                    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
                    os.fchmod(lock, 0o666)  # past the umask: the lock is everybody's
            except OSError as error:
                raise GraderError(f"{path} cannot be opened: {error.strerror}; it keeps timings apart") from error
            held.callback(os.close, lock)
            while not _locked(lock):
                if time.monotonic() > end:
                    raise GraderError(f"the GPU {name} was busy for {_LOCK_SECONDS:.0f} s: see who holds {path}")
                time.sleep(0.01)
        yield


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
