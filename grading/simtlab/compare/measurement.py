"""What is kept of a submission to compare it with another: its times by process run, its counters, and the machine."""

from collections import defaultdict
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from simtlab.facts.model import Facts
from simtlab.record import Record
from simtlab.store.result import Result
from simtlab.verdict import Verdict

Milliseconds = Annotated[float, Field(gt=0)]


class ProcessRun(Record):
    """The samples that one process took. `copy_gigabytes_per_second` is what a copy reached beside them."""

    milliseconds: list[Milliseconds] = Field(min_length=1)
    copy_gigabytes_per_second: float | None = Field(default=None, gt=0)


class Measurement(Record):
    """One submission of one lab as it was measured."""

    student: str
    lab: str
    files: dict[str, str] = Field(description="file name → SHA-256 of its content")
    verdict: Verdict
    score: float | None = Field(description="of the performance criteria, 0 to 100; null when not measured")
    backend: str
    machine: str = Field(description="GPU and driver; empty for the emulator, whose counters depend on no machine")
    sizes: dict[str, int] = Field(description="of the benchmark: times of other sizes are not comparable")
    runs: list[ProcessRun]
    counters: dict[str, float] = Field(description="of the benchmark, by name; equal facts have equal counters")


class MeasurementFile(Record):
    """Measurements of a class, for comparing with a later term."""

    format: Literal["simtlab-measurements"] = "simtlab-measurements"
    version: Literal[1] = 1
    class_name: str
    started_at: datetime
    measurements: list[Measurement]


def measurement_of(result: Result, repeats: list[Result] | None = None) -> Measurement | None:
    """The measurement in a result; `repeats` are results of the same files on the same machine, a process run each.
    None when the submission never ran."""
    facts = result.facts
    if facts is None:
        return None
    runs = [run for one in [result, *(repeats or [])] if one.facts and (run := _run(one.facts))]
    return Measurement(
        student=result.parts.student,
        lab=result.parts.lab,
        files=result.parts.files,
        verdict=result.verdict,
        score=facts.fast.score if facts.fast.status != "not_measured" else None,
        backend=result.parts.backend,
        machine=machine_of(facts),
        sizes=facts.fast.sizes,
        runs=runs,
        counters=counters_of(facts),
    )


def machine_of(facts: Facts) -> str:
    """GPU and driver as one text, empty for the emulator."""
    gpu = facts.environment.gpu
    return f"{gpu.name}, driver {gpu.driver}" if gpu else ""


def counters_of(facts: Facts) -> dict[str, float]:
    """The counters of the benchmark's launches, summed by space, access and variable, and the criteria's values."""
    sums: defaultdict[str, float] = defaultdict(float)
    for launch in facts.launches:
        for access in launch.accesses:
            name = f"{access.space} {access.access} {access.variable or 'unnamed'}"
            sums[f"{name}: requests"] += access.requests
            if access.space in {"global", "local"}:
                sums[f"{name}: sectors"] += access.sectors
            elif access.space == "shared":
                sums[f"{name}: wavefronts"] += access.wavefronts
        sums[f"{launch.kernel}: steps"] += launch.steps
        sums[f"{launch.kernel}: divergent steps"] += launch.divergent_steps
        sums[f"{launch.kernel}: barriers"] += launch.barriers
    return dict(sums)


def _run(facts: Facts) -> ProcessRun | None:
    samples = [value for value in facts.timing.samples if value > 0]
    copy = facts.timing.copy_gigabytes_per_second
    return ProcessRun(milliseconds=samples, copy_gigabytes_per_second=copy or None) if samples else None
