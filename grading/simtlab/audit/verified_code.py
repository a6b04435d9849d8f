"""What the verifier, a program of its own (`harness/verifier`), says of a submission's finished objects.

What no CUDA C++ comes to is a finding. Where there is none, and the verifier cannot read the code, cannot prove of an
access that a hook stands for it, or takes more than it may, nothing of the submission runs, and the fault is ours until
a person has looked: it accuses nobody and takes no points, and the grade waits.
"""

import threading
from collections.abc import Sequence
from pathlib import Path

from simtlab.audit.finding import AuditFinding, Rule, place
from simtlab.errors import GraderError
from simtlab.process.bounded import Bounds, Ending, run_bounded
from simtlab.text import printable

_BOUNDS = Bounds(seconds=300, output_bytes=1024 * 1024, cpu_seconds=60, memory_mb=2048, file_mb=0)


def verified_code(
    verifier: Path, objects: Sequence[Path], files: Sequence[str], stop: threading.Event | None = None
) -> list[AuditFinding]:
    """Findings about the code of `objects`, which the submission cannot reach. Raises `GraderError` where the code
    cannot be read within the bounds."""
    findings: list[AuditFinding] = []
    faults: list[str] = []
    for path in objects:
        outcome = run_bounded([str(verifier), str(path)], path.parent, _BOUNDS, stop)
        if outcome.ending is not Ending.EXITED or outcome.exit_code != 0:
            said = printable(outcome.stderr.decode("utf-8", "replace").strip()[-2000:])
            raise GraderError(
                f"{verifier.name} did not come through {path.name} within its bounds ({_BOUNDS.cpu_seconds} s, "
                f"{_BOUNDS.memory_mb} MB; exit code {outcome.exit_code}): {said}"
            )
        for line in outcome.stdout.decode("utf-8", "replace").splitlines():
            kind, file, number, function, what = (printable(word) for word in line.split("\t"))
            name = next((one for one in files if one == file or file.endswith("/" + one)), "")
            at = int(number) if name else 0
            message = f"`{function}` ({place(name or files[0], at)}) {what}"
            if kind == "unread":
                faults.append(f"{verifier.name} cannot read {path.name}: {message}")
            elif kind == "unproven":
                faults.append(
                    f"{verifier.name} cannot prove that {path.name} does nothing unseen: {message}. The translator "
                    "should have placed a hook or a guard there: look at the line, and tell simtlab's maintainers"
                )
            else:
                findings.append(AuditFinding(Rule.CODE, function, name or files[0], at, message))
    if faults and not findings:
        raise GraderError(faults[0])
    return findings
