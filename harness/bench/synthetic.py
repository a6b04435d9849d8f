"""Classes of synthetic units: labs whose compiler and judge are shell scripts, and whose judge sleeps and answers."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.product import skip

ROOT = Path(__file__).resolve().parents[2]
GRADER = ROOT / "grading"
_CLUSTER = ROOT / "harness" / "check" / "slurm_cluster.sh"


def use_this_grader() -> None:
    """Has this process and its children take the grader of this checkout, and the classes of its tests."""
    if not (GRADER / "tests" / "quick_units.py").exists():
        skip("this copy has no grading/tests, whose synthetic classes are graded")
    sys.path.insert(0, str(GRADER))
    os.environ["PYTHONPATH"] = f"{GRADER}:{ROOT / 'harness'}"
    os.environ["SIMTLAB_ALLOW_WEAK"] = "1"  # these labs have no launcher of a sandbox


def print_value(name: str, value: float, unit: str, peer: tuple[str, float] | None = None) -> None:
    """One line of output. `peer`: what it is compared with, and the ratio."""
    what, ratio = peer or (None, None)
    print(json.dumps({"name": name, "value": value, "unit": unit, "peer": what, "ratio": ratio}), flush=True)


def simtlab(root: Path, *words: str) -> float:
    """Runs a command of simtlab in a checkout; the seconds that it took. It has to end well."""
    begin = time.monotonic()
    command = [sys.executable, "-m", "simtlab", *words]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"simtlab {' '.join(words)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.monotonic() - begin


@contextlib.contextmanager
def cluster() -> Iterator[Path]:
    """A Slurm of three nodes with two processors each on this host; skips where there is none."""
    if os.getuid() != 0 or not all(shutil.which(one) for one in ("munged", "slurmctld", "slurmd", "sbatch")):
        skip("no cluster of Slurm can be started: it needs root, slurm-wlm and munge")
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    folder.chmod(0o755)
    os.environ |= {"SLURM_TEST_PORT": "20200", "SLURM_TEST_OWNER": str(os.getpid())}
    try:
        subprocess.run([_CLUSTER, "start", folder], check=True, timeout=60, stdout=subprocess.DEVNULL)
        os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
        yield folder
    finally:
        subprocess.run([_CLUSTER, "stop", folder], check=False, timeout=60)
        shutil.rmtree(folder, ignore_errors=True)


def resident_mb() -> float:
    """What this process has in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def in_child(program: Path, *words: str) -> Sequence[str]:
    """What a benchmark's own program prints in a process of its own, line by line."""
    done = subprocess.run([sys.executable, program, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{program.name} {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()
