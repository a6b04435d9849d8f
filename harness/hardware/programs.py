"""Whole programs as compiled beside a GPU: the engine sass runs what nvcc made, so every counter of every launch must
be the GPU's.

    python -m hardware.programs make [--build O1] FOLDER FILE.cu…   here: by nvcc and by simtcc --engine sass; runs that
    python -m hardware.programs measure FOLDER                      on a GPU, with Nsight Compute; no compiler needed
    python -m hardware.programs compare FOLDER [AGAIN]              prints what differs, by launch, and the counts

FOLDER travels between the machines, and holds programs of either build (measure.py: BUILDS). A line `// flags: …` in a
program is told to both compilers. `make` prints which kernels ran as g++ made them, and why. AGAIN has the pages of a
second `measure`: of launches that the GPU counted otherwise then, no number is right.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.emulation import simtcc
from hardware.measure import BUILDS

ARCHITECTURE = "sm_90"
MOST_LAUNCHES = 60
"""Of a program, that Nsight Compute profiles."""
_SECONDS, _COMPILER_SECONDS = 120, 600
_TOGETHER = 8
"""Programs that one Nsight Compute profiles, one after the other: its start takes as long as most of them."""
_ONE_AFTER_THE_OTHER = 'for program; do timeout 30 "$program" </dev/null >/dev/null 2>&1; done; true'

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
            figures[f"shared {one['access']} wavefronts"] += one.get("generic_wavefronts", 0)  # Nsight Compute's naming
        found.append(Launch(name_of(launch["kernel"]), {name: figures[name] for name in COUNTERS}))
    return found


def pages_of(text: str) -> dict[str, list[dict[str, str]]]:
    """The rows of `ncu --csv --page raw` by the program whose launches they are. Around them stands what programs
    print, and ncu's remarks, one of which names each program's process."""
    programs = dict(re.findall(r"^==PROF== Connected to process ([0-9]+) \((.*)\)$", text, re.MULTILINE))
    lines = [line for line in text.splitlines() if line.startswith('"')]
    found = defaultdict(list)
    for row in csv.DictReader(lines):
        if (row["ID"] or "").isdigit():
            process = row.get("Process ID", "")
            found[programs.get(process, process)].append(row)
    return found


def launches_of_page(text: str) -> list[Launch]:
    """The GPU's, from `ncu --csv --page raw`, around which the program's own output stands."""

    def number(row: dict[str, str], metric: str) -> int:
        value = row.get(metric, "").replace(",", "")
        return round(float(value)) if re.fullmatch(r"[0-9.]+", value) else 0

    return [
        Launch(
            name_of(row["Kernel Name"]),
            {name: sum(number(row, metric) for metric in metrics) for name, metrics in COUNTERS.items()},
        )
        for rows in pages_of(text).values()
        for row in rows
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


def repeated(gpu: list[Launch], again: list[Launch]) -> list[bool]:
    """Of each of the GPU's launches, whether its second count says the same; of other launches nobody knows."""
    if [launch.kernel for launch in gpu] != [launch.kernel for launch in again]:
        return [False] * len(gpu)
    return [not differences(one, other) for one, other in zip(gpu, again, strict=True)]


