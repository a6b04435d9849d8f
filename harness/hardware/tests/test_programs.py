"""Launches of whole programs beside a GPU's: read from both sides, paired, compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hardware.programs import (
    COUNTERS,
    Launch,
    allocated,
    compare,
    differences,
    flags_of,
    launches_of_page,
    launches_of_report,
    name_of,
    not_as_compiled,
    pages_of,
    pairs,
)

READ = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"
RED = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"
ATOM = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"
PAGE = f"""the program's own line
==PROF== Connected to process 7
"ID","Kernel Name","launch__registers_per_thread","{READ}","{RED}","{ATOM}"
"","","register/thread","","",""
"0","void space::scale<(int)2>(const float *, int)","16","1,024","3","4"
"1","count(int *)","12","0","",""
==PROF== Disconnected
"""


REFUSED = '"2","store(int *)","","","",""\n'


def launch(kernel: str, **figures: int) -> Launch:
    named = {name.replace("_", " "): value for name, value in figures.items()}
    return Launch(kernel, {name: named.get(name, 0) for name in COUNTERS})


def report(*launches: Launch) -> str:
    """As SIMTLAB_REPORT has them, each figure in an access of its own."""
    made = []
    for one in launches:
        accesses = []
        for name, value in one.figures.items():
            if name != "registers":
                space, access, counter = name.split(" ")
                accesses.append(
                    {"space": space, "access": access} | dict.fromkeys(("requests", "sectors", "wavefronts"), 0)
                )
                accesses[-1][counter] = value
        made.append({"kernel": f"void {one.kernel}(int*)", "registers": one.figures["registers"], "accesses": accesses})
    return json.dumps({"launches": made})


@pytest.mark.parametrize(
    ("kernel", "name"),
    [
        ("scale", "scale"),
        ("void space::scale<(int)2>(const float *, int)", "scale"),
        ("sum<float, (unsigned int)32>(float *)", "sum"),
        ("void outer<inner<int>>::run(int)", "run"),
    ],
)
def test_a_kernel_is_known_by_its_last_name(kernel: str, name: str) -> None:
    assert name_of(kernel) == name


def test_the_gpus_page_stands_amid_what_the_program_prints() -> None:
    assert launches_of_page(PAGE) == [
        launch("scale", registers=16, global_read_requests=1024, global_atomic_requests=7),
        launch("count", registers=12),
    ]


def test_one_page_holds_the_launches_of_several_programs() -> None:
    page = """==PROF== Connected to process 7 (/here/one-O1.gpu)
