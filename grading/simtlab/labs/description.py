"""What lab.cpp says, as `judge --describe` prints it."""

import tempfile
from pathlib import Path

from pydantic import Field, ValidationError

from simtlab.errors import GraderError, LabError
from simtlab.facts.read import first_problem
from simtlab.labs.catalogue import Lab
from simtlab.process.bounded import Bounds, Ending, run_bounded
from simtlab.record import Record

_SECONDS = 60


class Size(Record):
    """A named size of a case."""

    name: str
    value: int


class ToleranceParts(Record):
    """The parts of the bound on an element's error; all 0: exact."""

    absolute: float
    relative: float
    ulps: float
    condition: float


class DescribedCase(Record):
    """A visible case. `fails_call` is 0, or the number of the CUDA call that is made to fail."""

    name: str
    sizes: list[Size]
    fails_call: int
    tolerance: ToleranceParts


class DescribedBenchmark(Record):
    """Sizes of the counted and of the timed case."""

    emulator: list[Size]
    gpu: list[Size]


class Anchor(Record):
    """A kernel of the lab's own that is timed beside a submission, and the share that equal speed earns."""

    name: str
    mark: float = Field(ge=0, le=1)


class DescribedCriterion(Record):
    """A criterion and the backends that can measure it."""

    metric: str
    says: str
    of: str
    full_at: float
    none_at: float
    weight: float
    anchors: list[Anchor] = []
    hint: str
    emulator: bool
    gpu: bool

    def __str__(self) -> str:
        return f'{self.metric}("{self.of}")' if self.of else self.metric


class LabDescription(Record):
    """The members of lab.cpp that are data."""

    lab: str
    kind: str
    arguments: list[str]
    cases: list[DescribedCase]
    benchmark: DescribedBenchmark
    benchmark_elements: dict[str, int]
    """Elements of each array in the emulator's benchmark."""
    criteria: list[DescribedCriterion]
    pass_at: float


def describe(lab: Lab) -> LabDescription:
    """The lab's specification. Raises `LabError` with the judge's words when it contradicts itself."""
    with tempfile.TemporaryDirectory(prefix="simtlab-describe-") as place:
        outcome = run_bounded([str(lab.build.judge), "--describe"], Path(place), Bounds(_SECONDS))
    if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
        raise LabError(f"{lab.name}: {outcome.stderr.decode('utf-8', 'replace').strip()[-2000:]}")
    try:
        return LabDescription.model_validate_json(outcome.stdout)
    except ValidationError as error:
        raise GraderError(f"{lab.build.judge} --describe: {first_problem(error)}") from error
