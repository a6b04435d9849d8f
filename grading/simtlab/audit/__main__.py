"""The processes that audit one submission each: `python -m simtlab.audit`, a fork server (`audit/process.py`)."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import simtlab.audit.object_rules  # noqa: F401 - for all processes, once
from simtlab.audit.allowed import Allowed
from simtlab.audit.audit import Audit, in_order
from simtlab.audit.finding import AuditFinding
from simtlab.audit.limits import AuditBounds, AuditLimit
from simtlab.process.fork_server import serve


def answer_to(request: dict[str, Any]) -> dict[str, object]:
    """The findings, or the sentence about a limit that was reached."""
    allowed, bounds = Allowed.of_document(request["allowed"]), AuditBounds(**request["bounds"])
    audit = Audit(request["files"], allowed, request["header_folders"], bounds)
    findings: list[AuditFinding] = []
    try:
        findings += audit.written()
        for source in request["sources"]:
            if source["preprocessed"] is None:
                continue
            text = Path(source["preprocessed"]).read_text(encoding="utf-8", errors="replace")
            own = audit.read(text)
            findings += audit.preprocessed(own)
            if source["object_file"] is not None:
                findings += audit.compiled(Path(source["object_file"]), source["name"], own)
    except AuditLimit as limit:
        return {"limit": str(limit)}
    return {"findings": [asdict(one) for one in in_order(findings)]}


def print_answer(request: str) -> None:
    """Reads the request that is named, and prints the answer."""
    sys.stdout.write(json.dumps(answer_to(json.loads(Path(request).read_bytes()))))


if __name__ == "__main__":
    serve(print_answer)
