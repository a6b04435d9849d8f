"""Whether this machine compiles what cannot be wrong: the lab's own stub, on the way that submissions take.

A compiler without its linker, or one whose library is damaged, refuses every submission in words that sound like the
student's mistake. So before the first compile error of a lab counts, the stub is compiled, once.
"""

import threading
from dataclasses import replace
from pathlib import Path

from simtlab.class_run.build import build_files
from simtlab.class_run.conditions import Conditions
from simtlab.errors import GraderError
from simtlab.labs.catalogue import Lab
from simtlab.process.workplace import workplace

_lock = threading.Lock()
_refusals: dict[tuple[Path, str], str] = {}


def require_compiling_stub(lab: Lab, conditions: Conditions, stop: threading.Event | None = None) -> None:
    """Raises `GraderError` where the stub of the lab does not compile here either."""
    with _lock:
        key = (lab.folder, conditions.backend)
        if key not in _refusals:
            _refusals[key] = _refusal(lab, conditions, stop)
        refusal = _refusals[key]
    if refusal:
        raise GraderError(
            f"the stub of {lab.name} does not compile on this machine either: {refusal}. No compile error is told "
            "from here. Next: `simtlab doctor` says what the machine lacks; mend that, then grade again"
        )


def _refusal(lab: Lab, conditions: Conditions, stop: threading.Event | None) -> str:
    contents = {name: (lab.folder / name).read_bytes() for name in lab.specification.files}
    unaudited = replace(conditions, without=(*conditions.without, "audit"))  # what the audit says is no compiler's word
    with workplace() as place:
        compiled = build_files(contents, lab, place, unaudited, stop)
    return compiled.message.rstrip(".") if compiled.verdict else ""
