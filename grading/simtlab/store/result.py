"""The result of one submission: what is kept, for good, in one file."""

from datetime import datetime
from typing import Literal

from simtlab.audit.finding import AuditFinding
from simtlab.facts.model import Facts
from simtlab.predict.model import Predictions
from simtlab.record import Record
from simtlab.store.key import KeyParts
from simtlab.verdict import Verdict


class CompilerReport(Record):
    """What the compiler said."""

    stderr: str
    seconds: float


class Result(Record):
    """One graded submission. Facts are None when there was no runner to judge, or when the fault was ours."""

    format: Literal["simtlab-result"] = "simtlab-result"
    version: Literal[1] = 1
    key: str
    parts: KeyParts
    verdict: Verdict
    message: str
    compiler: CompilerReport | None
    audit: list[AuditFinding] = []
    """What the audit tells; with one finding the verdict is `forbidden` and nothing ran."""
    facts: Facts | None
    predictions: Predictions | None = None
    """None where no answers were handed in, or the lab has no questions."""
    graded_at: datetime
    seconds: float
