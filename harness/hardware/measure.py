"""Measures the programs on a GPU: `python -m hardware.measure GPU.csv` those whose rows the table lacks, so all of them
into a new file, `python -m hardware.measure GPU.csv textbook` that one again.

Needs nvcc, Nsight Compute (ncu, and its Python module ncu_report) with the right to read counters, and two minutes of
an H200. Requests and sectors are the hardware's counters; Nsight Compute counts lanes at each memory instruction.
"""

from __future__ import annotations

import csv
import importlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hardware.emulation import SOURCES
from hardware.figures import PROGRAMS, SHARED_ATOMICS, Figures, Kind, Launch

BUILDS = {"O1": ["-Xcicc", "-O1", "-Xptxas", "-O1"], "default": []}
COLUMNS = ("program", "build", "launch", "space", "access", "requests", "lanes", "sectors", "wavefronts")

_REQUESTS = "l1tex__t_requests_pipe_lsu_mem_global_op_"
_SECTORS = "l1tex__t_sectors_pipe_lsu_mem_global_op_"
_SASS_WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_"
_LANES = "thread_inst_executed_true"
_INSTRUCTIONS = "inst_executed"
REGISTERS = "launch__registers_per_thread"

_SHARED_REQUESTS = {
    "read": "smsp__sass_inst_executed_op_shared_ld",
    "write": "smsp__sass_inst_executed_op_shared_st",
}

COUNTERS_OF_PROFILE = [
    *(f"{prefix}{kind}.sum" for prefix in (_REQUESTS, _SECTORS) for kind in ("ld", "st", "red", "atom")),
    *(f"l1tex__t_sectors_pipe_lsu_mem_local_op_{kind}.sum" for kind in ("ld", "st")),
    *(f"{name}.sum" for name in _SHARED_REQUESTS.values()),
    f"{_SASS_WAVEFRONTS}ld.sum",
    f"{_SASS_WAVEFRONTS}st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    REGISTERS,
]

_PYTHON_OF_NSIGHT = ("opt/nvidia/nsight-compute/*/extras/python", "usr/local/cuda*/nsight-compute*/extras/python")

_OPCODES = {
    Kind("global", "read"): ("LDG", "LD"),
    Kind("global", "write"): ("STG", "ST"),
    Kind("global", "atomic"): ("REDG", "RED", "ATOMG", "ATOM"),
    Kind("shared", "read"): ("LDS",),
    Kind("shared", "write"): ("STS",),
    Kind("shared", "atomic"): ("ATOMS",),
}
"""The first part of the opcodes; LD, ST, ATOM and RED take an address of any space."""


