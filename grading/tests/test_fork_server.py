"""Work in processes that are forked from one server: each is bounded and alone, and whoever ends, nothing is left."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from simtlab.errors import GraderError, GradingStopped
from simtlab.process.bounded import Bounds, Ending
from simtlab.process.fork_server import ForkServer

ROOM = Bounds(seconds=30)
_WORK = (
    "import sys; from simtlab.process.fork_server import serve; kept = []; serve(lambda work: exec(work, globals()))"
)
_PACKAGES = str(Path(__file__).resolve().parents[1])


@pytest.fixture
def server() -> ForkServer:
    """One whose work is Python's."""
    return ForkServer([sys.executable, "-P", "-s", "-c", _WORK], {"PYTHONPATH": _PACKAGES})


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_what_work_writes_and_how_it_ends_comes_back(server: ForkServer) -> None:
    done = server.run("print('found'); print('aside', file=sys.stderr)", ROOM)
    assert (done.ending, done.exit_code, done.stdout, done.stderr) == (Ending.EXITED, 0, b"found\n", b"aside\n")
    failed = server.run("print('half'); kept[7]", ROOM)
    assert (failed.exit_code, failed.stdout) == (1, b"half\n")
    assert b"IndexError" in failed.stderr
    assert server.run("import os; os.abort()", ROOM).exit_code == -signal.SIGABRT


def test_no_work_finds_what_another_left(server: ForkServer) -> None:
    for _ in range(2):
        assert server.run("kept.append(1); sys.path.clear(); print(len(kept))", ROOM).stdout == b"1\n"


def test_work_of_many_threads_goes_to_whoever_asked(server: ForkServer) -> None:
    with ThreadPoolExecutor(8) as threads:
        works = [f"import time; time.sleep({number % 3} / 100); print({number})" for number in range(40)]
        answers = list(threads.map(lambda work: server.run(work, ROOM).stdout, works))
    assert answers == [f"{number}\n".encode() for number in range(40)]


def test_each_bound_ends_the_work(server: ForkServer, tmp_path: Path) -> None:
    assert server.run("while True: pass", Bounds(seconds=60, cpu_seconds=1)).exit_code == -signal.SIGXCPU
    assert server.run("import time; time.sleep(60)", Bounds(seconds=0.2)).ending is Ending.TIME
    assert server.run("while True: print('x' * 999)", Bounds(seconds=60, output_bytes=5000)).ending is Ending.OUTPUT
    assert server.run("bytes(1 << 30)", Bounds(seconds=60, memory_mb=200)).exit_code == 3
    file = tmp_path / "file"
    written = server.run(f"with open({str(file)!r}, 'w') as f: f.write('x')", Bounds(seconds=60, file_mb=0))
    assert b"File too large" in written.stderr
    assert file.stat().st_size == 0


def test_a_request_to_stop_ends_the_work(server: ForkServer) -> None:
    stop = threading.Event()
    pid = int(server.run("import os; print(os.getppid())", ROOM).stdout)
    threading.Timer(0.1, stop.set).start()
    with pytest.raises(GradingStopped):
        server.run("import time; time.sleep(60)", ROOM, stop)
    wait_until(lambda: not children_of(pid))


def children_of(pid: int) -> list[int]:
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = place.read_text().rpartition(")")[2].split()[:2]
            if int(parent) == pid and state not in "ZX":
                found.append(int(place.parent.name))
    return found


def test_a_server_that_was_killed_is_our_fault_once_and_then_started_again(server: ForkServer) -> None:
    first = int(server.run("import os; print(os.getppid())", ROOM).stdout)
    with pytest.raises(GraderError, match="ended"):
        server.run("import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)", ROOM)
    second = int(server.run("import os; print(os.getppid())", ROOM).stdout)
    assert second != first
    assert not runs(first)


def test_what_cannot_be_started_is_named() -> None:
    with pytest.raises(GraderError, match="/no/such/program"):
        ForkServer(["/no/such/program"], {}).run("", ROOM)
    with pytest.raises(GraderError, match="/bin/false"):
        ForkServer(["/bin/false"], {}).run("", ROOM)


def test_a_client_that_was_killed_leaves_nothing_running(tmp_path: Path) -> None:
    told = tmp_path / "pids"
    work = f"import os, time; open({str(told)!r}, 'w').write(f'{{os.getppid()}} {{os.getpid()}}'); time.sleep(600)"
    program = (
        "import sys; from simtlab.process.bounded import Bounds; from simtlab.process.fork_server import ForkServer; "
        f"ForkServer([sys.executable, '-c', {_WORK!r}], {{'PYTHONPATH': {_PACKAGES!r}}})"
        f".run({work!r}, Bounds(seconds=600))"
    )
    client = subprocess.Popen([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": _PACKAGES})
    wait_until(lambda: told.exists() and len(told.read_text().split()) == 2)
    client.kill()
    client.wait()
    for pid in map(int, told.read_text().split()):
        wait_until(lambda pid=pid: not runs(pid))  # type: ignore[misc]
