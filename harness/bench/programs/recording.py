"""What keeping requests for pictures costs a run: the benchmark of a right solution by its runner, with and without, in
processor time. A profile asks for them, and so does grading, of the benchmark, for its pages.
"""

from __future__ import annotations

import json
import resource
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.lab_runner import seconds_of, seconds_of_runner
from bench.product import print_measurement, skip

ROOT = Path(__file__).resolve().parents[3]
LABS = ("02-global-coalescing", "08-bank-conflicts", "13-coarsening")
_ROUNDS = 9
_KEEP = """#!/bin/sh
if grep -q '"examples": *true' "$1/request/request.json"; then rm -rf '{kept}' && cp -r "$1" '{kept}'; fi
exec '{runner}' "$@"
"""
"""Runs a case, and keeps the folder of the one whose requests a picture is made of."""


def processor_seconds(words: list[str]) -> float:
    """Of a program that must succeed."""

    def used() -> float:
        of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return of_children.ru_utime + of_children.ru_stime

    before = used()
    seconds_of(words)
    return used() - before


def seconds_of_case(kept: Path, runner: Path, place: Path, examples: bool) -> float:
    """Of one run of a kept case in a folder of its own."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(kept, place)
    request = json.loads((kept / "request" / "request.json").read_text(encoding="utf-8"))
    (place / "request" / "request.json").write_text(json.dumps(request | {"examples": examples}), encoding="utf-8")
    return processor_seconds([str(runner), str(place)])


def main(tree: Path) -> None:
    """Builds each lab's solution, takes its profile for the case, and prints one measurement a lab."""
    sources = {lab: ROOT / "solutions" / lab / "kernel.cu" for lab in LABS}
    described = {lab: tree / "labs" / lab / "lab.json" for lab in LABS}
    found = [lab for lab in LABS if sources[lab].exists() and described[lab].exists()]
    if not found:
        skip(f"this copy has no solutions of {', '.join(LABS)}, or none of these labs is built")
    for lab in found:
        description = json.loads(described[lab].read_text(encoding="utf-8"))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            seconds_of_runner(description["backends"]["emulator"], sources[lab], folder)
            runner, keeper, kept = folder / "runner", folder / "keeper", folder / "kept"
            keeper.write_text(_KEEP.format(kept=kept, runner=runner), encoding="utf-8")
            keeper.chmod(keeper.stat().st_mode | stat.S_IXUSR)
            seconds_of([description["judge"], "--runner", str(keeper), "--profile", str(sources[lab])])
            seconds: dict[bool, list[float]] = {True: [], False: []}
            for _ in range(_ROUNDS):
                for examples in (False, True):
                    seconds[examples].append(seconds_of_case(kept, runner, folder / "case", examples))
            with_them, without = median(seconds[True]), median(seconds[False])
            print_measurement(f"a run of {lab} that keeps requests", with_them, ("without", without))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
