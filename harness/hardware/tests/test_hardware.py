"""The emulator counts what a GPU counts, launch by launch, and what differs stands in docs/internals/hardware.md."""

from __future__ import annotations

import pytest

from hardware.__main__ import compare_all, exceptions, summary
from hardware.comparison import Comparison, Difference, compare
from hardware.emulation import ROOT, SOURCES, simtcc
from hardware.figures import Figures, Kind, read_report
from hardware.measure import launch_of

SHARES = {"patterns": 0.99, "textbook": 0.95, "control_flow": 0.8, "loops": 1.0}
DOCUMENT = ROOT / "docs" / "internals" / "hardware.md"


@pytest.fixture(scope="module")
def compared() -> dict[tuple[str, str], Comparison]:
    """Every program against every build."""
    if not SOURCES.is_dir():
        pytest.skip("a students' copy: there is no folder solutions")
    if not simtcc().exists():
        pytest.skip(f"{simtcc()} is not built")
    return compare_all()


@pytest.mark.parametrize(("program", "share"), SHARES.items())
def test_ratios_are_the_gpus(compared: dict[tuple[str, str], Comparison], program: str, share: float) -> None:
    comparison = compared[program, "O1"]
    assert comparison.share >= share, comparison.differences


def test_of_the_patterns_only_two_of_atomics_differ(compared: dict[tuple[str, str], Comparison]) -> None:
    assert compared["patterns", "O1"].exceptions == ["shared atomic, broadcast", "shared atomic, pairs"]
    assert compared["patterns", "default"].exceptions == []


def test_the_document_shows_the_shares_and_every_difference(compared: dict[tuple[str, str], Comparison]) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for table in (summary(compared), exceptions(compared, "O1"), exceptions(compared, "default")):
        assert table in text, f"docs/internals/hardware.md is not what `python -m hardware` prints:\n{table}"


def test_every_exception_has_a_section_with_its_reason(compared: dict[tuple[str, str], Comparison]) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for program in SHARES:
        for launch in compared[program, "O1"].exceptions:
            assert f"**{launch}**" in text


READS = Kind("global", "read")


def test_a_ratio_off_by_two_percent_is_a_difference() -> None:
    gpu = {"copy": {READS: Figures(100, 3200, 400, 0)}}
    assert compare({"copy": {READS: Figures(50, 1600, 200, 0)}}, gpu).share == 1
    assert compare({"copy": {READS: Figures(100, 3200, 408, 0)}}, gpu).differences == [
        Difference("copy", "global read: sectors per request", 4.08, 4.0)
    ]


def test_an_access_that_one_side_lacks_is_a_difference() -> None:
    missing = compare({"copy": {}}, {"copy": {READS: Figures(100, 3200, 400, 0)}})
    assert missing.exceptions == ["copy"]
    assert missing.share == 0


def test_other_launches_than_the_measured_ones_are_refused() -> None:
    with pytest.raises(ValueError, match="measure again"):
        compare({"copy": {}}, {"scan": {}})


def test_a_report_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="0 launches, the program named 1"):
        read_report('{"launches": [], "findings": []}', ["copy"])


def test_an_atomic_of_any_space_is_shared_where_there_is_no_global_one() -> None:
    wavefronts = {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum": 8.0}
    generic = {"ATOM.E.ADD.STRONG.GPU": 1}, {"ATOM.E.ADD.STRONG.GPU": 32}
    assert launch_of(wavefronts, generic[1], generic[0]) == {Kind("shared", "atomic"): Figures(1, 32, 0, 8)}
    reads = {
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": 2.0,
        "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 8.0,
    }
    loads = {"LDG.E": 48, "LDG.E.U8": 16}
    assert launch_of(reads, loads, {}) == {READS: Figures(2, 64, 8, 0)}
