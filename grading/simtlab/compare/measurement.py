"""What is kept of a submission to compare it with another: its times by process run, its counters, and the machine."""

import json
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field

from simtlab.facts.counters import HostCounters
from simtlab.facts.model import Criterion, Facts, Launch
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
    passed: int = Field(default=0, description="cases with the right answer")
    cases: int = 0
    criteria: list[Criterion] = []
    launches: list[Launch] = Field(default=[], description="of the benchmark; equal facts have equal counters")
    host: HostCounters | None = Field(default=None, description="of the benchmark; none where it was not counted")

    @property
    def counted(self) -> bool:
        """Whether there are counters: what is wrong is not counted."""
        return bool(self.launches)


class MeasurementFile(Record):
    """Measurements of a class, for comparing with a later term."""

    format: Literal["simtlab-measurements"] = "simtlab-measurements"
    version: Literal[2] = 2
    class_name: str
    started_at: datetime
    measurements: list[Measurement]


def read_measurement_file(content: bytes) -> MeasurementFile:
    """A file that `--save` wrote. Of version 1, whose counters were sums by the submissions' own names, the times are
    kept. Raises `ValidationError`, or `ValueError` where it is no JSON."""
    kept = json.loads(content)
    if kept.get("version") == 1:
        for one in kept.get("measurements", []):
            one.pop("counters", None)
        content = json.dumps(kept | {"version": 2}).encode()
    return MeasurementFile.model_validate_json(content)


def measurement_of(result: Result, repeats: list[Result] | None = None) -> Measurement:
    """The measurement in a result; `repeats` are results of the same files on the same machine, a process run each. A
    submission that never ran has a verdict and nothing measured."""
    facts = result.facts
    known: dict[str, Any] = {
        "student": result.parts.student,
        "lab": result.parts.lab,
        "files": result.parts.files,
        "verdict": result.verdict,
        "backend": result.parts.backend,
    }
    if facts is None:
        return Measurement(**known, score=None, machine="", sizes={}, runs=[])
    return Measurement(
        **known,
        score=facts.fast.score if facts.fast.status != "not_measured" else None,
        machine=machine_of(facts),
        sizes=facts.fast.sizes,
        runs=[run for one in [result, *(repeats or [])] if one.facts and (run := _run(one.facts))],
        passed=facts.correct.passed,
        cases=facts.correct.total,
        criteria=facts.fast.criteria,
        launches=facts.launches,
        host=facts.host if facts.launches else None,
    )


def machine_of(facts: Facts) -> str:
    """GPU and driver as one text, empty for the emulator."""
    gpu = facts.environment.gpu
    return f"{gpu.name}, driver {gpu.driver}" if gpu else ""


def _run(facts: Facts) -> ProcessRun | None:
    samples = [value for value in facts.timing.samples if value > 0]
    copy = facts.timing.copy_gigabytes_per_second
    return ProcessRun(milliseconds=samples, copy_gigabytes_per_second=copy or None) if samples else None
