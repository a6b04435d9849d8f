"""What set-up says and does where something is missing, slow, interrupted, full or closed: every sentence names the
object, the reason and the next step. Package managers and compilers are scripts of the test."""

import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from simtlab.labs.catalogue import find_root

SETUP = find_root(Path(__file__)) / "harness" / "setup"
NEEDS = "student  plotter  command no-such-plotter  # draws figures\n"
INSTALLS = """#!/bin/sh
echo "$@" >> asked.txt
echo 'dlstatus:1:40.5:Retrieving file 1 of 2'
echo 'pmstatus:plotter:25.0:Unpacking plotter'
case "$*" in *install*) printf '#!/bin/sh\\n' > bin/no-such-plotter; chmod +x bin/no-such-plotter ;; esac
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A checkout that needs one package, whose tools lie in bin/."""
    return checkout(tmp_path)


def checkout(folder: Path) -> Path:
    (folder / "harness").mkdir()
    shutil.copytree(SETUP, folder / "harness" / "setup")
    (folder / "harness" / "setup" / "packages.txt").write_text(NEEDS, encoding="utf-8")
    (folder / "bin").mkdir()
    program(folder, "id", 'case "$1" in -u) echo 0 ;; *) exec /usr/bin/id "$@" ;; esac')
    program(folder, "dpkg", "")
    return folder


