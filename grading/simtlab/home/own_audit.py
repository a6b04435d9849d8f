"""The grader's audit of the files that a student is working on, with what `make test` has just built of them."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simtlab.audit.allowed import allowed_with
from simtlab.audit.audit import Audit, in_order
from simtlab.audit.finding import AuditFinding, Rule, place
from simtlab.errors import GraderError, LabError
from simtlab.home.texts import read_texts

_SOURCES = {".cu", ".cpp"}
HOST_SIDE = ("-Xcompiler", "-U__CUDA_ARCH__")
"""Options with which the grader preprocesses, too (`compiler/compile.py`)."""
_LONGEST_WAIT = 120


@dataclass(frozen=True)
class BuiltLab:
    """A lab's folder, and what its build description says of a backend."""

    folder: Path
    files: list[str]
    compiler: list[str]
    header_folders: list[str]
    verifier: str
    objects: Path
    """The folder with `kernel.o`, which the build keeps beside the runner."""


def read_built_lab(folder: Path, tree: Path, backend: str) -> BuiltLab:
    """Reads `lab.json`. Raises `GraderError` where the tree has no such lab."""
    described = tree / "labs" / folder.name
    try:
        said: dict[str, Any] = json.loads((described / "lab.json").read_bytes())
        build = said["backends"][backend]
        depends = [one for one in build["depends"] if Path(one).is_dir()]
        verifier = build.get("verifier", "")
        return BuiltLab(folder, said["files"], build["compiler"], depends, verifier, described / "runner.dir")
    except (OSError, ValueError, KeyError) as error:
        raise GraderError(f"{described / 'lab.json'} does not describe the {backend} backend: {error}") from error


def audit_at_home(lab: BuiltLab, *, objects: bool = True) -> list[AuditFinding]:
    """What the grader would refuse; without `objects`, which pyelftools reads, by the sources alone. Raises
    `AuditLimit` for what is too large to be audited, `GraderError` where the files could not be audited."""
    files = {
        name: (lab.folder / name).read_text(encoding="utf-8", errors="replace")
        for name in lab.files
        if (lab.folder / name).is_file()
    }
    if not files:
        raise LabError(f"{lab.folder} has none of the lab's files: {', '.join(lab.files)}")
    audit = Audit(files, allowed_with(read_texts(lab.folder).lists), lab.header_folders)
    findings = audit.written()
    for name in files:
        if Path(name).suffix not in _SOURCES:
            continue
        own = audit.read(_preprocessed(lab, name))
        findings += audit.preprocessed(own)
        made = lab.objects / f"{Path(name).stem}.o"
        if made.exists():
            findings += audit.compiled(made, name, own) if objects else []
            findings += _of_the_code(lab, made)
    return in_order(findings)


def _preprocessed(lab: BuiltLab, name: str) -> str:
    with tempfile.TemporaryDirectory(prefix="simtlab-audit-") as folder:
        out = Path(folder) / "preprocessed.ii"
        words = [*lab.compiler, "-E", *HOST_SIDE, name, "-o", str(out)]
        done = subprocess.run(words, cwd=lab.folder, capture_output=True, text=True, check=False, timeout=_LONGEST_WAIT)
        if done.returncode:
            raise GraderError(f"{name} cannot be preprocessed: {done.stderr.strip()[-2000:]}")
        return out.read_text(encoding="utf-8", errors="replace")


def _of_the_code(lab: BuiltLab, made: Path) -> Iterator[AuditFinding]:
    """What the verifier of finished code refuses, where it is built. What it cannot read is a person's to look at, and
    accuses nobody."""
    if not lab.verifier or not Path(lab.verifier).exists():
        return
    done = subprocess.run([lab.verifier, made], capture_output=True, text=True, check=False, timeout=_LONGEST_WAIT)
    for line in done.stdout.splitlines():
        kind, file, number, function, what = line.split("\t")
        if kind in {"unread", "unproven"}:
            continue
        name = next((one for one in lab.files if one == file or file.endswith("/" + one)), "")
        at = int(number) if name else 0
        message = f"`{function}` ({place(name or lab.files[0], at)}) {what}"
        yield AuditFinding(Rule.CODE, function, name or lab.files[0], at, message)
