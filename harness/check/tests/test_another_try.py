"""A few failed tests of a suite run once more, alone: a busy machine is no reason to refuse a change."""

from __future__ import annotations

from pathlib import Path

from check.outcome import Outcome, Status
from check.steps import Options, pytest_suite, with_another_try

SUITE = """
from pathlib import Path

SEEN = Path(__file__).with_name("seen")


def test_fine():
    pass


def test_fails_once():
    before = SEEN.exists()
    SEEN.touch()
    assert before


def test_fails_always():
    assert False
"""


def test_who_passes_alone_is_unsteady_and_who_fails_again_has_failed(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_sample.py").write_text(SUITE, encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")

    first = pytest_suite("pytest-of-another-try", tmp_path, Options(), [])
    outcomes = with_another_try(first, lambda: pytest_suite("pytest-of-another-try", tmp_path, Options(), ["--lf"]))

    assert {outcome.name.rpartition(".")[2]: outcome.status for outcome in outcomes} == {
        "test_fine": Status.PASSED,
        "test_fails_once": Status.UNSTEADY,
        "test_fails_always": Status.FAILED,
    }
    assert all("assert before" in outcome.text for outcome in outcomes if outcome.status is Status.UNSTEADY)


def test_where_nothing_or_much_failed_nothing_runs_again() -> None:
    def never() -> list[Outcome]:
        raise AssertionError

    fine = [Outcome("fine", Status.PASSED)]
    broken = [Outcome(f"test {number}", Status.FAILED) for number in range(6)]
    assert with_another_try(fine, never) == fine
    assert with_another_try(broken, never) == broken
