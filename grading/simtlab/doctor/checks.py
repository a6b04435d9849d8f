"""One check for each thing the grader needs or can use. A check never raises: what it could not find out is its
answer."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from simtlab.compiler.gpu_tools import gpu_tools
from simtlab.device.device_class import gpu_name
from simtlab.errors import SimtlabError, UsageError
from simtlab.installed import installed_tree
from simtlab.labs.build_description import SASS
from simtlab.labs.catalogue import Catalogue, default_build, find_root, read_catalogue
from simtlab.sandbox.layers import LAYERS
from simtlab.sandbox.sandbox import probe_sandbox

_OLDEST_GCC = 12
_TRIAL = """#include <cuda_runtime.h>
#include <cstdio>
__global__ void doctor(int* out) { out[threadIdx.x] = static_cast<int>(threadIdx.x); }
int main() {
  int* device = nullptr;
  int host[32] = {};
  cudaMalloc(&device, sizeof host);
  doctor<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d\\n", host[31]);
}
"""


@dataclass(frozen=True)
class Diagnosis:
    """One thing: whether it is there, whether grading needs it, what was found and what to do."""

    name: str
    present: bool
    needed: bool
    found: str
    next_step: str = ""


def diagnose(build: Path | None) -> list[Diagnosis]:
    """All checks, the needed ones first."""
    checks = [
        _python(),
        _compiler(),
        _limits(),
        _bubblewrap(),
        *_labs_and_emulator(build),
        *_sandbox(build),
        _nvcc(),
        _gpu(),
    ]
    return sorted(checks, key=lambda check: not check.needed)


def _python() -> Diagnosis:
    found = ".".join(map(str, sys.version_info[:3]))
    return Diagnosis(
        "Python", sys.version_info >= (3, 11), needed=True, found=found, next_step="install Python 3.11 or newer"
    )


def _compiler() -> Diagnosis:
    step = f"install g++ {_OLDEST_GCC} or newer: sudo apt-get install -y g++"
    version = _first_line(["g++", "-dumpfullversion"])
    if version is None:
        return Diagnosis("g++", False, needed=True, found="not found", next_step=step)
    major = re.match(r"\d+", version)
    return Diagnosis("g++", bool(major and int(major[0]) >= _OLDEST_GCC), needed=True, found=version, next_step=step)


def require_compiler() -> None:
    """Raises `UsageError` where the compiler of kernels is missing or too old; a checkout's build has seen to it."""
    found = _compiler()
    if not found.present:
        raise UsageError(f"simtlab compiles kernels with g++; found: {found.found}. Next: {found.next_step}")


def require_gpu_tools(catalogue: Catalogue) -> None:
    """Raises `UsageError` where NVIDIA's compiler is missing, by which `--engine sass` runs kernels: simtcc looks."""
    for lab in catalogue.labs.values():
        if sass := lab.build.backends.get(SASS):
            gpu_tools(tuple(sass.compiler))
            return


def _limits() -> Diagnosis:
    missing = [name for name in ("prlimit", "setpriv") if not shutil.which(name)]
    found = f"not found: {', '.join(missing)}" if missing else "prlimit, setpriv"
    return Diagnosis("limits", not missing, needed=True, found=found, next_step="apt-get install util-linux")


def _bubblewrap() -> Diagnosis:
    version = _first_line(["bwrap", "--version"])
    return Diagnosis(
        "bubblewrap",
        version is not None,
        needed=True,
        found=(version or "not found").removeprefix("bubblewrap "),
        next_step="sudo apt-get install -y bubblewrap: it makes the sandbox for student code",
    )


