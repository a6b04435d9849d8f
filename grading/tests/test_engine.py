"""`--engine sass`: kernels are graded as nvcc compiles them, on the same emulator, by the same judge."""

from pathlib import Path

import pytest

from simtlab.cli.options import backend_of
from simtlab.compiler.gpu_tools import gpu_tools
from simtlab.course.course import read_course
from simtlab.errors import UsageError
from simtlab.labs.build_description import SASS, read_build_description
from tests.fake_checkout import FakeCheckout
from tests.test_cli_after_grading import simtlab

LAB = "07-shared-tiling"


@pytest.fixture
def graded(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    """A checkout in which one submission waits."""
    monkeypatch.chdir(checkout.root)
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    checkout.submit("alice", LAB)
    return checkout


def _engines(checkout: FakeCheckout) -> list[str]:
    return [call[call.index("--engine") + 1] for call in checkout.judge_calls() if "--engine" in call]


def test_every_lab_of_the_emulator_has_both_engines(checkout: FakeCheckout) -> None:
    build = read_build_description(checkout.build / "labs" / LAB / "lab.json")
    emulator, sass = build.backends["emulator"], build.backends[SASS]
    assert sass.compiler == [*emulator.compiler, "--engine=sass"]
    assert sass.link == emulator.link


def test_the_judge_is_asked_for_the_emulator_and_told_the_engine(graded: FakeCheckout) -> None:
    code, text = simtlab("grade", "class", "--allow-weak", "--engine", "sass")
    assert code == 0, text
    assert _engines(graded) == ["sass"]
    assert [call[call.index("--backend") + 1] for call in graded.judge_calls()] == ["emulator"]


def test_the_two_engines_results_are_two_results(graded: FakeCheckout) -> None:
    assert simtlab("grade", "class", "--allow-weak")[0] == 0
    assert simtlab("grade", "class", "--allow-weak", "--engine", "sass")[0] == 0
    assert len(graded.judge_calls()) == 2
    assert simtlab("grade", "class", "--allow-weak", "--engine", "sass")[0] == 0
    assert len(graded.judge_calls()) == 2  # stored


def test_the_course_chooses_the_engine_and_the_command_line_overrules_it(graded: FakeCheckout) -> None:
    (graded.root / "course.toml").write_text('engine = "sass"\n', encoding="utf-8")
    code, text = simtlab("grade", "class", "--allow-weak")
    assert code == 0
    assert "course.toml asks for it" in text
    assert _engines(graded) == ["sass"]
    assert simtlab("grade", "class", "--allow-weak", "--engine", "g++")[0] == 0
    assert _engines(graded) == ["sass"]


def test_where_nvidias_tools_are_missing_nothing_is_graded_and_the_next_step_is_told(
    graded: FakeCheckout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_TOOLS_MISSING", "simtcc: --engine sass needs nvcc. Run make setup SASS=1.")
    code, text = simtlab("grade", "class", "--allow-weak", "--engine", "sass")
    assert code == 2
    assert "--engine sass needs nvcc" in text
    assert graded.judge_calls() == []


def test_simtcc_says_which_tools_it_takes(tmp_path: Path) -> None:
    simtcc = tmp_path / "simtcc"
    simtcc.write_text("#!/bin/sh\necho simtcc 1 with /cuda/bin/nvcc and /my venv/bin/nvdisasm\n", encoding="utf-8")
    simtcc.chmod(0o755)
    assert gpu_tools((str(simtcc), "--engine=sass")) == (Path("/cuda/bin/nvcc"), Path("/my venv/bin/nvdisasm"))


def test_an_engine_that_there_is_not_is_refused() -> None:
    assert backend_of("auto", "") == "auto"
    assert backend_of("auto", "sass") == SASS
    with pytest.raises(UsageError, match="expected g\\+\\+ or sass"):
        backend_of("auto", "ptx")
    with pytest.raises(UsageError, match="sass is the emulator's"):
        backend_of("cuda", "sass")


def test_a_slip_in_course_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text('engine = "ptx"\n', encoding="utf-8")
    with pytest.raises(UsageError, match="engine: Input should be"):
        read_course(tmp_path)
