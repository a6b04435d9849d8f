"""What a running grading has done so far, read from the store alone: any process, on any machine, may watch."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from simtlab.errors import GraderError
from simtlab.store.claims import running_now
from simtlab.store.class_run import ClassRun
from simtlab.store.progress import duration, read_progress
from simtlab.store.results import ResultStore
from simtlab.text import counted, printable, shortened
from simtlab.verdict import Verdict

_LONGEST = 200
_MOST_NAMED = 50


@dataclass(frozen=True)
class RunningNow:
    """A submission that somebody grades at the moment."""

    student: str
    lab: str
    where: str
    """The machine, and the task where there is one."""
    seconds: float


@dataclass(frozen=True)
class Snapshot:
    """A grading at one moment."""

    class_name: str
    total: int
    """Submissions that have files to grade."""
    verdicts: dict[str, int]
    """How many ended so, by the verdict's words."""
    running: list[RunningNow] = field(default_factory=list)
    our_faults: list[str] = field(default_factory=list)
    """Those whose grade waits because of a fault of ours, a sentence each."""
    seconds_left: float | None = None
    ended: bool = False
    """Nobody grades this any more: it is done, was stopped, or was killed."""

    @property
    def done(self) -> int:
        """How many have a result."""
        return sum(self.verdicts.values())

    @property
    def queued(self) -> int:
        """How many nobody has taken up."""
        return max(self.total - self.done - len(self.running), 0)

    @property
    def sentence(self) -> str:
        """How far it is, in one line."""
        left = "" if self.seconds_left is None else f", about {duration(self.seconds_left)} left"
        state = "" if not self.ended or self.done == self.total else "; nobody grades: `simtlab grade` goes on"
        return (
            f"{self.done} of {self.total} graded, {counted(len(self.running), 'runs', 'run')}, "
            f"{counted(self.queued, 'waits', 'wait')}{left}{state}"
        )

    def document(self) -> dict[str, Any]:
        """The same as plain data, for the page."""
        return {
            "sentence": self.sentence,
            "total": self.total,
            "done": self.done,
            "verdicts": self.verdicts,
            "running": [
                {"who": f"{printable(one.student)} {one.lab}", "where": one.where, "time": duration(one.seconds)}
                for one in self.running[:_MOST_NAMED]
            ],
            "more_running": max(len(self.running) - _MOST_NAMED, 0),
            "our_faults": self.our_faults[:_MOST_NAMED],
            "more_faults": max(len(self.our_faults) - _MOST_NAMED, 0),
            "ended": self.ended,
        }


class Watch:
    """Looks at one grading again and again; a result is read once."""

    def __init__(self, store: ResultStore, run: ClassRun) -> None:
        self._store = store
        self._run = run
        self._open = {one.key: one for one in run.entries if one.key}
        self._total = len(self._open)
        self._verdicts: Counter[str] = Counter()
        self._faults: list[str] = []

    def look(self) -> Snapshot:
        """How far it is now."""
        for key in self._store.present(self._open):
            self._take(key)
        now = datetime.now(UTC)
        running = [
            RunningNow(
                one.student, one.lab, " ".join(filter(None, (one.host, one.where))), (now - one.since).total_seconds()
            )
            for one in running_now(self._store)
            if one.key in self._open
        ]
        progress = read_progress(self._store, self._run.started_at)
        return Snapshot(
            self._run.class_name,
            self._total,
            dict(self._verdicts.most_common()),
            running,
            list(self._faults),
            progress.seconds_left if progress else None,
            ended=not self._open or (progress is None and not running),
        )

    def _take(self, key: str) -> None:
        entry = self._open.pop(key)
        try:
            result = self._store.get(key)
        except GraderError as problem:
            verdict, message = Verdict.INTERNAL_ERROR, str(problem)
        else:
            if result is None:  # set apart at this moment
                self._open[key] = entry
                return
            verdict, message = result.verdict, result.message
        self._verdicts[verdict.words] += 1
        if verdict is Verdict.INTERNAL_ERROR:
            last = message.strip().splitlines()[-1] if message.strip() else "no message"
            who = f"{printable(entry.student)} {entry.lab}"
            self._faults.append(f"{who}: {shortened(printable(last), _LONGEST)}")
