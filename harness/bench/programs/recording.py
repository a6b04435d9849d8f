"""What keeping requests for pictures costs a run: the benchmark of a right solution by its runner, with and without, in
processor time. A profile asks for them, and so does grading, of the benchmark, for its pages.
"""

from __future__ import annotations

import json
import shutil
import stat
import sys
import tempfile
from pathlib import Path
from statistics import median

from bench.lab_runner import built_solutions, processor_seconds_of, seconds_of, seconds_of_runner
from bench.product import print_measurement

LABS = ("02-global-coalescing", "08-bank-conflicts", "13-coarsening")
_ROUNDS = 9
_KEEP = """#!/bin/sh
if grep -q '"examples": *true' "$1/request/request.json"; then rm -rf '{kept}' && cp -r "$1" '{kept}'; fi
exec '{runner}' "$@"
"""
"""Runs a case, and keeps the folder of the one whose requests a picture is made of."""


def seconds_of_case(kept: Path, runner: Path, place: Path, examples: bool) -> float:
    """Of one run of a kept case in a folder of its own."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(kept, place)
    request = json.loads((kept / "request" / "request.json").read_text(encoding="utf-8"))
    (place / "request" / "request.json").write_text(json.dumps(request | {"examples": examples}), encoding="utf-8")
    return processor_seconds_of([str(runner), str(place)])


def main(tree: Path) -> None:
    """Builds each lab's solution, takes its profile for the case, and prints one measurement a lab."""
    for lab, source, description in built_solutions(tree, LABS):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            seconds_of_runner(description["backends"]["emulator"], source, folder)
            runner, keeper, kept = folder / "runner", folder / "keeper", folder / "kept"
            keeper.write_text(_KEEP.format(kept=kept, runner=runner), encoding="utf-8")
            keeper.chmod(keeper.stat().st_mode | stat.S_IXUSR)
            seconds_of([description["judge"], "--runner", str(keeper), "--profile", str(source)])
            seconds: dict[bool, list[float]] = {True: [], False: []}
            for _ in range(_ROUNDS):
                for examples in (False, True):
                    seconds[examples].append(seconds_of_case(kept, runner, folder / "case", examples))
            with_them, without = median(seconds[True]), median(seconds[False])
            print_measurement(f"a run of {lab} that keeps requests", with_them, ("without", without))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
