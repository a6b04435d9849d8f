"""Results are read as CTest 3.25 and pytest 8 write them; the samples are their own output."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.outcome import Outcome, Status, UnreadableResultsError, read_ctest, read_pytest

CTEST = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="(empty)" tests="9" failures="4" disabled="1" skipped="3" time="1">
 <testcase name="a.pass" classname="a.pass" time="0.0019" status="run">
  <system-out>fine, prose about SKIP: is no skip
</system-out></testcase>
 <testcase name="a.part" classname="a.part" time="0.0019" status="run">
  <system-out>works
SKIP: no second socket
</system-out></testcase>
 <testcase name="a.fail" classname="a.fail" time="0.0016" status="fail">
  <failure message=""/><system-out>bad
</system-out></testcase>
 <testcase name="a.skip" classname="a.skip" time="0.0014" status="notrun">
  <skipped message="SKIP_RETURN_CODE=77"/><system-out>SKIP: no GPU here
</system-out></testcase>
 <testcase name="a.silent" classname="a.silent" time="0.0014" status="notrun">
  <skipped message="SKIP_RETURN_CODE=77"/><system-out></system-out></testcase>
 <testcase name="a.notrun" classname="a.notrun" time="0" status="notrun">
  <skipped message="Fixture dependency failed"/><system-out>Failed test dependencies: a.build</system-out></testcase>
 <testcase name="a.missing" classname="a.missing" time="0" status="notrun">
  <skipped message="Unable to find executable"/><system-out>Unable to find executable: x</system-out></testcase>
 <testcase name="a.disabled" classname="a.disabled" time="0" status="disabled">
  <system-out>Disabled</system-out></testcase>
</testsuite>"""

PYTEST = """<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests">
<testsuite name="pytest" errors="1" failures="1" skipped="2" tests="5">
 <testcase classname="tests.test_a" name="test_good" time="0.001"/>
 <testcase classname="tests.test_a" name="test_bad" time="0.001">
  <failure message="assert 1 == 2">def test_bad(): assert 1 == 2</failure></testcase>
 <testcase classname="tests.test_a" name="test_broken_fixture" time="0.001">
  <error message="failed on setup">boom</error></testcase>
 <testcase classname="tests.test_a" name="test_browser" time="0.001">
  <skipped type="pytest.skip" message="no browser">/x/test_a.py:3: no browser</skipped></testcase>
 <testcase classname="tests.test_a" name="test_later" time="0.001">
  <skipped type="pytest.xfail" message="known bug" /></testcase>
</testsuite></testsuites>"""


def read(reader, tmp_path: Path, text: str) -> dict[str, list[Outcome]]:  # type: ignore[no-untyped-def]
    """The outcomes by name."""
    path = tmp_path / "results.xml"
    path.write_text(text, encoding="utf-8")
    outcomes: dict[str, list[Outcome]] = {}
    for outcome in reader(path):
        outcomes.setdefault(outcome.name, []).append(outcome)
    return outcomes


def test_ctest_tells_passed_failed_and_skipped_apart(tmp_path: Path) -> None:
    found = read(read_ctest, tmp_path, CTEST)
    assert [o.status for o in found["a.pass"]] == [Status.PASSED]
    assert found["a.fail"] == [Outcome("a.fail", Status.FAILED, "bad\n")]
    assert found["a.skip"] == [Outcome("a.skip", Status.SKIPPED, "no GPU here")]
    assert found["a.disabled"] == [Outcome("a.disabled", Status.SKIPPED, "disabled in CMake")]


def test_a_test_that_could_not_start_has_failed(tmp_path: Path) -> None:
    found = read(read_ctest, tmp_path, CTEST)
    assert [o.status for o in found["a.notrun"] + found["a.missing"]] == [Status.FAILED, Status.FAILED]
    assert "Failed test dependencies: a.build" in found["a.notrun"][0].text


def test_a_part_that_was_skipped_inside_a_passed_test_is_counted(tmp_path: Path) -> None:
    found = read(read_ctest, tmp_path, CTEST)
    assert found["a.part"] == [
        Outcome("a.part", Status.PASSED),
        Outcome("a.part", Status.SKIPPED, "no second socket"),
    ]


def test_a_skip_without_a_line_has_no_reason(tmp_path: Path) -> None:
    assert read(read_ctest, tmp_path, CTEST)["a.silent"] == [Outcome("a.silent", Status.SKIPPED, "")]


def test_pytest_errors_count_as_failures_and_xfail_as_a_skip(tmp_path: Path) -> None:
    found = read(read_pytest, tmp_path, PYTEST)
    statuses = {name.rpartition(".")[2]: outcomes[0].status for name, outcomes in found.items()}
    assert statuses == {
        "test_good": Status.PASSED,
        "test_bad": Status.FAILED,
        "test_broken_fixture": Status.FAILED,
        "test_browser": Status.SKIPPED,
        "test_later": Status.SKIPPED,
    }
    assert found["tests.test_a.test_browser"][0].text == "no browser"


def test_control_characters_in_a_test_s_output_do_not_lose_the_results(tmp_path: Path) -> None:
    found = read(read_ctest, tmp_path, CTEST.replace("bad\n", "bad \x1b[31m\x00\n"))
    assert found["a.fail"][0].status is Status.FAILED


@pytest.mark.parametrize("text", ["", "<testsuite><testcase"])
def test_a_torn_result_file_is_an_error_and_not_zero_tests(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnreadableResultsError, match=r"results\.xml"):
        read(read_ctest, tmp_path, text)