def _run(words: list[str | Path], log: Path, seconds: int = _SECONDS, **more: Any) -> int:
    """The exit code; what was printed is kept, complaints beside it; 124 means that the time was over."""
    try:
        ended = subprocess.run(words, check=False, capture_output=True, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        log.write_bytes(b"the time was over\n")
        return 124
    log.write_bytes(ended.stdout)
    log.with_suffix(log.suffix + ".err").write_bytes(ended.stderr)
    return ended.returncode


def runtime_words(folder: Path) -> list[str]:
    """What nvcc is told so that programs share one copy of CUDA's runtime, beside them: a folder of them travels."""
    compiler = shutil.which("nvcc")
    found = sorted((Path(compiler).resolve().parents[1] / "lib64").glob("libcudart.so.*")) if compiler else []
    if not found:
        return []
    shutil.copyfile(found[0], folder / found[0].name)
    return ["-cudart=shared", "-Xlinker", "-rpath=$ORIGIN", "-Xlinker", "-s"]


def not_as_compiled(report: str) -> list[str]:
    """Why kernels ran as g++ made them, from SIMTLAB_REPORT."""
    return [one["message"] for one in json.loads(report)["findings"] if one["rule"] == "not-as-compiled"]


def make(folder: Path, sources: list[Path], build: str) -> None:
    """Builds each program twice, and runs the one of the engine sass; some at a time."""
    folder.mkdir(parents=True, exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("SIMTLAB_")}
    runtime = runtime_words(folder)

    def of(source: Path) -> str:
        here = folder / (source.stem if build == "default" else f"{source.stem}-{build}")
        words: list[str | Path] = ["-std=c++17", "--extended-lambda", f"-arch={ARCHITECTURE}"]
        words += [*BUILDS[build], *flags_of(source), source]
        gpu_words = ["nvcc", "-lineinfo", "-w", *words, *runtime, "-o", here.with_suffix(".gpu")]
        built = _run(gpu_words, here.with_suffix(".nvcc.log"), _COMPILER_SECONDS)
        compiler: list[str | Path] = [simtcc(), "--engine", "sass", *words, "-o", here.with_suffix(".emulated")]
        compiled = _run(compiler, here.with_suffix(".simtcc.log"), _COMPILER_SECONDS)
        report = here.with_suffix(".json")
        settings = clean | {"SIMTLAB_REPORT": str(report), "SIMTLAB_ERROR_EXITCODE": "0"}
        ran, remarks = -1, []
        if compiled == 0:
            ran = _run([here.with_suffix(".emulated")], here.with_suffix(".emulated.out"), env=settings)
            remarks = not_as_compiled(report.read_text("utf-8")) if report.exists() else []
        here.with_suffix(".emulated").unlink(missing_ok=True)  # large, and only its report is needed
        said = f"{here.name}: nvcc {built}, simtcc {compiled}, its program {ran}"
        return "\n    ".join([said, *remarks])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for said in pool.map(of, sources):
            print(said, flush=True)


def measure(folder: Path) -> None:
    """Runs each program on this GPU, alone and below Nsight Compute; those that have their counters already, not."""
    programs = [one for one in sorted(folder.glob("*.gpu")) if not one.with_suffix(".csv").exists()]
    with ThreadPoolExecutor(8) as pool:
        ended = list(pool.map(lambda program: _run([program], program.with_suffix(".gpu.out")), programs))
    for program, code in zip(programs, ended, strict=True):
        if code:
            print(f"{program.stem}: ended with {code}", flush=True)
    metrics = ",".join(metric for of in COUNTERS.values() for metric in of)
    profiler = ["ncu", "--clock-control", "none", "--cache-control", "none", "--csv", "--page", "raw"]
    profiler += ["--metrics", metrics]
    together = [one for one in programs if 0 < _launches_expected(one) <= MOST_LAUNCHES]
    for begin in range(0, len(together), _TOGETHER):
        some, log = together[begin : begin + _TOGETHER], folder / "together.log"
        _run([*profiler, "--target-processes", "all", "sh", "-c", _ONE_AFTER_THE_OTHER, "sh", *some], log, 3 * _SECONDS)
        text = log.read_text("utf-8", "replace")
        for path, rows in pages_of(text).items():
            known = [one for one in some if one.name == Path(path).name]
            if known and len(rows) >= _launches_expected(known[0]):
                _write_page(known[0].with_suffix(".csv"), rows)
    for program in programs:
        page = program.with_suffix(".csv")
        if page.exists():
            continue
        counted = _run([*profiler, "--launch-count", str(MOST_LAUNCHES), program], page)
        print(f"{program.stem}: alone, ncu {counted}", flush=True)


def _launches_expected(program: Path) -> int:
    """As many as the emulator saw; 0 where nobody knows."""
    report = program.with_suffix(".json")
    return len(json.loads(report.read_text("utf-8"))["launches"]) if report.exists() else 0


def _write_page(page: Path, rows: list[dict[str, str]]) -> None:
    with page.open("w", encoding="utf-8", newline="") as text:
        table = csv.DictWriter(text, list(rows[0]), quoting=csv.QUOTE_ALL, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def compare(folder: Path, again: Path | None = None) -> int:
    """Prints the comparison; returns how many launches differ. `again`: a folder with the pages of a second count."""
    equal: Counter[str] = Counter()
    different: Counter[str] = Counter()
    others: Counter[str] = Counter()
    twice: Counter[tuple[str, bool]] = Counter()
    for page in sorted(folder.glob("*.csv")):
        report, build = page.with_suffix(".json"), _build_of(page.stem)
        if not report.exists():
            print(f"{page.stem}: no report of the emulator")
            continue
        ours, gpu = launches_of_report(report.read_text("utf-8")), launches_of_page(page.read_text("utf-8", "replace"))
        paired = [(mine, its) for mine, its in pairs(ours, gpu) if its.is_as_compiled]  # else the GPU refused it
        found = [(mine, its) for mine, its in paired if mine.is_as_compiled]
        second = again / page.name if again else page
        if again and second.exists():
            is_same = repeated(gpu, launches_of_page(second.read_text("utf-8", "replace")))
            same = [its for its, is_it in zip(gpu, is_same, strict=True) if is_it]
            of_same = [not differences(mine, its) for mine, its in found if any(its is one for one in same)]
            twice.update((build, is_equal) for is_equal in of_same)
        bad = [(mine, what) for mine, its in found if (what := differences(mine, its))]
        others[build] += len(paired) - len(found)
        equal[build] += len(found) - len(bad)
        different[build] += len(bad)
        same_output = page.with_suffix(".gpu.out").read_bytes() == page.with_suffix(".emulated.out").read_bytes()
        both = f"emulator {len(ours)}, GPU {len(gpu)}"
        output = "equal" if same_output else "differs"
        print(f"{page.stem}: {len(found) - len(bad)} of {len(found)} launches equal ({both}); output {output}")
        for mine, what in bad[:6]:
            print(f"    {mine.kernel}: {'; '.join(what)}")
    for build in sorted(equal):
        count = f"{equal[build]} of {equal[build] + different[build]} launches equal in every counter"
        print(f"{build}: {count}; {others[build]} more ran as g++ made them")
        if again:
            right, wrong = twice[build, True], twice[build, False]
            print(f"{build}: of {right + wrong} that the GPU counted alike twice {right} are equal")
    return sum(different.values())


def _build_of(name: str) -> str:
    return next((build for build in BUILDS if name.endswith(f"-{build}")), "default")


if __name__ == "__main__":
    steps: dict[str, Callable[[], object]] = {
        "measure": lambda: measure(Path(sys.argv[2])),
        "compare": lambda: compare(Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None),
    }
    chosen = "default"
    if sys.argv[1:3] == ["make", "--build"] and len(sys.argv) > 3:
        chosen = sys.argv.pop(3)
        del sys.argv[2]
    steps["make"] = lambda: make(Path(sys.argv[2]), [Path(word) for word in sys.argv[3:]], chosen)
    is_option = any(word.startswith("-") for word in sys.argv[2:])  # no folder
    if len(sys.argv) < 3 or sys.argv[1] not in steps or chosen not in BUILDS or is_option:
        sys.exit(__doc__)
    steps[sys.argv[1]]()
