"""What the scripts behind `make test` say beside the judge: the one next step, and the steps of a long build."""

import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simtlab.home.hints import EXPLAINED_BY
from simtlab.labs.catalogue import find_root

SETUP = find_root(Path(__file__)) / "harness" / "setup"
LAB = "02-global-coalescing"
WRONG = "  wrong answer   one column (rows 89, cols 1)"
MARK = "//@@ your code here\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A students' copy with one lab, whose build and ctest are scripts of the test."""
    (tmp_path / "labs" / LAB).mkdir(parents=True)
    (tmp_path / "labs" / LAB / "kernel.cu").write_text("", encoding="utf-8")
    (tmp_path / "build" / "emulator").mkdir(parents=True)
    (tmp_path / "build" / "emulator" / "simtlab_emulator.o").touch()
    (tmp_path / "build" / "harness.stamp").touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "harness").mkdir()
    (tmp_path / "harness" / "setup").symlink_to(SETUP)
    return tmp_path


def program(place: Path, name: str, script: str) -> dict[str, str]:
    """The environment in which `name` is that script."""
    path = place / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}"}


def make_test(place: Path, lines: list[str], code: int) -> subprocess.CompletedProcess[str]:
    """`make test` of the lab where ctest prints those lines and ends with that code."""
    (place / "ctest.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    environment = program(place, "ctest", f"cat {place}/ctest.txt; exit {code}")
    command: list[Path | str] = [SETUP / "test_labs.sh", place / "build", LAB]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)


def steps_of(told: dict[str, list[str]]) -> list[str]:
    """What ctest prints of the three steps; one with words has failed with them."""
    lines = []
    for step in ("correct", "safe", "fast"):
        lines += [f"    Start 1: {LAB}.{step}", *(f"1: {line}" for line in told.get(step, []))]
        lines.append(f"1/3 Test #1: {LAB}.{step} .....{'***Failed' if step in told else '   Passed'}  0.10 sec")
    return lines


def last_words(place: Path, told: dict[str, list[str]]) -> str:
    """The last line after tests that failed with those words; a test without words passed."""
    done = make_test(place, steps_of(told), 8)
    assert done.returncode == 8, done.stderr
    return done.stdout.splitlines()[-1]


def test_a_wrong_answer_leads_to_the_debugger_with_its_first_case(place: Path) -> None:
    last = last_words(place, {"correct": ["  right          one row", WRONG], "fast": ["not measured: correct fails"]})
    assert last.endswith('follow one thread through the first case that fails: make debug LAB=02 CASE="one column"')


def test_what_is_unsafe_comes_before_what_is_slow(place: Path) -> None:
    wrong = [WRONG, "Next: start with what safe reports; a race or a wrong index explains"]
    for told in ({"correct": wrong, "safe": ["1 finding"]}, {"safe": ["1 finding"]}):
        assert "Next: mend what safe reports" in last_words(place, told)
    assert last_words(place, {"fast": ["score 50 of 100"]}).endswith("Next: make profile LAB=02")


def test_an_entry_that_launches_nothing_is_no_stub(place: Path) -> None:
    unsolved = {
        "correct": [
            "unsolved",
            "  No output element of any case was written. Either kernel.cu is still the",
            "  stub: begin",
        ]
    }
    assert last_words(place, unsolved).endswith("which kernel does it launch?")
    (place / "labs" / LAB / "kernel.cu").write_text(MARK, encoding="utf-8")
    assert last_words(place, unsolved).endswith("begin where kernel.cu says //@@ your code here")


def on_a_terminal(place: Path, command: list[Path | str], environment: dict[str, str]) -> str:
    """All that the command writes to a terminal."""
    reading, writing = pty.openpty()
    with subprocess.Popen(command, cwd=place, env=environment, stdout=writing, stderr=writing):
        os.close(writing)
        said = b""
        while True:
            try:
                part = os.read(reading, 4096)
            except OSError:  # Linux's way to say that nobody writes any more
                break
            said += part
    os.close(reading)
    return said.decode()


def test_the_first_build_shows_its_steps(place: Path) -> None:
    (place / "build" / "emulator" / "simtlab_emulator.o").unlink()
    environment = program(place, "ctest", "exit 1")
    program(place, "cmake", 'echo "$@" >> asked.txt; echo "[3/40] Building CXX object x.o"')
    command: list[Path | str] = [SETUP / "test_labs.sh", place / "build", LAB]
    said = on_a_terminal(place, command, environment)
    assert "building: step 3 of 40, 7 %" in said
    assert f"judge-{LAB}" in (place / "asked.txt").read_text(encoding="utf-8")
    (place / "build" / "harness.stamp").unlink()
    piped = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert "step 3" not in piped.stdout + piped.stderr  # a line every ten seconds, and this takes none
    environment["SIMTLAB_PROGRESS_SECONDS"] = "0"
    (place / "build" / "harness.stamp").unlink()
    piped = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False)
    assert "building: step 3 of 40, 7 %" in piped.stderr.splitlines()[0]


