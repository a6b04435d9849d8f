"""The process that audits one submission: `python -m simtlab.audit REQUEST`, started by `audit_in_process`."""

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from simtlab.audit.allowed import Allowed
from simtlab.audit.audit import Audit, in_order
from simtlab.audit.finding import AuditFinding
from simtlab.audit.limits import AuditBounds, AuditLimit

_OUT_OF_MEMORY = 3


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


def main() -> None:
    """Reads the request that is named, and prints the answer."""
    try:
        answer = answer_to(json.loads(Path(sys.argv[1]).read_bytes()))
        sys.stdout.write(json.dumps(answer))
        sys.stdout.flush()
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)


if __name__ == "__main__":
    main()
