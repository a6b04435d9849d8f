"""What a person sees while a class is graded: a live display on a terminal, one plain line a result elsewhere."""

import time
from collections.abc import Callable

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from simtlab.class_run.plan import PlannedGrade
from simtlab.class_run.pool import seconds_left
from simtlab.score.points import graded_verdict
from simtlab.store.progress import duration
from simtlab.store.result import Result
from simtlab.terminal import STYLES
from simtlab.text import counted, printable, shortened
from simtlab.verdict import Verdict

_ANNOUNCEMENT_WIDTH = 44


def _verdict(result: Result) -> Verdict:
    """As the class table will say it."""
    return graded_verdict(result.facts) if result.facts else result.verdict


class Quiet:
    """No progress at all."""

    def started(self, planned: PlannedGrade) -> None:
        """Says nothing."""

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        """Says nothing."""

    def tick(self) -> None:
        """Says nothing."""


class PlainProgress:
    """A line for every finished submission: `[ 3/14] alice 07-shared-tiling: pass (1.9 s)`."""

    def __init__(self, total: int, write: Callable[[str], None]) -> None:
        self._total = total
        self._write = write
        self._done = 0

    def started(self, planned: PlannedGrade) -> None:
        """Says nothing: lines in a log are for what is done."""

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        """Writes the line."""
        self._done += 1
        width = len(str(self._total))
        name = shortened(_name(planned), _ANNOUNCEMENT_WIDTH)
        self._write(f"[{self._done:{width}}/{self._total}] {name}: {_verdict(result).words} ({result.seconds:.1f} s)")

    def tick(self) -> None:
        """Says nothing."""


class SparseProgress:
    """A line for a log every so many results and seconds: `20 of 44 graded, 61 s`."""

    def __init__(self, total: int, write: Callable[[str], None], *, results: int = 10, seconds: float = 15) -> None:
        self._total = total
        self._write = write
        self._results, self._seconds = results, seconds
        self._done = 0
        self._began = self._said = time.monotonic()

    def started(self, planned: PlannedGrade) -> None:
        """Says nothing: lines in a log are for what is done."""

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        """Writes a line after every so many."""
        del planned, result
        self._done += 1
        if self._done % self._results == 0 or self._done == self._total:
            self._say()

    def tick(self) -> None:
        """Writes a line where none was written for long."""
        if time.monotonic() - self._said >= self._seconds:
            self._say()

    def _say(self) -> None:
        self._said = time.monotonic()
        self._write(f"{self._done} of {self._total} graded, {self._said - self._began:.0f} s")


class LiveProgress:
    """A bar, what runs for how long, what waits, and an estimate. Use as a context."""

    def __init__(self, console: Console, total: int, workers: int) -> None:
        self._console = console
        self._total = total
        self._workers = workers
        self._running: dict[str, tuple[PlannedGrade, float]] = {}
        self._done, self._done_seconds = 0, 0.0
        self._live = Live(console=console, get_renderable=self._render, transient=True, refresh_per_second=8)

    def __enter__(self) -> "LiveProgress":
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def started(self, planned: PlannedGrade) -> None:
        """Adds a running submission."""
        self._running[planned.parts.key] = planned, time.monotonic()

    def finished(self, planned: PlannedGrade, result: Result) -> None:
        """Moves a submission from running to done, with a line that stays."""
        self._running.pop(planned.parts.key, None)
        self._done += 1
        self._done_seconds += result.seconds
        line = Text(f"  {shortened(_name(planned), _ANNOUNCEMENT_WIDTH)}  ")
        verdict = _verdict(result)
        line.append(verdict.words, style=STYLES[verdict])
        line.append(f"  {result.seconds:.1f} s", style="dim")
        self._console.print(line)

    def tick(self) -> None:
        """The display refreshes itself."""

    def _render(self) -> Group:
        done = self._done
        waiting = self._total - done - len(self._running)
        estimate = seconds_left(self._done_seconds, done, self._total - done, self._workers)
        about = "" if estimate is None else f", about {duration(estimate)} left"
        head = Table.grid(padding=(0, 1))
        head.add_row(
            ProgressBar(total=self._total, completed=done, width=24),
            Text(f"{done} of {self._total} graded, {counted(waiting, 'waits', 'wait')}{about}"),
        )
        rows = Table.grid(padding=(0, 1))
        for planned, since in self._running.values():
            rows.add_row(
                Text("  running", style="dim"),
                Text(shortened(_name(planned), _ANNOUNCEMENT_WIDTH)),
                Text(f"{time.monotonic() - since:.0f} s", style="dim"),
            )
        return Group(head, rows)


def _name(planned: PlannedGrade) -> str:
    return f"{printable(planned.submission.student)} {planned.submission.lab}"
