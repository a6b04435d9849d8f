"""What a submission that exhausts the audit costs another student: one grading alone, and beside each of the audits
that go furthest. The bound is 10 % on a machine with a core for each.

The audits are of 50,000 static objects with destructors, 10 million words after macros, and a million symbols; they
repeat as long as the other grading runs. Each must end in a verdict within its limits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from simtlab.audit.allowed import LabLists, allowed_with
from simtlab.audit.audit import Audit
from simtlab.audit.limits import AuditLimit
from simtlab.audit.process import CompiledSource, audit_in_process

from bench.product import print_measurement, skip

ROOT = Path(__file__).resolve().parents[3]
LAB, FILE = "08-bank-conflicts", "kernel.cu"


def main(tree: Path) -> None:
    """Grades one submission alone and beside each audit, and prints the times."""
    solution = ROOT / "solutions" / LAB / FILE
    if not solution.exists():
        skip("this copy has no solutions, one of which is graded")
    if (os.cpu_count() or 1) < 2:
        skip("one core: nothing can run beside anything")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        handed_in = folder / "class" / "student" / LAB
        handed_in.mkdir(parents=True)
        shutil.copy(solution, handed_in)
        alone = _grading_seconds(tree, folder, "alone")
        print_measurement("one grading, alone", alone)
        for what, source in _sources(folder).items():
            audits = _Audits(folder, source)
            beside = _grading_seconds(tree, folder, what)
            audits.end()
            print_measurement(f"one grading, beside the audit of {what}", beside, ("alone", alone))
            print_measurement(f"the audit of {what}, which ends with {audits.verdict}", audits.seconds)


def _grading_seconds(tree: Path, folder: Path, run: str) -> float:
    words = [sys.executable, "-m", "simtlab", "grade", str(folder / "class"), "--labs", LAB, "--build", str(tree)]
    words += ["--store", str(folder / run / "store"), "--report", str(folder / run / "report"), "--workers", "1"]
    begin = time.monotonic()
    done = subprocess.run([*words, "--allow-weak"], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"simtlab grade: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return time.monotonic() - begin


class _Audits(threading.Thread):
    """Audits one submission, again and again."""

    def __init__(self, folder: Path, source: CompiledSource) -> None:
        super().__init__()
        self.seconds, self.verdict = 0.0, ""
        self._folder, self._source, self._is_over = folder, source, threading.Event()
        self.start()

    def run(self) -> None:
        """Ends once it was asked to, and one audit at least is over."""
        while not self.verdict or not self._is_over.is_set():
            begin = time.monotonic()
            try:
                told = audit_in_process(Audit({FILE: ""}, allowed_with(LabLists())), [self._source], self._folder)
                self.verdict = f"{len(told)} findings"
            except AuditLimit:
                self.verdict = "compiler_limit"
            self.seconds = time.monotonic() - begin

    def end(self) -> None:
        self._is_over.set()
        self.join()


def _sources(folder: Path) -> dict[str, CompiledSource]:
    return {
        "50,000 static objects": _source(folder / "statics", "struct s { ~s(); };\n", _static_objects(50_000)),
        "10 million words": _source(folder / "words", ";" * 10_000_000, "ret\n"),
        "a million symbols": _source(
            folder / "symbols", "", "".join(f".globl f{i}\nf{i}:\n" for i in range(1_000_000))
        ),
    }


def _source(folder: Path, text: str, assembly: str) -> CompiledSource:
    """A submission as its audit sees it: the text behind the preprocessor, and the object."""
    folder.mkdir()
    (folder / "kernel.ii").write_text(f'# 1 "{FILE}"\n{text}', encoding="utf-8")
    (folder / "kernel.s").write_text(f".text\n{assembly}", encoding="utf-8")
    subprocess.run(["g++", "-c", "kernel.s", "-o", "kernel.o"], cwd=folder, check=True)
    return CompiledSource(FILE, folder / "kernel.ii", folder / "kernel.o")


def _static_objects(count: int) -> str:
    """What a compiler makes of so many static objects with a destructor of their own."""
    registered = "".join(
        f"mov $a{i}, %esi\nmov $__dso_handle, %edx\nmov $_ZN1sD1Ev, %edi\ncall __cxa_atexit\n" for i in range(count)
    )
    objects = "".join(f".globl a{i}\n.type a{i}, @object\na{i}: .zero 4\n.size a{i}, 4\n" for i in range(count))
    return (
        ".globl _ZN1sD1Ev\n.type _ZN1sD1Ev, @function\n_ZN1sD1Ev: ret\n.size _ZN1sD1Ev, .-_ZN1sD1Ev\n"
        f".type _GLOBAL__sub_I_a, @function\n_GLOBAL__sub_I_a:\n{registered}ret\n"
        '.size _GLOBAL__sub_I_a, .-_GLOBAL__sub_I_a\n.section .init_array, "aw"\n.quad _GLOBAL__sub_I_a\n'
        f".bss\n{objects}"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
