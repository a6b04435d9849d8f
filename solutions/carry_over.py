"""Whether points for time carry over from GPU to GPU: each variant's score on two GPUs, from their device files.

    simtlab calibrate --only-times --output solutions/devices/h100-first.json
    python3 solutions/carry_over.py solutions/devices/h100-*.json -- solutions/devices/h200-*.json >solutions/carry-over.md

Of a lab that several files of a GPU have, the last one given counts. Exit code 1 when a variant moves by more than five
points, or to the other side of its lab's `pass_at`.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

LABS = Path(__file__).resolve().parent.parent / "labs"
MOST_POINTS = 5.0
PASS_AT = re.compile(r"\.pass_at = (\d+)")

Rungs = dict[str, dict[str, Any]]


def ladders(paths: list[str]) -> tuple[str, dict[str, Rungs]]:
    """The GPU's name, and of each lab its variants' rungs."""
    labs: dict[str, Rungs] = {}
    name = ""
    for path in paths:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        name = document["ceilings"]["gpu"].removeprefix("NVIDIA ")
        for ladder in document["ladders"]:
            if len(ladder["rungs"]) > 2:  # a file may have the solution and the limit alone
                labs[ladder["lab"]] = {rung["variant"]: rung for rung in ladder["rungs"]}
    return name, labs


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
    print("Made by `solutions/carry_over.py` from the files in `solutions/devices`: every right variant's score of time.\n")
    print(f"| lab | variant | {one}, µs | points | {other}, µs | points | difference |\n|---|---|---|---|---|---|---|")
    moved, compared = [], 0
    for lab in sorted(first.keys() & second.keys()):
        for variant, rung in first[lab].items():
            if variant not in second[lab]:
                continue
            beside = second[lab][variant]
            compared += 1
            difference = rung["score"] - beside["score"]
            changes_side = (rung["score"] >= pass_at(lab)) != (beside["score"] >= pass_at(lab))
            if abs(difference) > MOST_POINTS or changes_side:
                moved.append(f"{lab} {variant}")
            cells = (rung["milliseconds"], rung["score"], beside["milliseconds"], beside["score"])
            texts = [f"{1000 * cells[0]:,.0f}", f"{cells[1]:.1f}", f"{1000 * cells[2]:,.0f}", f"{cells[3]:.1f}"]
            print(f"| {lab[:2]} | {variant} | {' | '.join(texts)} | {difference:+.1f} |")
    said = f"moved: {', '.join(moved)}" if moved else "none moved"
    print(f"\n{compared} variants; by more than {MOST_POINTS:g} points or across `pass_at` {said}.")
    return 1 if moved else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
