"""What judging a right solution takes, all its visible cases and the benchmark, in processor time.

Lab 08 has small cases, 02 many small blocks, and the threads of 17 work on local arrays.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path

from bench.lab_runner import seconds_of, seconds_of_runner
from bench.product import print_measurement, skip

ROOT = Path(__file__).resolve().parents[3]
LABS = ("02-global-coalescing", "08-bank-conflicts", "17-capstone-gemm")


def processor_seconds() -> float:
    """Of all that was started so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(tree: Path) -> None:
    """Builds each lab's solution, judges it, and prints one measurement."""
    sources = {lab: ROOT / "solutions" / lab / "kernel.cu" for lab in LABS}
    described = {lab: tree / "labs" / lab / "lab.json" for lab in LABS}
    found = [lab for lab in LABS if sources[lab].exists() and described[lab].exists()]
    if not found:
        skip(f"this copy has no solutions of {', '.join(LABS)}, or none of these labs is built")
    for lab in found:
        description = json.loads(described[lab].read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            seconds_of_runner(description["backends"]["emulator"], sources[lab], Path(folder))
            words = [description["judge"], "--runner", f"{folder}/runner", "--facts", f"{folder}/facts.json"]
            before = processor_seconds()
            seconds_of([*words, "--submission", lab, "--source", str(sources[lab])])
            print_measurement(f"judge the solution of {lab}", processor_seconds() - before)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
