"""What the verifier, a program of its own (`harness/verifier`), says of a submission's finished objects.

What no CUDA C++ comes to is a finding. What cannot be proven of ordinary code is our fault: it accuses nobody, nobody
earns points by it, and the grade waits until a person has looked.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

from simtlab.audit.finding import AuditFinding, Rule, place
from simtlab.audit.limits import AuditLimit
from simtlab.errors import GraderFault
from simtlab.process.bounded import Bounds, Ending, run_bounded

_BOUNDS = Bounds(seconds=300, output_bytes=1024 * 1024, cpu_seconds=60, memory_mb=2048, file_mb=0)


def verified_code(
    verifier: Path, objects: Sequence[Path], files: Sequence[str], stop: threading.Event | None = None
) -> list[AuditFinding]:
    """Findings about the code of `objects`, which the submission cannot reach. Raises `GraderFault` where the code
    cannot be proven, `AuditLimit` where it takes more than it may."""
    findings: list[AuditFinding] = []
    unproven: list[str] = []
    for path in objects:
        outcome = run_bounded([str(verifier), str(path)], path.parent, _BOUNDS, stop)
        if outcome.ending is not Ending.EXITED or outcome.exit_code < 0:
            raise AuditLimit("the submission's code takes more to check than it may: look for huge functions")
        if outcome.exit_code != 0:
            said = outcome.stderr.decode("utf-8", "replace").strip()[-2000:]
            raise GraderFault(f"{verifier.name} ended with exit code {outcome.exit_code}: {said}")
        for line in outcome.stdout.decode("utf-8", "replace").splitlines():
            kind, file, number, function, what = line.split("\t")
            name = next((one for one in files if one == file or file.endswith("/" + one)), "")
            at = int(number) if name else 0
            message = f"`{function}` ({place(name or path.name, at)}) {what}"
            if kind == "forbidden":
                findings.append(AuditFinding(Rule.CODE, function, name or files[0], at, message))
            else:
                unproven.append(message)
    if unproven and not findings:
        what = "the submission's code could not be proven to do only what is counted"
        raise GraderFault(f"{what}: {len(unproven)} places, of which the first is {unproven[0]}")
    return findings
