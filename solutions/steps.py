"""The textbook steps of the labs as tables: what each earns on the emulator and on an H200, and who tells neighbours apart.

    .venv/bin/python solutions/steps.py >solutions/steps.md

Reads the emulator's scores from ladders.md, the GPU's from `devices`, the steps and arguments from each `ladder.toml`.
"""

import re
import sys
from itertools import pairwise
from pathlib import Path

from simtlab.verify.check import LEAST_APART
from simtlab.verify.ladder import (
    Ladders,
    Scores,
    Steps,
    are_apart,
    device_scores,
    read_ladders,
)

SOLUTIONS = Path(__file__).resolve().parent
ROW = re.compile(r"\| ([a-z0-9-]+) \| ([\d.]+) \|")
HEAD = f"""# Textbook steps

Each lab's steps in the textbook's order, what they earn of `fast` on the emulator and by their times on an H200, and how far
each is from the step before it: a backend tells two steps apart by {LEAST_APART} points or more, and what is less stands in
brackets. Made by `solutions/steps.py`; `simtlab verify` fails a lab where no backend tells two neighbours apart and nobody argues why.
"""


def emulator_scores(lab: str) -> dict[str, float]:
    """What ladders.md says of the lab's variants."""
    text = (SOLUTIONS / "ladders.md").read_text(encoding="utf-8")
    section = next(
        (part for part in text.split("\n## ")[1:] if part.startswith(lab)), ""
    )
    return {name: float(score) for name, score in ROW.findall(section)}


def points(step: str, scores: Scores) -> str:
    """A step's points, where they were measured."""
    return f"{scores[step]:.1f}" if step in scores else "–"


def apart(one: str, other: str, scores: Scores) -> str:
    """How much more the other step earns, in brackets where that tells nothing."""
    if one not in scores or other not in scores:
        return "–"
    difference = f"{scores[other] - scores[one]:+.1f}".replace("-", "−")
    return difference if are_apart(one, other, scores) else f"({difference})"


def table_of(ladder: Steps, emulator: Scores, gpu: Scores) -> list[str]:
    """One ladder."""
    lines = [
        f"\nTo {ladder.of}:\n",
        "| step | emulator | H200 | from the step before: emulator | H200 |",
        "|---|---|---|---|---|",
    ]
    before = ["", *ladder.steps]
    for one, step in zip(before, ladder.steps, strict=False):
        differences = [
            apart(one, step, scores) if one else "" for scores in (emulator, gpu)
        ]
        cells = [step, points(step, emulator), points(step, gpu), *differences]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def arguments_of(ladders: Ladders, emulator: Scores, gpu: Scores) -> list[str]:
    """What is said of the neighbours that nobody tells apart, or a GPU alone."""
    lines = []
    for ladder in ladders.ladder:
        for one, other in pairwise(ladder.steps):
            reason = " ".join(ladders.argument(one, other).split())
            if are_apart(one, other, emulator):
                continue
            who = (
                "only the H200 tells them apart"
                if are_apart(one, other, gpu)
                else "no backend tells them apart"
            )
            lines.append(
                f"- `{one}` and `{other}`: {who}.{f' {reason}' if reason else ''}"
            )
    return ["", *lines] if lines else []


def main() -> int:
    """Prints the document."""
    lines = [HEAD.rstrip("\n")]
    for path in sorted(SOLUTIONS.glob("*/ladder.toml")):
        lab = path.parent.name
        ladders, emulator = read_ladders(path.parent), emulator_scores(lab)
        gpu = device_scores(SOLUTIONS / "devices", lab)
        lines.append(f"\n## {lab}")
        for ladder in ladders.ladder:
            lines += table_of(ladder, emulator, gpu)
        lines += arguments_of(ladders, emulator, gpu)
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
