"""Counters of the emulator beside those of a GPU: the same program, the same sizes, ratio by ratio.

Compared are ratios per warp instruction. Totals are not: a compiler may join, split and hoist accesses, and the
emulator counts those of the source.
"""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import Field, ValidationError

from simtlab.errors import GraderError
from simtlab.facts.model import Access, Launch
from simtlab.facts.read import first_problem
from simtlab.record import Record

TOLERANCE = 0.01
"""Ratios that differ by no more are the same."""

NEAREST_TO_SOURCE = ("-Xcicc", "-O1", "-Xptxas", "-O1")
"""What nvcc is told for the comparison: it then changes the accesses of the source least."""

SPACES = ("global", "shared")


def compiler_words(wanted: Sequence[str], *, as_compiled: bool) -> tuple[Sequence[str], Sequence[str]]:
    """What the emulator's compiler and the GPU's are told. As compiled both make the same code, by default or with the
    options `wanted`; beside the source's accesses nvcc, unless other options are wanted, is to change them least."""
    return (wanted, wanted) if as_compiled else ((), wanted or NEAREST_TO_SOURCE)


class CounterDocument(Record):
    """What `judge --count` writes."""

    format: str = Field(pattern=r"^simtlab-counters$")
    version: int = Field(ge=1, le=1)
    lab: str
    backend: str
    problem: str
    fidelity: dict[str, str] = Field(description="by counter; empty on a GPU")
    launches: list[Launch]


class Reading(Record):
    """One ratio of a kernel, or of one of its lines, on both sides; None where a side has no such access."""

    lab: str
    variant: str
    kernel: str
    line: int = Field(ge=0, description="0: the whole kernel")
    ratio: str = Field(description="as `global read: sectors per request`")
    emulator: float | None
    gpu: float | None

    @property
    def is_same(self) -> bool:
        """Within 1 % of the GPU's."""
        if self.emulator is None or self.gpu is None:
            return False
        return abs(self.emulator - self.gpu) <= TOLERANCE * self.gpu


def read_counters(path: Path) -> CounterDocument:
    """The document that a judge wrote."""
    try:
        return CounterDocument.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        problem = first_problem(error) if isinstance(error, ValidationError) else str(error)
        raise GraderError(f"the judge's counters cannot be read: {problem}") from error


def readings_of(
    lab: str, variant: str, emulator: Sequence[Launch], gpu: Sequence[Launch], *, totals: bool = False
) -> list[Reading]:
    """Every ratio of every kernel, followed by those of its lines that both sides know. With `totals`, for two sides
    that run the same instructions, their sums, too.

    The GPU's lines are those of the submission's file: what was inlined from one of CUDA's headers has no line there.
    """
    found: list[Reading] = []
    for kernel in dict.fromkeys([*map(_name, emulator), *map(_name, gpu)]):
        ours, theirs = (
            [access for launch in side if _name(launch) == kernel for access in launch.accesses]
            for side in (emulator, gpu)
        )
        lines = sorted({one.line for one in ours} & {one.line for one in theirs if one.line > 0})
        for line in [0, *lines]:
            mine, its = (
                _ratios([one for one in side if line in (0, one.line)], totals=totals) for side in (ours, theirs)
            )
            found += [
                Reading(
                    lab=lab,
                    variant=variant,
                    kernel=kernel,
                    line=line,
                    ratio=name,
                    emulator=mine.get(name),
                    gpu=its.get(name),
                )
                for name in sorted(mine.keys() | its.keys())
            ]
    return found


def _name(launch: Launch) -> str:
    return launch.kernel.split("<", 1)[0].rsplit("::", 1)[-1]


def _ratios(accesses: Iterable[Access], *, totals: bool) -> dict[str, float]:
    sums: dict[tuple[str, str], list[int]] = {}
    for one in accesses:
        if one.space in SPACES:
            sum_of = sums.setdefault((one.space, one.access), [0, 0, 0])
            cost = one.sectors if one.space == "global" else one.wavefronts
            for place, value in enumerate((one.requests, one.lanes, cost)):
                sum_of[place] += value
    ratios: dict[str, float] = {}
    for (space, access), (requests, lanes, cost) in sums.items():
        if requests:
            ratios[f"{space} {access}: lanes per request"] = lanes / requests
            unit = "sectors" if space == "global" else "wavefronts"
            ratios[f"{space} {access}: {unit} per request"] = cost / requests
            if totals:
                ratios |= {f"{space} {access}: requests": requests, f"{space} {access}: {unit}": cost}
    return ratios


def write_readings(file: Path, readings: Iterable[Reading], head: str) -> None:
    """As comma-separated values below a line of remarks."""
    with file.open("w", encoding="utf-8", newline="") as text:
        text.write(f"# {head}\n")
        table = csv.writer(text, lineterminator="\n")
        table.writerow(Reading.model_fields)
        for one in readings:
            values = (one.lab, one.variant, one.kernel, one.line, one.ratio, _text(one.emulator), _text(one.gpu))
            table.writerow(values)


def read_readings(file: Path) -> list[Reading]:
    """What `write_readings` wrote."""
    with file.open(encoding="utf-8") as text:
        return [
            Reading(
                lab=row["lab"],
                variant=row["variant"],
                kernel=row["kernel"],
                line=int(row["line"]),
                ratio=row["ratio"],
                emulator=_number(row["emulator"]),
                gpu=_number(row["gpu"]),
            )
            for row in csv.DictReader(line for line in text if not line.startswith("#"))
        ]


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"


def _number(text: str) -> float | None:
    return float(text) if text else None
