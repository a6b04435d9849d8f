"""Every key of a viva is counted again here, from the lanes' addresses alone."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from simtlab.class_run.conditions import Conditions
from simtlab.labs.catalogue import Lab, default_build, find_root, read_catalogue
from simtlab.labs.variants import read_variants
from simtlab.sandbox.sandbox import require_sandbox
from simtlab.viva.questions import Question, questions_of
from simtlab.viva.recording import Recording, record
from simtlab.viva.requests import Request, read_requests

ROOT = find_root(Path(__file__))


def request(addresses: list[int | None], space: str = "global", width: int = 4, **cost: int) -> Request:
    filled = (*addresses, *[None] * (32 - len(addresses)))
    known = {"sectors": 0, "wavefronts": 0, **cost}
    return Request(14, space, "read", "a", 4096, 1 << 20, width, (1, 0, 0), (32, 8, 1), 2, filled, **known)


def recounted(one: Question) -> str:
    """The key by plain counting, nothing of the package's own rules."""
    lanes = [(lane, at) for lane, at in enumerate(one.request.addresses) if at is not None]
    width = one.request.width
    if one.kind in ("sectors", "shifted"):
        more = 4 if one.kind == "shifted" else 0
        return str(len({(at + more + byte) // 32 for _, at in lanes for byte in range(width)}))
    if one.kind == "wavefronts":
        return str(max(len({at // 4 for _, at in lanes if at // 4 % 32 == bank}) for bank in range(32)))
    if one.kind == "lanes":
        return str(len(lanes))
    if one.kind == "bank":
        lane = int(one.text.rpartition("Lane ")[2].partition(" ")[0])
        return str(dict(lanes)[lane] % 128 // 4)
    element = int(one.text.rpartition("element ")[2].rstrip("?"))
    [lane] = [lane for lane, at in lanes if at == one.request.begin + element * width]
    size_x, size_y, size_z = one.request.block_size
    threads = [(x, y, z) for z in range(size_z) for y in range(size_y) for x in range(size_x)]
    return "({},{},{})".format(*threads[one.request.warp * 32 + lane])


CONSECUTIVE = request([4096 + 4 * lane for lane in range(32)], sectors=4)
COLUMN = request([4096 + 128 * lane for lane in range(32)], "shared", wavefronts=32)
PARTIAL = request([4096 + 128 * lane for lane in range(7)], sectors=7)


@pytest.mark.parametrize("seed", range(20))
def test_every_key_is_what_a_recount_gives(seed: int) -> None:
    found = questions_of([CONSECUTIVE, COLUMN, PARTIAL], seed, 50)
    assert {one.kind for one in found} == {"sectors", "shifted", "wavefronts", "lanes", "bank", "thread"}
    for one in found:
        assert one.answer == recounted(one)
        assert len(set(one.options)) == len(one.options) >= 3
    assert found == questions_of([CONSECUTIVE, COLUMN, PARTIAL], seed, 50)


def test_a_later_begin_costs_a_sector_and_wrong_models_are_offered() -> None:
    by_kind = {one.kind: one for one in questions_of([CONSECUTIVE, COLUMN], 1, 50)}
    assert by_kind["shifted"].answer == "5"
    assert "4" in by_kind["shifted"].options, "who forgets the shift"
    assert "1" in by_kind["sectors"].options, "who counts lines of 128 bytes"


def test_what_a_rule_does_not_explain_is_not_asked() -> None:
    odd = request([4096 + 4 * lane for lane in range(32)], sectors=9)
    assert not {"sectors", "shifted"} & {one.kind for one in questions_of([odd], 1, 50)}
    assert questions_of([], 1) == []
    assert read_requests("") == []


BUILD = Path(os.environ.get("SIMTLAB_BUILD", default_build(ROOT))).absolute()


def built_labs() -> list[Lab]:
    return list(read_catalogue(ROOT, BUILD).labs.values())


def bank_conflicts(conditions: Conditions) -> Recording:
    [lab] = [one for one in built_labs() if one.name == "08-bank-conflicts"]
    return record(lab, {"kernel.cu": (ROOT / "solutions" / lab.name / "kernel.cu").read_bytes()}, conditions)


@pytest.mark.build_tree
def test_a_solution_is_asked_about_in_six_questions() -> None:
    recording = bank_conflicts(Conditions())
    assert recording.compilation.verdict is None
    assert "sector" in recording.profile
    found = questions_of(read_requests(recording.result), 1)
    assert len(found) == 6
    assert all(one.answer == recounted(one) for one in found)


@pytest.mark.build_tree
def test_a_submission_is_compiled_and_run_in_the_sandbox(tmp_path: Path) -> None:
    sandbox = require_sandbox(BUILD, ROOT, allow_weak=True)
    assert sandbox.launcher is not None, sandbox.problem
    launcher, log = tmp_path / "launcher", tmp_path / "log"
    launcher.write_text(f'#!/bin/sh\nfor word; do :; done\necho $word >> {log}\nexec {sandbox.launcher} "$@"\n')
    launcher.chmod(0o755)
    recording = bank_conflicts(Conditions(sandbox=replace(sandbox, launcher=launcher)))
    assert len(questions_of(read_requests(recording.result), 1)) == 6
    launched = log.read_text(encoding="utf-8").splitlines()
    assert len(launched) >= 2, "the compiler and the runner"
    assert "simtlab-case" in launched[-1], "the last one ran a case"


@pytest.mark.long
@pytest.mark.build_tree
def test_no_key_is_wrong_for_any_variant_of_any_lab() -> None:
    asked = wrong = kernels = 0
    seconds = []
    until = time.monotonic() + float(os.environ.get("SIMTLAB_VIVA_SECONDS", "inf"))
    for lab in built_labs():
        for variant in read_variants(ROOT / "solutions" / lab.name).found:
            if time.monotonic() > until or "emulator" not in lab.build.backends:
                break
            files = {lab.specification.files[0]: variant.text.encode("utf-8")}
            begin = time.monotonic()
            found = questions_of(read_requests(record(lab, files, Conditions()).result), kernels, 12)
            seconds.append(time.monotonic() - begin)
            kernels += 1
            asked += len(found)
            wrong += sum(one.answer != recounted(one) for one in found)
            told = f"{kernels} kernels, {asked} questions, {wrong} wrong, median {sorted(seconds)[kernels // 2]:.1f} s"
            print(told, flush=True)  # noqa: T201 - how far it is
    assert wrong == 0
    assert asked >= 1000 or "SIMTLAB_VIVA_SECONDS" in os.environ
