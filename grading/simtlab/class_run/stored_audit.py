"""Today's audit over what was graded before: each stored submission is compiled and audited anew, and nothing of it
runs. What is found changes no grade; a person decides (`simtlab withdraw`)."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from simtlab.audit.finding import AuditFinding
from simtlab.class_run.build import build_submission
from simtlab.class_run.conditions import Conditions
from simtlab.errors import GraderError, GradingStopped
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import Catalogue
from simtlab.process.workplace import workplace
from simtlab.store.result import Result
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict


@dataclass(frozen=True)
class AuditedResult:
    """A stored result, and what the audit says of its files today."""

    result: Result
    findings: list[AuditFinding] = field(default_factory=list)
    message: str = ""
    """The audit's sentence; or why it could not be asked."""
    audited: bool = True

    @property
    def is_news(self) -> bool:
        """Whether something is found that the grading did not know."""
        return bool(self.findings) and self.result.verdict is not Verdict.FORBIDDEN


def audit_stored(
    store: ResultStore,
    catalogue: Catalogue,
    conditions: Conditions,
    labs: Sequence[str] | None,
    *,
    workers: int,
    told: Callable[[AuditedResult], None],
    stop: threading.Event | None = None,
) -> list[AuditedResult]:
    """Goes over every result of the store whose files were compiled, those of one text once, in the order of lab and
    student."""
    stored = (_stored(store, key) for key in sorted(store.keys()))
    chosen = [one for one in stored if one and _was_built(one)]
    chosen = [one for one in chosen if labs is None or one.parts.lab in labs]
    chosen.sort(key=lambda one: (one.parts.lab, one.parts.student, one.graded_at))
    groups: dict[tuple[object, ...], list[Result]] = {}
    for one in chosen:
        groups.setdefault((one.parts.lab, one.parts.backend, *sorted(one.parts.files.items())), []).append(one)
    audited: list[AuditedResult] = []
    with ThreadPoolExecutor(workers) as pool:
        answers = pool.map(lambda group: _audited(group[0], store, catalogue, conditions, stop), groups.values())
        for group, first in zip(groups.values(), answers, strict=True):
            for one in group:
                audited.append(AuditedResult(one, first.findings, first.message, first.audited))
                told(audited[-1])
    return audited


def _stored(store: ResultStore, key: str) -> Result | None:
    try:
        return store.get(key)
    except GraderError:
        return None  # told of by whoever needs that result


def _was_built(result: Result) -> bool:
    return result.verdict not in {Verdict.COMPILE_ERROR, Verdict.COMPILER_LIMIT, Verdict.INTERNAL_ERROR}


def _audited(
    result: Result, store: ResultStore, catalogue: Catalogue, conditions: Conditions, stop: threading.Event | None
) -> AuditedResult:
    parts = result.parts
    lab = catalogue.labs.get(parts.lab)
    if lab is None or parts.backend not in lab.build.backends:
        return AuditedResult(result, message=f"{parts.lab} is not built for {parts.backend}", audited=False)
    if not set(lab.specification.files) <= parts.files.keys():
        return AuditedResult(result, message=f"{parts.lab} takes other files now", audited=False)
    submission = Submission(parts.student, parts.lab, parts.files)
    under = conditions.for_backend(parts.backend)
    try:
        with workplace() as place:
            made = build_submission(submission, lab, place, under, store, stop)
    except GraderError as fault:
        return AuditedResult(result, message=str(fault), audited=False)
    except GradingStopped:
        return AuditedResult(result, message="stopped", audited=False)
    if made.verdict in {None, Verdict.FORBIDDEN}:
        return AuditedResult(result, made.findings, made.message)
    return AuditedResult(result, made.findings, f"today it ends as {made.verdict.words}: {made.message}", audited=False)
