"""The command: `python -m bench [--repetitions N] [--only NAME] [--all]`.

A benchmark is harness/bench/programs/NAME.py, or NAME.cpp, which CMake builds into build/default/bench by the target
simtlab_bench_NAME. It takes the build tree as its one argument and prints one JSON line per measurement
(measurement.py). It exits with 77 after a line `SKIP: reason` where it cannot run. What takes minutes is in SLOW: it
runs where its name or `--all` asks for it, once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.measurement import BadLineError, Row, read_measurement, to_rows

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
TREE = ROOT / "build" / "default"
RESULTS = ROOT / "build" / "bench.json"
_SKIPPED = 77
SLOW = frozenset(
    {
        "as_compiled_labs",
        "beside_oclgrind",
        "build",
        "class_of_a_thousand",
        "large_store",
        "shadow_memory",
        "three_nodes",
        "watch",
    }
)
"""Each takes minutes; all others together at most five."""
_REPETITIONS = 3  # of what is not slow


class BenchmarkError(Exception):
    """A benchmark failed; the message holds what it said."""


class SkippedBenchmarkError(Exception):
    """A benchmark cannot run here; the message is its reason."""


def find_programs(only: str | None, slow: bool = False) -> dict[str, list[str]]:
    """Name and command of every benchmark that is asked for, alphabetically."""
    programs = {path.stem: [sys.executable, str(path)] for path in (HERE / "programs").glob("*.py")}
    programs |= {path.stem: [str(TREE / "bench" / path.stem)] for path in (HERE / "programs").glob("*.cpp")}
    wanted = {name for name in programs if (only in name if only else slow or name not in SLOW)}
    return {name: programs[name] for name in sorted(wanted)}


def _shortened(word: str) -> str:
    """A path below the checkout, as one would type it there."""
    return word.removeprefix(f"{ROOT}/")


def run_program(words: list[str], repetitions: int) -> list[Row]:
    """Runs one benchmark several times."""
    command = shlex.join(_shortened(word) for word in [*words, str(TREE)])
    runs = []
    for _ in range(repetitions):
        done = subprocess.run([*words, str(TREE)], check=False, capture_output=True, text=True, cwd=ROOT)
        if done.returncode == _SKIPPED:
            reason = re.search(r"^SKIP: *(.+)$", done.stdout, re.MULTILINE)
            raise SkippedBenchmarkError(reason[1] if reason else "no reason given")
        if done.returncode != 0:
            raise BenchmarkError(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
        try:
            runs.append([read_measurement(line) for line in done.stdout.splitlines() if line.strip()])
        except BadLineError as problem:
            raise BenchmarkError(f"{command}: {problem}") from problem
    rows = to_rows(runs, command)
    if not rows:
        raise BenchmarkError(f"{command} printed no measurement")
    return rows


def machine() -> dict[str, object]:
    """What the figures depend on."""
    cpu = "unknown processor"
    try:
        found = re.search(r"^model name\s*: (.+)$", Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.MULTILINE)
        cpu = found[1] if found else platform.machine()
    except OSError:
        pass
    compiler = subprocess.run(["g++", "-dumpfullversion"], check=False, capture_output=True, text=True).stdout.strip()
    return {"cpu": cpu, "cores": os.cpu_count(), "system": platform.platform(terse=True), "g++": compiler}


def print_table(rows: list[Row], console: Console) -> None:
    """The table that a person reads."""
    table = Table(title="median [lowest .. highest]; ratio = ours / peer, taken in the same run", title_justify="left")
    table.add_column("benchmark")
    table.add_column("value", justify="right")
    table.add_column("unit")
    table.add_column("range", justify="right")
    table.add_column("ratio", justify="right")
    table.add_column("peer")
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.3g}"
        spread = f"[{row.lowest:.4g} .. {row.highest:.4g}]"
        table.add_row(row.name, f"{row.value:.4g}", row.unit, spread.replace("[", r"\["), ratio, row.peer or "")
    console.print(table)
    for command in dict.fromkeys(row.command for row in rows):
        console.print(f"  {command}", highlight=False, soft_wrap=True)


def main(arguments: list[str] | None = None) -> int:
    """Builds and runs the benchmarks; 1 if one of them failed."""
    parser = argparse.ArgumentParser(prog="bench", description="the project's benchmarks")
    how_often = f"runs of each program (default {_REPETITIONS}, of a slow one 1)"
    parser.add_argument("--repetitions", type=int, metavar="N", help=how_often)
    parser.add_argument("--only", metavar="NAME", help="only programs whose name contains this, slow ones, too")
    parser.add_argument("--all", action="store_true", help=f"the slow ones, too: {', '.join(sorted(SLOW))}")
    given = parser.parse_args(arguments)
    if given.repetitions is not None and given.repetitions < 1:
        parser.error("--repetitions must be at least 1")
    programs = find_programs(given.only, given.all)
    if not programs:
        parser.error(f"no benchmark's name contains {given.only!r}")

    build = ["cmake", "--build", str(TREE), "--target", "simtlab_benchmarks", "simtlab_judges"]
    built = subprocess.run(build, check=False, capture_output=True, text=True, cwd=ROOT)
    if built.returncode != 0:
        print(f"{built.stdout}{built.stderr}\nbuilding the benchmarks failed", file=sys.stderr)
        return 1

    console, rows, failed, skipped = Console(), [], False, 0
    about = machine()
    console.print(", ".join(f"{key} {value}" for key, value in about.items()), highlight=False)
    for name, words in programs.items():
        console.print(f"running {name} ...", highlight=False)
        try:
            rows += run_program(words, given.repetitions or (1 if name in SLOW else _REPETITIONS))
        except SkippedBenchmarkError as reason:
            console.print(f"skipped {name}: {reason}", highlight=False)
            skipped += 1
        except BenchmarkError as problem:
            print(f"{name} failed: {problem}", file=sys.stderr)
            failed = True
    if rows:
        print_table(rows, console)
        RESULTS.parent.mkdir(parents=True, exist_ok=True)
        document = {"machine": about, "results": [row.as_json() for row in rows]}
        RESULTS.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        console.print(f"written to {RESULTS.relative_to(ROOT)}", highlight=False)
    if skipped:
        console.print(f"{skipped} of {len(programs)} benchmarks skipped", highlight=False)
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