def test_what_the_course_has_changed_is_built_before_the_tests_with_its_steps(place: Path) -> None:
    environment = program(place, "ctest", "exit 1")
    program(place, "cmake", 'echo "$@" >> asked.txt')
    command: list[Path | str] = [SETUP / "test_labs.sh", place / "build", LAB]
    (place / "harness" / "judge").mkdir()
    subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    assert not (place / "asked.txt").exists()
    changed = place / "harness" / "judge" / "main.cpp"
    changed.touch()
    later = (place / "build" / "harness.stamp").stat().st_mtime + 10
    os.utime(changed, (later, later))
    subprocess.run(command, cwd=place, env=environment, capture_output=True, check=False)
    assert f"judge-{LAB}" in (place / "asked.txt").read_text(encoding="utf-8")


def test_a_build_that_fails_shows_the_compilers_words_alone(place: Path) -> None:
    broken = 'echo "[1/2] Building CXX object x.o"; echo "kernel.cu:6:3: error: no"; exit 1'
    environment = program(place, "cmake", broken)
    said = on_a_terminal(place, [SETUP / "build_target.sh", "build", "lab_x", "tell your instructor"], environment)
    assert said.replace("\r\n", "\n").endswith("\x1b[Kkernel.cu:6:3: error: no\ntell your instructor\n")


@pytest.mark.parametrize(("opening", "closing"), [("‘", "’"), ("'", "'")])
def test_a_metric_that_does_not_exist_is_named_with_its_line_and_the_next_step(
    place: Path, opening: str, closing: str
) -> None:
    """g++'s own words for a misspelt criterion, in either of its locales."""
    message = (
        f"labs/08/lab.cpp:51:21: error: {opening}wavefronts_over_minimun{closing} is not a member of "
        f"{opening}simtlab::metric{closing}; did you mean {opening}wavefronts_over_minimum{closing}?"
    )
    (place / "said.txt").write_text(message + "\n" + message + "\n", encoding="utf-8")
    environment = program(place, "cmake", f"cat {place}/said.txt; exit 1")
    command: list[Path | str] = [SETUP / "build_target.sh", "build", "lab_x", "lab_x does not build"]
    said = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=False).stderr
    assert said.splitlines()[2:] == [
        "labs/08/lab.cpp:51: a criterion asks for metric::wavefronts_over_minimun, and there is no such metric. "
        "Did you mean metric::wavefronts_over_minimum? docs/lab-criteria.md lists all of them.",
        "lab_x does not build",
    ]


def test_a_specification_that_does_not_compile_is_its_authors(place: Path) -> None:
    message = (
        f"/x/labs/{LAB}/lab.cpp:51:21: error: 'wavefronts_over_minimun' is not a member of 'simtlab::metric'; did you "
        "mean 'wavefronts_over_minimum'?"
    )
    lines = [
        f"    Start 1: {LAB}.build",
        f"1: {message}",
        f"1/2 Test #1: {LAB}.build ......***Failed  1.00 sec",
        f"2/2 Test #2: {LAB}.correct ....***Not Run  0.00 sec",
    ]
    said = make_test(place, lines, 8).stdout
    assert f"/x/labs/{LAB}/lab.cpp:51: a criterion asks for metric::wavefronts_over_minimun, and there is no" in said
    assert "docs/lab-criteria.md lists all of them" in said
    assert (
        "the lab's specification, lab.cpp, does not compile. "
        f"Next: tell its author: labs/{LAB}/lab.cpp is no file of yours"
    ) in said
    assert "kernel.cu does not compile" not in said


def all_words(place: Path, build: list[str], told: dict[str, list[str]]) -> str:
    """What is printed when the build said so, and tests failed with those words."""
    lines = [
        f"    Start 1: {LAB}.build",
        *(f"1: {line}" for line in build),
        f"1/4 Test #1: {LAB}.build .. Passed  1.0 sec",
    ]
    return make_test(place, lines + steps_of(told), 8 if told else 0).stdout


