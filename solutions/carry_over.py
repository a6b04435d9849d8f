"""Whether points for time carry over from GPU to GPU: each variant's score on two GPUs, from their device files.

    simtlab calibrate --only-times --output solutions/devices/h100-first.json
    python3 solutions/carry_over.py solutions/devices/h100-*.json -- solutions/devices/h200-*.json >solutions/carry-over.md

Of a lab that several files of a GPU have, the last one given counts. Where a lab's time is read among anchors, the score
is computed here, from the GPU's own times of the anchors and the marks that the lab states today, so that a changed mark
needs no new measurement. Exit code 1 when a variant moves by more than five points, or to the other side of its lab's
`pass_at`.
"""

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LABS = ROOT / "labs"
MOST_POINTS = 5.0
PASS_AT = re.compile(r"\.pass_at = (\d+)")
ANCHOR = re.compile(r'\banchor\("([^"]+)", ([0-9.]+)\)')
FULL_MARK_SHARE = re.compile(r"\bfull_mark_share = ([0-9.]+);")

Steps = dict[str, dict[str, Any]]


def ladders(paths: list[str]) -> tuple[str, dict[str, Steps]]:
    """The GPU's name, and of each lab its variants' steps."""
    labs: dict[str, Steps] = {}
    name = ""
    for path in paths:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        name = document["ceilings"]["gpu"].removeprefix("NVIDIA ")
        for ladder in document["ladders"]:
            if len(ladder["steps"]) > 2:  # a file may have the solution and the limit alone
                labs[ladder["lab"]] = scored(ladder["lab"], {step["variant"]: step for step in ladder["steps"]})
    return name, labs


def anchors(lab: str) -> list[tuple[str, float]]:
    """The lab's anchors, fastest first, with the mark of each; empty where time is read otherwise."""
    source = (LABS / lab / "lab.cpp").read_text(encoding="utf-8")
    return [(name, float(mark)) for name, mark in ANCHOR.findall(source)]


def scored(lab: str, steps: Steps) -> Steps:
    """The steps with the scores that today's anchors give, if the lab has any."""
    marks = anchors(lab)
    if not marks:
        return steps
    if missing := [name for name, _ in marks if name not in steps]:
        sys.exit(f"{lab}: no time of {', '.join(missing)}: measure it with `simtlab calibrate {lab[:2]} --only-times`")
    ladder = [(1 / steps[name]["milliseconds"], mark) for name, mark in marks]
    return {name: step | {"score": 100 * mark_at(1 / step["milliseconds"], ladder)} for name, step in steps.items()}


@cache
def full_mark_share() -> float:
    """From what share of the fastest anchor's speed on its mark is earned in full: the judge's number."""
    found = FULL_MARK_SHARE.search((ROOT / "harness" / "judge" / "gpu" / "timing_evidence.h").read_text(encoding="utf-8"))
    if found is None:
        sys.exit("harness/judge/gpu/timing_evidence.h no longer says full_mark_share: name it as the judge does")
    return float(found[1])


def mark_at(speed: float, marks: list[tuple[float, float]]) -> float:
    """The mark of a speed among (speed, mark), fastest first: linear in speed, 0 at speed 0; the judge's rule."""
    upper, upper_mark = full_mark_share() * marks[0][0], marks[0][1]
    if speed >= upper:
        return upper_mark
    for lower, lower_mark in [*marks[1:], (0.0, 0.0)]:
        if speed >= lower and upper > lower:
            return lower_mark + (upper_mark - lower_mark) * (speed - lower) / (upper - lower)
        upper, upper_mark = lower, lower_mark
    return 0.0


def pass_at(lab: str) -> float:
    """The score from which the lab's test `fast` passes."""
    found = PASS_AT.search((LABS / lab / "lab.cpp").read_text(encoding="utf-8"))
    return float(found[1]) if found else 60.0


def main(words: list[str]) -> int:
    """Prints the document."""
    if "--" not in words:
        print(__doc__, file=sys.stderr)
        return 2
    at = words.index("--")
    (one, first), (other, second) = ladders(words[:at]), ladders(words[at + 1 :])
    print(f"# Points for time on an {one} and an {other}\n")
    print("Made by `solutions/carry_over.py` from the files in `solutions/devices`: every right variant's score of time.")
    print("Labs with anchors are scored from each GPU's times and the marks of today.\n")
    print(f"| lab | variant | {one}, µs | points | {other}, µs | points | difference |\n|---|---|---|---|---|---|---|")
    moved, compared = [], 0
    for lab in sorted(first.keys() & second.keys()):
        for variant, step in first[lab].items():
            if variant not in second[lab]:
                continue
            beside = second[lab][variant]
            compared += 1
            difference = step["score"] - beside["score"]
            changes_side = (step["score"] >= pass_at(lab)) != (beside["score"] >= pass_at(lab))
            if abs(difference) > MOST_POINTS or changes_side:
                moved.append(f"{lab} {variant}")
            cells = (step["milliseconds"], step["score"], beside["milliseconds"], beside["score"])
            texts = [f"{1000 * cells[0]:,.0f}", f"{cells[1]:.1f}", f"{1000 * cells[2]:,.0f}", f"{cells[3]:.1f}"]
            print(f"| {lab[:2]} | {variant} | {' | '.join(texts)} | {difference:+.1f} |")
    said = f"moved: {', '.join(moved)}" if moved else "none moved"
    print(f"\n{compared} variants; by more than {MOST_POINTS:g} points or across `pass_at` {said}.")
    return 1 if moved else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
