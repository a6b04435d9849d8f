"""What the sandbox adds to one run and to one compilation: the launcher around a program that does nothing, shown the
paths that a runner and a compiler are shown, against the same program alone. The promise is a median under 30 ms."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from simtlab.labs.build_description import read_build_description
from simtlab.sandbox.sandbox import probe_sandbox

ROOT = Path(__file__).resolve().parents[3]
LAB = "07-shared-tiling"
TIMES = 41


def milliseconds(words: list[str]) -> float:
    """The wall time of a program that must succeed."""
    begin = time.perf_counter()
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return 1000 * (time.perf_counter() - begin)


def added(prefix: list[str]) -> tuple[float, float]:
    """The medians of the difference and of the program alone, taken in turns."""
    pairs = [(milliseconds([*prefix, "true"]), milliseconds(["true"])) for _ in range(TIMES)]
    return statistics.median(inside - alone for inside, alone in pairs), statistics.median(alone for _, alone in pairs)


def main(tree: Path) -> None:
    """Prints one measurement a step."""
    sandbox = probe_sandbox(tree, ROOT)
    if not sandbox.namespaces or sandbox.launcher is None:
        print(f"SKIP: no sandbox here: {sandbox.problem}")
        sys.exit(77)
    build = read_build_description(tree / "labs" / LAB / "lab.json").backends["emulator"]
    with tempfile.TemporaryDirectory() as name:
        case = Path(name)
        for folder in ("request", "result", "submission", "compiled"):
            (case / folder).mkdir()
        runner_words = sandbox.runner_words(Path("/usr/bin/true"), "emulator")
        run = [word.replace("{case}", name).replace("{memory_mb}", "1024") for word in runner_words]
        compilation = sandbox.compiler_words(build, case / "submission", case / "compiled", case / "status.json", 2048)
        for step, prefix in (("run", run), ("compile", compilation)):
            value, alone = added(prefix)
            print(
                json.dumps(
                    {
                        "name": f"sandbox around one {step}",
                        "value": value,
                        "unit": "ms",
                        "peer": "the program without the sandbox",
                        "ratio": (value + alone) / alone,
                    }
                )
            )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
