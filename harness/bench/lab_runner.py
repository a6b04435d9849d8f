"""A lab's solution and its runner, built as `make test` builds it, and how long that takes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
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


def engine_words(compiler: Sequence[str]) -> list[str]:
    """The words that compile kernels by nvcc, too; without nvcc or nvdisasm the benchmark cannot run."""
    words = [*compiler, "--engine=sass"]
    asked = subprocess.run([*words, "--version"], check=False, capture_output=True, text=True)
    if asked.returncode != 0:
        skip(asked.stderr.strip() or "simtcc has no engine sass")
    return words


_KEEP = """#!/bin/sh
if grep -q '"examples": *true' "$1/request/request.json"; then rm -rf '{kept}' && cp -r "$1" '{kept}'; fi
exec '{runner}' "$@"
"""
"""Runs a case, and keeps the folder of the one whose requests a picture is made of: the benchmark."""


def kept_benchmark(judge: str, source: Path, folder: Path) -> Path:
    """The folder of the benchmark's case, as a profile of `folder`/runner asks for it."""
    keeper, kept = folder / "keeper", folder / "kept"
    keeper.write_text(_KEEP.format(kept=kept, runner=folder / "runner"), encoding="utf-8")
    keeper.chmod(keeper.stat().st_mode | stat.S_IXUSR)
    seconds_of([judge, "--runner", str(keeper), "--profile", str(source)])
    return kept


def seconds_of_case(kept: Path, folder: Path, changes: Mapping[str, object]) -> float:
    """Processor time of `folder`/runner for a kept case whose request is changed, in a folder of its own."""
    place = folder / "case"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(kept, place)
    request = json.loads((kept / "request" / "request.json").read_text(encoding="utf-8"))
    (place / "request" / "request.json").write_text(json.dumps(request | dict(changes)), encoding="utf-8")
    return processor_seconds_of([str(folder / "runner"), str(place)])