==PROF== Disconnected from process 7
==PROF== Connected to process 9 (/here/two.gpu)
"ID","Process ID","Kernel Name"
"","",""
"0","7","a"
"1","9","b"
"2","7","c"
"""
    found = pages_of(page)
    assert {name: [row["Kernel Name"] for row in rows] for name, rows in found.items()} == {
        "/here/one-O1.gpu": ["a", "c"],
        "/here/two.gpu": ["b"],
    }


def test_what_ran_as_written_says_why() -> None:
    findings = [{"rule": "not-as-compiled", "message": "no FRIED.EGG"}, {"rule": "data-race", "message": "two threads"}]
    assert not_as_compiled(json.dumps({"findings": findings})) == ["no FRIED.EGG"]


def test_what_is_written_of_a_launch_is_read_again() -> None:
    launches = [launch("a", registers=24, shared_read_wavefronts=5, global_write_sectors=8), launch("b")]
    assert launches_of_report(report(*launches)) == launches


def test_what_asynchronous_copies_store_is_no_store_to_nsight_compute() -> None:
    told = json.loads(report(launch("a", shared_write_requests=7)))
    written = next(one for one in told["launches"][0]["accesses"] if one["requests"] == 7)
    written |= {"copied_requests": 3, "copied_wavefronts": 0}
    assert launches_of_report(json.dumps(told)) == [launch("a", shared_write_requests=4)]


@pytest.mark.parametrize(("registers", "given"), [(0, 0), (8, 16), (16, 16), (17, 17), (255, 255)])
def test_few_registers_are_sixteen(registers: int, given: int) -> None:
    assert allocated(registers) == given


def test_launches_are_paired_by_kernel_and_number_whatever_their_order() -> None:
    ours = [launch("a", registers=1), launch("b", registers=2), launch("a", registers=3)]
    gpu = [launch("b", registers=20), launch("a", registers=10), launch("a", registers=30), launch("c")]
    paired = [(mine.figures["registers"], its.figures["registers"]) for mine, its in pairs(ours, gpu)]
    assert paired == [(1, 10), (2, 20), (3, 30)]


def test_a_difference_names_the_counter_and_both_figures() -> None:
    assert differences(launch("a", registers=8), launch("a", registers=8)) == []
    assert differences(launch("a", shared_write_requests=3), launch("a", shared_write_requests=4)) == [
        "shared write requests 3 GPU 4"
    ]


def test_wavefronts_that_an_atomic_operation_of_any_space_takes_are_shared_memorys() -> None:
    told = json.loads(report(launch("a", global_atomic_requests=5, shared_atomic_wavefronts=2)))
    asked = next(one for one in told["launches"][0]["accesses"] if one["requests"] == 5)
    asked["generic_wavefronts"] = 5
    expected = launch("a", global_atomic_requests=5, shared_atomic_wavefronts=7)
    assert launches_of_report(json.dumps(told)) == [expected]


def test_both_compilers_are_told_the_programs_flags(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("// one\n// flags: --extended-lambda -DN=3\nint main() {}\n", encoding="utf-8")
    assert flags_of(source) == ["--extended-lambda", "-DN=3"]


def test_a_comparison_counts_launches_and_tells_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.csv").write_text(PAGE + REFUSED, encoding="utf-8")
    right = launch("scale", registers=16, global_read_requests=1024, global_atomic_requests=7)
    (tmp_path / "one.json").write_text(
        report(right, launch("count", registers=17), launch("store", registers=16)), encoding="utf-8"
    )
    (tmp_path / "other.csv").write_text(PAGE, encoding="utf-8")
    (tmp_path / "other.json").write_text(report(launch("count")), encoding="utf-8")
    for name in ("one", "other"):
        for side in ("gpu", "emulated"):
            (tmp_path / f"{name}.{side}.out").write_bytes(name.encode() if name == "one" else side.encode())
    (tmp_path / "refused.csv").write_text(PAGE, encoding="utf-8")
    for ending in ("csv", "json", "gpu.out", "emulated.out"):
        (tmp_path / f"one-O1.{ending}").write_bytes((tmp_path / f"one.{ending}").read_bytes())
    assert compare(tmp_path) == 2

    def one(name: str) -> list[str]:
        count = f"{name}: 1 of 2 launches equal (emulator 3, GPU 3); output equal"
        return [count, "    count: registers 17 GPU 12"]

    assert capsys.readouterr().out.splitlines() == [
        *one("one-O1"),
        *one("one"),
        "other: 0 of 0 launches equal (emulator 1, GPU 2); output differs",
        "refused: no report of the emulator",
        "O1: 1 of 2 launches equal in every counter; 0 more ran as g++ made them",
        "default: 1 of 2 launches equal in every counter; 1 more ran as g++ made them",
    ]


def test_a_second_count_says_which_launches_have_a_right_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of two that differ from the GPU's the GPU counts one otherwise itself."""
    again = tmp_path / "again"
    again.mkdir()
    for name, second in (("one", PAGE), ("other", PAGE.replace('"1","count(int *)","12"', '"1","count(int *)","13"'))):
        (tmp_path / f"{name}.csv").write_text(PAGE, encoding="utf-8")
        (again / f"{name}.csv").write_text(second, encoding="utf-8")
        right = launch("scale", registers=16, global_read_requests=1024, global_atomic_requests=7)
        (tmp_path / f"{name}.json").write_text(report(right, launch("count", registers=17)), encoding="utf-8")
        for side in ("gpu", "emulated"):
            (tmp_path / f"{name}.{side}.out").write_bytes(b"")
    assert compare(tmp_path, again) == 2
    assert capsys.readouterr().out.splitlines()[-2:] == [
        "default: 2 of 4 launches equal in every counter; 0 more ran as g++ made them",
        "default: of 3 that the GPU counted alike twice 2 are equal",
    ]
    (again / "other.csv").write_text(PAGE + REFUSED, encoding="utf-8")  # a launch more: nobody knows which is which
    compare(tmp_path, again)
    assert "of 2 that the GPU counted alike twice 1 are equal" in capsys.readouterr().out
