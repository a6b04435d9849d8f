"""A class of 42 students over all labs, made of the labs' own kernels.

    .venv/bin/python solutions/whole_class.py OUT    writes it into OUT, a new folder; `make grade CLASS=whole` grades it

Who hands in what is the same every time. A student mostly does one kind of work; the kinds are those of real classes:
full marks, right and slow, wrong, unsafe, not begun, not handed in, and what cheats. OUT/origins.csv says which kernel
a submission is.
"""

import csv
import random
import sys
from collections.abc import Callable
from pathlib import Path

from simtlab.errors import LabError
from simtlab.facts.model import Status
from simtlab.labs.variants import variants_of
from simtlab.verify.expectation import Expectation, parse_expectation

ROOT = Path(__file__).resolve().parent.parent
FIRST = ("amara", "bao", "carmen", "dmitri", "elif", "femi", "gita")
LAST = ("adeyemi", "bergstrom", "castro", "dogan", "eriksen", "fujita")
PASSES = 60
"""A right kernel below this score of `fast` is a slow one."""

HABITS = {
    "strong": "full full full full slow",
    "steady": "full full slow slow wrong missing",
    "hasty": "slow wrong wrong unsafe stub full",
    "absent": "missing missing stub full wrong",
    "copies": "cheat full full slow missing",
}
"""What a student of each kind hands in, one word drawn for each lab."""
STUDENTS = ["strong"] * 12 + ["steady"] * 15 + ["hasty"] * 9 + ["absent"] * 4 + ["copies"] * 2


def _scores(one: Expectation) -> tuple[float, float]:
    return one.fast if isinstance(one.fast, tuple) else (0, 0)


_KINDS: dict[str, Callable[[Expectation], bool]] = {
    "slow": lambda one: one.correct is one.safe is Status.PASS and _scores(one)[1] < PASSES,
    "wrong": lambda one: one.correct is Status.FAIL and one.safe is Status.PASS,
    "unsafe": lambda one: one.correct is Status.PASS and one.safe is Status.FAIL,
}


def kernels_of(lab: Path) -> dict[str, tuple[str, str]]:
    """By kind, the lab's first kernel of it: its text and where it stands."""
    solved = ROOT / "solutions" / lab.name
    found = {
        "full": ((solved / "kernel.cu").read_text(encoding="utf-8"), "solution"),
        "stub": ((lab / "kernel.cu").read_text(encoding="utf-8"), "stub"),
    }
    for variant in sorted(variants_of(solved), key=lambda one: one.name):
        expected = parse_expectation(variant.text, variant.place)
        for kind, fits in _KINDS.items():
            if kind not in found and expected.verdict is None and fits(expected):
                found[kind] = variant.text, variant.file
    for cheat in sorted((ROOT / "solutions" / "cheats").glob("*/kernel.cu")):
        text = cheat.read_text(encoding="utf-8")
        if "cheat" not in found and f"// lab: {lab.name}\n" in text:
            found["cheat"] = text, f"cheats/{cheat.parent.name}"
    return found


def write_class(out: Path) -> int:
    """Writes the class, and returns how many submissions it has."""
    labs = {lab.parent.name: kernels_of(lab.parent) for lab in sorted(ROOT.glob("labs/[0-9]*/lab.toml"))}
    names = [f"{last}-{first}" for last in LAST for first in FIRST]
    draw = random.Random("a class")
    rows: list[tuple[str, str, str]] = []
    for name, habit in zip(names, STUDENTS, strict=True):
        for lab, kernels in labs.items():
            kind = draw.choice(HABITS[habit].split())
            if kind == "missing":
                continue
            text, origin = kernels.get(kind, kernels["full"])
            folder = out / name / lab
            folder.mkdir(parents=True)
            (folder / "kernel.cu").write_text(text, encoding="utf-8")
            rows.append((name, lab, origin))
    with (out / "origins.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("student", "lab", "kernel"), *rows])
    return len(rows)


if __name__ == "__main__":
    if len(sys.argv) != 2 or Path(sys.argv[1]).exists():
        sys.exit("say where to write the class, a folder that does not exist: solutions/whole_class.py OUT")
    try:
        print(f"{write_class(Path(sys.argv[1]))} submissions in {sys.argv[1]}")
    except LabError as fault:
        sys.exit(str(fault))
