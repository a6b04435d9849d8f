"""`make test WATCH=1`: each save is tested, whatever an editor does to the file, and nothing is left running."""

import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from simtlab.labs.catalogue import find_root

SETUP = find_root(Path(__file__)) / "harness" / "setup"
LAB = "02-global-coalescing"
PATIENCE = 60
"""Seconds until a test gives up; nothing is measured by it."""
WAITS = "waiting for the next save"

# The build's and the judge's programs: `build` fails on a kernel that says so, and the judge says what it was given.
CMAKE = """
if grep -q does-not-compile labs/*/kernel.cu; then
  echo '[1/2] Building it'; echo 'FAILED: runner'; echo "kernel.cu:3:1: error: 'x' was not declared"; exit 1
fi
if grep -q warns labs/*/kernel.cu; then echo '[1/2] Building it'; echo 'kernel.cu:4:1: warning: odd'; fi
"""
JUDGE = """
kernel=$(cat labs/*/kernel.cu)
echo "judge started on $kernel" >>judge.log
case $kernel in *slow*) sleep 1000 ;; *broken*) exit 3 ;; esac
echo "VERDICT of $kernel: $*"
"""


class Watch:
    """The script in a session of its own, its output read as it comes; a terminal of `columns`, or a pipe."""

    def __init__(self, place: Path, columns: int = 0, environment: dict[str, str] | None = None) -> None:
        self.place = place
        self.kernel = place / "labs" / LAB / "kernel.cu"
        self.text = ""
        if columns:
            self._reading, writing = pty.openpty()
            fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        else:
            self._reading, writing = os.pipe()
        path = f"{place / 'bin'}:{os.environ['PATH']}"
        self.process = subprocess.Popen(
            [
                shutil.which("setsid") or "setsid",
                *(["--ctty"] if columns else []),
                SETUP / "watch_lab.sh",
                "build",
                LAB,
            ],
            cwd=place,
            stdin=writing if columns else subprocess.DEVNULL,
            stdout=writing,
            stderr=writing,
            env={**os.environ, "PATH": path, **(environment or {})},
            start_new_session=False,
            # Behind `&` a shell ignores Ctrl-C for all that it starts, and bash cannot take that back.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        os.close(writing)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(timeout=PATIENCE)
        os.close(self._reading)

    def until(self, pattern: str) -> str:
        """Reads until the pattern comes behind what earlier calls have read; returns what was read now."""
        read, deadline = "", time.monotonic() + PATIENCE
        while not re.search(pattern, read):
            assert time.monotonic() < deadline, f"{pattern!r} did not come; so far:\n{self.text}"
            if not select.select([self._reading], [], [], 0.2)[0]:
                continue
            try:
                piece = os.read(self._reading, 1 << 16).decode("utf-8", "replace")
            except OSError:
                piece = ""
            assert piece, f"it ended before {pattern!r} came:\n{self.text}"
            read += piece
            self.text += piece
        return read

    def save(self, text: str) -> None:
        """As editors do that write into the file."""
        self.kernel.write_text(text, encoding="utf-8")

    def save_by_rename(self, text: str) -> None:
        """As editors do that move the old file away, write a new one under another name, and rename it."""
        self.kernel.rename(self.kernel.with_name("kernel.cu~"))
        new = self.kernel.with_name(".kernel.cu.new")
        new.write_text(text, encoding="utf-8")
        new.rename(self.kernel)

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=PATIENCE)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A students' copy with one lab, whose build and judge are scripts of the test."""
    (tmp_path / "labs" / LAB).mkdir(parents=True)
    (tmp_path / "labs" / LAB / "kernel.cu").write_text("first", encoding="utf-8")
    results = tmp_path / "build" / "labs" / LAB
    results.mkdir(parents=True)
    (results / "judge.words").write_text("--runner\nthe runner\n", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "setup").symlink_to(SETUP)
    for path, script in ((tmp_path / "bin" / "cmake", CMAKE), (results / f"judge-{LAB}", JUDGE)):
        path.write_text(f"#!/bin/sh\n{script}", encoding="utf-8")
        path.chmod(0o755)
    return tmp_path


@pytest.fixture(params=[""])
def watch(place: Path, request: pytest.FixtureRequest) -> Iterator[Watch]:
    """The script at its first wait, told of saves by inotifywait where that is, or as the test says."""
    with Watch(place, environment={"SIMTLAB_WATCH": request.param}) as started:
        started.until(WAITS)
        yield started


either_way = pytest.mark.parametrize("watch", ["", "poll"], ids=["told", "polling"], indirect=True)


@either_way
def test_each_save_is_tested_with_the_words_of_make_test(watch: Watch) -> None:
    watch.save("second")
    said = watch.until(WAITS)
    assert f"VERDICT of second: --runner the runner --facts build/labs/{LAB}/watched.json --changes" in said
    watch.save("third")
    assert "VERDICT of third" in watch.until(WAITS)


