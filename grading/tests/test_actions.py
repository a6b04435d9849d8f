"""The action for GitHub and the hooks for pre-commit: their own steps and entries, run on programs."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from simtlab.labs.catalogue import find_root
from tests.public_schemas import violations

ROOT = find_root(Path(__file__))
ACTION = ROOT / ".github" / "actions" / "simtlab"
BUILD = Path(os.environ.get("SIMTLAB_BUILD") or ROOT / "build" / "default")
RACE = """__global__ void reverse(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int* d;
  cudaMalloc(&d, 256);
  cudaMemset(d, 0, 256);
  reverse<<<1, 64>>>(d);
  cudaFree(d);
}
"""
CLEAN = RACE.replace("  a[threadIdx.x] =", "  __syncthreads();\n  a[threadIdx.x] =")

pytestmark = pytest.mark.build_tree


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A repository of somebody's with one correct and one racing program."""
    folder = tmp_path / "course"
    folder.mkdir()
    (folder / "clean.cu").write_text(CLEAN, encoding="utf-8")
    (folder / "race.cu").write_text(RACE, encoding="utf-8")
    return folder


def environment(**more: str | Path) -> dict[str, str]:
    """With the simtcc of the build tree on PATH, and without what a surrounding workflow set."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "SIMTLAB_", "GIT_"))}
    path = f"{BUILD / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    return {**kept, "PATH": path} | {name: str(value) for name, value in more.items()}


class Workflow:
    """What GitHub's runner does with a composite action: inputs into steps, files for outputs and PATH."""

    def __init__(self, checkout: Path, **inputs: str) -> None:
        self.checkout, self.log, self.outputs = checkout, "", ""
        action: dict[str, Any] = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
        declared = action["inputs"]
        assert set(inputs) <= set(declared)
        self._inputs = {name: inputs.get(name, about.get("default", "")) for name, about in declared.items()}
        assert action["runs"]["using"] == "composite"
        self.codes = []
        for step in action["runs"]["steps"]:
            self.codes.append(self._run(step))
            if self.codes[-1]:
                break

    def _filled(self, text: str) -> str:
        for name, value in self._inputs.items():
            text = text.replace("${{ inputs." + name + " }}", value)
        assert "${{" not in text
        return text

    def _run(self, step: dict[str, Any]) -> int:
        assert step["shell"] == "bash"
        files = {name: self.checkout.parent / name for name in ("GITHUB_PATH", "GITHUB_OUTPUT")}
        added = files["GITHUB_PATH"].read_text(encoding="utf-8").split() if files["GITHUB_PATH"].exists() else []
        given = environment(GITHUB_ACTIONS="true", GITHUB_WORKSPACE=self.checkout, GITHUB_ACTION_PATH=ACTION, **files)
        given |= {name: self._filled(value) for name, value in step.get("env", {}).items()}
        given["PATH"] = ":".join([*added, given["PATH"]])
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.checkout / self._filled(step.get("working-directory", ".")),
            env=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=100,
        )
        self.log += done.stdout
        if files["GITHUB_OUTPUT"].exists():
            self.outputs = files["GITHUB_OUTPUT"].read_text(encoding="utf-8")
        return done.returncode


BAD_SARIF = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}}, "results": [{"level": "bad"}]}]}
SARIF = "sarif-2.1.0.json"


class TestPublicSchemas:
    """What others publish of the formats that simtlab writes."""

    def sarif_of(self, source: str, name: str, folder: Path, *words: str) -> dict[str, Any]:
        program = folder / Path(name).stem
        (folder / name).write_text(source, encoding="utf-8")
        report = folder / "report.sarif"
        given = environment(SIMTLAB_REPORT=report)
        subprocess.run(["simtcc", *words, name, "-o", program], cwd=folder, env=given, check=True, timeout=100)
        subprocess.run([program], cwd=folder, env=given, check=False, capture_output=True, timeout=100)
        read: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
        return read

    @pytest.mark.parametrize(
        ("source", "name", "rules"),
        [
            (RACE, "race.cu", ["shared-race"]),
            (RACE, "a räce & more.cu", ["shared-race"]),
            (CLEAN, "clean.cu", []),
            (CLEAN.replace("<<<1, 64>>>", "<<<1, 96>>>"), "bounds.cu", None),
            ("#include <csignal>\n" + RACE.replace("cudaFree(d)", "raise(15)"), "killed.cu", None),
            (CLEAN.replace("cudaFree(d)", "*d = 1"), "crash.cu", None),
        ],
        ids=["a race", "a name to be quoted", "no finding", "out of bounds", "killed", "crashed"],
    )
    def test_each_sarif_report_is_one(self, source: str, name: str, rules: list[str] | None, tmp_path: Path) -> None:
        sarif = self.sarif_of(source, name, tmp_path)
        assert violations(sarif, SARIF) == []
        found = [result["ruleId"] for result in sarif["runs"][0]["results"]]
        assert found if rules is None else found == rules

    def test_the_schema_refuses_what_is_no_report(self) -> None:
        assert len(violations(BAD_SARIF, SARIF)) == 2

    def test_the_action_is_one(self) -> None:
        action = yaml.safe_load((ACTION / "action.yml").read_text(encoding="utf-8"))
        assert violations(action, "github-action.json") == []
        assert violations({**action, "runs": {"using": "nothing"}}, "github-action.json")


