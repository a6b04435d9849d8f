"""A lab's runner, built as `make test` builds it, and how long that takes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any


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
