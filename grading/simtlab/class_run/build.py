"""From files to a runner: the folder that the sandbox sees, the audit, the compiler."""

import threading
from collections.abc import Mapping
from pathlib import Path

from simtlab.audit.audit import Audit, audit_of
from simtlab.class_run.conditions import Conditions
from simtlab.compiler.compile import Compilation, compile_submission
from simtlab.intake.submission import Submission
from simtlab.labs.catalogue import Lab
from simtlab.store.results import ResultStore


def build_submission(
    submission: Submission,
    lab: Lab,
    place: Path,
    conditions: Conditions,
    store: ResultStore,
    stop: threading.Event | None,
) -> Compilation:
    """Compiles the stored files into `place/runner`, audited on the way."""
    contents = {name: store.file(submission.files[name]) for name in lab.specification.files}
    return build_files(contents, lab, place, conditions, stop)


def build_files(
    contents: Mapping[str, bytes], lab: Lab, place: Path, conditions: Conditions, stop: threading.Event | None
) -> Compilation:
    """Compiles the lab's files of these contents into `place/runner`, audited on the way."""
    if not conditions.sandbox.namespaces:
        place.chmod(0o711)  # the sandbox's user has to pass
    sources = place / "submission"
    sources.mkdir()
    sources.chmod(0o755)  # the sandbox's user reads it; the folder around it is closed
    for name, content in contents.items():
        (sources / name).write_bytes(content)
        (sources / name).chmod(0o644)
    return compile_submission(
        lab.build.backends[conditions.backend],
        lab.specification.files,
        sources,
        place / "runner",
        audit=_audit(lab, sources, conditions) if "audit" not in conditions.without else None,
        sandbox=conditions.sandbox,
        bounds=conditions.compiler_bounds,
        stop=stop,
    )


def _audit(lab: Lab, sources: Path, conditions: Conditions) -> Audit:
    files = {name: (sources / name).read_text(encoding="utf-8", errors="replace") for name in lab.specification.files}
    headers = [str(path) for path in lab.build.backends[conditions.backend].depends if path.is_dir()]
    return audit_of(files, lab.specification, headers)
