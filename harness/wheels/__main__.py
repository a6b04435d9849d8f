"""`python -m wheels`: builds what the wheel carries, then the wheel. `make wheel` calls it."""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from wheels.pack import pack_students, pack_wheel
from wheels.tree import make_tree

ROOT = Path(__file__).resolve().parents[2]
_PRESET = "wheel"


def main() -> None:
    """Says each step and its seconds; ends with the files, or with what failed."""
    parser = argparse.ArgumentParser(prog="make wheel", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the files go (dist/)")
    given = parser.parse_args()
    build, tree = ROOT / "build" / _PRESET, ROOT / "build" / _PRESET / "tree"
    try:
        _step("configuring build/wheel", lambda: _run(["cmake", "--preset", _PRESET]))
        _step("building simtcc, judges, sandbox and verifier; minutes, the first time", lambda: _build(build))
        _step("copying what the wheel carries", lambda: make_tree(ROOT, build, tree))
        wheel = _step("packing the instructors' wheel", lambda: pack_wheel(ROOT / "grading", tree, given.out))
        student = _step("packing the students' wheel", lambda: pack_students(wheel, given.out))
    except subprocess.CalledProcessError as error:
        words = " ".join(map(str, error.cmd))
        sys.exit(
            f"make wheel: `{words}` ended with exit code {error.returncode}:\n{error.stderr or error.stdout or ''}"
        )
    for file in (wheel, student):
        print(f"{os.path.relpath(file)}  {file.stat().st_size / 1e6:.1f} MB")
    print("for the instructors, it holds hidden cases: pip install", os.path.relpath(wheel))


def _step(what: str, action):  # type: ignore[no-untyped-def]
    started = time.monotonic()
    print(f"{what} ... ", end="", flush=True)
    result = action()
    print(f"{time.monotonic() - started:.0f} s")
    return result


def _build(build: Path) -> None:
    _run(["cmake", "--build", build, "--target", "grader_files"])


def _run(words: list) -> None:  # type: ignore[type-arg]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)


main()
