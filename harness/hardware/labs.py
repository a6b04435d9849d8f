"""The labs' solutions and right variants: the emulator's ratios beside those of an H200, and why some differ.

`python -m hardware.labs` prints the tables of docs/internals/hardware-labs.md. The figures of both sides are those of
labs-h200.csv; `simtlab calibrate --counters --output FILE` measures such a file. labs-h200-as-compiled.csv has the sums
of the engine sass beside the GPU's, of the same binary code, and labs-h200-as-compiled-O1.csv those at O1
(`python -m hardware.labs_measure`).
"""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path

from hardware.comparison import TOLERANCE
from hardware.figures import TABLES

MEASURED = TABLES / "labs-h200.csv"
AS_COMPILED = {
    "default": TABLES / "labs-h200-as-compiled.csv",
    "O1": TABLES / "labs-h200-as-compiled-O1.csv",
}
"""By build (measure.py); what was not measured yet has no file."""

ONE_INSTRUCTION = "one instruction"
CHANCE = "chance"
PARTED = "lanes parted"
LOOP = "loop of swaps"
ONE_LANE = "one lane for a warp"
LEFT_OUT = "read left out"
ONE_STORE = "one store of two"
SCHEDULERS = "warps of one scheduler"
"""`ATOM` of several of them takes more wavefronts of shared memory; how many, their timing decides."""

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


@dataclass
class CompiledSum:
    """One counter of a kernel as nvcc compiles it. `again`: the GPU's in a second measurement, if there was one."""

    counter: str
    emulator: int
    gpu: int
    again: int | None


@dataclass
class CompiledKernel:
    """One kernel of a variant as nvcc compiles it."""

    lab: str
    variant: str
    name: str
    sums: list[CompiledSum] = field(default_factory=list)

    @property
    def differing(self) -> list[CompiledSum]:
        """Sums that are not the GPU's, lanes to the five digits that were printed of them."""
        return [one for one in self.sums if abs(one.emulator - one.gpu) > 2e-5 * one.gpu]

    @property
    def is_exact(self) -> bool:
        """Every sum is the GPU's."""
        return not self.differing

    @property
    def reason(self) -> str:
        """Why some are not, where the figures tell."""
        if [(one.counter, one.gpu > one.emulator) for one in self.differing] == [("shared atomic: wavefronts", True)]:
            return SCHEDULERS
        return "" if self.is_repeated else CHANCE

    @property
    def is_same(self) -> bool:
        """Every sum is within 1 % of the GPU's."""
        return all(abs(one.emulator - one.gpu) <= TOLERANCE * one.gpu for one in self.sums)

    @property
    def was_counted_twice(self) -> bool:
        """Whether the GPU counted it in two measurements."""
        return all(one.again is not None for one in self.sums)

    @property
    def is_repeated(self) -> bool:
        """Every sum of the GPU's second measurement, if there was one, is within 1 % of its first."""
        return all(one.again is None or abs(one.again - one.gpu) <= TOLERANCE * one.gpu for one in self.sums)


def read_compiled(file: Path = AS_COMPILED["default"]) -> list[CompiledKernel]:
    """Every kernel in the file's order."""
    kernels: dict[tuple[str, str, str], CompiledKernel] = {}
    with file.open(encoding="utf-8") as text:
        for row in csv.DictReader(line for line in text if not line.startswith("#")):
            key = (row["lab"], row["variant"], row["kernel"])
            again = int(row["again"]) if row["again"] else None
            one = CompiledSum(row["counter"], int(row["emulator"]), int(row["gpu"]), again)
            kernels.setdefault(key, CompiledKernel(*key)).sums.append(one)
    return list(kernels.values())


def summary_of_compiled(kernels: list[CompiledKernel]) -> str:
    """How many kernels of each lab have the GPU's sums, and of how many the GPU's second sums are its first ones."""
    lines = ["| lab | kernels | every sum the GPU's | within 1 % | the GPU's own second count within 1 % |"]
    lines.append("|---|---|---|---|---|")
    labs = {lab: [one for one in kernels if one.lab == lab] for lab in dict.fromkeys(one.lab for one in kernels)}
    for lab, own in [*labs.items(), ("all", kernels)]:
        twice = [one for one in own if one.was_counted_twice]
        repeated = f"{sum(one.is_repeated for one in twice)} of {len(twice)}" if twice else "–"
        exact, same = sum(one.is_exact for one in own), sum(one.is_same for one in own)
        lines.append(f"| {lab} | {len(own)} | {exact} | {same} | {repeated} |")
    return "\n".join(lines)


def exceptions_of_compiled(kernels: list[CompiledKernel]) -> str:
    """Every kernel whose sums are not all the GPU's, as emulator / GPU."""
    lines = ["| lab | variant | kernel | emulator / GPU | why |", "|---|---|---|---|---|"]
    for one in kernels:
        if not one.is_exact:
            shown = ", ".join(f"{of.counter.replace(':', '')} {of.emulator} / {of.gpu}" for of in one.differing)
            lines.append(f"| {one.lab[:2]} | {one.variant} | {one.name} | {shown} | {one.reason} |")
    return "\n".join(lines)


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
    for build, file in AS_COMPILED.items():
        if file.exists():
            compiled = read_compiled(file)
            print(f"\n{build}:\n\n{summary_of_compiled(compiled)}\n\n{exceptions_of_compiled(compiled)}")