class TestAction:
    """The steps of action.yml, in the order and shell that they name."""

    def test_a_race_fails_the_step_and_stands_at_its_line(self, course: Path) -> None:
        workflow = Workflow(course, run="simtcc race.cu -o race && ./race")
        assert workflow.codes == [0, 86], workflow.log
        commands = [line for line in workflow.log.splitlines() if line.startswith("::")]
        assert len(commands) == 1
        assert commands[0].startswith(("::error file=race.cu,line=3,title=", "::error file=race.cu,line=4,title="))
        reports = course / "simtlab-reports"
        assert workflow.outputs == f"reports={reports}\n"
        assert ["shared-race" in report.read_text(encoding="utf-8") for report in reports.iterdir()] == [True]

    def test_correct_programs_pass_with_a_report_each(self, course: Path) -> None:
        run = "simtcc clean.cu -o clean\n./clean\n./clean"
        workflow = Workflow(course, run=run, format="xml", reports="r")
        assert workflow.codes == [0, 0], workflow.log
        assert len(list((course / "r").glob("*.xml"))) == 2
        assert "::" not in workflow.log

    def test_the_first_command_that_fails_ends_the_step(self, course: Path) -> None:
        workflow = Workflow(course, run="false\necho never", **{"working-directory": "."})
        assert workflow.codes == [0, 1]
        assert "never" not in workflow.log

    def test_another_format_is_refused(self, course: Path) -> None:
        workflow = Workflow(course, run="true", format="html")
        assert workflow.codes == [0, 2]
        assert 'the input format is "html"; expected sarif, xml or json' in workflow.log


@pytest.fixture
def hooks(tmp_path: Path) -> Path:
    """A repository with the hooks and their scripts as they are now, committed or not."""
    folder = tmp_path / "hooks"
    (folder / "harness").mkdir(parents=True)
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", folder)
    shutil.copytree(ROOT / "harness" / "setup", folder / "harness" / "setup")
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example.org", "-C", str(folder)]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *words], check=True, env=environment(), timeout=60)


class TestHooks:
    """The real pre-commit reads .pre-commit-hooks.yaml, clones the repository and runs the entries."""

    def run(self, hooks: Path, course: Path, *words: str) -> subprocess.CompletedProcess[str]:
        commit(course)
        command = [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), *words, "--verbose", "--all-files"]
        given = environment(PRE_COMMIT_HOME=course.parent / "cache")
        return subprocess.run(command, cwd=course, env=given, capture_output=True, text=True, check=False, timeout=100)

    def test_sources_that_compile_pass(self, hooks: Path, course: Path) -> None:
        done = self.run(hooks, course, "simtcc")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "CUDA sources compile for simtlab's emulator" in done.stdout
        assert sorted(path.name for path in course.iterdir()) == [".git", "clean.cu", "race.cu"]

    def test_a_source_that_does_not_compile_fails(self, hooks: Path, course: Path) -> None:
        (course / "broken.cu").write_text("int main() { return x; }\n", encoding="utf-8")
        done = self.run(hooks, course, "simtcc")
        assert done.returncode == 1
        assert "broken.cu:1:21: error: 'x' was not declared" in done.stdout

    def test_a_program_with_an_error_finding_fails_and_says_it(self, hooks: Path, course: Path) -> None:
        done = self.run(hooks, course, "simtlab-run")
        assert done.returncode == 1
        assert "race.cu: the program ends with exit code 86" in done.stdout
        assert "error: shared-race of s in kernel reverse" in done.stdout
        assert "clean.cu" not in done.stdout

    def test_the_other_sources_are_no_programs(self, hooks: Path, course: Path) -> None:
        (course / "race.cu").write_text(RACE.replace("main", "not_main"), encoding="utf-8")
        done = self.run(hooks, course, "simtlab-run")
        assert done.returncode == 0, done.stdout + done.stderr
