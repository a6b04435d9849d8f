"""Bounded processes that start in a few milliseconds: a fork server has read all modules once, and forks for each piece
of work.

A Python that imports what the audit needs starts in 55 ms, a fork of one that has in 5. Each piece of work still is a
process of its own, with bounds of its own, and none can change what the next one finds. The server waits on one
socket: a request names the work and its bounds and brings two pipes and a socket along. Over that socket the server
answers with a descriptor of the process (`pidfd`), by which the client waits and kills, and at its end with its exit
code. A client that ends, however it does, closes the server's socket; then the server ends its processes and itself.
"""

import contextlib
import ctypes
import gc
import json
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from simtlab.errors import GraderError
from simtlab.process.bounded import Bounds, Outcome, bare_environment, limits_of, read_until_end

_LARGEST_MESSAGE = 64 * 1024
_PR_SET_PDEATHSIG = 1
OUT_OF_MEMORY = 3
"""The exit code of work that raised `MemoryError`."""
_LAST_DESCRIPTOR = 1 << 16


class ForkServer:
    """The client's side; several threads may use one. `words` start a program that calls `serve`."""

    def __init__(self, words: Sequence[str], environment: dict[str, str]) -> None:
        self._words, self._environment = list(words), environment
        self._starting = threading.Lock()
        self._requests: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, work: str, bounds: Bounds, stop: threading.Event | None = None) -> Outcome:
        """Does `work` inside of the bounds, of which `grace_seconds` has no meaning here. Where it raises, its
        stderr ends with the traceback. Raises `GraderError` where the server cannot be reached,
        `GradingStopped` once `stop` is set."""
        started = time.monotonic()
        with contextlib.ExitStack() as ends:
            ours, theirs = zip(os.pipe(), os.pipe(), strict=True)
            for one in ours:
                ends.callback(os.close, one)
            control, its_control = socket.socketpair()
            ends.enter_context(control)
            try:
                self._ask(work, bounds, [*theirs, its_control.fileno()])
            finally:
                for one in theirs:
                    os.close(one)
                its_control.close()
            end = self._started(control)
            ends.callback(os.close, end)
            try:
                ending, output = read_until_end(
                    end, dict(zip((1, 2), ours, strict=True)), lambda: None, bounds, started, stop
                )
            finally:
                with contextlib.suppress(ProcessLookupError):
                    signal.pidfd_send_signal(end, signal.SIGKILL)
            said = control.recv(_LARGEST_MESSAGE)
        if not said:
            raise GraderError(f"{self._words[0]} ended while a process of its worked")
        return Outcome(ending, int(said), bytes(output[1]), bytes(output[2]), time.monotonic() - started)

    def _ask(self, work: str, bounds: Bounds, descriptors: Sequence[int]) -> None:
        message = json.dumps({"work": work, "limits": limits_of(bounds)}).encode()
        for is_last in (False, True):
            try:
                socket.send_fds(self._reached(), [message], descriptors)
                return
            except OSError as error:
                if is_last:
                    raise GraderError(f"{' '.join(self._words)} cannot be reached: {error}") from error
                self._give_up()

    def _started(self, control: socket.socket) -> int:
        """The descriptor of the process that works."""
        _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
        if not descriptors:
            self._give_up()
            raise GraderError(f"{' '.join(self._words)} ended without a word")
        return descriptors[0]

    def _reached(self) -> socket.socket:
        with self._starting:
            if self._requests is None:
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                try:
                    self._process = subprocess.Popen(
                        self._words,
                        stdin=theirs.fileno(),
                        stdout=subprocess.DEVNULL,
                        env={**bare_environment(Path("/")), **self._environment},
                        start_new_session=True,
                    )
                except OSError as error:
                    ours.close()
                    raise GraderError(f"{self._words[0]} cannot be started: {error.strerror}") from error
                finally:
                    theirs.close()
                self._requests = ours
            return self._requests

    def _give_up(self) -> None:
        """Lets go of a server that ended, so that the next request starts another."""
        with self._starting:
            if self._requests is not None and self._process is not None:
                self._requests.close()
                self._process.kill()
                self._process.wait()
                self._requests = self._process = None


def serve(work: Callable[[str], None]) -> None:
    """The server's side: does what stdin, a socket, asks for until its other end is closed. `work` gets the request's
    word, and prints its answer to stdout; what it raises becomes exit code 1, `MemoryError` `OUT_OF_MEMORY`."""
    requests = socket.socket(fileno=os.dup(0))
    prctl = ctypes.CDLL(None).prctl
    gc.freeze()  # pages that no collection writes to are shared
    running: dict[int, tuple[int, socket.socket]] = {}
    waiting = select.poll()
    waiting.register(requests, select.POLLIN)
    while True:
        for ready, _ in waiting.poll():
            if ready != requests.fileno():
                pid, control = running.pop(ready)
                waiting.unregister(ready)
                os.close(ready)
                _tell_end(pid, control)
                continue
            message, descriptors, _, _ = socket.recv_fds(requests, _LARGEST_MESSAGE, 3)
            if not message:
                for pid, _ in running.values():
                    os.kill(pid, signal.SIGKILL)
                return
            out, err, its = descriptors
            control = socket.socket(fileno=its)
            server = os.getpid()
            pid = os.fork()
            if pid == 0:
                prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
                if os.getppid() != server:
                    os._exit(1)
                _work(work, json.loads(message), out, err)
            os.close(out)
            os.close(err)
            end = os.pidfd_open(pid)
            running[end] = pid, control
            waiting.register(end, select.POLLIN)
            with contextlib.suppress(OSError):  # a client that has ended
                socket.send_fds(control, [b"s"], [end])


def _tell_end(pid: int, control: socket.socket) -> None:
    _, status = os.waitpid(pid, 0)
    with contextlib.suppress(OSError), control:
        control.sendall(str(os.waitstatus_to_exitcode(status)).encode())


def _work(work: Callable[[str], None], request: dict[str, object], out: int, err: int) -> NoReturn:
    """In the process that was forked."""
    code = 1
    try:
        os.setsid()
        os.dup2(out, 1)
        os.dup2(err, 2)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.closerange(3, _LAST_DESCRIPTOR)
        for name, limit in dict(request["limits"]).items():  # type: ignore[call-overload]
            resource.setrlimit(getattr(resource, f"RLIMIT_{name.upper()}"), tuple(limit))
        work(str(request["work"]))
        code = 0
    except MemoryError:
        code = OUT_OF_MEMORY
    except BaseException:  # noqa: BLE001 - whatever it is, this process ends here
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)
