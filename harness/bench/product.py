"""The kernels of solutions/bench: the tiled product and four others as programs, and what one launch takes."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, NoReturn

EMULATOR = Path(__file__).resolve().parents[1] / "emulator"
SOURCES = Path(__file__).resolve().parents[2] / "solutions" / "bench"
_SKIPPED = 77
PRODUCT = "tiled_product"


class Seconds(NamedTuple):
    """What one launch took."""

    wall: float
    processor: float


def skip(reason: str) -> NoReturn:
    """Ends a benchmark that cannot run here."""
    print(f"SKIP: {reason}")
    sys.exit(_SKIPPED)


def source(name: str) -> Path:
    """A program's source; skips where this copy has none."""
    if not (SOURCES / name).exists():
        skip("this copy has no solutions/bench, where its kernels are kept: they solve labs")
    return SOURCES / name


def said_by(words: list[str | Path]) -> str:
    """What a program prints; it must succeed."""
    done = subprocess.run(words, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def build(tree: Path, folder: Path, program: str = PRODUCT) -> Path:
    """The program on the emulator, as simtcc makes it; leaves the intermediate files in `folder`."""
    simtcc, built = tree / "bin" / "simtcc", folder / program
    options: list[str | Path] = ["-std=c++20", "-I", EMULATOR, "-c", source(f"{program}.cu")]
    said_by([simtcc, *options, "-o", folder / f"{program}.o", "--keep", folder])
    said_by([simtcc, folder / f"{program}.o", "-o", built])
    return built


def build_plain(tree: Path, folder: Path, program: str = PRODUCT) -> Path:
    """The same program from the text that simtcc handed to g++, not instrumented; `build` comes first."""
    translated: list[str | Path] = [folder / f"{program}.translated.ii", "-fpreprocessed", "-fdirectives-only"]
    compiled, built = folder / f"{program}-plain.o", folder / f"{program}-plain"
    said_by(["g++", "-std=c++20", "-O1", "-w", "-fno-pie", "-c", *translated, "-o", compiled])
    said_by([tree / "bin" / "simtcc", compiled, "-o", built])
    return built


def build_opencl(folder: Path, packages: Mapping[str, str | Path]) -> Path:
    """The same kernels in OpenCL. `packages`: a program or file by its Debian package; skips without one."""
    needed = {"opencl-headers": Path("/usr/include/CL/cl.h"), **packages}
    missing = [name for name, sign in needed.items() if not (_is_file(sign) or shutil.which(sign))]
    compiled = folder / "opencl"
    if not missing:
        words: list[str | Path] = ["g++", "-std=c++20", "-O1", source("kernels_opencl.cpp"), "-o", compiled]
        if subprocess.run([*words, "-lOpenCL"], check=False, capture_output=True).returncode != 0:
            missing = ["ocl-icd-opencl-dev"]
    if missing:
        skip(f"not installed: {' '.join(missing)} (apt-get install {' '.join(missing)})")
    return compiled


def _is_file(sign: str | Path) -> bool:
    return isinstance(sign, Path) and sign.exists()


def launch(program: Path, size: int, workers: int, words: list[str] | None = None) -> Seconds:
    """Runs the program, which times its second launch."""
    return seconds_of([program, str(size), str(workers), *(words or [])])


def seconds_of(words: list[str | Path]) -> Seconds:
    """Runs a program that prints its seconds."""
    wall, processor = said_by(words).split()
    return Seconds(float(wall), float(processor))


def print_measurement(name: str, value: float, peer: tuple[str, float] | None = None, unit: str = "s") -> None:
    """One line of output; `peer`: what it is compared with, and the peer's value."""
    what, theirs = peer or (None, None)
    ratio = value / theirs if theirs else None
    print(json.dumps({"name": name, "value": value, "unit": unit, "peer": what, "ratio": ratio}), flush=True)