def _labs_and_emulator(build: Path | None) -> list[Diagnosis]:
    try:
        root = find_root()
        catalogue = read_catalogue(root, (build or default_build(root)).absolute())
    except SimtlabError as error:
        return [Diagnosis("labs", False, needed=True, found=str(error), next_step="run simtlab inside the checkout")]
    ready = f"{len(catalogue.labs)} of {len(catalogue.names)} ready to grade"
    wrong = [*catalogue.faults.values(), *(f"{name} is not built" for name in catalogue.unbuilt)]
    labs = Diagnosis(
        "labs",
        bool(catalogue.labs) and not wrong,
        needed=True,
        found="; ".join([ready, *wrong]),
        next_step="run `make setup`, then `cmake --build build/default --target simtlab_judges`",
    )
    compilers = [
        lab.build.backends["emulator"].compiler for lab in catalogue.labs.values() if "emulator" in lab.build.backends
    ]
    if not compilers:
        step = "run `make setup`"
        return [labs, Diagnosis("emulator", False, needed=True, found="no lab is built for it", next_step=step)]
    return [labs, _emulator(compilers[0])]


def _emulator(compiler: list[str]) -> Diagnosis:
    """Compiles and runs a kernel of 32 lanes."""
    step = (
        "mend g++ and its linker first: sudo apt-get install --reinstall g++ libc6-dev"
        if installed_tree()
        else "run `cmake --build build/default` and read its first error"
    )
    with tempfile.TemporaryDirectory(prefix="simtlab-doctor-") as folder:
        source, program = Path(folder, "doctor.cu"), Path(folder, "doctor")
        source.write_text(_TRIAL, encoding="utf-8")
        try:
            subprocess.run([compiler[0], str(source), "-o", str(program)], capture_output=True, timeout=120, check=True)
            ran = subprocess.run([str(program)], capture_output=True, text=True, timeout=60, check=True)
        except subprocess.CalledProcessError as error:
            said = (error.stderr or b"").decode("utf-8", "replace") if isinstance(error.stderr, bytes) else error.stderr
            lines = (said or "no message").strip().splitlines()
            return Diagnosis(
                "emulator", False, needed=True, found=lines[0][:200] if lines else "failed", next_step=step
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Diagnosis("emulator", False, needed=True, found=str(error), next_step=step)
    worked = ran.stdout.split()[-1:] == ["31"]
    found = "compiled and ran a kernel" if worked else f"a kernel gave {ran.stdout.strip()[:60]!r}, expected 31"
    return Diagnosis("emulator", worked, needed=True, found=found, next_step=step)


def _sandbox(build: Path | None) -> list[Diagnosis]:
    """One line a layer; those that grading insists on are needed."""
    try:
        root = find_root()
    except SimtlabError:
        return []  # told as missing labs
    sandbox = probe_sandbox((build or default_build(root)).absolute(), root)
    return [
        Diagnosis(
            f"sandbox: {layer.name}",
            layer.name in sandbox.layers,
            needed=layer.required,
            found="active"
            if layer.name in sandbox.layers
            else f"missing ({sandbox.problem or 'no control group can be made'}): {layer.without}",
            next_step=layer.remedy,
        )
        for layer in LAYERS
    ]


def _nvcc() -> Diagnosis:
    nvcc = shutil.which("nvcc") or shutil.which("nvcc", path=f"{os.environ.get('CUDA_HOME', '/usr/local/cuda')}/bin")
    text = _output([nvcc, "--version"]) if nvcc else None
    release = re.search(r"release ([\d.]+)", text or "")
    return Diagnosis(
        "CUDA compiler",
        release is not None,
        needed=False,
        found=f"nvcc {release[1]}" if release else "not found",
        next_step="only for --backend cuda: install the CUDA Toolkit 12 or newer",
    )


def _gpu() -> Diagnosis:
    name = gpu_name()
    return Diagnosis(
        "GPU",
        name is not None,
        needed=False,
        found=name or "none",
        next_step="only for --backend cuda: a GPU and its driver",
    )


def _output(command: list[str]) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout


def _first_line(command: list[str]) -> str | None:
    text = _output(command)
    return text.strip().splitlines()[0] if text and text.strip() else None
