"""The emulator's counters beside a GPU's, from plain launches: no GPU."""

from pathlib import Path

import pytest

from simtlab.calibrate.count import counting_tool
from simtlab.calibrate.counters import (
    NEAREST_TO_SOURCE,
    Reading,
    compiler_words,
    read_counters,
    read_readings,
    readings_of,
    write_readings,
)
from simtlab.errors import GraderError, UsageError
from simtlab.facts.counters import LaunchTotals, RequestCounters
from simtlab.facts.model import Access, Launch
from tests.example_facts import counters


def access(line: int, space: str, kind: str, requests: int, cost: int) -> Access:
    cost_of = {"sectors" if space == "global" else "wavefronts": cost}
    place = {"file": "kernel.cu", "line": line, "space": space, "access": kind, "variable": "", "width": 4}
    place |= {"array": {"id": 0, "given": False}, "derived_from": []}
    return Access.model_validate(place | counters(RequestCounters, requests=requests, lanes=32 * requests, **cost_of))


def launch(kernel: str, *accesses: Access) -> Launch:
    return Launch(
        kernel=kernel,
        grid=(1, 1, 1),
        block=(32, 1, 1),
        shared_bytes=0,
        times=1,
        accesses=list(accesses),
        completed=True,
        **counters(LaunchTotals),
    )


def test_a_kernels_ratios_stand_side_by_side_and_its_lines_follow() -> None:
    ours = [launch("copy<float>", access(5, "global", "read", 10, 40), access(6, "global", "write", 10, 40))]
    theirs = [launch("copy", access(5, "global", "read", 20, 80), access(6, "global", "write", 10, 320))]
    found = readings_of("08", "solution", ours, theirs)
    assert {one.kernel for one in found} == {"copy"}
    whole = {one.ratio: one for one in found if one.line == 0}
    assert whole["global read: sectors per request"].is_same  # ratios, not totals
    assert whole["global read: lanes per request"].gpu == 32
    assert not whole["global write: sectors per request"].is_same
    assert [one.line for one in found if one.ratio == "global write: sectors per request"] == [0, 6]


def test_two_sides_of_the_same_instructions_are_compared_by_their_sums_too() -> None:
    ours = [launch("copy", access(5, "global", "read", 10, 40))]
    theirs = [launch("copy", access(5, "global", "read", 20, 80))]
    found = {one.ratio: one for one in readings_of("08", "solution", ours, theirs, totals=True) if one.line == 0}
    assert found["global read: sectors per request"].is_same
    sums = found["global read: requests"], found["global read: sectors"]
    assert [(one.emulator, one.gpu, one.is_same) for one in sums] == [(10, 20, False), (40, 80, False)]


def test_code_of_nvccs_is_made_with_the_same_options_on_both_sides() -> None:
    assert compiler_words([], as_compiled=True) == ([], [])
    assert compiler_words(["-Xptxas", "-O1"], as_compiled=True) == (["-Xptxas", "-O1"], ["-Xptxas", "-O1"])
    assert compiler_words([], as_compiled=False) == ((), NEAREST_TO_SOURCE)
    assert compiler_words(["-O1"], as_compiled=False) == ((), ["-O1"])


def test_an_access_that_one_side_lacks_differs() -> None:
    found = readings_of("08", "solution", [launch("copy", access(5, "shared", "read", 1, 1))], [launch("copy")])
    assert [(one.emulator, one.gpu, one.is_same) for one in found if "wavefronts" in one.ratio] == [(1, None, False)]


def test_readings_survive_their_file(tmp_path: Path) -> None:
    one = Reading(lab="08", variant="v", kernel="k", line=3, ratio="a, b", emulator=1.5, gpu=None)
    write_readings(tmp_path / "file.csv", [one], "measured somewhere")
    assert read_readings(tmp_path / "file.csv") == [one]


def test_a_document_of_another_form_is_our_fault(tmp_path: Path) -> None:
    (tmp_path / "counters.json").write_text('{"format": "other"}', encoding="utf-8")
    with pytest.raises(GraderError, match="cannot be read"):
        read_counters(tmp_path / "counters.json")


def test_without_nsight_compute_a_sentence_says_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UsageError, match="comes with the CUDA Toolkit"):
        counting_tool()