@pytest.mark.parametrize("read_by", ["", ", which clang++ 14.0.6 reads as CUDA, too"])
def test_a_warning_of_the_compiler_stays_until_the_file_is_built_again(place: Path, read_by: str) -> None:
    built = f"[1/1] Building {LAB} with kernel.cu{read_by}"
    warned = "kernel.cu:9:9: warning: 'sum' is used uninitialized [-Wuninitialized]"
    assert warned in all_words(place, [built, warned], {"correct": [WRONG]})
    assert warned in all_words(place, ["ninja: no work to do."], {"correct": [WRONG]})
    assert warned not in all_words(place, [built], {"correct": [WRONG]})
    assert "note" not in all_words(place, ["ninja: no work to do."], {})


@pytest.mark.parametrize(
    ("score", "rest"),
    [("100", ""), ("100.0", ""), ("76.9", "; fast has 76.9 of 100 points: the table above says why, make ")],
)
def test_what_is_left_of_the_points_is_told_where_all_tests_pass(place: Path, score: str, rest: str) -> None:
    lines = []
    for number, step in enumerate(("correct", "safe", "fast"), 1):
        said = [f"{number}: score {score} of 100 (60 pass), measured with n 9"] if step == "fast" else []
        lines += [f"    Start {number}: {LAB}.{step}", *said]
        lines.append(f"{number}/3 Test #{number}: {LAB}.{step} .....   Passed  0.10 sec")
    done = make_test(place, lines, 0)
    [last] = [line for line in done.stdout.splitlines() if line.startswith("all 3 tests passed")]
    assert last == "all 3 tests passed" + (rest and f"{rest}profile LAB=02 where")


def test_a_case_that_says_what_is_wrong_needs_no_debugger(place: Path) -> None:
    said = all_words(
        place, [], {"correct": [WRONG, "    Nothing was copied to c.", 'Next: mend what is said of the case "x".']}
    )
    assert said.splitlines()[-1].endswith("mend what correct says, then make test LAB=02")


def with_the_audit(place: Path, outcome: str, said: list[str]) -> subprocess.CompletedProcess[str]:
    """Everything passes but the audit, which ends so."""
    lines = [f"    Start 2: {LAB}.allowed", *(f"2: {line}" for line in said)]
    lines.append(f"2/5 Test #2: {LAB}.allowed ....{outcome}  0.20 sec")
    for step in ("correct", "safe", "fast"):
        lines += [f"    Start 3: {LAB}.{step}", f"3/5 Test #3: {LAB}.{step} .....   Passed  0.10 sec"]
    return make_test(place, lines, 8 if "Failed" in outcome else 0)


def test_what_the_grader_refuses_does_not_pass_at_home(place: Path) -> None:
    done = with_the_audit(place, "***Failed", ["forbidden: the grader runs nothing", "  kernel.cu:1 header"])
    assert done.returncode == 8
    assert "FAIL  allowed" in done.stdout
    assert "3 of 4 tests passed; see each FAIL above. Next: mend what allowed names" in done.stdout


def test_a_file_that_was_put_back_with_an_older_time_is_built_again(place: Path) -> None:
    tree, kernel = place / "build" / "emulator", place / "labs" / LAB / "kernel.cu"
    (tree / "build.ninja").touch()
    old = 1_000_000_000

    def time_behind(text: str) -> float:
        kernel.write_text(text, encoding="utf-8")
        os.utime(kernel, (old, old))
        call = f"source {SETUP}/put_back.sh; touch_put_back build/emulator"
        subprocess.run(["bash", "-c", call], cwd=place, check=True)
        return kernel.stat().st_mtime

    assert time_behind("one") == old, "nobody knows what was built before"
    assert time_behind("one") == old
    assert time_behind("another") > old
    assert time_behind("another") == old
    assert time_behind("one") > old


def audit_lab(place: Path, home: str) -> subprocess.CompletedProcess[str]:
    """The script of the test `allowed`, where `python -m simtlab.home` is this program."""
    for script in ("audit_lab.sh", "home_python.sh"):
        (place / "harness" / "setup").mkdir(parents=True, exist_ok=True)
        shutil.copy(SETUP / script, place / "harness" / "setup" / script)
    (place / "grading" / "simtlab" / "home").mkdir(parents=True)
    (place / "grading" / "simtlab" / "__init__.py").touch()
    (place / "grading" / "simtlab" / "home" / "__init__.py").touch()
    (place / "grading" / "simtlab" / "home" / "__main__.py").write_text(home, encoding="utf-8")
    words: list[str | Path] = [place / "harness" / "setup" / "audit_lab.sh", "build/default", LAB, "emulator"]
    return subprocess.run(
        words, capture_output=True, text=True, check=False, env=os.environ | {"PYTHON": sys.executable}
    )


