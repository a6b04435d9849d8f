"""What the end of `make check` prints: often all that a reader of a log sees."""

from __future__ import annotations

import pytest

from check.__main__ import StepResult, summarise
from check.outcome import Outcome, Status


def test_the_end_names_each_failure_with_its_last_lines(capsys: pytest.CaptureFixture[str]) -> None:
    output = "\n".join([f"line {n}" for n in range(20)] + ["E   assert 1 == 2", "", "test_a.py:7: AssertionError"])
    results = [
        StepResult("ctest", 1.0, [Outcome("fine", Status.PASSED)]),
        StepResult("pytest", 2.0, [Outcome("tests.test_a.test_sum[3]", Status.FAILED, output)]),
    ]
    assert summarise(results) == 1
    end = capsys.readouterr().out.partition("total")[2]
    assert "failed   pytest:tests.test_a.test_sum[3]" in end
    assert "E   assert 1 == 2" in end
    assert "test_a.py:7: AssertionError" in end
    assert "line 3" not in end
    assert end.endswith("1 passed, 1 failed, 0 skipped, 0 unsteady\n")


def test_skips_of_one_reason_are_one_line_that_counts_them(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = [Outcome(f"tests.test_gpu.test_times[{n}]", Status.SKIPPED, "no GPU here") for n in range(3)]
    outcomes += [
        Outcome("tests.test_gpu.test_name", Status.SKIPPED, "no GPU here"),
        Outcome("tests.test_page.test_looks", Status.SKIPPED, "no chromium found"),
        Outcome("fine", Status.PASSED),
    ]
    assert summarise([StepResult("pytest", 1.0, outcomes)]) == 0
    skips = [line for line in capsys.readouterr().out.splitlines() if line.startswith("skipped")]
    assert skips == [
        "skipped  pytest: 4 x no GPU here: tests.test_gpu.test_times (3), tests.test_gpu.test_name",
        "skipped  pytest: 1 x no chromium found: tests.test_page.test_looks",
    ]


def test_where_nothing_passed_the_check_fails() -> None:
    assert summarise([StepResult("ctest", 0.0, [])]) == 1


def test_an_unsteady_test_is_named_and_counted_and_fails_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    outcomes = [Outcome("fine", Status.PASSED), Outcome("emulator.slow", Status.UNSTEADY, "ended by its time limit")]
    assert summarise([StepResult("ctest", 1.0, outcomes)]) == 0
    said = capsys.readouterr().out
    assert "unsteady ctest:emulator.slow\n    ended by its time limit\n" in said
    assert said.endswith("1 passed, 0 failed, 0 skipped, 1 unsteady\n")
