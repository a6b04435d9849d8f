"""What a grading's compile takes for evidence: simtcc's own work (translating the source, writing hooks into g++'s
assembly) and the verifier of the finished object, beside the whole compile. The bound is 15 % of it, both together.

Processor time, over the model solutions of all labs, compiled as a grading compiles them.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.lab_runner import processor_seconds_of
from bench.product import print_measurement, skip

ROOT = Path(__file__).resolve().parents[3]
_OWN_TIME = re.compile(r"^# processor time: (\S+) s of simtcc, (\S+) s of what it started$", re.MULTILINE)


def main(tree: Path) -> None:
    """Compiles and verifies each solution, and prints the shares."""
    sources = {path.parent.name: path for path in sorted(ROOT.glob("solutions/[0-9]*/kernel.cu"))}
    builds = {name: _build_of(tree, name) for name in sources}
    built = [name for name, build in builds.items() if build and "verifier" in build]
    if not built:
        skip("no solution, no lab that is built, or no verifier (package libcapstone-dev)")
    compiling = own = verifying = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name in built:
            made = Path(folder) / f"{name}.o"
            words = [*builds[name]["compiler"], "-v", "-c", "kernel.cu", "-o", str(made)]
            said = subprocess.run(words, check=True, capture_output=True, text=True, cwd=sources[name].parent).stderr
            times = _OWN_TIME.search(said)
            if not times:
                sys.exit(f"{words[0]} -v: expected a line with its processor time, found\n{said[-500:]}")
            compiling += float(times[1]) + float(times[2])
            own += float(times[1])
            verifying += processor_seconds_of([str(builds[name]["verifier"]), str(made)])
    whole = (f"the compile of {len(built)} solutions", compiling)
    print_measurement("simtcc's own share: translation and hooks", own, whole)
    print_measurement("the verifier of finished code", verifying, whole)
    print_measurement("both (bound: 15 % of the compile)", own + verifying, whole)


def _build_of(tree: Path, lab: str) -> dict[str, list[str]]:
    description = tree / "labs" / lab / "lab.json"
    if not description.exists():
        return {}
    build: dict[str, list[str]] = json.loads(description.read_text(encoding="utf-8"))["backends"].get("emulator", {})
    return build


if __name__ == "__main__":
    main(Path(sys.argv[1]))
