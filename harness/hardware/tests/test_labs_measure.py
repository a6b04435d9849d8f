"""The labs' sums of both sides, and the table that is made of them: no GPU and no compiler."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from hardware.labs import read_compiled
from hardware.labs_measure import (
    Variant,
    compare,
    judge_words,
    libraries_of,
    main,
    read_variants,
    sums_of_emulator,
    sums_of_gpu,
)
from hardware.measure import COUNTERS_OF_PROFILE, REGISTERS, ProfiledLaunch

if TYPE_CHECKING:
    from simtlab.facts.model import Launch

REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_{}.sum"


def launch(kernel: str, lanes: dict[str, int], instructions: dict[str, int], **counters: float) -> ProfiledLaunch:
    named = {REQUESTS.format(name): value for name, value in counters.items()}
    counted = dict.fromkeys(COUNTERS_OF_PROFILE, 0.0) | {REGISTERS: 20.0} | named
    return ProfiledLaunch(kernel, counted, lanes, instructions)


def nonzero(counted: dict[str, int]) -> dict[str, int]:
    return {name: value for name, value in counted.items() if value}


def test_launches_of_a_kernel_add_up_and_registers_do_not() -> None:
    once = launch("void copy<float>(float *)", {"LDG.E": 64, "LDS": 30, "LDL": 2, "BRA": 7}, {}, ld=3)
    found = sums_of_gpu([once, once, launch("other", {}, {})])
    assert nonzero(found["copy"]) == {"global read: requests": 6, "read: lanes": 192, "registers": 20}
    assert nonzero(found["other"]) == {"registers": 20}


def test_one_instruction_for_both_memories_is_shared_where_it_made_no_request_to_global_memory() -> None:
    lanes, instructions = {"ATOM.E.ADD": 300, "ATOMS.ADD": 20}, {"ATOM.E.ADD": 12, "ATOMS.ADD": 1}
    found = sums_of_gpu([launch("count", lanes, instructions, atom=4)])
    assert nonzero(found["count"]) == {
        "global atomic: requests": 4,
        "shared atomic: requests": 9,
        "atomic: lanes": 320,
        "registers": 20,
    }


def test_of_the_emulator_lanes_of_all_memories_add_up_and_local_memory_is_counted_by_sectors() -> None:
    def access(space: str, **counters: int) -> SimpleNamespace:
        zeros = dict.fromkeys(("requests", "lanes", "sectors", "wavefronts", "bytes", "generic_wavefronts"), 0)
        apart = {"copied_requests": 0, "copied_wavefronts": 0}
        return SimpleNamespace(space=space, access="atomic", **(zeros | apart | counters))

    local = access("local", requests=1, lanes=32, bytes=256)
    far = access("global", requests=3, lanes=96, sectors=12, generic_wavefronts=3)
    near = access("shared", requests=2, lanes=64, wavefronts=5)
    found = sums_of_emulator(
        [cast("Launch", SimpleNamespace(kernel="k(int)", registers=12, accesses=[local, far, near]))]
    )
    assert nonzero(found["k"]) == {
        "registers": 16,
        "atomic: lanes": 192,
        "local atomic: sectors": 8,
        "global atomic: requests": 3,
        "global atomic: sectors": 12,
        "shared atomic: requests": 2,
        "shared atomic: wavefronts": 8,
    }


def written(folder: Path) -> list[Variant]:
    sums = {"tile": {"read: lanes": 64, "registers": 20}, "never": {"registers": 16}}
    variants = [Variant("08-banks", "solution", "08-banks.solution", "judge-08-banks", sums)]
    document = {"build": "O1", "variants": [asdict(one) for one in variants]}
    (folder / "labs.json").write_text(json.dumps(document), encoding="utf-8")
    return variants


def test_a_program_of_the_folder_is_read_again(tmp_path: Path) -> None:
    variants = written(tmp_path)
    assert read_variants(tmp_path) == ("O1", variants)


def test_the_judge_starts_the_profiler_and_that_the_runner(tmp_path: Path) -> None:
    words = [str(word) for word in judge_words(tmp_path, written(tmp_path)[0], tmp_path / "here")]
    assert words[:3] == [str(tmp_path / "judge-08-banks"), "--runner", str(tmp_path / "08-banks.solution")]
    prefix = json.loads(words[words.index("--runner-prefix") + 1])
    assert "ncu" in prefix[:3]
    assert str(tmp_path / "here" / "profile.ncu-rep") in prefix


def test_what_every_machine_has_is_not_taken_along() -> None:
    assert libraries_of(Path("/bin/true").resolve()) == []


def test_the_table_has_both_sides_and_names_a_kernel_that_the_gpu_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path)
    first, again = tmp_path / "gpu.csv", tmp_path / "again.csv"
    row = "08-banks,solution,tile"
    first.write_text(f"# a GPU\n{row},read: lanes,64\n{row},global read: requests,2\n")
    again.write_text(f"# a GPU\n{row},read: lanes,65\n")
    compare(tmp_path, tmp_path / "table.csv", first, again)
    assert capsys.readouterr().out == "08-banks solution never: the GPU has no such kernel, or was not asked\n"
    (kernel,) = read_compiled(tmp_path / "table.csv")
    assert [(one.counter, one.emulator, one.gpu, one.again) for one in kernel.sums] == [
        ("global read: requests", 0, 2, 0),
        ("read: lanes", 64, 64, 65),
        ("registers", 20, 0, 0),
    ]
    assert "a GPU, -Xcicc -O1 -Xptxas -O1." in (tmp_path / "table.csv").read_text(encoding="utf-8")


def test_another_word_is_answered_by_the_usage() -> None:
    with pytest.raises(SystemExit, match="python -m hardware"):
        main(["make", "--build", "O7", "folder"])