def program(place: Path, name: str, script: str) -> None:
    path = place / "bin" / name
    path.write_text(script if script.startswith("#!") else f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def environment(place: Path, **more: str) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    return {**known, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "SIMTLAB_PROGRESS_SECONDS": "0", **more}


def setup(place: Path, part: str = "student", *meanwhile: str, **more: str) -> subprocess.CompletedProcess[str]:
    """`setup.sh PART`, its two outputs as one."""
    command: list[Path | str] = [place / "harness" / "setup" / "setup.sh", part, *meanwhile]
    return subprocess.run(
        command, cwd=place, env=environment(place, **more), text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def test_what_is_installed_is_named_with_its_reason_and_its_progress(place: Path) -> None:
    program(place, "apt-get", INSTALLS)
    done = setup(place)
    assert done.returncode == 0, done.stdout
    assert "plotter              draws figures" in done.stdout
    assert "installing packages: Retrieving file 1 of 2, 20 %" in done.stdout
    assert "installing packages: Unpacking plotter, 62 %" in done.stdout
    asked = (place / "asked.txt").read_text(encoding="utf-8")
    assert asked.splitlines()[-1].endswith("install -y --no-install-recommends plotter")


def test_the_second_time_nothing_is_said_or_asked(place: Path) -> None:
    program(place, "apt-get", INSTALLS)
    setup(place)
    (place / "asked.txt").unlink()
    done = setup(place)
    assert (done.returncode, done.stdout, (place / "asked.txt").exists()) == (0, "", False)


def test_who_may_not_install_is_told_the_line_to_type(place: Path) -> None:
    program(place, "apt-get", INSTALLS)
    program(place, "id", "echo 1000")
    program(place, "sudo", "exit 1")
    done = setup(place)
    assert done.returncode == 1
    assert "plotter: no-such-plotter not found" in done.stdout
    assert "sudo apt-get install -y plotter" in done.stdout
    assert not (place / "asked.txt").exists()


def test_who_may_not_install_needs_not_where_all_is_there(place: Path) -> None:
    program(place, "id", "echo 1000")
    program(place, "sudo", "exit 1")
    program(place, "no-such-plotter", "")
    assert setup(place).returncode == 0


def test_without_network_the_server_is_named(place: Path) -> None:
    program(
        place,
        "apt-get",
        'echo "Err:1 http://deb.example.org/debian bookworm InRelease"\n'
        "echo \"  Temporary failure resolving 'deb.example.org'\"\n"
        "echo 'E: Unable to locate package plotter'; exit 100",
    )
    done = setup(place)
    assert done.returncode == 1
    assert "no answer from deb.example.org: this machine has no network" in done.stdout
    assert "E: Unable to locate package plotter" in done.stdout
    assert "sudo apt-get install -y plotter" in done.stdout


def test_a_set_up_that_was_killed_goes_on_where_it_stopped(place: Path) -> None:
    program(place, "apt-get", "touch began.txt; exec sleep 600")
    command: list[Path | str] = [place / "harness" / "setup" / "setup.sh", "student"]
    with subprocess.Popen(
        command, cwd=place, env=environment(place), start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as running:  # fmt: skip
        while not (place / "began.txt").exists():
            assert running.poll() is None
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGKILL)
    program(place, "apt-get", INSTALLS)
    program(place, "dpkg", 'echo "$@" >> dpkg.txt; echo "plotter is half configured"')
    done = setup(place)
    assert done.returncode == 0, done.stdout
    assert "an earlier installation was interrupted" in done.stdout
    assert "--configure -a" in (place / "dpkg.txt").read_text(encoding="utf-8")


def test_a_second_set_up_says_that_it_waits(place: Path) -> None:
    program(place, "no-such-plotter", "")
    (place / "build" / "setup").mkdir(parents=True)
    command: list[Path | str] = [place / "harness" / "setup" / "setup.sh", "student"]
    with (place / "build" / "setup" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting = subprocess.Popen(command, cwd=place, env=environment(place), stdout=subprocess.PIPE, text=True)
        assert waiting.stdout is not None
        assert "another set-up of this folder is running; waiting" in waiting.stdout.readline()
        fcntl.flock(lock, fcntl.LOCK_UN)
        waiting.communicate()
    assert waiting.returncode == 0


def test_a_python_too_old_is_named_with_what_works_without(place: Path) -> None:
    program(place, "no-such-plotter", "")
    program(place, "python3.9", 'case "$2" in *exit*) exit 1 ;; *) echo "/opt/python3.9 is Python 3.9.2" ;; esac')
    (place / "grading").mkdir()
    (place / "grading" / "pyproject.toml").write_text("", encoding="utf-8")
    done = setup(place, "full", PYTHON="python3.9")
    assert done.returncode == 1
    assert "needs Python 3.11 or later" in done.stdout
    assert "found: /opt/python3.9 is Python 3.9.2" in done.stdout
    assert "PYTHON=/path/to/python3.12 make setup" in done.stdout
    assert "`make test`" in done.stdout


@pytest.mark.parametrize("ends_with", [0, 1])
def test_a_command_beside_pip_has_the_packages_and_its_failure_is_the_set_ups(place: Path, ends_with: int) -> None:
    program(place, "apt-get", INSTALLS)
    for name in ("grading/pyproject.toml", ".venv/bin/python", ".venv/bin/simtlab"):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).touch(0o755)
    whole = (place / "grading/pyproject.toml").read_bytes() + (place / "harness/setup/setup.sh").read_bytes()
    (place / ".venv/simtlab.stamp").write_text(f"{hashlib.sha256(whole).hexdigest()} {place}", encoding="utf-8")
    script = f"command -v no-such-plotter && echo looks around && exit {ends_with}"
    done = setup(place, "full", "sh", "-c", script)
    assert "looks around" in done.stdout
    assert done.returncode == ends_with


def test_half_a_venv_is_made_anew_and_a_package_server_that_does_not_answer_is_named(place: Path) -> None:
    program(place, "no-such-plotter", "")
    (place / "grading").mkdir()
    wanted = '[project]\nname = "x"\nversion = "1"\ndependencies = ["typer>=1"]\noptional-dependencies.dev = ["ruff"]\n'
    (place / "grading" / "pyproject.toml").write_text(wanted, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", place / ".venv"], check=True)
    done = setup(
        place, "full", PYTHON=sys.executable, PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_RETRIES="1",
        PIP_CONFIG_FILE="/dev/null",
    )  # fmt: skip
    assert done.returncode == 1
    assert "for the grader typer; for its tests ruff" in done.stdout
    assert "no answer from 127.0.0.1" in done.stdout
    assert "PIP_INDEX_URL" in done.stdout
    assert "then type the same again" in done.stdout
    assert subprocess.run([place / ".venv" / "bin" / "python", "-m", "pip", "--version"], check=False).returncode == 0


@contextlib.contextmanager
def folder_of_somebody_else() -> Iterator[Path]:
    """A checkout that we may read and not write: another user's, or without the right to write."""
    folder = Path(tempfile.mkdtemp(prefix="simtlab-closed-"))
    try:
        checkout(folder)
        (folder / "bin" / "id").unlink()
        folder.chmod(0o555)
        yield folder
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


def test_a_checkout_that_may_not_be_written_is_told_with_the_way_out() -> None:
    with folder_of_somebody_else() as folder:
        as_nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.getuid() == 0 else []
        for script in ("setup.sh student", "configure.sh default"):
            name, _, argument = script.partition(" ")
            command: list[str] = [*as_nobody, str(folder / "harness" / "setup" / name), argument]
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 1
            assert f"{folder}/build/setup cannot be written" in done.stderr
            assert f"cp -r '{folder}' ~/simtlab && cd ~/simtlab" in done.stderr


@pytest.fixture
def small_disk(place: Path) -> Iterator[Path]:
    """The checkout's folder build/ on a file system of 256 KB."""
    (place / "build").mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=256k", "simtlab", str(place / "build")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"a small file system cannot be mounted here, which needs root: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place / "build"], check=True)


def test_a_disk_that_gets_full_while_building_is_told_and_the_build_goes_on(small_disk: Path) -> None:
    fills = "echo '[1/2] Building CXX object x.o'; head -c 1000000 /dev/zero > build/x.o || exit 1"
    program(small_disk, "cmake", fills)
    program(small_disk, "ninja", "")
    command: list[Path | str] = [
        small_disk / "harness" / "setup" / "build_target.sh",
        "build",
        "lab_x",
        "tell your instructor",
    ]
    known = environment(small_disk)
    full = subprocess.run(command, cwd=small_disk, env=known, capture_output=True, text=True, check=False)
    assert full.returncode == 3
    assert "There is no room left on the disk of build (0 of 256K are free now)" in full.stderr
    assert "Make room there" in full.stderr
    assert "it goes on where it stopped" in full.stderr
    assert "tell your instructor" not in full.stderr
    (small_disk / "build" / "x.o").unlink()
    program(small_disk, "cmake", "true")
    assert subprocess.run(command, cwd=small_disk, env=known, capture_output=True, check=False).returncode == 0


def test_a_full_disk_stops_a_configuration_with_the_same_words(small_disk: Path) -> None:
    program(small_disk, "cmake", "head -c 1000000 /dev/zero > build/x || exit 1")
    command: list[Path | str] = [small_disk / "harness" / "setup" / "configure.sh", "default"]
    done = subprocess.run(
        command, cwd=small_disk, env=environment(small_disk), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "There is no room left on the disk of build" in done.stderr


def test_a_users_tree_is_compiled_in_batches_until_a_developer_sets_it_up(place: Path) -> None:
    keeps = (
        'echo "$@" >> asked.txt; mkdir -p build/default; touch build/default/build.ninja; for word; do case $word in '
    )
    keeps += (
        "-DCMAKE_UNITY_BUILD=*) echo CMAKE_UNITY_BUILD:BOOL=${word#*=} > build/default/CMakeCache.txt ;; esac; done"
    )
    program(place, "cmake", keeps)

    def asked(*words: str) -> str:
        (place / "asked.txt").write_text("", encoding="utf-8")
        command: list[Path | str] = [place / "harness" / "setup" / "configure.sh", "default", "", *words]
        subprocess.run(command, cwd=place, env=environment(place), capture_output=True, check=True)
        return (place / "asked.txt").read_text(encoding="utf-8").strip()

    looks_for_changes = "--build build/default --target build.ninja"
    assert asked("batches") == "--preset default -DCMAKE_UNITY_BUILD=ON"
    assert asked("batches") == looks_for_changes
    whole = "--preset default -DCMAKE_UNITY_BUILD=ON -DSIMTLAB_WHOLE=ON"
    assert asked("tested") == whole, "what tests alone reach"
    assert asked("alone") == "--preset default -DCMAKE_UNITY_BUILD=OFF"
    assert asked("alone") == looks_for_changes
    assert asked("batches") == looks_for_changes
    assert asked() == looks_for_changes


def test_a_developers_new_tree_has_no_batches_and_a_wrong_word_is_named(place: Path) -> None:
    program(place, "cmake", 'echo "$@" >> asked.txt')
    command: list[Path | str] = [place / "harness" / "setup" / "configure.sh", "default", ""]
    subprocess.run([*command, "alone"], cwd=place, env=environment(place), capture_output=True, check=True)
    assert (place / "asked.txt").read_text(encoding="utf-8") == "--preset default\n"
    done = subprocess.run(
        [*command, "heaps"], cwd=place, env=environment(place), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert 'sources in batches or alone, not "heaps"' in done.stderr


def test_percent_is_by_the_usual_share_of_each_step(place: Path) -> None:
    objects = ["harness/judge/a.o", "harness/emulator/core/b.o"]
    program(place, "ninja", "; ".join(f"echo 'c++ -o {one} -c x.cpp'" for one in objects))
    said = [f"Building CXX object {one}" for one in objects] + ["Linking CXX executable judge"]
    program(place, "cmake", "; ".join(f"echo '[{n}/3] {one}'" for n, one in enumerate(said, 1)))
    command: list[Path | str] = [
        place / "harness" / "setup" / "build_target.sh",
        "build",
        "judges",
        "no",
        "building the judges",
    ]
    done = subprocess.run(command, cwd=place, env=environment(place), capture_output=True, text=True, check=False)
    lines = done.stderr.splitlines()
    assert lines[0].startswith("building the judges: step 1 of 3, 83 %")
    assert lines[1].startswith("building the judges: step 2 of 3, 91 %")
    assert lines[2].startswith("building the judges: step 3 of 3, 100 %")


def test_a_log_gets_at_most_a_line_in_ten_seconds(place: Path) -> None:
    program(place, "cmake", 'for n in $(seq 200); do echo "[$n/200] Building"; done')
    command: list[Path | str] = [place / "harness" / "setup" / "build_target.sh", "build", "judges", "no"]
    known = environment(place) | {"SIMTLAB_PROGRESS_SECONDS": "600"}
    done = subprocess.run(command, cwd=place, env=known, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_shell_of_make_shell_has_simtcc_on_its_path(place: Path) -> None:
    program(place, "cmake", "true")
    (place / "build" / "default" / "bin").mkdir(parents=True)
    (place / "build" / "default" / "bin" / "simtcc").write_text("#!/bin/sh\n", encoding="utf-8")
    (place / "build" / "default" / "bin" / "simtcc").chmod(0o755)
    command: list[Path | str] = [place / "harness" / "setup" / "open_shell.sh", "build/default"]
    done = subprocess.run(
        command, cwd=place, env=environment(place, SHELL="/bin/sh"), capture_output=True, text=True, check=False,
        input="command -v simtcc\n",
    )  # fmt: skip
    assert done.stdout == f"{place}/build/default/bin/simtcc\n"


def test_every_package_says_what_it_is_for() -> None:
    lines = (SETUP / "packages.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#") and " # " not in line] == []
