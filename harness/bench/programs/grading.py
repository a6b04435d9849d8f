"""How many submissions a minute the grader gets through: one lab of the bundled class, from nothing, on all cores.

The class has its endless loops, so a part of the time is spent waiting for limits, as with a real class.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CLASS = ROOT / "solutions" / "sample-class"
LAB = "08-bank-conflicts"


def main(tree: Path) -> None:
    """Grades into an empty store and prints one measurement."""
    submissions = len(list(CLASS.glob(f"*/{LAB}/kernel.cu")))
    if not submissions:
        print(f"SKIP: this copy has no submissions of {LAB} in solutions/sample-class")
        sys.exit(77)
    simtlab = Path(sys.executable).parent / "simtlab"
    with tempfile.TemporaryDirectory() as folder:
        words: list[str | Path] = [simtlab, "grade", CLASS, "--labs", LAB, "--build", tree]
        words += ["--store", f"{folder}/store", "--report", f"{folder}/report"]
        begin = time.monotonic()
        done = subprocess.run(words, check=False, capture_output=True, text=True)
        seconds = time.monotonic() - begin
    if done.returncode != 0:
        sys.exit(f"simtlab grade: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    per_minute = 60 * submissions / seconds
    print(
        json.dumps(
            {"name": f"grading {LAB}", "value": per_minute, "unit": "submissions/min", "peer": None, "ratio": None}
        )
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
