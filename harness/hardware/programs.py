"""Whole programs as compiled beside a GPU: the engine sass runs what nvcc made, so every counter of every launch must
be the GPU's.

    python -m hardware.programs make FOLDER FILE.cu…     here: by nvcc and by simtcc --engine sass, which runs
    python -m hardware.programs measure FOLDER           on a GPU, with Nsight Compute; no compiler needed
    python -m hardware.programs compare FOLDER           prints what differs, launch by launch, and the counts

FOLDER travels between the machines. A line `// flags: …` in a program is told to both compilers.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.emulation import simtcc

ARCHITECTURE = "sm_90"
MOST_LAUNCHES = 60
"""Of a program, that Nsight Compute profiles."""
_SECONDS = 120

_T = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"
COUNTERS: dict[str, list[str]] = {
    "global read requests": [_T.format("requests", "ld")],
    "global read sectors": [_T.format("sectors", "ld")],
    "global write requests": [_T.format("requests", "st")],
    "global write sectors": [_T.format("sectors", "st")],
    "global atomic requests": [_T.format("requests", "red"), _T.format("requests", "atom")],
    "global atomic sectors": [_T.format("sectors", "red"), _T.format("sectors", "atom")],
    "shared read requests": ["smsp__sass_inst_executed_op_shared_ld.sum"],
    "shared read wavefronts": ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"],
    "shared write requests": ["smsp__sass_inst_executed_op_shared_st.sum"],
    "shared write wavefronts": ["smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "shared atomic wavefronts": ["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"],
    "registers": ["launch__registers_per_thread"],
}
"""What is compared, and the metrics of Nsight Compute that add up to it (judge/gpu/nsight_names.def)."""


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel: its name without arguments, and the figures of COUNTERS."""

    kernel: str
    figures: dict[str, int]

    @property
    def is_as_compiled(self) -> bool:
        """Whether nvcc's code ran: of what g++ made nobody knows the registers."""
        return self.figures["registers"] > 0


