"""The line that says how far a check is: step, percent of the whole, seconds left by each step's usual share."""

from __future__ import annotations

import io
from pathlib import Path

from check.progress import Estimate, StepProgress, detail_of, keep_seconds, usual_seconds

NINJA = "$ cmake --build\n[1/40] Building CXX object a.o\n[12/40] Building CXX object b.o\n"


def estimate() -> Estimate:
    return Estimate(["build", "ctest"], {"build": 100.0, "ctest": 300.0})


def test_percent_and_seconds_follow_the_usual_shares() -> None:
    assert estimate().of(0) == (0.0, 400.0)
    assert estimate().of(50) == (0.125, 350.0)
    assert estimate().words(50, "target 12 of 40") == (
        "build: step 1 of 2, target 12 of 40; 12 % of the check, about 350 s left"
    )


def test_a_step_that_takes_longer_than_usual_is_never_done_before_its_end() -> None:
    fraction, left = estimate().of(1000)
    assert fraction < 0.25
    assert left > 300
    assert estimate().words(1000, "").endswith("; 24 % of the check, 1000 s in this step, longer than usual")


def test_a_slow_machine_has_its_own_pace() -> None:
    slow = estimate()
    slow.finished(200.0)
    assert slow.of(0) == (0.25, 600.0)


def test_the_log_says_how_far_its_program_is() -> None:
    assert detail_of(NINJA) == "target 12 of 40"
    assert detail_of(" 7/300 Test  #7: emulator.bugs ....   Passed    0.1 sec\n") == "test 7 of 300"
    assert detail_of("....F.... [ 45%]\n..... [ 50%]\n") == "50 % of its tests"
    assert detail_of("") == ""


def test_a_log_file_gets_whole_lines_and_few_of_them(tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    log.write_text(NINJA, encoding="utf-8")
    out = io.StringIO()
    with StepProgress(estimate(), out, lambda: log, between=3600):
        pass
    assert out.getvalue() == "build: step 1 of 2, target 12 of 40; 0 % of the check, about 400 s left\n"


def test_what_a_step_took_here_is_its_usual_share_from_then_on(tmp_path: Path) -> None:
    kept = tmp_path / "check" / "seconds.json"
    default = usual_seconds(kept)
    keep_seconds("lint", 12.34, kept)
    assert usual_seconds(kept) == default | {"lint": 12.3}
    kept.write_text("[1]", encoding="utf-8")
    assert usual_seconds(kept) == default
