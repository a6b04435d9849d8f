"""The launcher `simtlab-sandbox` of a build tree: which of its layers work here, and the words that start a compiler or
a runner behind it."""

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ValidationError

from simtlab.compiler.gpu_tools import gpu_tools
from simtlab.errors import GraderError, UsageError
from simtlab.installed import installed_labs
from simtlab.labs.build_description import BackendBuild
from simtlab.sandbox.layers import CODE_VERIFIER, missing_layers
from simtlab.text import printable

_PROBE_SECONDS = 60
_COMPILER_PROCESSES = 64  # nvcc starts many
_COMPILER_TEMPORARY_MB = 512
_RUNNER_PROCESSES = {"emulator": 16, "sass": 16, "cuda": 64}  # CUDA's own threads count
_KEPT_VARIABLES = ("CUDA_VISIBLE_DEVICES", "CUDA_HOME", "LD_LIBRARY_PATH")
_STATUS = "sandbox.json"
_ALL_THE_SAME = "To grade all the same, with a note in every report: --allow-weak (make grade ALLOW_WEAK=1)."


class _Probe(BaseModel):
    """What `simtlab-sandbox --probe --json` prints."""

    format: str
    version: int
    layers: list[str]
    problem: str
    without_namespaces: list[str]


class LaunchStatus(BaseModel):
    """The part of harness/sandbox/status.h that a compilation needs."""

    started: bool
    why: str
    signal: int
    disk_full: bool
    memory_kills: int


@dataclass(frozen=True)
class Sandbox:
    """A launcher and the layers that it was seen to provide; no launcher: student code runs unprotected."""

    launcher: Path | None = None
    layers: tuple[str, ...] = ()
    namespaces: bool = True
    problem: str = ""
    """Why layers are missing, in the machine's words."""

    def compiler_words(
        self, build: BackendBuild, sources: Path, output: Path, status: Path, memory_mb: int
    ) -> list[str]:
        """Before a compiler that reads `sources`, writes into `output`, and sees of this machine what the build
        description names."""
        shown = [path for word in [*build.compiler, *build.link] if (path := Path(word)).is_absolute()]
        shown += [*build.depends, *_toolkit(build.compiler[0])]
        if build.front_end:
            shown += [build.front_end.program, *_toolkit(str(build.front_end.program))]
        if build.compiler[-1] == "--engine=sass":
            for tool in gpu_tools(tuple(build.compiler)):
                shown += [tool, *_toolkit(str(tool))]
        if build.precompiled and build.precompiled.is_dir():
            shown.append(build.precompiled)
        return self._words(
            [sources, *shown],
            *("--write", str(output), "--folder", str(sources), "--status", str(status)),
            *("--processes", str(_COMPILER_PROCESSES), "--tmp-mb", str(_COMPILER_TEMPORARY_MB)),
            *("--memory-mb", str(memory_mb + _COMPILER_TEMPORARY_MB)),
        )

    def runner_words(self, runner: Path, backend: str) -> list[str]:
        """Before a runner; the judge puts a case's folder in the place of `{case}`."""
        device = ["--gpu"] if backend == "cuda" else ["--no-shared-memory"]
        return self._words(
            [runner],
            *("--read", "{case}/request", "--write", "{case}/result", "--folder", "{case}/result"),
            *("--status", "{case}/" + _STATUS, "--processes", str(_RUNNER_PROCESSES[backend])),
            *("--memory-mb", "{memory_mb}", *device),
        )

    def sweep(self) -> None:
        """Removes what launchers left that were killed, as a stopped grading kills them."""
        if self.launcher is not None:
            subprocess.run([self.launcher, "--sweep"], capture_output=True, timeout=_PROBE_SECONDS, check=False)

    def _words(self, shown: Sequence[Path], *more: str) -> list[str]:
        if self.launcher is None:
            return []
        words = [str(self.launcher), *more, "--require", ",".join(one for one in self.layers if one != CODE_VERIFIER)]
        # By both names where one is a link: programs resolve links, too.
        for name in dict.fromkeys(name for path in shown for name in _names(path)):
            words += ["--read", str(name)]
        for variable in _KEPT_VARIABLES:
            words += ["--keep", variable]
        return [*words, *([] if self.namespaces else ["--without-namespaces"]), "--"]


