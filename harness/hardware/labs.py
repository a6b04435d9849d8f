"""The labs' solutions and right variants: the emulator's ratios beside those of an H200, and why some differ.

`python -m hardware.labs` prints the tables of docs/internals/hardware-labs.md. The figures of both sides are those of
labs-h200.csv; `simtlab calibrate --counters --output FILE` measures such a file.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

from hardware.comparison import TOLERANCE

MEASURED = Path(__file__).resolve().parent / "labs-h200.csv"

ONE_INSTRUCTION = "one instruction"
CHANCE = "chance"
PARTED = "lanes parted"
LOOP = "loop of swaps"
ONE_LANE = "one lane for a warp"
LEFT_OUT = "read left out"
ONE_STORE = "one store of two"

_REASONS = {
    ("03-data-layout", "summarise"): LEFT_OUT,
    ("04-matmul-global", "multiply"): LEFT_OUT,
    ("07-shared-tiling", "multiply"): ONE_STORE,
    ("10-divergence", "largest_of_segment"): ONE_LANE,
    ("11-atomics", "find_maximum"): CHANCE,
    ("11-atomics", "find"): CHANCE,
    ("12-warp-shuffle", "scan_pieces"): PARTED,
    ("12-warp-shuffle", "sum_and_count"): LOOP,
    ("16-unified-memory", "amplify"): PARTED,
}
"""Of what is not ONE_INSTRUCTION, which shows in the figures."""


@dataclass
class Kernel:
    """One kernel of a variant: its ratios as (name, emulator, GPU)."""

    lab: str
    variant: str
    name: str
    ratios: list[tuple[str, float | None, float | None]] = field(default_factory=list)

    @property
    def differing(self) -> list[tuple[str, float | None, float | None]]:
        """Those more than 1 % apart."""
        return [(ratio, ours, its) for ratio, ours, its in self.ratios if not _is_same(ours, its)]

    @property
    def reason(self) -> str:
        """Why some differ; empty when nobody knows."""
        if any(ratio.startswith("shared atomic") and its is None for ratio, _, its in self.ratios):
            return ONE_INSTRUCTION
        return _REASONS.get((self.lab, self.name), "")


def _is_same(ours: float | None, its: float | None) -> bool:
    return ours is not None and its is not None and abs(ours - its) <= TOLERANCE * its


def read_kernels(file: Path = MEASURED) -> list[Kernel]:
    """Every kernel in the file's order; the rows of single lines are left out."""
    kernels: dict[tuple[str, str, str], Kernel] = {}
    with file.open(encoding="utf-8") as text:
        for row in csv.DictReader(line for line in text if not line.startswith("#")):
            if row["line"] != "0":
                continue
            key = (row["lab"], row["variant"], row["kernel"])
            ours, its = (float(row[side]) if row[side] else None for side in ("emulator", "gpu"))
            kernels.setdefault(key, Kernel(*key)).ratios.append((row["ratio"], ours, its))
    return list(kernels.values())


def summary(kernels: list[Kernel]) -> str:
    """How many kernels of each lab have the GPU's ratios."""
    lines = ["| lab | variants | kernels | same ratios |", "|---|---|---|---|"]
    for lab in dict.fromkeys(one.lab for one in kernels):
        own = [one for one in kernels if one.lab == lab]
        same = sum(not one.differing for one in own)
        lines.append(f"| {lab} | {len({one.variant for one in own})} | {len(own)} | {same} |")
    return "\n".join(lines)


def exceptions(kernels: list[Kernel]) -> str:
    """Every kernel with a ratio that differs, and why: emulator / GPU."""
    lines = ["| lab | variant | kernel | emulator / GPU, per request | why |", "|---|---|---|---|---|"]
    for one in kernels:
        if one.differing:
            shown = ", ".join(_shown(*ratio) for ratio in one.differing)
            lines.append(f"| {one.lab[:2]} | {one.variant} | {one.name} | {shown} | {one.reason} |")
    return "\n".join(lines)


def _shown(ratio: str, ours: float | None, its: float | None) -> str:
    ours_text, its_text = ("–" if value is None else f"{value:.3g}" for value in (ours, its))
    return f"{ratio.removesuffix(' per request').replace(':', '')} {ours_text} / {its_text}"


if __name__ == "__main__":
    measured = read_kernels()
    print(f"{summary(measured)}\n\n{exceptions(measured)}")
