"""`labs/NN-name/lab.toml`: the part of a lab that is for the grader alone."""

from pathlib import Path

from pydantic import Field, model_validator

from simtlab.errors import LabError
from simtlab.record import Record
from simtlab.toml_file import read_toml_as


class PointsTable(Record):
    """How many points the parts of a lab are worth."""

    correct: float = Field(ge=0)
    safe: float = Field(ge=0)
    fast: float = Field(ge=0)
    predict: float = Field(default=0, ge=0, description="of a lab with questions: right answers in predict.toml")

    @property
    def total(self) -> float:
        """What full marks are."""
        return self.judged + self.predict

    @property
    def judged(self) -> float:
        """What the kernel can earn."""
        return self.correct + self.safe + self.fast


class Hint(Record):
    """Advice for a student whose submission ended in a certain way."""

    when: str = Field(default="", description="a verdict, a finding's rule or a criterion's metric; empty: always")
    variable: str = Field(default="", description="for findings and criteria of this variable alone; empty: for all")
    text: str = Field(min_length=1)

    @model_validator(mode="after")
    def _check(self) -> "Hint":
        if self.variable and not self.when:
            raise ValueError("hints: a variable needs the rule or the metric that it goes with, in `when`")
        return self


class LabSpecification(Record):
    """The members of `lab.toml`."""

    title: str = Field(min_length=1)
    topic: str = ""
    points: PointsTable
    files: list[str] = Field(default=["kernel.cu"], min_length=1, description="what is taken from a submission")
    allowed_headers: list[str] = []
    allowed_symbols: list[str] = []
    leaderboard: bool = Field(default=False, description="a new course has a leaderboard for this lab")
    draft: bool = Field(default=False, description="used before it is proven; reports say what is not")
    unproven: list[str] = Field(
        default=[], description="of a draft, never in lab.toml: read from unproven.toml (draft.py)"
    )
    hints: list[Hint] = []

    @model_validator(mode="after")
    def _check(self) -> "LabSpecification":
        for name in self.files:
            if Path(name).name != name or name in {"", ".", ".."}:
                raise ValueError(f"files: {name!r} must be a plain file name")
        if self.points.total <= 0:
            raise ValueError("points: correct, safe and fast together are 0")
        return self


def read_specification(path: Path) -> LabSpecification:
    """The specification in `path`; a `LabError` names the file and the member otherwise."""
    specification = read_toml_as(path, LabSpecification, LabError)
    if specification.unproven:
        raise LabError(f"{path}: unproven: simtlab lab check writes it, into solutions/{path.parent.name}; take it out")
    return specification
