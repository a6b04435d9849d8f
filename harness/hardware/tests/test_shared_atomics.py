"""Atomic operations on shared memory cost what they cost on a GPU, and the page says where they do not."""

from __future__ import annotations

import pytest

from hardware.emulation import ROOT, SOURCES, emulate, simtcc
from hardware.figures import SHARED_ATOMICS
from hardware.shared_atomics import Cost, costs, table

DOCUMENT = ROOT / "docs" / "internals" / "hardware.md"
SWAPS = {"compare and swap", "compare and swap 64 bits"}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Cost]:
    """Every operation by every pattern."""
    if not SOURCES.is_dir():
        pytest.skip("a students' copy: there is no folder solutions")
    if not simtcc().exists():
        pytest.skip(f"{simtcc()} is not built")
    return costs(emulate(SHARED_ATOMICS, tmp_path_factory.mktemp("shared_atomics")))


def test_costs_are_the_gpus_but_for_a_loop_that_has_nothing_to_change(found: list[Cost]) -> None:
    assert {one.operation for one in found if one.differs("default")} == {"maximum of 64 bits"}
    at_o1 = {one.operation for one in found if one.differs("O1")}
    assert at_o1 == {"maximum of 64 bits", "add the constant one"} | SWAPS


def test_the_document_shows_every_cost(found: list[Cost]) -> None:
    assert table(found) in DOCUMENT.read_text(encoding="utf-8"), (
        f"docs/internals/hardware.md is not what `python -m hardware.shared_atomics` prints:\n{table(found)}"
    )


def test_other_launches_than_the_measured_ones_are_refused() -> None:
    with pytest.raises(ValueError, match="measure it again"):
        costs({})


def test_a_cost_that_differs_at_o1_only_is_marked() -> None:
    assert Cost("add", "pairs", 1, {"default": 1, "O1": 2}).shown == "1 / 2*"
    assert Cost("add", "pairs", 1, {"default": 3, "O1": 2}).shown == "1 / 3"
    assert Cost("add", "pairs", 1, {"default": 1, "O1": 1}).shown == "1"