UNPROTECTED = Sandbox(problem="asked for")


def launcher_of(build: Path) -> Path:
    """Where a build tree has its launcher."""
    return build / "sandbox" / "simtlab-sandbox"


def probe_sandbox(build: Path, root: Path) -> Sandbox:
    """The best sandbox that this machine allows, and whether the build tree can read finished code; its
    `problem` says why it is no better."""
    found = _probe(build, root)
    if not os.access(build / "verifier" / "simtlab-verifier", os.X_OK):
        return found
    return replace(found, layers=(*found.layers, CODE_VERIFIER))


def _probe(build: Path, root: Path) -> Sandbox:
    launcher = launcher_of(build)
    if not os.access(launcher, os.X_OK):
        return Sandbox(problem=f"there is no {launcher}: install libseccomp-dev and bubblewrap, then run `make setup`")
    if not shutil.which("bwrap"):
        return _probed(launcher, "bwrap not found: install the package bubblewrap")
    for shown in (root, installed_labs()):
        if shown and shown.is_relative_to("/usr"):
            problem = f"the sandbox shows /usr, and labs with hidden cases lie in {shown}: move them out of /usr"
            return _probed(launcher, problem + " (simtlab belongs into a virtual environment)" * (shown != root))
    return _probed(launcher, "")


def _probed(launcher: Path, problem: str) -> Sandbox:
    try:
        done = subprocess.run(
            [launcher, "--probe", "--json"], capture_output=True, text=True, timeout=_PROBE_SECONDS, check=False
        )
        found = _Probe.model_validate_json(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValidationError) as error:
        return Sandbox(problem=f"{launcher} --probe failed: {printable(str(error))}")
    if found.layers and not problem:
        return Sandbox(launcher, tuple(found.layers))
    return Sandbox(launcher, tuple(found.without_namespaces), namespaces=False, problem=problem or found.problem)


def require_sandbox(build: Path, root: Path, *, allow_weak: bool) -> Sandbox:
    """The machine's sandbox; a `UsageError` names every required layer that it lacks, unless a weak one is allowed."""
    sandbox = probe_sandbox(build, root)
    missing = [layer for layer in missing_layers(sandbox.layers) if layer.required]
    if not missing or allow_weak:
        return sandbox
    if sandbox.launcher and not shutil.which("bwrap"):
        raise UsageError(
            "Student code is compiled and run in a sandbox that bubblewrap makes, and there is no bwrap here.\n"
            "Next: sudo apt-get install -y bubblewrap\n"
            f"{_ALL_THE_SAME}"
        )
    lines = [f"The sandbox for student code lacks layers on this machine ({sandbox.problem}):"]
    lines += [f"  {layer.name}: without it {layer.without}." for layer in missing]
    lines += [f"To get them: {remedy}." for remedy in dict.fromkeys(layer.remedy for layer in missing)]
    lines.append(_ALL_THE_SAME)
    raise UsageError("\n".join(lines))


def read_launch_status(path: Path) -> LaunchStatus:
    """What the launcher left; a `GraderError` when it left nothing, or could not start the program."""
    try:
        status = LaunchStatus.model_validate(json.loads(path.read_bytes()))
    except (OSError, ValueError) as error:
        raise GraderError(f"the sandbox ended without a word: {error}") from error
    if not status.started:
        raise GraderError(f"the sandbox did not start the compiler: {status.why}")
    return status


def _names(path: Path) -> list[Path]:
    """A path as it was given and as it is; the judge's own `{case}/…` is a path only later."""
    return [path, path.resolve()] if path.is_absolute() else [path]


def _toolkit(compiler: str) -> list[Path]:
    """The CUDA toolkit around nvcc, which is more than its program; /usr is shown anyway."""
    path = Path(compiler).resolve()
    if path.name != "nvcc" or path.is_relative_to("/usr"):
        return []
    return [path.parent.parent, Path(compiler).parent.parent]
