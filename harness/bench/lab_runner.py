"""A lab's solution and its runner, built as `make test` builds it, and how long that takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bench.product import skip

ROOT = Path(__file__).resolve().parents[2]


def built_solutions(tree: Path, labs: Sequence[str]) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """Each lab that is built with its solution and its lab.json; without any the benchmark cannot run."""
    found = [
        lab for lab in labs if (ROOT / "solutions" / lab / "kernel.cu").exists() and _description(tree, lab).exists()
    ]
    if not found:
        skip(f"this copy has no solutions of {', '.join(labs)}, or none of these labs is built")
    for lab in found:
        yield lab, ROOT / "solutions" / lab / "kernel.cu", json.loads(_description(tree, lab).read_text("utf-8"))


def _description(tree: Path, lab: str) -> Path:
    return tree / "labs" / lab / "lab.json"


def processor_seconds_of(words: Sequence[str]) -> float:
    """Processor time of a program that must succeed, and of those that it waited for."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(words)}: status {status}")
    return used.ru_utime + used.ru_stime


def seconds_of(words: Sequence[str]) -> float:
    """Wall time of a program that must succeed."""
    begin = time.monotonic()
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return time.monotonic() - begin


def seconds_of_runner(build: dict[str, Any], source: Path, folder: Path, options: Sequence[str] = ()) -> float:
    """Wall time of making `folder`/runner from a kernel. `build`: a backend of the lab's lab.json."""
    kernel, joined, closed = (str(folder / f"{name}.o") for name in ("kernel", "joined", "closed"))
    steps = [
        [*build["compiler"], "-c", *options, str(source), "-o", kernel],
        [*build["join"], kernel, "-o", joined],
        [*build["close"], joined, closed],
        [*build["compiler"], closed, *build["link"], "-o", str(folder / "runner")],
    ]
    return sum(seconds_of(words) for words in steps)
