"""What a person sees while the steps run: which step, percent of the whole, seconds left by each step's usual share."""

from __future__ import annotations

import json
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TextIO

from check.command import LOGS, current_log

USUAL_SECONDS = {
    "format": 10.0,
    "build": 330.0,
    "lint": 30.0,
    "ctest": 150.0,
    "pytest": 480.0,
    "asan": 60.0,
    "tidy": 400.0,
    "ubsan": 900.0,
    "tsan": 1200.0,
    "arm64": 600.0,
}
"""On two cores; where a check has run before, what the step took then."""
_KEPT = LOGS / "step-seconds.json"
_FULL_SHARE = 0.97  # of a step that takes longer than usual
_BETWEEN_LINES = 30.0
_TAIL_BYTES = 4096
_ENOUGH = 60.0  # seconds of finished steps from which on this machine's pace counts

_NINJA = re.compile(r"^\[(\d+)/(\d+)\] ", re.MULTILINE)
_CTEST = re.compile(r"^ *(\d+)/(\d+) Test +#\d+: (\S+)", re.MULTILINE)
_PYTEST = re.compile(r"\[ *(\d+)%\]$", re.MULTILINE)


def usual_seconds(kept: Path = _KEPT) -> dict[str, float]:
    """What each step takes: on this machine where that is known."""
    try:
        known = json.loads(kept.read_text(encoding="utf-8"))
        return USUAL_SECONDS | {name: float(known[name]) for name in USUAL_SECONDS if name in known}
    except (OSError, ValueError, TypeError, AttributeError):
        return dict(USUAL_SECONDS)


def keep_seconds(name: str, seconds: float, kept: Path = _KEPT) -> None:
    """Remembers what a step took. A file that cannot be written is no reason to fail."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(usual_seconds(kept) | {name: round(seconds, 1)}), encoding="utf-8")
    except OSError:
        pass


def detail_of(log: str) -> str:
    """How far the program is that writes this log: steps of ninja, tests of CTest, percent of pytest."""
    if found := list(_CTEST.finditer(log)):
        return f"test {found[-1][1]} of {found[-1][2]}"
    if found := list(_NINJA.finditer(log)):
        return f"target {found[-1][1]} of {found[-1][2]}"
    if found := list(_PYTEST.finditer(log)):
        return f"{found[-1][1]} % of its tests"
    return ""


def _tail(path: Path | None) -> str:
    if path is None:
        return ""
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            return stream.read().decode("utf-8", "replace")
    except OSError:
        return ""


@dataclass
class Estimate:
    """Percent and seconds left of a row of steps."""

    names: Sequence[str]
    usual: dict[str, float]
    done: int = 0
    done_seconds: float = 0.0

    def finished(self, seconds: float) -> None:
        """The step at work has ended."""
        self.done += 1
        self.done_seconds += seconds

    def of(self, elapsed: float) -> tuple[float, float]:
        """Fraction done and seconds left, `elapsed` seconds into the step at work."""
        shares = [self.usual.get(name, 60.0) for name in self.names]
        before, now = sum(shares[: self.done]), shares[self.done]
        pace = self._pace()
        part = min(_FULL_SHARE, elapsed / (now * pace))
        left = (now * (1 - part) + sum(shares[self.done + 1 :])) * pace
        return (before + now * part) / sum(shares), left

    def words(self, elapsed: float, detail: str) -> str:
        """`lint: step 3 of 6, target 4 of 9; 40 % of the check, about 200 s left`."""
        fraction, left = self.of(elapsed)
        at = f"step {self.done + 1} of {len(self.names)}" + (f", {detail}" if detail else "")
        overdue = elapsed > self.usual.get(self.names[self.done], 60.0) * self._pace()
        rest = f"{elapsed:.0f} s in this step, longer than usual" if overdue else f"about {left:.0f} s left"
        return f"{self.names[self.done]}: {at}; {100 * fraction:.0f} % of the check, {rest}"

    def _pace(self) -> float:
        """How much longer this machine takes than is usual, from the steps that are done."""
        before = sum(self.usual.get(name, 60.0) for name in self.names[: self.done])
        return self.done_seconds / before if before and self.done_seconds >= _ENOUGH else 1.0


class StepProgress:
    """Shows the estimate of the step at work until the context ends: on a terminal one line that changes, elsewhere a
    line every half minute."""

    def __init__(
        self,
        estimate: Estimate,
        stream: TextIO = sys.stdout,
        log: Callable[[], Path | None] = current_log,
        between: float = _BETWEEN_LINES,
    ) -> None:
        self._estimate, self._stream, self._log = estimate, stream, log
        self._live = stream.isatty()
        self._between = 1.0 if self._live else between
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._begin = time.monotonic()

    def __enter__(self) -> StepProgress:
        self._begin = time.monotonic()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()
        if self._live:
            self._write("\r\033[K")

    def _show(self) -> None:
        self._say()
        while not self._ended.wait(self._between):
            self._say()

    def _say(self) -> None:
        words = self._estimate.words(time.monotonic() - self._begin, detail_of(_tail(self._log())))
        columns = shutil.get_terminal_size().columns - 1
        self._write(f"\r\033[K{words[:columns]}" if self._live else f"{words}\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
