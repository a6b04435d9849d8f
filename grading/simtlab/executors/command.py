"""Tasks behind a command prefix: `srun`, `ssh node1`, `kubectl run … --`, or none, which starts them here."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from simtlab.errors import UsageError
from simtlab.executors.launcher import EndedTask
from simtlab.executors.order import NO_FOLDER, OrderFolder

_GRACE_SECONDS = 5.0
_SHOWN = 300


@dataclass(frozen=True)
class _Running:
    process: subprocess.Popen[bytes]
    order: OrderFolder


class CommandLauncher:
    """Keeps so many commands running. Each is `WORDS… sh ORDER/task.sh N`, and lasts as long as its task."""

    poll_seconds = 0.2

    def __init__(self, words: Sequence[str], tasks: int) -> None:
        if words and not shutil.which(words[0]):
            raise UsageError(
                f"--executor command: there is no program {words[0]} here; name one that starts a task, as in "
                '--executor-command "ssh node1"'
            )
        self._words = list(words)
        self._tasks = tasks
        self._queued: deque[tuple[OrderFolder, int]] = deque()
        self._running: dict[int, _Running] = {}

    def start(self, order: OrderFolder, numbers: Sequence[int]) -> None:
        """Starts them as others end."""
        self._queued.extend((order, number) for number in numbers)
        self._fill()

    def ended(self) -> list[EndedTask]:
        """What ended, with the command's own last words where it failed."""
        found = []
        for number, one in list(self._running.items()):
            code = one.process.poll()
            if code is not None:
                del self._running[number]
                found.append(self._ended(number, one, code))
        self._fill()
        return found

    def exclude(self, node: str) -> None:
        """The command chooses the node; it is tried again as it is."""

    def cancel(self) -> None:
        """Asks every command to end, and kills what has not after some seconds."""
        self._queued.clear()
        for one in self._running.values():
            _signal(one.process, signal.SIGTERM)
        end = time.monotonic() + _GRACE_SECONDS
        for one in self._running.values():
            try:
                one.process.wait(max(end - time.monotonic(), 0))
            except subprocess.TimeoutExpired:
                _signal(one.process, signal.SIGKILL)
                one.process.wait()
        self._running.clear()

    def _fill(self) -> None:
        while self._queued and len(self._running) < self._tasks:
            order, number = self._queued.popleft()
            with (order.folder / "log" / f"{number}.command.txt").open("wb") as log:
                process = subprocess.Popen(
                    ["setpriv", "--pdeathsig", "KILL", *self._words, "sh", str(order.task_script), str(number)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
            self._running[number] = _Running(process, order)

    def _ended(self, number: int, one: _Running, code: int) -> EndedTask:
        if code == 0:
            return EndedTask(number, "", "")
        printed = (one.order.folder / "log" / f"{number}.command.txt").read_text(encoding="utf-8", errors="replace")
        last = printed.strip()[-_SHOWN:]
        if code in (-signal.SIGKILL, 128 + signal.SIGKILL):
            return EndedTask(number, "", "was killed, most likely for memory: give tasks more, or run fewer at a time")
        if code == NO_FOLDER or not (one.order.folder / "log" / f"{number}.txt").exists():
            why = (
                f"a task did not begin ({' '.join(self._words)} ended with exit code {code}: {last or 'no word'}): "
                f"every node has to see {one.order.folder.parent.parent} and the Python of simtlab"
            )
            return EndedTask(number, "", why, of_the_node=True)
        return EndedTask(number, "", f"ended with exit code {code}" + (f" ({last})" if last else ""))


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, number)