def flags_of(source: Path) -> list[str]:
    """What the program asks both compilers for."""
    found = re.search(r"^// flags: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    return shlex.split(found[1]) if found else []


def name_of(kernel: str) -> str:
    """`void space::scale<(int)2>(const float *)` is scale."""
    plain, depth = "", 0
    for letter in kernel:
        depth += letter == "<"
        if letter == "(" and depth == 0:
            break
        plain += letter if depth == 0 else ""
        depth -= letter == ">"
    return re.split(r"[ :]", plain.strip())[-1]


def allocated(registers: int) -> int:
    """What Nsight Compute says of so many registers of ptxas: on an H100 never less than 16."""
    return max(16, registers) if registers else 0


def launches_of_report(text: str) -> list[Launch]:
    """The emulator's, from SIMTLAB_REPORT."""
    found = []
    for launch in json.loads(text)["launches"]:
        figures: Counter[str] = Counter(registers=allocated(launch["registers"]))
        for one in launch["accesses"]:
            for counter in ("requests", "sectors", "wavefronts"):
                apart = one.get(f"copied_{counter}", 0)  # stores of asynchronous copies to shared memory
                figures[f"{one['space']} {one['access']} {counter}"] += one[counter] - apart
        found.append(Launch(name_of(launch["kernel"]), {name: figures[name] for name in COUNTERS}))
    return found


def launches_of_page(text: str) -> list[Launch]:
    """The GPU's, from `ncu --csv --page raw`, around which the program's own output stands."""
    rows = list(csv.DictReader(line for line in text.splitlines() if line.startswith('"')))

    def number(row: dict[str, str], metric: str) -> int:
        value = row.get(metric, "").replace(",", "")
        return round(float(value)) if re.fullmatch(r"[0-9.]+", value) else 0

    return [
        Launch(
            name_of(row["Kernel Name"]),
            {name: sum(number(row, metric) for metric in metrics) for name, metrics in COUNTERS.items()},
        )
        for row in rows
        if (row["ID"] or "").isdigit()
    ]


def pairs(ours: list[Launch], gpu: list[Launch]) -> Iterator[tuple[Launch, Launch]]:
    """The n-th launch of a kernel beside the n-th, for streams and graphs run in an order of their own."""
    theirs = defaultdict(list)
    for launch in gpu:
        theirs[launch.kernel].append(launch)
    seen: Counter[str] = Counter()
    for launch in ours:
        at = seen[launch.kernel]
        if at < len(theirs[launch.kernel]):
            yield launch, theirs[launch.kernel][at]
        seen[launch.kernel] += 1


def differences(ours: Launch, gpu: Launch) -> list[str]:
    """Each figure that is not the GPU's; none: the launches are equal."""
    return [
        f"{name} {ours.figures[name]} GPU {gpu.figures[name]}"
        for name in COUNTERS
        if ours.figures[name] != gpu.figures[name]
    ]


def _run(words: list[str | Path], log: Path, **more: Any) -> int:
    """The exit code; what was printed is kept, complaints beside it; 124 means that the time was over."""
    try:
        ended = subprocess.run(words, check=False, capture_output=True, timeout=_SECONDS, **more)
    except subprocess.TimeoutExpired:
        log.write_bytes(b"the time was over\n")
        return 124
    log.write_bytes(ended.stdout)
    log.with_suffix(log.suffix + ".err").write_bytes(ended.stderr)
    return ended.returncode


def make(folder: Path, sources: list[Path]) -> None:
    """Builds each program twice, and runs the one of the engine sass."""
    folder.mkdir(parents=True, exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SIMTLAB_")}
    for source in sources:
        here, flags = folder / source.stem, flags_of(source)
        words: list[str | Path] = ["-std=c++17", f"-arch={ARCHITECTURE}", *flags, source, "-o"]
        built = _run(["nvcc", "-lineinfo", "-w", *words, here.with_suffix(".gpu")], here.with_suffix(".nvcc.log"))
        compiled = _run(
            [simtcc(), "--engine", "sass", *words, here.with_suffix(".emulated")], here.with_suffix(".simtcc.log")
        )
        settings = clean | {"SIMTLAB_REPORT": f"{here}.json", "SIMTLAB_ERROR_EXITCODE": "0"}
        ran = -1
        if compiled == 0:
            ran = _run([here.with_suffix(".emulated")], here.with_suffix(".emulated.out"), env=settings)
        print(f"{source.stem}: nvcc {built}, simtcc {compiled}, its program {ran}", flush=True)


def measure(folder: Path) -> None:
    """Runs each program on this GPU, alone and below Nsight Compute."""
    metrics = ",".join(metric for of in COUNTERS.values() for metric in of)
    profiler = ["ncu", "--csv", "--page", "raw", "--launch-count", str(MOST_LAUNCHES), "--metrics", metrics]
    for program in sorted(folder.glob("*.gpu")):
        ended = _run([program], program.with_suffix(".gpu.out"))
        counted = _run([*profiler, program], program.with_suffix(".csv"))
        print(f"{program.stem}: {ended}, ncu {counted}", flush=True)


def compare(folder: Path) -> int:
    """Prints the comparison; returns how many launches differ."""
    equal = different = others = 0
    for page in sorted(folder.glob("*.csv")):
        report = page.with_suffix(".json")
        if not report.exists():
            print(f"{page.stem}: no report of the emulator")
            continue
        ours, gpu = launches_of_report(report.read_text("utf-8")), launches_of_page(page.read_text("utf-8", "replace"))
        paired = [(mine, differences(mine, its)) for mine, its in pairs(ours, gpu)]
        found = [(mine, what) for mine, what in paired if mine.is_as_compiled]
        others += len(paired) - len(found)
        bad = [(mine, what) for mine, what in found if what]
        equal, different = equal + len(found) - len(bad), different + len(bad)
        same_output = page.with_suffix(".gpu.out").read_bytes() == page.with_suffix(".emulated.out").read_bytes()
        both = f"emulator {len(ours)}, GPU {len(gpu)}"
        output = "equal" if same_output else "differs"
        print(f"{page.stem}: {len(found) - len(bad)} of {len(found)} launches equal ({both}); output {output}")
        for mine, what in bad[:6]:
            print(f"    {mine.kernel}: {'; '.join(what)}")
    print(f"{equal} of {equal + different} launches equal in every counter; {others} more ran as g++ made them")
    return different


if __name__ == "__main__":
    steps: dict[str, Callable[[], object]] = {
        "make": lambda: make(Path(sys.argv[2]), [Path(word) for word in sys.argv[3:]]),
        "measure": lambda: measure(Path(sys.argv[2])),
        "compare": lambda: compare(Path(sys.argv[2])),
    }
    if len(sys.argv) < 3 or sys.argv[1] not in steps:
        sys.exit(__doc__)
    steps[sys.argv[1]]()
