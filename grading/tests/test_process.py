"""A bounded program ends when it should, says how it ended, and leaves nothing running."""

import os
import sys
import threading
import time
from pathlib import Path

import pytest

from simtlab.errors import GraderError, GradingStopped
from simtlab.process.bounded import Bounds, Ending, run_bounded
from simtlab.process.running import is_running
from simtlab.process.workplace import sweep_workplaces, workplace


def python(text: str) -> list[str]:
    return [sys.executable, "-c", text]


def wait_until_gone(process: int) -> bool:
    for _ in range(100):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] == "Z":
            return True
        time.sleep(0.05)
    return False


def test_output_and_exit_code_come_back(tmp_path: Path) -> None:
    text = "import sys; print('out'); print('err', file=sys.stderr); sys.exit(7)"
    outcome = run_bounded(python(text), tmp_path, Bounds(20))
    assert (outcome.ending, outcome.exit_code) == (Ending.EXITED, 7)
    assert (outcome.stdout, outcome.stderr) == (b"out\n", b"err\n")


def test_time_runs_out(tmp_path: Path) -> None:
    outcome = run_bounded(python("import time; time.sleep(60)"), tmp_path, Bounds(0.3))
    assert outcome.ending is Ending.TIME
    assert outcome.seconds < 10


def test_endless_output_is_cut(tmp_path: Path) -> None:
    outcome = run_bounded(python("while True: print('x' * 1000)"), tmp_path, Bounds(20, output_bytes=5000))
    assert outcome.ending is Ending.OUTPUT
    assert len(outcome.stdout) + len(outcome.stderr) == 5000


def test_closed_pipes_do_not_mean_the_end(tmp_path: Path) -> None:
    text = "import os, time; os.close(1); os.close(2); time.sleep(0.4); os._exit(3)"
    outcome = run_bounded(python(text), tmp_path, Bounds(20))
    assert outcome.exit_code == 3


def test_memory_is_bounded(tmp_path: Path) -> None:
    outcome = run_bounded(python("bytearray(600 << 20)"), tmp_path, Bounds(20, memory_mb=256))
    assert b"MemoryError" in outcome.stderr


def test_files_are_bounded(tmp_path: Path) -> None:
    outcome = run_bounded(python("open('big', 'wb').write(bytes(3 << 20))"), tmp_path, Bounds(20, file_mb=1))
    assert outcome.exit_code != 0
    assert (tmp_path / "big").stat().st_size <= 1 << 20


def test_a_background_child_neither_holds_the_pipe_nor_survives(tmp_path: Path) -> None:
    text = "import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid)"
    outcome = run_bounded(python(text), tmp_path, Bounds(20))
    assert outcome.seconds < 10
    assert wait_until_gone(int(outcome.stdout))


def test_a_request_to_stop_ends_it_at_once(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    started = time.monotonic()
    with pytest.raises(GradingStopped):
        run_bounded(python("import time; time.sleep(60)"), tmp_path, Bounds(60), stop)
    assert time.monotonic() - started < 10


def test_a_missing_program_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(GraderError, match="no-such-compiler cannot be started"):
        run_bounded(["no-such-compiler"], tmp_path, Bounds(20))


def test_nothing_of_the_instructors_session_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANVAS_TOKEN", "secret")
    outcome = run_bounded(python("import os; print(sorted(os.environ))"), tmp_path, Bounds(20))
    assert b"CANVAS_TOKEN" not in outcome.stdout
    assert b"'HOME'" in outcome.stdout


def test_a_workplace_is_gone_afterwards() -> None:
    with workplace() as place:
        (place / "deep" / "er").mkdir(parents=True)
        assert place.is_dir()
    assert not place.exists()


def test_what_a_killed_grading_left_is_swept_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with workplace() as mine:
        dead = tmp_path / mine.name.replace(f"-{os.getpid()}-", "-4194999-")
        dead.mkdir()
        foreign = tmp_path / "simtlab-another.host-4194999-abc"
        foreign.mkdir()
        assert sweep_workplaces(tmp_path) == 1
        assert (mine.exists(), dead.exists(), foreign.exists()) == (True, False, True)


def test_a_process_that_has_ended_runs_no_more_though_nobody_has_collected_it() -> None:
    process = os.fork()
    if process == 0:
        os._exit(0)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    assert not is_running(process)
    os.waitpid(process, 0)
    assert not is_running(process)
    assert is_running(os.getpid())
    assert is_running(1)
