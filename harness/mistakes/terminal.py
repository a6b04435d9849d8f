"""What `make test LAB=NN` prints for a submission, without touching the student's own file: a CTest tree of its own
with the lab's four tests, shown by the script behind `make test`."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from mistakes.catalogue import ROOT, Mistake

BUILD = ROOT / "build" / "default"


def prepare(mistake: Mistake, folder: Path, build: Path = BUILD) -> None:
    """Fills `folder` with a students' tree that has the mistake's lab alone."""
    lab = mistake.lab
    there = folder / "labs" / lab
    there.mkdir(parents=True)
    (there / "kernel.cu").write_text(mistake.source(), encoding="utf-8")
    (there / "lab.toml").symlink_to(ROOT / "labs" / lab / "lab.toml")  # for its hints
    for part in ("harness", "grading"):
        (folder / part).symlink_to(ROOT / part)
    tree = folder / "build"
    (tree / "emulator").mkdir(parents=True)
    (tree / "emulator" / "simtlab_emulator.o").touch()  # the script takes the absence of these two for a first build
    (tree / "harness.stamp").touch()
    (tree / "CTestTestfile.cmake").write_text(_tests(lab, there, tree, build), encoding="utf-8")


def shown(lab: str, folder: Path) -> str:
    """The terminal's text."""
    command: list[str | Path] = [ROOT / "harness" / "setup" / "test_labs.sh", folder / "build", lab]
    environment = {**os.environ, "NO_COLOR": "1"}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def _tests(lab: str, there: Path, tree: Path, build: Path) -> str:
    described = json.loads((build / "labs" / lab / "lab.json").read_text(encoding="utf-8"))
    emulator = described["backends"]["emulator"]
    runner = str(tree / "runner")
    compiled = [*emulator["compiler"], "kernel.cu", *emulator["link"], "-o", runner]
    text = _test(f"{lab}.build", compiled, there, 'FIXTURES_SETUP "build"')
    for part in ("correct", "safe", "fast"):
        judged = [described["judge"], "--runner", runner, "--backend", "emulator"]
        judged += ["--source", str(there / "kernel.cu"), f"--test-case={part}"]
        text += _test(f"{lab}.{part}", judged, tree, 'FIXTURES_REQUIRED "build"')
    return text


def _test(name: str, words: list[str], folder: Path, fixture: str) -> str:
    quoted = " ".join(f'"{word}"' for word in words)
    return (
        f'add_test("{name}" {quoted})\n'
        f'set_tests_properties("{name}" PROPERTIES {fixture} LABELS "lab" WORKING_DIRECTORY "{folder}")\n'
    )
