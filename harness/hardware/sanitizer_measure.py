"""Asks compute-sanitizer about planted bugs on a GPU: `python -m hardware.sanitizer_measure FILE.csv` about those that
the file has no answers of, so about all of them into a new file.

Needs nvcc, compute-sanitizer and two minutes of an H200. Programs that would never end are stopped, and run behind the
others, whose kernels would otherwise share the GPU with them.
"""

from __future__ import annotations

import csv
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hardware.sanitizer import COLUMNS, PROGRAMS, Answer
from hardware.sanitizer import read_answers as read_table

TESTS = Path(__file__).resolve().parents[1] / "emulator" / "tests"
TOOLS = {
    "memcheck": ["--tool", "memcheck"],
    "memcheck --padding --leak-check": ["--tool", "memcheck", "--padding", "64", "--leak-check", "full"],
    "racecheck": ["--tool", "racecheck"],
    "initcheck": ["--tool", "initcheck"],
    "synccheck": ["--tool", "synccheck"],
}
ENDLESS = (
    "endless-loop",
    "warp-deadlock",
    "masks-that-differ",
    "wait-for-nobody",
    "two-locks-crosswise",
    "barrier-inside-a-lock",
    "each-undoes-the-other",
)
CLEAN = ("address-of-symbol",)
"""Beside the planted bugs in their programs."""
SECONDS = 20

_STOPPED = (-9, 128 + 9)  # how `timeout --signal=KILL` ends, itself or by what it says
_NO_FINDING = (
    "COMPUTE-SANITIZER",
    "ERROR SUMMARY",
    "RACECHECK SUMMARY",
    "LEAK SUMMARY",
    "Error: process didn't terminate",
    "Target application returned an error",
)
_PLACE = re.compile(r"(\w+\.cu):(\d+)")


def read_answers(output: str) -> list[tuple[str, list[str]]]:
    """What compute-sanitizer says: each kind of message once, with the places in the program that it named.

    A message's first line begins a record; the lines of the host's backtrace name no cause.
    """
    found: dict[str, list[str]] = {}
    places: list[str] | None = None
    for line in output.splitlines():
        if not line.startswith("========="):
            continue
        text = line.removeprefix("=========")
        if text.startswith(" ") and text[1:2].strip():
            places = None if _says_nothing(text.strip()) else found.setdefault(_kind(text.strip()), [])
        if "Host Frame" in text or "Saved host backtrace" in text or places is None:
            continue
        for file, number in _PLACE.findall(text):
            place = f"{file}:{number}"
            if place not in places:
                places.append(place)
    return [(kind, sorted(where)) for kind, where in found.items()]


def _says_nothing(message: str) -> bool:
    return message.startswith(_NO_FINDING)


def _kind(message: str) -> str:
    """A message without what differs from one thread, block or kernel to the next."""
    without_place = re.sub(r" (?:at|and) .*", "", message)
    without_numbers = re.sub(r"0x[0-9a-f]+", "…", without_place)
    return re.sub(r"\b\d[\d,]* (?=(?:bytes|hazards)\b)", "… ", without_numbers).rstrip(".: ")


def ask(bug: str, program: Path, tool: str) -> list[Answer]:
    """One tool about one bug; a single answer without a message when it has nothing to say."""
    words: list[str | Path] = ["compute-sanitizer", *TOOLS[tool], "--print-limit", "200", program, bug]
    limited: list[str | Path] = ["timeout", "--signal=KILL", str(SECONDS), *words]
    done = subprocess.run(limited, check=False, capture_output=True, text=True, errors="replace")
    ended = "stopped" if done.returncode in _STOPPED else "ended" if done.returncode == 0 else "crashed"
    said = read_answers(done.stdout)
    return [Answer(bug, tool, ended, kind, tuple(where)) for kind, where in said] or [Answer(bug, tool, ended, "", ())]


def build(folder: Path) -> dict[str, Path]:
    """Compiles the programs; returns each bug's, in the programs' own order."""
    found: dict[str, Path] = {}
    for name in PROGRAMS:
        program = folder / name
        includes = ["-I", str(TESTS / "bugs" / "gpu"), "-I", str(TESTS)]
        source = TESTS / "bugs" / f"{name}.cu"
        words = ["nvcc", "-std=c++20", "-arch=sm_90", "-lineinfo", *includes, str(source), "-o", str(program)]
        subprocess.run(words, check=True)
        usage = subprocess.run([program], check=False, capture_output=True, text=True).stderr
        names = re.findall(r"^  (\S+)$", usage, re.MULTILINE)
        found |= {name: program for name in names if name not in CLEAN}
    return found


def _head() -> str:
    query = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    gpu = subprocess.run(query, check=True, capture_output=True, text=True).stdout.splitlines()[0]
    said = subprocess.run(["compute-sanitizer", "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"Version (\S+)", said)
    return (
        f"# Measured by `python -m hardware.sanitizer_measure`: {gpu}, compute-sanitizer "
        f"{version[1] if version else 'unknown'}, programs stopped after {SECONDS} s.\n"
    )


def write_table(file: Path) -> None:
    """Asks every tool about every bug without answers; the answers that are there stay."""
    known = read_table(file) if file.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        programs = build(Path(folder))
        answers = {bug: known.get(bug, []) for bug in programs}
        questions = [(bug, programs[bug], tool) for bug in programs if bug not in known for tool in TOOLS]
        for endless in (False, True):
            asked = [question for question in questions if (question[0] in ENDLESS) == endless]
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                for (bug, _, _), answer in zip(asked, pool.map(lambda q: ask(*q), asked), strict=True):
                    answers[bug] += answer
    with file.open("w", encoding="utf-8", newline="") as text:
        text.write(_head())
        table = csv.writer(text, lineterminator="\n")
        table.writerow(COLUMNS)
        for one in (answer for of_bug in answers.values() for answer in of_bug):
            table.writerow((one.bug, one.tool, one.ended, one.message, " ".join(one.places)))


if __name__ == "__main__":
    write_table(Path(sys.argv[1]))
