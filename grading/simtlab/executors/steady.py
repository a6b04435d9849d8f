"""A task's chunk between two canaries: results wait beside the order until the GPU has shown that it held still.

The first canary of a GPU in a grading is what it is compared with from then on. A chunk whose GPU is another before or
after it is graded elsewhere, and its node gets no further chunk of the grading. One canary may be unlucky, so a drift
counts where a second run sees one, too. Without a canary (the emulator) results go to the store as they come.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from simtlab.compare.statistics import ratio_interval
from simtlab.device.canary import KERNELS, MARGIN, Drift, Times, drifts, run_canary
from simtlab.device.device_class import this_device
from simtlab.errors import GraderError, GradingStopped
from simtlab.executors.order import NodeError, Order, OrderFolder
from simtlab.store.canaries import ChunkCanary, KernelTimes, add_canary
from simtlab.store.result import Result
from simtlab.store.results import ResultStore, this_host


class WaitingStore(ResultStore):
    """A store whose new results wait in a folder until `keep`."""

    def __init__(self, store: ResultStore, place: Path) -> None:
        super().__init__(store.folder, store.scratch)
        self._place = place
        shutil.rmtree(place, ignore_errors=True)  # of this task's earlier start, which nobody vouches for
        place.mkdir()
        self.results: dict[str, Result] = {}

    def add(self, result: Result) -> bool:
        """Takes the result as one that may come to count."""
        if self.has(result.key):
            return False
        (self._place / f"{result.key}.json").touch()
        self.results[result.key] = result
        return True

    def get(self, key: str) -> Result | None:
        """One that waits, too, so that an equal submission gets its facts: they come to count together or not."""
        return self.results.get(key) or super().get(key)

    def keep(self) -> None:
        """Puts all of them into the store."""
        for one in self.results.values():
            super().add(one)
        self.results.clear()


class Chunk:
    """Results of a task since its last canary. Of the emulator they count at once."""

    def __init__(self, store: ResultStore, claimed: ExitStack | None = None) -> None:
        self.store = store
        self.claimed = claimed
        """What keeps the claims of results that wait."""

    def settle(self) -> None:
        """Lets what was graded until now count. Raises `NodeError` where the GPU has drifted meanwhile."""


class _Timed(Chunk):
    """Of a GPU: they wait for the canary."""

    def __init__(self, store: WaitingStore, claimed: ExitStack, steadiness: "_Steadiness") -> None:
        super().__init__(store, claimed)
        self._waiting, self._claims, self._steadiness = store, claimed, steadiness
        self._before = steadiness.begin()

    def settle(self) -> None:
        if self._waiting.results:
            self._before = self._steadiness.end(self._before, self._waiting)
            self._waiting.keep()
        self._claims.close()


@contextmanager
def chunk_of(order: Order, folder: OrderFolder, number: int, store: ResultStore, node: str) -> Iterator[Chunk]:
    """The chunk of a task. What was graded counts when this ends, also where somebody stopped the grading, unless the
    GPU has drifted: that is a `NodeError`, and nothing of it counts."""
    if not order.canary:
        yield Chunk(store)
        return
    with ExitStack() as claimed:
        steadiness = _Steadiness(folder, Path(order.canary), node)
        chunk = _Timed(WaitingStore(store, folder.waiting(number)), claimed, steadiness)
        try:
            yield chunk
        except GradingStopped:
            chunk.settle()
            raise
        chunk.settle()


class _Steadiness:
    """The canary of one node's GPU in one grading."""

    def __init__(self, folder: OrderFolder, program: Path, node: str) -> None:
        place = folder.folder / "steady"
        self._program, self._node = program, node
        device = this_device()
        self._class, self._uuid = (device.device_class, device.uuid) if device else ("", "")
        self._first = place / f"{_file_name(node)}.{_file_name(self._uuid)}.json"
        self._mark = place / f"{_file_name(node)}.drifted"

    def begin(self) -> Times:
        """The times before a chunk. Raises `NodeError` where the node has drifted in this grading."""
        if self._mark.exists():
            raise NodeError(self._mark.read_text(encoding="utf-8"))
        times, found = self._measured(*self._earlier())
        if found:
            raise NodeError(self._marked(found, "between two tasks"))
        self._keep_first(times)
        return times

    def end(self, before: Times, store: WaitingStore) -> Times:
        """The times after a chunk, which are recorded. Raises `NodeError` where the GPU has drifted since."""
        after, found = self._measured(before, *self._earlier())
        record = ChunkCanary(
            node=self._node,
            device_class=self._class,
            device=self._uuid,
            kernels={kernel: _kernel(before[kernel], after[kernel]) for kernel in KERNELS},
            drift=_words(found),
            keys=list(store.results),
            at=datetime.now(UTC),
        )
        add_canary(store, record)
        if found:
            raise NodeError(self._marked(found, "while it graded"))
        return after

    def _earlier(self) -> list[Times]:
        return [json.loads(self._first.read_text(encoding="utf-8"))] if self._first.exists() else []

    def _keep_first(self, times: Times) -> None:
        temporary = self._first.with_suffix(f".{this_host()}-{os.getpid()}.tmp")
        temporary.write_text(json.dumps({kernel: list(times[kernel]) for kernel in KERNELS}), encoding="utf-8")
        with suppress(FileExistsError):  # an earlier task's, which goes on being what later ones are compared with
            os.link(temporary, self._first)
        temporary.unlink()

    def _measured(self, *earlier: Times) -> tuple[Times, list[Drift]]:
        """Times, and what drifted since one of the earlier ones: a second run has the last word."""
        for _ in range(2):
            try:
                times = run_canary(self._program)
            except GraderError as error:
                raise NodeError(f"{self._node}: {error}") from error
            found = next((some for one in earlier if (some := drifts(one, times))), [])
            if not found:
                break
        return times, found

    def _marked(self, found: list[Drift], when: str) -> str:
        sentence = (
            f"the GPU of {self._node} drifted {when}: {_words(found)}, and {100 * MARGIN:.0f} % are allowed. Nothing "
            "that was timed meanwhile counts, and the node gets no further task of this grading. Next: see what slows "
            "it (nvidia-smi -q -d PERFORMANCE; simtlab canary), or name it in exclude, and grade again"
        )
        self._mark.write_text(sentence, encoding="utf-8")
        return sentence


def _words(found: list[Drift]) -> str:
    return ", ".join(one.sentence for one in found)


def _kernel(before: Sequence[float], after: Sequence[float]) -> KernelTimes:
    interval = ratio_interval(before, after)
    return KernelTimes(
        before=median(before), after=median(after), ratio=interval.ratio, low=interval.low, high=interval.high
    )


def _file_name(word: str) -> str:
    return re.sub(r"[^A-Za-z0-9-]", "_", word) or "_"
