"""Whether this machine compiles what cannot be wrong: the lab's own stub, on the way that submissions take.

A compiler without its linker, or one whose library is damaged, refuses every submission in words that sound like the
student's mistake. So before the first compile error of a lab counts, the stub is compiled, once.
"""

import threading
from pathlib import Path

from simtlab.compiler.compile import compile_submission
from simtlab.errors import GraderError
from simtlab.labs.catalogue import Lab
from simtlab.process.workplace import workplace
from simtlab.sandbox.sandbox import Sandbox

_lock = threading.Lock()
_refusals: dict[tuple[Path, str], str] = {}


def require_compiling_stub(lab: Lab, backend: str, sandbox: Sandbox, stop: threading.Event | None = None) -> None:
    """Raises `GraderError` where the stub of the lab does not compile here either."""
    with _lock:
        key = (lab.folder, backend)
        if key not in _refusals:
            _refusals[key] = _refusal(lab, backend, sandbox, stop)
        refusal = _refusals[key]
    if refusal:
        raise GraderError(
            f"the stub of {lab.name} does not compile on this machine either: {refusal}. No compile error is told "
            "from here. Next: `simtlab doctor` says what the machine lacks; mend that, then grade again"
        )


def _refusal(lab: Lab, backend: str, sandbox: Sandbox, stop: threading.Event | None) -> str:
    with workplace() as place:
        if not sandbox.namespaces:
            place.chmod(0o711)  # the sandbox's user has to pass
        sources = place / "submission"
        sources.mkdir()
        for name in lab.specification.files:
            (sources / name).write_bytes((lab.folder / name).read_bytes())
        sources.chmod(0o755)
        compiled = compile_submission(
            lab.build.backends[backend],
            lab.specification.files,
            sources,
            place / "runner",
            sandbox=sandbox,
            stop=stop,
        )
    return compiled.message.rstrip(".") if compiled.verdict else ""
