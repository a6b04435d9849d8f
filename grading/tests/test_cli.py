"""The command as people and scripts meet it: tables, one JSON document, exit codes, and kills at any moment."""

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.fake_checkout import KERNEL, SOLUTION, FakeCheckout

TILING = "07-shared-tiling"
BANKS = "08-bank-conflicts"
SLOW = KERNEL + "// fake judge: sleep 0.6\n"
UNENDING = KERNEL + "// fake judge: sleep 600\n"


def command(checkout: FakeCheckout, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "simtlab", *words],
        cwd=checkout.root,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=clean_environment(**environment),
    )


def clean_environment(**more: str) -> dict[str, str]:
    dropped = {"SIMTLAB_BUILD", "SIMTLAB_RUNNER_PREFIX", "COLUMNS", "FORCE_COLOR", "NO_COLOR"}
    return (
        {name: value for name, value in os.environ.items() if name not in dropped}
        | {
            "SIMTLAB_ALLOW_WEAK": "1"  # a fake checkout has no launcher
        }
        | more
    )


def start(checkout: FakeCheckout, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "simtlab", *words],
        cwd=checkout.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )


def document(checkout: FakeCheckout, *words: str) -> dict[str, Any]:
    finished = command(checkout, *words, "--json")
    loaded: dict[str, Any] = json.loads(finished.stdout)
    return loaded


def mixed_class(checkout: FakeCheckout) -> None:
    for student, wish in [("alice", "pass"), ("bob", "wrong_answer"), ("carol", "full")]:
        checkout.submit(student, TILING, KERNEL + f"// fake judge: {wish}\n")
    checkout.submit("dave", TILING, KERNEL + "// fake compiler: error\n")
    checkout.submit("carol", BANKS)


