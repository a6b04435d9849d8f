"""The labs' counters on an H200: docs/internals/hardware-labs.md shows the figures, and says why a ratio differs."""

from __future__ import annotations

import pytest

from hardware.emulation import ROOT
from hardware.labs import (
    AS_COMPILED,
    CHANCE,
    LEFT_OUT,
    ONE_LANE,
    ONE_STORE,
    SCHEDULERS,
    CompiledKernel,
    CompiledSum,
    Kernel,
    exceptions,
    exceptions_of_compiled,
    read_compiled,
    read_kernels,
    summary,
    summary_of_compiled,
)

DOCUMENT = ROOT / "docs" / "internals" / "hardware-labs.md"


def test_the_document_shows_what_was_measured() -> None:
    text, kernels = DOCUMENT.read_text(encoding="utf-8"), read_kernels()
    assert summary(kernels) in text, "docs/internals/hardware-labs.md is not what `python -m hardware.labs` prints"
    assert exceptions(kernels) in text, "docs/internals/hardware-labs.md is not what `python -m hardware.labs` prints"


def test_every_kernel_that_differs_has_a_reason_that_the_document_explains() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for kernel in read_kernels():
        if kernel.differing:
            assert kernel.reason, f"nobody says why {kernel.variant} differs in {kernel.name}"
            assert f"- **{kernel.reason}**:" in text


def test_apart_from_what_nvcc_makes_of_atomics_and_leaves_out_the_ratios_are_the_gpus() -> None:
    by_nvcc = (ONE_LANE, LEFT_OUT, ONE_STORE)
    kernels = [one for one in read_kernels() if one.lab not in ("11-atomics", "16-unified-memory")]
    kept = [one for one in kernels if not one.differing or one.reason not in by_nvcc]
    assert len(kept) > 200
    assert sum(not one.differing for one in kept) >= len(kept) - 2
    assert len(kernels) - len(kept) <= 8


def test_a_ratio_that_one_side_lacks_or_that_is_two_percent_off_differs() -> None:
    kernel = Kernel("08", "solution", "tile", [("a", 4.0, 4.02), ("b", 4.0, 4.1), ("c", None, 1.0), ("d", 1.0, None)])
    assert [ratio for ratio, _, _ in kernel.differing] == ["b", "c", "d"]
    assert kernel.reason == ""


def test_as_compiled_the_sums_are_the_gpus_of_every_kernel_whose_sums_the_gpu_itself_repeats() -> None:
    kernels = read_compiled()
    decided = [one for one in kernels if one.is_repeated]
    assert [(one.lab, one.variant, one.name) for one in decided if not one.is_same] == []
    assert sum(one.is_exact for one in decided) >= len(decided) - 3
    assert len(kernels) - len(decided) <= 16
    assert len({one.lab for one in kernels}) == 17
    assert summary_of_compiled(kernels) in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize("build", AS_COMPILED)
def test_the_document_shows_each_build_that_was_measured(build: str) -> None:
    if AS_COMPILED[build].exists():
        kernels = read_compiled(AS_COMPILED[build])
        assert summary_of_compiled(kernels) in DOCUMENT.read_text(encoding="utf-8")
        assert len({one.lab for one in kernels}) == 17


def compiled(*sums: tuple[str, int, int, int | None]) -> CompiledKernel:
    return CompiledKernel("11-atomics", "solution", "count", [CompiledSum(*one) for one in sums])


def test_a_sum_that_is_not_the_gpus_is_shown_with_the_reason_that_the_figures_tell() -> None:
    requests = ("global atomic: requests", 512, 512, 512)
    schedulers = compiled(requests, ("shared atomic: wavefronts", 542, 564, 560))
    assert schedulers.reason == SCHEDULERS
    assert compiled(requests, ("shared atomic: wavefronts", 564, 542, 542)).reason == ""
    assert compiled(requests, ("atomic: lanes", 60, 70, 80)).reason == CHANCE
    assert exceptions_of_compiled([compiled(requests), schedulers]).splitlines()[2:] == [
        "| 11 | solution | count | shared atomic wavefronts 542 / 564 | warps of one scheduler |"
    ]
