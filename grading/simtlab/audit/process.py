"""The audit as a process of its own: bounded in time and memory, so that no submission holds up another's grading.

What a student wrote is read by Python code that the grader's threads would otherwise share one interpreter with. The
process, forked from one that has read the audit's modules, gets the files and the lab's lists as one JSON document,
writes its findings as another, and ends; whatever becomes of it, there is a verdict for this one submission. It runs no
word of the submission.
"""

import json
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from simtlab.audit.audit import Audit
from simtlab.audit.finding import AuditFinding, Rule
from simtlab.audit.limits import DEFAULT_BOUNDS, AuditBounds, AuditLimit
from simtlab.errors import GraderError
from simtlab.process.bounded import Bounds, Ending, Outcome
from simtlab.process.fork_server import OUT_OF_MEMORY, ForkServer

_SERVER = ForkServer(
    [sys.executable, "-P", "-s", "-m", "simtlab.audit"],
    {"PYTHONPATH": str(Path(__file__).resolve().parents[2]), "PYTHONHASHSEED": "0"},
)
_CLOCK_FOR_PROCESSOR_TIME = 5  # a loaded machine refuses nobody
_LIMIT_SIGNALS = {signal.SIGKILL, signal.SIGXCPU}
_OUTPUT_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class CompiledSource:
    """What the compiler made of one source, as far as it came."""

    name: str
    preprocessed: Path | None
    object_file: Path | None


def audit_in_process(
    audit: Audit,
    sources: Sequence[CompiledSource],
    folder: Path,
    stop: threading.Event | None = None,
    bounds: AuditBounds = DEFAULT_BOUNDS,
) -> list[AuditFinding]:
    """Everything the audit tells of a submission. `folder` is one that the submission cannot reach. Raises `AuditLimit`
    where the submission takes more than the audit may, `GraderError` where the audit fails."""
    request = folder / "audit.json"
    request.write_text(json.dumps(_request(audit, sources, bounds)), encoding="utf-8")
    outcome = _SERVER.run(
        str(request.resolve()),
        Bounds(
            seconds=bounds.cpu_seconds * _CLOCK_FOR_PROCESSOR_TIME,
            output_bytes=_OUTPUT_BYTES,
            cpu_seconds=bounds.cpu_seconds,
            memory_mb=bounds.memory_mb,
            file_mb=0,
        ),
        stop,
    )
    if _ran_out(outcome):
        raise AuditLimit(
            f"the submission takes more to check than it may ({bounds.cpu_seconds} s, {bounds.memory_mb} MB): "
            "look for huge tables, templates or macros"
        )
    try:
        answer = json.loads(outcome.stdout) if outcome.exit_code == 0 else {}
        if "limit" in answer:
            raise AuditLimit(answer["limit"])
        return [AuditFinding(**{**one, "rule": Rule(one["rule"])}) for one in answer["findings"]]
    except (ValueError, KeyError, TypeError) as error:
        said = outcome.stderr.decode("utf-8", "replace").strip()[-2000:]
        raise GraderError(f"the audit ended with exit code {outcome.exit_code}: {said}") from error


def _request(audit: Audit, sources: Sequence[CompiledSource], bounds: AuditBounds) -> dict[str, object]:
    return {
        "files": audit.files,
        "allowed": audit.allowed.as_document(),
        "header_folders": list(audit.header_folders),
        "bounds": asdict(bounds),
        "sources": [
            {
                "name": one.name,
                "preprocessed": str(one.preprocessed) if one.preprocessed else None,
                "object_file": str(one.object_file) if one.object_file and audit.objects else None,
            }
            for one in sources
        ],
    }


def _ran_out(outcome: Outcome) -> bool:
    return (
        outcome.ending is not Ending.EXITED
        or -outcome.exit_code in _LIMIT_SIGNALS
        or outcome.exit_code == OUT_OF_MEMORY
    )
