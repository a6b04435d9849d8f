"""`python -m wheels`: builds what the wheel carries, then the wheel. `make wheel` calls it."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from wheels.cross import missing_cross_tools
from wheels.pack import pack_students, pack_wheel
from wheels.tree import make_tree

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Says each step and its seconds; ends with the files, or with what failed."""
    parser = argparse.ArgumentParser(prog="make wheel", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="where the files go (dist/)")
    parser.add_argument("--arm64", action="store_true", help="cross-compile for arm64 Linux; the students' file alone")
    given = parser.parse_args()
    if given.arm64 and (missing := missing_cross_tools()):
        sys.exit(
            f"make wheel ARM64=1: no cross tools for arm64 here; missing: {' '.join(missing)}. Next: sudo dpkg "
            f"--add-architecture arm64 && sudo apt-get update && sudo apt-get install -y {' '.join(missing)}"
        )
    preset = "wheel-arm64" if given.arm64 else "wheel"
    build, tree = ROOT / "build" / preset, ROOT / "build" / preset / "tree"
    try:
        _step(f"configuring build/{preset}", lambda: _run(["cmake", "--preset", preset]))
        _step("building simtcc, judges, sandbox and verifier; minutes, the first time", lambda: _build(build))
        _step("copying what the wheel carries", lambda: make_tree(ROOT, build, tree))
        with tempfile.TemporaryDirectory() as place:
            # What is graded is code of x86-64 alone (grading/simtlab/audit/object_file.py): arm64 has no instructors.
            instructors = Path(place) if given.arm64 else given.out
            wheel = _step("packing the instructors' wheel", lambda: pack_wheel(ROOT / "grading", tree, instructors))
            student = _step("packing the students' wheel", lambda: pack_students(wheel, given.out))
    except subprocess.CalledProcessError as error:
        words = " ".join(map(str, error.cmd))
        sys.exit(
            f"make wheel: `{words}` ended with exit code {error.returncode}:\n{error.stderr or error.stdout or ''}"
        )
    for file in (student,) if given.arm64 else (wheel, student):
        print(f"{os.path.relpath(file)}  {file.stat().st_size / 1e6:.1f} MB")
    if not given.arm64:
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