def test_an_audit_that_fails_itself_refuses_nothing(tmp_path: Path) -> None:
    done = audit_lab(tmp_path, "import simtlab.that_is_not_there\n")
    assert done.returncode == 77
    assert "the check itself failed" in done.stdout
    assert "no fault of your kernel" in done.stdout


def test_what_the_audit_refuses_and_cannot_look_at_keep_their_words(tmp_path: Path) -> None:
    refused = audit_lab(tmp_path / "a", "import sys\nprint('forbidden: x')\nsys.exit(4)\n")
    assert (refused.returncode, refused.stdout) == (1, "forbidden: x\n")
    missing = audit_lab(tmp_path / "b", "import sys\nprint('no lab')\nsys.exit(3)\n")
    assert (missing.returncode, missing.stdout) == (77, "not checked for what the grader refuses: no lab\n")


def test_an_audit_that_passes_is_no_line(place: Path) -> None:
    done = with_the_audit(place, "   Passed", [])
    assert "allowed" not in done.stdout
    assert "all 3 tests passed" in done.stdout


def test_an_audit_that_could_not_look_is_a_note(place: Path) -> None:
    done = with_the_audit(place, "***Skipped", ["not checked for what the grader refuses: no module"])
    assert done.returncode == 0
    assert "note  allowed" in done.stdout
    assert "not checked for what the grader refuses" in done.stdout
    assert "all 3 tests passed" in done.stdout


def test_the_hint_that_fits_is_shown(place: Path) -> None:
    (place / "grading").symlink_to(SETUP.parents[1] / "grading")
    hints = '[[hints]]\nwhen = "wrong_answer"\ntext = "Which sizes fail?"\n'
    hints += '[[hints]]\nwhen = "shared-race"\ntext = "Who waits for whom?"\n'
    (place / "labs" / LAB / "lab.toml").write_text(hints, encoding="utf-8")
    wrong = {"correct": [WRONG]}
    assert "Hint: Which sizes fail?\n" in all_words(place, [], wrong)
    assert "Hint: Who waits for whom?\n" in all_words(place, [], wrong | {"safe": ["  error shared-race of tile"]})
    assert "Hint" not in all_words(place, [], {"fast": ["50 of 100 points"]})
    explained = {"correct": [WRONG, "      This is what comes out with b transposed: row and column are swapped."]}
    assert "Hint" not in all_words(place, [], explained)
    assert "Hint" not in all_words(place, [], {})


def test_a_hint_that_names_its_variable_is_for_no_other(place: Path) -> None:
    (place / "grading").symlink_to(SETUP.parents[1] / "grading")
    hints = '[[hints]]\nwhen = "out-of-bounds"\nvariable = "n"\ntext = "A row of N?"\n'
    hints += '[[hints]]\nwhen = "wrong_answer"\ntext = "Which sizes fail?"\n'
    (place / "labs" / LAB / "lab.toml").write_text(hints, encoding="utf-8")
    wrong = {"correct": [WRONG]}
    for_p = wrong | {"safe": ["  error out-of-bounds of p in multiply (2 times)"]}
    assert "Hint: Which sizes fail?\n" in all_words(place, [], for_p)
    for names in ("n", "m, n"):
        for_n = wrong | {"safe": [f"  error out-of-bounds of {names} in multiply (2 times)"]}
        assert "Hint: A row of N?\n" in all_words(place, [], for_n)
    swapped = [WRONG, "      That is enough the other way round: x and y are", "      swapped in the grid. By custom"]
    follows = ["  First mend what correct says: what stands here may follow from it.", *for_n["safe"]]
    assert "Hint" not in all_words(place, [], {"correct": swapped, "safe": follows})


def test_the_script_and_the_pages_know_the_same_words_of_an_explanation() -> None:
    script = (SETUP / "test_labs.sh").read_text(encoding="utf-8")
    quoted = re.findall(r"^names_the_cause\+?=(['\"])(.*)\1$", script, re.MULTILINE)
    pattern = re.compile("".join(words for _, words in quoted))
    assert all(pattern.fullmatch(words) for words in EXPLAINED_BY)
    assert len(pattern.pattern.split("|")) == len(EXPLAINED_BY)


