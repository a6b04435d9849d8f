"""What .vscode and the editors' page promise: patterns read the tests' output, tasks exist, gdb stops in a thread."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from simtlab.compiler.compile import compile_submission
from simtlab.labs.build_description import read_build_description
from simtlab.labs.catalogue import default_build, find_root
from simtlab.labs.variants import variant_of

ROOT = find_root(Path(__file__))
BUILD = default_build(ROOT)
SIMTCC = BUILD / "bin" / "simtcc"
VSCODE = ROOT / ".vscode"
GOLDEN = ROOT / "harness/tests/judge/golden"
PAGE = ROOT / "docs/editors.md"

LAB = "08-bank-conflicts"

FINDINGS = [
    ("kernel.cu", 34, "error", "shared-race of tile: thread (31,0,0) of block (0,0,0) reads tile[32]"),
    ("kernel.cu", 31, "error", "shared-race of tile: thread (32,0,0) of block (0,0,0) writes tile[32]"),
    ("kernel.cu", 12, "error", "out-of-bounds of output: thread (5,0,0) of block (1,0,0) writes output[101] of 100"),
    ("kernel.cu", 20, "warning", "divergent-barrier: Some threads of the block wait at one barrier, others at another"),
    ("kernel.cu", 25, "warning", "divergent-barrier: Some threads of the block wait at one barrier, others at another"),
]
"""File, line, severity, and how the message begins: what harness/tests/judge/golden/problem_lines.txt says."""


def settings(name: str) -> dict[str, Any]:
    """A file of .vscode, which is JSON with comments."""
    lines = (VSCODE / name).read_text(encoding="utf-8").splitlines()
    read: dict[str, Any] = json.loads("\n".join(line for line in lines if not line.lstrip().startswith("//")))
    return read


def tasks() -> dict[str, dict[str, Any]]:
    return {task["label"]: task for task in settings("tasks.json")["tasks"]}


def problems(text: str, matcher: dict[str, Any]) -> list[tuple[str, int, str, str]]:
    """What VS Code's list of problems has after that output. Its regular expressions are JavaScript's; ours mean
    the same in Python."""
    pattern = matcher["pattern"]
    found = []
    for line in text.splitlines():
        if match := re.search(pattern["regexp"], line):
            words = [match[pattern[name]] for name in ("file", "line", "severity", "message")]
            found.append((words[0], int(words[1]), words[2], words[3]))
    return found


def begins_alike(found: list[tuple[str, int, str, str]]) -> bool:
    alike = [f[:3] == e[:3] and f[3].startswith(e[3]) for f, e in zip(found, FINDINGS, strict=False)]
    return len(found) == len(FINDINGS) and all(alike)


@pytest.mark.parametrize("indent", ["", "      "], ids=["watch", "make test"])
@pytest.mark.parametrize("label", ["simtlab: test this lab", "simtlab: test at each save"])
def test_the_problem_matcher_reads_races_bounds_and_barriers_with_both_lines(label: str, indent: str) -> None:
    text = (GOLDEN / "problem_lines.txt").read_text(encoding="utf-8")
    shown = "".join(f"{indent}{line}\n" for line in text.splitlines())
    found = problems(shown, tasks()[label]["problemMatcher"])
    assert begins_alike(found), found


def test_the_problem_matcher_reads_compilers_and_nothing_else_of_a_report() -> None:
    matcher = tasks()["simtlab: test this lab"]["problemMatcher"]
    errors = (ROOT / "harness/emulator/tests/golden/driver/misspelled_launches.txt").read_text(encoding="utf-8")
    assert problems(errors, matcher), "no error found in what simtcc prints"
    assert all(one[2] in {"error", "warning", "note"} for one in problems(errors, matcher))
    for name in ("right", "wrong_answer", "unsafe", "careless", "unsolved", "prints"):
        assert problems((GOLDEN / f"{name}.txt").read_text(encoding="utf-8"), matcher) == []


@pytest.mark.build_tree
@pytest.mark.skipif(not (ROOT / "solutions").is_dir(), reason="a students' copy: there is no folder solutions")
@pytest.mark.parametrize(
    ("variant", "wanted"),
    [
        ("missing-barrier", [("shared-race", "writes tile["), ("shared-race", "reads tile[")]),
        (
            "no-bounds-guard",
            [("out-of-bounds of input", "reads input["), ("out-of-bounds of output", "writes output[")],
        ),
        ("barrier-inside-the-guard", [("exited-before-barrier", "waits at this barrier")]),
    ],
)
def test_the_problem_matcher_reads_what_the_judge_says_of_a_real_kernel(
    tmp_path: Path, variant: str, wanted: list[tuple[str, str]]
) -> None:
    kernel = variant_of(ROOT / "solutions" / LAB, variant).text
    (tmp_path / "kernel.cu").write_text(kernel, encoding="utf-8")
    described = read_build_description(BUILD / "labs" / LAB / "lab.json")
    build = described.backends["emulator"].model_copy(update={"front_ends": []})
    assert compile_submission(build, ["kernel.cu"], tmp_path, tmp_path / "runner").message == ""
    words: list[str | Path] = [described.judge, "--runner", tmp_path / "runner", "--test-case=safe"]
    environment = {**os.environ, "SIMTLAB_PROBLEM_LINES": "1"}
    said = subprocess.run(words, env=environment, check=False, capture_output=True, text=True).stdout
    found = problems(said, tasks()["simtlab: test this lab"]["problemMatcher"])
    lines = (tmp_path / "kernel.cu").read_text(encoding="utf-8").splitlines()
    for rule, action in wanted:
        places = [
            line
            for file, line, level, text in found
            if (file, level) == ("kernel.cu", "error") and rule in text and action in text
        ]
        assert places, said
        assert all(lines[line - 1].strip() for line in places)


def test_both_tasks_that_test_have_one_matcher_and_its_environment() -> None:
    first, second = (
        tasks()[label]["problemMatcher"] for label in ("simtlab: test this lab", "simtlab: test at each save")
    )
    assert first["pattern"] == second["pattern"]
    assert first["fileLocation"] == second["fileLocation"]
    assert settings("tasks.json")["options"]["env"]["SIMTLAB_PROBLEM_LINES"] == "1"
    begin, end = (re.compile(second["background"][name]) for name in ("beginsPattern", "endsPattern"))
    script = (ROOT / "harness/setup/watch_lab.sh").read_text(encoding="utf-8")
    assert begin.search("19:05:40  08-bank-conflicts ----------------------------------------------------")
    assert end.pattern in script


def test_each_task_is_a_target_of_a_labs_makefile_or_a_script() -> None:
    targets = (ROOT / "harness/cmake/lab.mk").read_text(encoding="utf-8")
    for task in tasks().values():
        if task["command"].startswith("make "):
            assert re.search(rf"^[a-z ]*\b{task['command'].split()[1]}\b[a-z ]*:", targets, re.MULTILINE), task
        else:
            assert os.access(ROOT / task["command"], os.X_OK), task
    launch = settings("launch.json")["configurations"][0]
    assert launch["preLaunchTask"] in tasks()
    assert launch["args"][0].removeprefix("${workspaceFolder}/") == tasks()[launch["preLaunchTask"]]["args"][2]


def test_every_task_and_recommended_extension_is_on_the_editors_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    wanted = [*tasks(), settings("launch.json")["configurations"][0]["name"]]
    assert [name for name in wanted if name not in page and name != "simtlab: prepare the debugger"] == []
    assert [name for name in settings("extensions.json")["recommendations"] if name not in page] == []


PROGRAM = """#include <cuda_runtime.h>
__global__ void fill(int* out, int n) {
  int here = blockIdx.x * blockDim.x + threadIdx.x;
  if (here < n) out[here] = here;
}
int main() {
  int* out = nullptr;
  cudaMalloc(&out, 400);
  fill<<<4, 32>>>(out, 100);
  cudaDeviceSynchronize();
  cudaFree(out);
}
"""


@pytest.mark.build_tree
@pytest.mark.skipif(not shutil.which("gdb"), reason="gdb not found")
def test_the_commands_of_launch_json_stop_gdb_in_the_thread_that_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "fill.cu").write_text(PROGRAM, encoding="utf-8")
    subprocess.run([SIMTCC, "--for-gdb", "fill.cu", "-o", "fill"], cwd=tmp_path, check=True)
    launch = settings("launch.json")["configurations"][0]
    known = {"${input:block}": "2", "${input:thread}": "7,0", launch["program"]: str(tmp_path / "fill")}
    commands = [command["text"] for command in launch["customLaunchSetupCommands"]]
    assert launch["program"] in commands[0]
    for name, value in {**known, "${workspaceFolder}": str(ROOT)}.items():
        commands = [command.replace(name, value) for command in commands]
    asked = ["-gdb-set auto-load safe-path /", *commands, f"-{launch['launchCompleteCommand']}"]
    said = gdb(asked, ["threadIdx.x", "blockIdx.x"], tmp_path)
    assert re.search(r'\*stopped,.*func="fill".*fill\.cu.*line="3"', said), said[-3000:]
    assert re.findall(r'\^done,value="(\d+)"', said)[-2:] == ["7", "2"], said[-3000:]


def gdb(commands: list[str], expressions: list[str], folder: Path) -> str:
    """All that gdb's machine interface says. It reads the next command when the program has stopped."""
    asked = [*commands, *(f"-data-evaluate-expression {text}" for text in expressions), "-gdb-exit"]
    process = subprocess.Popen(
        ["gdb", "-nx", "--interpreter=mi", "-iex", "set mi-async off"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    said = ""
    for command in asked:
        process.stdin.write(command + "\n")
        process.stdin.flush()
        waits_for = "*stopped" if command == "-exec-continue" else "^"
        for line in process.stdout:
            said += line
            if line.startswith(waits_for) or (waits_for == "^" and line.startswith("^")):
                break
    process.wait(timeout=60)
    return said


ERRORFORMAT = re.compile(r"^(set errorformat=.*)$", re.MULTILINE)


@pytest.mark.skipif(not shutil.which("vim"), reason="vim not found")
def test_vims_quickfix_list_has_the_findings_with_the_words_of_the_page(tmp_path: Path) -> None:
    lines = ERRORFORMAT.findall(PAGE.read_text(encoding="utf-8"))
    assert len(lines) == 1
    lab = tmp_path / "labs" / "08-bank-conflicts"
    lab.mkdir(parents=True)
    (lab / "kernel.cu").write_text("\n" * 60, encoding="utf-8")
    text = (GOLDEN / "problem_lines.txt").read_text(encoding="utf-8")
    report = (GOLDEN / "unsafe.txt").read_text(encoding="utf-8")
    compiler = "kernel.cu:29:1: error: 'oops' does not name a type\n   29 | oops\n"
    shown = "".join(f"      {line}\n" for line in (compiler + report + text).splitlines())
    (tmp_path / "output.txt").write_text(shown, encoding="utf-8")
    script = [
        *lines,
        f"cd {lab}",
        f"cgetfile {tmp_path / 'output.txt'}",
        "let valid = filter(getqflist(), 'v:val.valid')",
        'let shown = map(valid, \'bufname(v:val.bufnr) . " " . v:val.lnum . " " . v:val.type . " " . v:val.text\')',
        f"call writefile(shown, '{tmp_path / 'list.txt'}')",
        "qall!",
    ]
    (tmp_path / "script.vim").write_text("\n".join(script) + "\n", encoding="utf-8")
    words = ["vim", "-N", "-u", "NONE", "-i", "NONE", "-es", "-S", str(tmp_path / "script.vim")]
    subprocess.run(words, check=False, timeout=60, capture_output=True, stdin=subprocess.DEVNULL)
    listed = (tmp_path / "list.txt").read_text(encoding="utf-8").splitlines()
    wanted = [("kernel.cu", 29, "error", "'oops' does not name a type"), *FINDINGS]
    assert len(listed) == len(wanted), listed
    for line, (file, number, severity, message) in zip(listed, wanted, strict=True):
        assert line.startswith(f"{file} {number} {severity[0]} "), line
        assert message in line
