"""A skip is accepted only when the list names it together with its reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.known_skips import KnownSkip, SkipListError, judge_skips, read_known_skips
from check.outcome import Outcome, Status

NO_GPU = KnownSkip(test="ctest:cuda.*", reason="no GPU*", why="most machines have none")


def judged(outcome: Outcome, step: str = "ctest") -> Outcome:
    """The one outcome after the list was applied."""
    (result,) = judge_skips(step, [outcome], [NO_GPU])
    return result


def test_a_listed_skip_stays_a_skip() -> None:
    skip = Outcome("cuda.copy", Status.SKIPPED, "no GPU: nvidia-smi not found")
    assert judged(skip) == skip


@pytest.mark.parametrize(
    ("name", "reason", "step"),
    [("emulator.copy", "no GPU", "ctest"), ("cuda.copy", "too slow", "ctest"), ("cuda.copy", "no GPU", "pytest")],
    ids=["other test", "other reason", "other step"],
)
def test_a_skip_that_is_not_listed_fails_and_says_what_to_do(name: str, reason: str, step: str) -> None:
    result = judged(Outcome(name, Status.SKIPPED, reason), step)
    assert result.status is Status.FAILED
    assert reason in result.text
    assert f'test = "{step}:{name}"' in result.text


def test_a_skip_without_a_reason_fails_even_where_the_test_is_listed() -> None:
    result = judged(Outcome("cuda.copy", Status.SKIPPED, ""))
    assert result.status is Status.FAILED
    assert "without a reason" in result.text


@pytest.mark.parametrize("status", [Status.PASSED, Status.FAILED])
def test_what_ran_is_left_alone(status: Status) -> None:
    outcome = Outcome("cuda.copy", status, "no GPU")
    assert judged(outcome) == outcome


def test_the_project_s_own_list_is_sound() -> None:
    skips = read_known_skips(Path(__file__).parents[1] / "known-skips.toml")
    assert len({(s.test, s.reason) for s in skips}) == len(skips) > 0


@pytest.mark.parametrize(
    "text",
    [
        '[[skip]]\ntest = "ctest:a"\nreason = "b"\n',
        '[[skip]]\ntest = "ctest:a"\nreason = "b"\nwhy = " "\n',
        '[[skip]]\ntest = "*"\nreason = "no GPU"\nwhy = "x"\n',
        '[[skip]]\ntest = "ctest:a"\nreason = "*"\nwhy = "x"\n',
        "[[skip",
    ],
    ids=["no why", "empty why", "any test", "any reason", "not TOML"],
)
def test_a_careless_entry_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "known-skips.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SkipListError, match=r"known-skips\.toml"):
        read_known_skips(path)