def test_a_finding_of_host_code_has_no_thread(place: Path) -> None:
    host = [
        "  error out-of-bounds",
        "    cudaMemcpy: the source has 4 bytes from this pointer on",
        "    seen first in the case",
    ]
    assert "its first finding first: the line stands there" in all_words(place, [], {"safe": host})
    kernel = [
        "  error out-of-bounds of p in k",
        "    thread (1,0,0) of block (0,0,0) writes p[9]; seen first in the case",
    ]
    assert "its first finding first: the line and the thread stand there" in all_words(place, [], {"safe": kernel})


def test_answered_questions_count_in_the_summary(place: Path) -> None:
    lab = place / "labs" / LAB
    (lab / "predict.cu").touch()
    answers = 'student = "ab"\nfirst = {}\nsecond = ""\n'
    (lab / "predict.toml").write_text(answers.format('""'), encoding="utf-8")
    assert "questions still open in predict.toml: 2" in all_words(place, [], {})
    (lab / "predict.toml").write_text(answers.format("32"), encoding="utf-8")
    program(place, "cmake", "true")
    asks = place / "build" / "labs" / LAB / "predict"
    asks.parent.mkdir(parents=True)
    asks.write_text("#!/bin/sh\necho '1 of 2 answers are right, 1 not given yet.'\n", encoding="utf-8")
    asks.chmod(0o755)
    said = all_words(place, [], {})
    assert (
        "questions in predict.toml: 1 of 2 answers are right, 1 not given yet. make predict LAB=02 shows them" in said
    )
    asks.write_text("#!/bin/sh\necho 'predict.toml:6: expected a number, found \"3+1\"'\n", encoding="utf-8")
    assert 'predict.toml are not counted: predict.toml:6: expected a number, found "3+1"\n' in all_words(place, [], {})


def test_what_the_tests_are_worth_is_the_last_line(place: Path) -> None:
    lab = place / "labs" / LAB
    points = "correct = 35\nsafe = 20\nfast = 40\npredict = 5\n"
    (lab / "lab.toml").write_text(f'title = "x"\n[points]\n{points}[[hints]]\nfast = 7\n', encoding="utf-8")
    slow = {"fast": ["score 87.7 of 100 (90 pass), measured with n 9"]}
    worth = "worth 90.08 of 100 points here: correct 35, safe 20, fast 35.1/40, predict 0/5"
    assert last_words(place, slow) == worth
    assert "worth" not in all_words(place, [], slow | {"safe": ["  error shared-race of tile"]})
    assert "worth" not in all_words(place, [], {"correct": [WRONG]})
    (lab / "predict.cu").touch()
    (lab / "predict.toml").write_text("a = 4\nb = 5\n", encoding="utf-8")
    program(place, "cmake", "true")
    asks = place / "build" / "labs" / LAB / "predict"
    asks.parent.mkdir(parents=True)
    asks.write_text("#!/bin/sh\necho '1 of 2 answers are right.'\n", encoding="utf-8")
    asks.chmod(0o755)
    assert last_words(place, slow).endswith(
        "worth 92.58 of 100 points here: correct 35, safe 20, fast 35.1/40, predict 2.5/5"
    )


def registers(place: Path, nvcc: str) -> str:
    """What is said of the kernels' registers where nvcc is that script; without one where it is empty."""
    if nvcc:
        environment = program(place, "nvcc", nvcc)
    else:
        script = (SETUP / "resource_usage.sh").read_text(encoding="utf-8").replace("/usr/local/cuda/bin", "/nowhere")
        (place / "resource_usage.sh").write_text(script, encoding="utf-8")
        environment = {"PATH": "/usr/bin:/bin"}
    command: list[Path | str] = ["bash", SETUP / "resource_usage.sh" if nvcc else place / "resource_usage.sh", LAB]
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


PTXAS = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k' for 'sm_90'
ptxas info    : Function properties for k
    64 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 64 bytes cumulative stack size, 16 bytes smem
"""


def test_registers_and_spills_are_nvccs_words(place: Path) -> None:
    said = registers(place, f"cat >&2 <<'END'\n{PTXAS}END")
    assert said == (
        "registers, spills and local memory, by nvcc for sm_90:\n"
        "  k: 40 registers, 64 bytes of local memory, spills: 8 bytes stored, 12 loaded\n"
    )


def test_without_a_cuda_compiler_registers_are_not_measured(place: Path) -> None:
    assert registers(place, "") == (
        "registers, spills and local memory: not measured, for there is no CUDA compiler (nvcc) on this machine\n"
    )


def test_a_kernel_that_nvcc_refuses_has_no_registers(place: Path) -> None:
    said = registers(place, "echo 'kernel.cu(3): error: what is this' >&2; exit 2")
    assert "not measured" in said
    assert said.endswith("kernel.cu(3): error: what is this\n")