def test_a_compile_error_is_shown_and_the_next_save_tested(watch: Watch) -> None:
    watch.save("does-not-compile")
    said = watch.until(WAITS)
    assert "FAIL  it does not compile" in said
    assert "kernel.cu:3:1: error: 'x' was not declared" in said
    assert "FAILED:" not in said
    assert "[1/2]" not in said
    watch.save("mended")
    assert "VERDICT of mended" in watch.until(WAITS)


def test_warnings_stand_below_the_verdict(watch: Watch) -> None:
    watch.save("it warns")
    said = watch.until(WAITS)
    assert said.index("VERDICT") < said.index("kernel.cu:4:1: warning: odd")


@either_way
def test_an_editor_that_saves_by_renaming_is_understood(watch: Watch) -> None:
    watch.save_by_rename("renamed")
    assert "VERDICT of renamed" in watch.until(WAITS)
    watch.save_by_rename("renamed again")
    assert "VERDICT of renamed again" in watch.until(WAITS)


def test_the_last_of_several_quick_saves_is_what_is_tested_and_what_ran_meanwhile_is_gone(watch: Watch) -> None:
    watch.save("slow")
    wait_for(lambda: "judge started on slow" in (watch.place / "judge.log").read_text(encoding="utf-8"))
    for number in range(20):
        watch.save(f"quick {number}")
    assert "VERDICT of quick 19" in watch.until("VERDICT of quick 19.*(\n.*)*" + WAITS)
    assert "VERDICT of slow" not in watch.text
    wait_for(lambda: not sleepers(watch))


def test_a_save_that_changes_nothing_and_other_files_are_no_reason_to_test(watch: Watch) -> None:
    watch.save("first")
    watch.kernel.with_name("notes.txt").write_text("words", encoding="utf-8")
    watch.kernel.with_name("kernel.cu~").write_text("a backup", encoding="utf-8")
    watch.save("second")
    watch.until(WAITS)
    assert (watch.place / "judge.log").read_text(encoding="utf-8").count("started") == 2


def test_the_file_may_vanish_and_come_back(watch: Watch) -> None:
    watch.kernel.unlink()
    assert "kernel.cu is not there; waiting until it is back" in watch.until("until it is back")
    watch.save("back")
    assert "VERDICT of back" in watch.until(WAITS)


def test_the_judges_own_fault_is_no_verdict(watch: Watch) -> None:
    watch.save("broken")
    assert "the judge itself ended with code 3" in watch.until(WAITS)


def test_ctrl_c_ends_it_with_all_that_it_started(watch: Watch) -> None:
    watch.save("slow")
    wait_for(lambda: "judge started on slow" in (watch.place / "judge.log").read_text(encoding="utf-8"))
    assert watch.interrupt() == 0
    watch.until("stopped watching")
    wait_for(lambda: not running_in(watch.place))


@either_way
def test_the_folder_may_go_away(watch: Watch) -> None:
    shutil.rmtree(watch.kernel.parent)
    watch.until("is not there any more")
    assert watch.process.wait(timeout=PATIENCE) == 1


def test_without_inotifywait_it_says_why_it_polls(place: Path) -> None:
    for program in Path("/usr/bin").iterdir():
        if program.name != "inotifywait" and not (place / "bin" / program.name).exists():
            (place / "bin" / program.name).symlink_to(program)
    with Watch(place, environment={"PATH": str(place / "bin")}) as watch:
        watch.until("looking for saves twice a second: inotifywait is missing")
        watch.until(WAITS)
        watch.save("second")
        assert "VERDICT of second" in watch.until(WAITS)


@pytest.mark.parametrize("columns", [24, 200])
def test_a_terminal_of_any_width_shows_a_line_above_each_verdict(place: Path, columns: int) -> None:
    with Watch(place, columns, {"NO_COLOR": "1", "TERM": "dumb"}) as watch:
        said = watch.until(WAITS)
        lines = [line for line in re.split(r"[\r\n]+", said) if re.match(r"(?:\x1b\[K)?\d\d:\d\d:\d\d  ", line)]
        assert [len(line.removeprefix("\x1b[K")) for line in lines] == [columns]
        assert "\x1b[3" not in said


def wait_for(condition: object) -> None:
    deadline = time.monotonic() + PATIENCE
    while not (callable(condition) and condition()):
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.05)


def running_in(place: Path) -> list[str]:
    """Command lines of processes whose folder is the place, the zombies left out."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").readlink() == place:
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


def sleepers(watch: Watch) -> list[str]:
    return [words for words in running_in(watch.place) if "sleep 1000" in words]