def test_a_class_is_graded_to_a_table_of_80_columns_and_a_report(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    graded = command(checkout, "grade", "class")
    assert graded.returncode == 0, graded.stderr
    rows = {line.split()[0]: line.split()[1:] for line in graded.stdout.splitlines() if line.strip()}
    assert rows["alice"] == ["92.5", "pass", "0", "not", "submitted", "92.5"]
    assert rows["bob"] == ["25", "wrong", "answer", "0", "not", "submitted", "25"]
    assert rows["carol"] == ["100", "pass", "92.5", "pass", "192.5"]
    assert rows["dave"] == ["0", "compile", "error", "0", "not", "submitted", "0"]
    assert max(map(len, (graded.stdout + graded.stderr).splitlines())) <= 80
    assert "\x1b" not in graded.stdout + graded.stderr
    assert (checkout.root / "report" / "index.html").is_file()


def test_json_is_one_document_with_the_numbers_of_the_table(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    graded = command(checkout, "grade", "class", "--json")
    assert graded.stderr == ""
    found = json.loads(graded.stdout)
    assert (found["format"], found["graded_now"], found["already_graded"]) == ("simtlab-class", 5, 0)
    by_student = {one["student"]: one for one in found["students"]}
    assert by_student["carol"]["total"] == 192.5
    assert by_student["bob"]["labs"][TILING]["parts"]["correct"]["earned"] == 25
    assert by_student["dave"]["labs"][TILING]["message"].startswith("kernel.cu:3:5: error:")
    assert by_student["dave"]["labs"][BANKS]["verdict"] == "not_submitted"


def test_a_second_grading_says_how_much_was_graded_already(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    command(checkout, "grade", "class")
    again = command(checkout, "grade", "class")
    assert "0 submissions to grade, 5 already graded" in again.stderr
    assert document(checkout, "grade", "class")["already_graded"] == 5


def test_our_fault_ends_in_exit_code_1_and_a_waiting_grade(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    checkout.submit("erin", TILING, KERNEL + "// fake judge: exit 7\n")
    graded = command(checkout, "grade", "class")
    assert graded.returncode == 1
    assert "waiting: erin 07-shared-tiling: the judge of 07-shared-tiling ended" in graded.stdout
    assert "– internal error" in graded.stdout


def test_only_selected_labs_are_graded(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    found = document(checkout, "grade", "class", "--labs", "8")
    assert [lab["name"] for lab in found["labs"]] == [BANKS]
    assert found["graded_now"] == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["grade", "nowhere"], "nowhere is not a folder"),
        (["grade", "empty"], "is an empty class"),
        (["grade", "hollow"], "holds no submission"),
        (["grade", "class", "--labs", "99"], "there is no lab '99'. The labs are: 07-shared-tiling"),
        (["grade", "class", "--backend", "opencl"], "expected auto, emulator or cuda"),
        (["grade", "class", "--workers", "0"], "--workers"),
        (["grade", "class", "--runner-prefix", "'unclosed"], "--runner-prefix"),
        (["status"], "results is no store of results: run `simtlab grade DIR` first"),
        (["report"], "results is no store of results"),
        (["verify", "99"], "there is no lab '99'"),
        (["run", "7", "--input", "nowhere.txt"], "there is no file nowhere.txt"),
    ],
)
def test_bad_input_is_one_message_and_exit_code_2(checkout: FakeCheckout, words: list[str], message: str) -> None:
    checkout.submit("alice", TILING)
    (checkout.root / "empty").mkdir()
    (checkout.root / "hollow" / "alice").mkdir(parents=True)
    refused = command(checkout, *words)
    assert refused.returncode == 2, refused.stdout + refused.stderr
    assert message in " ".join(refused.stderr.split())
    assert "Traceback" not in refused.stderr


def test_hostile_names_do_nothing_to_the_terminal(checkout: FakeCheckout) -> None:
    checkout.submit("\x1b[2Jmallory\nroot 100 pass", TILING)
    checkout.submit("[bold red]eve[bold]", TILING)
    graded = command(checkout, "grade", "class")
    assert graded.returncode == 0
    assert "\x1b" not in graded.stdout + graded.stderr
    assert "\\x1b[2Jmallory\\nroo…" in graded.stdout
    assert "[bold red]eve[bold]" in graded.stdout


@pytest.mark.parametrize(("environment", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_is_for_terminals_that_want_it(
    checkout: FakeCheckout, environment: dict[str, str], coloured: bool
) -> None:
    checkout.submit("alice", TILING)
    shown = on_a_terminal(checkout, ["grade", "class"], {"TERM": "xterm-256color", **environment})
    assert ("\x1b[32m" in shown) == coloured, repr(shown)
    assert "92.5 pass" in shown


def on_a_terminal(checkout: FakeCheckout, words: list[str], environment: dict[str, str]) -> str:
    """What a person would see: stdout and stderr are a pseudo-terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "simtlab", *words],
        cwd=checkout.root,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=clean_environment(**environment),
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return shown.decode("utf-8", "replace")


def wait_for_results(checkout: FakeCheckout, number: int) -> None:
    for _ in range(600):
        if len(list((checkout.root / "results" / "results").glob("??/*.json"))) >= number:
            return
        time.sleep(0.05)
    pytest.fail(f"no {number} results within 30 s")


def stored(checkout: FakeCheckout) -> dict[str, int]:
    """Every result by name with its time of writing, so that a rewritten one is seen."""
    return {path.name: path.stat().st_mtime_ns for path in (checkout.root / "results" / "results").glob("??/*.json")}


def children_of(process: int) -> list[int]:
    """Every process whose parent is `process`."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process:
            found.append(int(path.parent.name))
    return found


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_finished_and_the_same_command_continues(
    checkout: FakeCheckout, number: signal.Signals
) -> None:
    for index in range(6):
        checkout.submit(f"student {index}", TILING, SLOW + f"// {index}\n")
    process = start(checkout, "grade", "class", "--workers", "2")
    wait_for_results(checkout, 2)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    before = stored(checkout)
    assert 2 <= len(before) < 6
    assert f"Stopped: {len(before)} of 6 are graded and kept in results." in " ".join(errors.split())
    found = document(checkout, "grade", "class")
    assert (found["already_graded"], found["graded_now"]) == (len(before), 6 - len(before))
    assert before.items() <= stored(checkout).items()


def test_a_kill_loses_nothing_finished_and_leaves_no_program_running(checkout: FakeCheckout) -> None:
    for index in range(6):
        checkout.submit(f"student {index}", TILING, SLOW + f"// {index}\n")
    process = start(checkout, "grade", "class", "--workers", "2")
    wait_for_results(checkout, 2)
    time.sleep(0.2)
    children = children_of(process.pid)
    process.kill()
    process.communicate(timeout=30)
    before = stored(checkout)
    assert 2 <= len(before) < 6
    deadline = time.monotonic() + 5
    while any(is_running(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_running(child) for child in children), "judges die with the grading"
    found = document(checkout, "grade", "class")
    assert (found["already_graded"], found["graded_now"]) == (len(before), 6 - len(before))
    assert found["ungraded"] == 0
    assert before.items() <= stored(checkout).items()
    assert not list((checkout.root / "results").rglob("*.tmp"))


def test_kills_at_any_moment_still_end_in_a_full_class(checkout: FakeCheckout) -> None:
    """Six kills at different moments: never a lost, doubled or damaged result."""
    for index in range(4):
        checkout.submit(f"student {index}", TILING, KERNEL + "// fake judge: sleep 0.2\n")
    seen: dict[str, int] = {}
    for moment in (0.15, 0.35, 0.5, 0.65, 0.8, 1.0):
        process = start(checkout, "grade", "class", "--workers", "2")
        time.sleep(moment)
        process.kill()
        process.communicate(timeout=30)
        now = stored(checkout)
        assert seen.items() <= now.items()
        seen = now
    found = document(checkout, "grade", "class")
    assert found["ungraded"] == found["waiting"] == 0
    assert len(stored(checkout)) == 4
    assert {one["labs"][TILING]["verdict"] for one in found["students"]} == {"pass"}


def test_two_gradings_at_once_agree(checkout: FakeCheckout) -> None:
    for index in range(4):
        checkout.submit(f"student {index}", TILING, KERNEL + "// fake judge: sleep 0.2\n")
    gradings = [start(checkout, "grade", "class", "--json", "--report", f"report-{number}") for number in (1, 2)]
    documents = [json.loads(process.communicate(timeout=60)[0]) for process in gradings]
    assert [process.returncode for process in gradings] == [0, 0]
    assert documents[0]["students"] == documents[1]["students"]
    assert len(stored(checkout)) == 4


def test_status_tells_how_far_a_grading_is_while_it_runs(checkout: FakeCheckout) -> None:
    for index in range(6):
        checkout.submit(f"student {index}", TILING, SLOW if index == 0 else UNENDING)
    process = start(checkout, "grade", "class", "--workers", "1")
    wait_for_results(checkout, 1)
    found = document(checkout, "status")
    assert found["ungraded"] == 5
    assert "not graded yet" in command(checkout, "status").stdout
    process.terminate()
    process.communicate(timeout=30)


def test_the_report_is_written_again_from_the_store_alone(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    command(checkout, "grade", "class")
    for path in checkout.class_folder.rglob("kernel.cu"):
        path.unlink()
    assert command(checkout, "report", "again").returncode == 0
    first, second = (checkout.root / name / "submissions" for name in ("report", "again"))
    assert sorted(path.name for path in first.iterdir()) == sorted(path.name for path in second.iterdir())
    assert "kernel.cu:3:5: error" in (second / f"dave.{TILING}.html").read_text(encoding="utf-8")


def test_new_points_need_no_new_grading(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    command(checkout, "grade", "class")
    lab_toml = checkout.root / "labs" / TILING / "lab.toml"
    lab_toml.write_text(lab_toml.read_text(encoding="utf-8").replace("correct = 50", "correct = 150"), encoding="utf-8")
    found = document(checkout, "grade", "class")
    assert found["graded_now"] == 0
    assert {one["student"]: one["labs"][TILING]["points"] for one in found["students"]}["carol"] == 200


def test_the_labs_are_listed_with_points_and_state(checkout: FakeCheckout) -> None:
    (checkout.build / "labs" / BANKS / "lab.json").unlink()
    shown = " ".join(command(checkout, "list").stdout.split())
    assert "07-shared-tiling Tiled matrix product 100 ready (emulator)" in shown
    assert "not built" in shown
    rows = document(checkout, "list")["labs"]
    assert [(row["lab"], row["points"], row["ready"]) for row in rows] == [(TILING, 100, True), (BANKS, 100, False)]


def test_an_own_input_is_run_by_the_same_script_that_students_use(checkout: FakeCheckout) -> None:
    setup = checkout.root / "harness" / "setup"
    setup.mkdir()
    script = setup / "run_lab.sh"
    script.write_text('#!/bin/sh\necho "ran $2 $(cat "$3") $4 $5 $6"\nexit 1\n', encoding="utf-8")
    script.chmod(0o755)
    (checkout.root / "mine.txt").write_text("rows 2", encoding="utf-8")
    ran = command(checkout, "run", "7", "--input", "mine.txt", "--print", "--sizes", "cols=3")
    assert (ran.returncode, ran.stdout) == (1, f"ran {TILING} rows 2 --print --sizes cols=3\n")


def test_a_weak_sandbox_is_refused_or_stands_in_table_json_and_every_page(checkout: FakeCheckout) -> None:
    mixed_class(checkout)
    refused = command(checkout, "grade", "class", SIMTLAB_ALLOW_WEAK="")
    assert refused.returncode == 2
    assert "mount-namespace: without it student code can read whatever the grader's user can" in refused.stderr
    assert not (checkout.root / "report").exists()
    graded = command(checkout, "grade", "class", "--allow-weak", SIMTLAB_ALLOW_WEAK="")
    assert graded.returncode == 0
    note = "weak sandbox: graded without user-namespace, mount-namespace"
    assert note in " ".join(graded.stdout.split())
    assert document(checkout, "status")["sandbox"][0].startswith(note)
    pages = [checkout.root / "report" / "index.html", *(checkout.root / "report" / "submissions").iterdir()]
    graded_pages = [page for page in pages if "not submitted" not in page.read_text(encoding="utf-8")]
    assert len(graded_pages) == 5
    for page in [pages[0], *graded_pages]:
        assert note in page.read_text(encoding="utf-8"), page


def test_a_runner_prefix_from_the_environment_reaches_the_judge(checkout: FakeCheckout) -> None:
    checkout.submit("alice", TILING)
    command(checkout, "grade", "class", SIMTLAB_RUNNER_PREFIX="srun --gres=gpu:1")
    [call] = checkout.judge_calls()
    assert call[call.index("--runner-prefix") + 1] == '["srun", "--gres=gpu:1"]'


def test_verify_passes_sound_labs_and_names_what_is_unsound(checkout: FakeCheckout) -> None:
    variants = checkout.root / "solutions" / TILING / "variants"
    good = "// expect: correct=pass safe=pass fast=70..80\n" + KERNEL + "// fake judge: pass\n"
    bad = "// expect: correct=fail fast=not_measured\n" + KERNEL + "// fake judge: wrong_answer\n"
    off_topic = "// expect: correct=pass safe=pass fast=0..9\n" + KERNEL + "// fake judge: slow\n"
    (variants / "good.cu").write_text(good, encoding="utf-8")
    (variants / "off-topic.cu").write_text(off_topic, encoding="utf-8")
    steps = '[[ladder]]\nof = "the product"\nsteps = ["off-topic", "good", "solution"]\n'
    (variants.parent / "ladder.toml").write_text(steps, encoding="utf-8")
    for number in range(6):
        (variants / f"bad-{number}.cu").write_text(f"{bad}// {number}\n", encoding="utf-8")
    verified = command(checkout, "verify", "07")
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert "mutants: 11 made, 9 run (9 operators): 9 killed (correct 9), 0 survived" in verified.stdout
    assert "checks, none failed" in verified.stdout
    assert "10 of 19 graded, " in verified.stderr
    assert "19 of 19 graded, " in verified.stderr
    (variants / "boast.cu").write_text(good.replace("70..80", "80..100"), encoding="utf-8")
    (variants / "mute.cu").write_text(KERNEL, encoding="utf-8")
    (variants.parent / "ladder.toml").write_text(steps.replace("off-topic", "boast"), encoding="utf-8")
    unsound = document(checkout, "verify", "07")
    failed = {check["specimen"]: check["problems"][0] for check in unsound["checks"] if not check["passed"]}
    assert failed["variants/boast.cu"] == "fast scores 75.00, declared 80..100"
    assert "the first line must declare how it ends" in failed["variants/mute.cu"]
    assert failed["ladder.toml"].startswith(
        "no backend tells 'boast' from 'good': 75.0 and 75.0 points on the emulator"
    )
    assert command(checkout, "verify", "07").returncode == 1


def test_verify_fails_a_stub_that_is_solved_and_a_solution_that_is_not(checkout: FakeCheckout) -> None:
    (checkout.root / "labs" / TILING / "kernel.cu").write_text(KERNEL + "// fake judge: full\n", encoding="utf-8")
    solution = checkout.root / "solutions" / TILING / "kernel.cu"
    solution.write_text(SOLUTION.replace("judge: whole", "judge: pass"), encoding="utf-8")
    found = {check["specimen"]: check["problems"] for check in document(checkout, "verify", "07")["checks"]}
    assert "verdict is pass, declared unsolved" in found["stub"]
    assert "fast scores 75.00, declared 100..100" in found["solution"]
    assert "earns 92.5 of 100 points" in found["solution"]


def test_verify_runs_nothing_else_where_the_solution_fails(checkout: FakeCheckout) -> None:
    solution = checkout.root / "solutions" / TILING / "kernel.cu"
    solution.write_text(SOLUTION.replace("judge: whole", "judge: wrong_answer"), encoding="utf-8")
    variant = "// expect: correct=fail fast=not_measured\n" + KERNEL + "// fake judge: wrong_answer\n"
    (solution.parent / "variants" / "bad.cu").write_text(variant, encoding="utf-8")
    checks = document(checkout, "verify", "07")["checks"]
    assert [check["specimen"] for check in checks] == ["solution"]
    assert "the solution ends as wrong answer" in checks[0]["problems"][0]
    assert checks[0]["problems"][1].startswith("variants and mutants were not run")
    assert len(checkout.judge_calls()) == 2  # the stub and the solution
    told = command(checkout, "verify", "07").stdout
    assert "1 check, 1 failed" in told
    assert "handout:" not in told


def test_doctor_says_what_is_missing_and_the_next_step(checkout: FakeCheckout) -> None:
    (checkout.build / "labs" / BANKS / "lab.json").unlink()
    found = command(checkout, "doctor")
    assert found.returncode == 1
    text = " ".join(found.stdout.split())
    assert "08-bank-conflicts is not built" in text
    assert "next: run `make setup`" in text
    checks = {check["name"]: check for check in document(checkout, "doctor")["checks"]}
    assert checks["Python"]["present"]
    assert not checks["labs"]["present"]


def test_the_version_is_told() -> None:
    shown = subprocess.run([sys.executable, "-m", "simtlab", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("simtlab 0.")
