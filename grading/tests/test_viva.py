"""Every key of a viva is counted again here, from the lanes' addresses and the threads' accesses alone."""

import os
import re
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from simtlab.class_run.conditions import Conditions
from simtlab.labs.catalogue import Lab, default_build, find_root, read_catalogue
from simtlab.labs.variants import read_variants
from simtlab.sandbox.sandbox import require_sandbox
from simtlab.viva.questions import Question, Recorded, questions_of
from simtlab.viva.recording import Recording, record
from simtlab.viva.requests import Request, read_requests
from simtlab.viva.samples import Access, Sample, read_sample

ROOT = find_root(Path(__file__))


def request(addresses: list[int | None], space: str = "global", width: int = 4, **cost: int) -> Request:
    filled = (*addresses, *[None] * (32 - len(addresses)))
    sectors, wavefronts = cost.get("sectors", 0), cost.get("wavefronts", 0)
    return Request(14, space, "read", "a", 4096, 1 << 20, width, (1, 0, 0), (32, 8, 1), 2, filled, sectors, wavefronts)


def recounted(one: Question) -> str:
    """The key by plain counting, nothing of the package's own rules."""
    if isinstance(one.source, Sample):
        return recounted_in_sample(one, one.source)
    request = one.source
    lanes = [(lane, at) for lane, at in enumerate(request.addresses) if at is not None]
    width = request.width
    if one.kind == "shape":
        return recounted_cost(request, [at for _, at in lanes])
    if one.kind == "pitch":
        before = int(one.text.rpartition("there are ")[2].split()[0])
        pitch = int(one.text.rpartition(" were ")[2].rstrip("?"))
        begin = lanes[0][1]
        rows = [divmod((at - begin) // width, before) for _, at in lanes]
        return recounted_cost(request, [begin + (row * pitch + column) * width for row, column in rows])
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
    [lane] = [lane for lane, at in lanes if at == request.begin + element * width]
    return thread_text(request.block_size, request.warp * 32 + lane)


def recounted_cost(request: Request, addresses: list[int]) -> str:
    """Sectors of global memory, passes through the banks of shared memory."""
    if request.space == "global":
        return str(len({(at + byte) // 32 for at in addresses for byte in range(request.width)}))
    return str(max(len({at // 4 for at in addresses if at // 4 % 32 == bank}) for bank in range(32)))


def thread_text(size: tuple[int, int, int], linear: int) -> str:
    threads = [(x, y, z) for z in range(size[2]) for y in range(size[1]) for x in range(size[0])]
    return "({},{},{})".format(*threads[linear])


def recounted_in_sample(one: Question, sample: Sample) -> str:
    """Looked up in the accesses, one after the other."""
    found = re.search(r"`(\w+)\[(\d+)\]`", one.text)
    variable, element = found.groups() if found else re.search(r"element (\d+) of `(\w+)`", one.text).groups()[::-1]  # type: ignore[union-attr]
    space = "global" if found else "shared"
    hits = [
        each
        for each in sample.accesses
        if (each.variable, each.space) == (variable, space) and each.offset == int(element) * each.width
    ]
    if one.kind == "writer":
        [thread] = {each.thread for each in hits if each.access == "write"}
        return thread_text(sample.block_size, thread)
    epoch = sorted(each.epoch for each in hits if each.access == "read")[0]
    lines = ["", *sample.barriers]
    return f"Behind barrier {epoch} of {len(sample.barriers)}, line {lines[epoch]}" if epoch else "Before the first one"


CONSECUTIVE = request([4096 + 4 * lane for lane in range(32)], sectors=4)
COLUMN = request([4096 + 128 * lane for lane in range(32)], "shared", wavefronts=32)
PARTIAL = request([4096 + 128 * lane for lane in range(7)], sectors=7)
TWO_ROWS = request([4096 + 4 * (lane % 16 + lane // 16 * 100) for lane in range(32)], sectors=5)


def staged() -> Sample:
    """A block of 8 x 4 threads that turns a tile: thread (x, y) writes tile[y][x], and out[y][x] from tile[x][y]."""
    accesses = []
    for y in range(4):
        for x in range(8):
            thread = x + 8 * y
            accesses.append(Access(thread, 0, 5, "shared", "write", "tile", 4 * thread, 4))
            accesses.append(Access(thread, 1, 8, "shared", "read", "tile", 4 * (x % 4 * 8 + y + x // 4 * 4), 4))
            accesses.append(Access(thread, 1, 8, "global", "write", "out", 4 * (64 + thread), 4))
    return Sample((1, 0, 0), (8, 4, 1), (6, 9), tuple(accesses))


def recorded() -> Recorded:
    frequent = [replace(COLUMN, reasons=("most frequent",)), CONSECUTIVE, PARTIAL, TWO_ROWS]
    other = request([4096 + 128 * (lane % 16) for lane in range(32)], "shared", wavefronts=16)
    changed = replace(other, reasons=("most frequent",), block_size=(16, 16, 1))
    return Recorded(frequent, staged(), [changed])


KINDS = {"sectors", "shifted", "wavefronts", "lanes", "bank", "thread", "pitch", "shape", "writer", "barrier"}


@pytest.mark.parametrize("seed", range(20))
def test_every_key_is_what_a_recount_gives(seed: int) -> None:
    found = questions_of(recorded(), seed, 50)
    assert {one.kind for one in found} == KINDS
    for one in found:
        assert one.answer == recounted(one)
        assert len(set(one.options)) == len(one.options) >= 3
    assert found == questions_of(recorded(), seed, 50)


def by_kind(given: Recorded, seed: int = 1) -> dict[str, Question]:
    return {one.kind: one for one in questions_of(given, seed, 50)}


def test_a_later_begin_costs_a_sector_and_wrong_models_are_offered() -> None:
    found = by_kind(Recorded([CONSECUTIVE, COLUMN]))
    assert found["shifted"].answer == "5"
    assert "4" in found["shifted"].options, "who forgets the shift"
    assert "1" in found["sectors"].options, "who counts lines of 128 bytes"


def test_another_pitch_is_counted_with_what_nobody_changes_as_a_wrong_answer() -> None:
    for seed in range(20):
        one = by_kind(Recorded([COLUMN]), seed)["pitch"]
        assert "from row to row there are 32 elements" in one.text
        pitch = int(one.text.rpartition(" were ")[2].rstrip("?"))
        assert one.answer == {16: "16", 31: "1", 33: "1", 48: "16", 64: "32", 1024: "32"}[pitch]
        assert "32" in one.options, "who thinks that padding changes nothing"
    two_rows = by_kind(Recorded([TWO_ROWS]))["pitch"]
    assert "16 lanes ask in one row, and from row to row there are 100 elements" in two_rows.text
    assert "pitch" not in by_kind(Recorded([CONSECUTIVE])), "one row has no pitch"
    scattered = request([4096 + 4 * (lane * lane % 31) for lane in range(32)], sectors=4)
    assert "pitch" not in by_kind(Recorded([scattered])), "nor has what follows data"


def test_another_shape_of_blocks_is_counted_in_a_run_of_its_own() -> None:
    one = by_kind(recorded())["shape"]
    assert one.answer == "16"
    assert "in blocks of (32,8,1) its most frequent request takes 32 wavefronts." in one.text
    assert "Every launch gets blocks of (16,16,1), the grid stays." in one.text
    assert "32" in one.options, "who thinks that nothing changes"


def test_writer_and_barrier_come_from_every_access_of_a_block_to_an_element() -> None:
    found = by_kind(Recorded((), staged()))
    assert set(found) == {"writer", "barrier"}
    assert "of block (1,0,0)" in found["writer"].text
    assert found["barrier"].answer == "Behind barrier 1 of 2, line 6"
    assert "Before the first one" in found["barrier"].options, "who forgets the barrier"
    twice = Access(9, 1, 9, "shared", "write", "tile", 0, 4)
    both = replace(staged(), accesses=(*[one for one in staged().accesses if one.offset == 0], twice))
    assert all(
        "element 0 of `tile`" not in one.text or one.kind == "barrier" for one in questions_of(Recorded((), both), 1)
    )
    wide = replace(twice, width=32)
    mixed = replace(staged(), accesses=(*staged().accesses, wide))
    assert all("tile" not in one.text for one in questions_of(Recorded((), mixed), 1, 50)), "an access of another size"


def test_what_a_rule_does_not_explain_is_not_asked() -> None:
    odd = request([4096 + 4 * lane for lane in range(32)], sectors=9)
    assert not {"sectors", "shifted", "pitch"} & set(by_kind(Recorded([odd])))
    assert questions_of(Recorded(), 1) == []
    assert read_requests("") == []
    assert read_sample("") is None


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
    found = questions_of(recording.recorded, 1)
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
    assert len(questions_of(recording.recorded, 1)) == 6
    launched = log.read_text(encoding="utf-8").splitlines()
    assert len(launched) >= 2, "the compiler and the runner"
    assert "simtlab-case" in launched[-1], "the last one ran a case"


@pytest.mark.long
@pytest.mark.build_tree
def test_no_key_is_wrong_for_any_variant_of_any_lab() -> None:
    asked = wrong = kernels = 0
    kinds: Counter[str] = Counter()
    seconds = []
    until = time.monotonic() + float(os.environ.get("SIMTLAB_VIVA_SECONDS", "inf"))
    for lab in built_labs():
        for variant in read_variants(ROOT / "solutions" / lab.name).found:
            if time.monotonic() > until or "emulator" not in lab.build.backends:
                break
            files = {lab.specification.files[0]: variant.text.encode("utf-8")}
            begin = time.monotonic()
            found = questions_of(record(lab, files, Conditions()).recorded, kernels, 12)
            seconds.append(time.monotonic() - begin)
            kernels += 1
            asked += len(found)
            wrong += sum(one.answer != recounted(one) for one in found)
            kinds.update(one.kind for one in found)
            told = f"{kernels} kernels, {asked} questions, {wrong} wrong, median {sorted(seconds)[kernels // 2]:.1f} s"
            print(told, flush=True)  # noqa: T201 - how far it is
    print(dict(kinds))  # noqa: T201 - what was asked
    assert wrong == 0
    assert asked >= 1000 or "SIMTLAB_VIVA_SECONDS" in os.environ