def launch_of(counters: dict[str, float], lanes: dict[str, int], instructions: dict[str, int]) -> Launch:
    """A launch from the sums of its counters, and from the lanes and warp instructions by opcode.

    Atomics on addresses that the compiler did not know to be shared are not among the counter of shared ones, though
    their wavefronts are. They are taken for shared where the launch has no global ones; otherwise nothing tells how
    many are which, and they stay with the global ones.
    """

    def count(name: str) -> int:
        return int(counters.get(f"{name}.sum", 0))

    def summed(by_opcode: dict[str, int], kind: Kind) -> int:
        return sum(value for opcode, value in by_opcode.items() if opcode.split(".")[0] in opcodes[kind])

    opcodes = dict(_OPCODES)
    generic = not any(count(f"{_REQUESTS}{name}") for name in ("red", "atom"))
    if generic:
        opcodes[Kind("global", "atomic")] = ()
        opcodes[Kind("shared", "atomic")] = ("ATOMS", "ATOM", "RED")
    launch: Launch = {}
    for access, names in {"read": ["ld"], "write": ["st"], "atomic": ["red", "atom"]}.items():
        kind = Kind("global", access)
        requests, sectors = (sum(count(prefix + name) for name in names) for prefix in (_REQUESTS, _SECTORS))
        launch[kind] = Figures(requests, summed(lanes, kind), sectors, 0)
    for access, wavefronts in (
        ("read", f"{_SASS_WAVEFRONTS}ld"),
        ("write", f"{_SASS_WAVEFRONTS}st"),
        ("atomic", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom"),
    ):
        kind = Kind("shared", access)
        issued = summed(instructions, kind) if access == "atomic" else count(_SHARED_REQUESTS[access])
        launch[kind] = Figures(issued, summed(lanes, kind), 0, count(wavefronts))
    return {kind: figures for kind, figures in launch.items() if figures.requests}


def rows_of(program: str, build: str, name: str, launch: Launch) -> Iterator[tuple[str | int, ...]]:
    """The table's rows of one launch."""
    for kind, one in launch.items():
        counts = (one.requests, one.lanes, one.sectors, one.wavefronts)
        yield (program, build, name, kind.space, kind.access, *counts)


def _opcode(instruction: str) -> str:
    """`@P0 LDG.E R2, …` is LDG.E."""
    return re.sub(r"^@\S+\s+", "", instruction.strip()).split()[0].rstrip(";")


def _by_opcode(action: Any, metric: str) -> dict[str, int]:
    """A metric that Nsight Compute keeps for each instruction, summed over those of one opcode."""
    sums: dict[str, int] = {}
    values = action.metric_by_name(metric)
    addresses = values.correlation_ids()
    for i in range(values.num_instances()):
        opcode = _opcode(action.sass_by_pc(addresses.as_uint64(i)))
        sums[opcode] = sums.get(opcode, 0) + values.as_uint64(i)
    return sums


@dataclass(frozen=True)
class ProfiledLaunch:
    """A launch in a report of Nsight Compute: the sums of its counters; lanes and warp instructions by opcode."""

    kernel: str
    counters: dict[str, float]
    lanes: dict[str, int]
    instructions: dict[str, int]


def profiling_words(report: Path) -> list[str | Path]:
    """The beginning of a command that profiles the program behind it into a file."""
    words: list[str | Path] = ["ncu", "--clock-control", "none", "--cache-control", "none", "-f", "-o", report]
    return [*words, "--metrics", ",".join([*COUNTERS_OF_PROFILE, _LANES, _INSTRUCTIONS])]


def profiled_launches(report: Path) -> Iterator[ProfiledLaunch]:
    """Every launch of a report of Nsight Compute."""
    sys.path += [str(folder) for place in _PYTHON_OF_NSIGHT for folder in Path("/").glob(place)]
    ncu_report: Any = importlib.import_module("ncu_report")
    for part in ncu_report.load_report(str(report)):
        for action in part:
            counters = {name: action.metric_by_name(name).as_double() for name in COUNTERS_OF_PROFILE}
            lanes, instructions = (_by_opcode(action, name) for name in (_LANES, _INSTRUCTIONS))
            yield ProfiledLaunch(action.name(), counters, lanes, instructions)


def _measure(program: str, build: str, folder: Path) -> Iterator[tuple[str | int, ...]]:
    built, report = folder / f"{program}-{build}", folder / f"{program}-{build}.ncu-rep"
    subprocess.run(
        ["nvcc", "-std=c++17", "-arch=sm_90", *BUILDS[build], SOURCES / f"{program}.cu", "-o", built], check=True
    )
    names = subprocess.run([built], check=True, capture_output=True, text=True).stdout.splitlines()
    subprocess.run([*profiling_words(report), built], check=True, stdout=subprocess.DEVNULL)
    for name, one in zip(names, profiled_launches(report), strict=True):
        yield from rows_of(program, build, name, launch_of(one.counters, one.lanes, one.instructions))


def origin() -> str:
    """The GPU, its driver and the tools."""
    gpu = subprocess.run(
        ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()[0]
    tools = []
    for tool in ("nvcc", "ncu"):
        said = subprocess.run([tool, "--version"], check=True, capture_output=True, text=True).stdout
        version = re.search(r"(?:V|Version )(\d+\.\d+\.\d+)", said)
        tools.append(f"{tool} {version[1] if version else 'unknown'}")
    return f"{gpu}, {', '.join(tools)}"


def write_table(file: Path, again: tuple[str, ...] = ()) -> None:
    """Measures the programs `again`, and those without rows, in every build; the other rows stay.

    Raises ValueError where those are of another GPU, driver or tool: one table has one origin.
    """
    head, kept = f"# Measured by `python -m hardware.measure`: {origin()}.\n", ""
    if file.exists():
        origin_of_file, _, kept = file.read_text(encoding="utf-8").partition("\n")
        if origin_of_file != head.strip():
            message = (
                f"{file} is of another machine; measure all of it anew into another file:\n{origin_of_file}\n{head}"
            )
            raise ValueError(message)
    rows = [row for row in csv.reader(kept.splitlines()) if row[0] != COLUMNS[0]]
    programs = (*PROGRAMS, SHARED_ATOMICS)
    missing = set(programs) - {row[0] for row in rows} | set(again)
    with tempfile.TemporaryDirectory() as folder:
        measured = {
            program: [row for build in BUILDS for row in _measure(program, build, Path(folder))]
            for program in programs
            if program in missing
        }
    with file.open("w", encoding="utf-8", newline="") as text:
        text.write(head)
        table = csv.writer(text, lineterminator="\n")
        table.writerow(COLUMNS)
        for program in programs:
            table.writerows(measured.get(program) or [row for row in rows if row[0] == program])


if __name__ == "__main__":
    write_table(Path(sys.argv[1]), tuple(sys.argv[2:]))
