"""All accesses that one block made to a sample of elements, as the emulator kept them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

_WIDEST = 16
"""Bytes that are in a sample together (harness/emulator/observers/element_sampler.cpp)."""


@dataclass(frozen=True)
class Access:
    """One access of one thread."""

    thread: int
    """Linear in its block."""
    epoch: int
    """How many barriers the block had passed."""
    line: int
    space: str
    access: str
    variable: str
    offset: int
    """Of its first byte in the variable."""
    width: int


@dataclass(frozen=True)
class Sample:
    """Of one block of the first launch. An element is here with every access of the block to it, or not at all."""

    block: tuple[int, int, int]
    block_size: tuple[int, int, int]
    barriers: tuple[int, ...]
    """Lines of the barriers that the block passed, in its order; 0 where none is known."""
    accesses: tuple[Access, ...]

    def thread(self, linear: int) -> tuple[int, int, int]:
        """The thread with this number."""
        x, y, _ = self.block_size
        return linear % x, linear // x % y, linear // (x * y)

    def elements(self) -> Iterator[tuple[tuple[str, str, int], list[Access]]]:
        """(space, variable, element) with all accesses to it, in their order. Arrays that are accessed in elements of
        several sizes, or of more than the sample keeps together, are left out."""
        widths: dict[tuple[str, str], set[int]] = {}
        found: dict[tuple[str, str, int], list[Access]] = {}
        for one in self.accesses:
            is_whole = one.width <= _WIDEST and one.offset % one.width == 0
            widths.setdefault((one.space, one.variable), set()).add(one.width if is_whole else 0)
            found.setdefault((one.space, one.variable, one.offset // one.width), []).append(one)
        for (space, variable, element), accesses in found.items():
            if variable and len(widths[space, variable]) == 1 and 0 not in widths[space, variable]:
                yield (space, variable, element), accesses


def read_sample(text: str) -> Sample | None:
    """The sample in a runner's result.json; None where there is none."""
    measured = json.loads(text).get("measured") if text else None
    for launch in measured["launches"] if isinstance(measured, dict) else []:
        sample = launch.get("sample")
        if sample is None or not launch["completed"]:
            continue
        accesses = [
            Access(
                thread, epoch, place["line"], place["space"], place["access"], place["variable"], offset, place["width"]
            )
            for thread, epoch, number, offset in sample["accesses"]
            for place in [sample["places"][number]]
        ]
        barriers = tuple(one["line"] for one in sample["barriers"])
        return Sample(tuple(sample["block"]), tuple(launch["block"]), barriers, tuple(accesses))
    return None
