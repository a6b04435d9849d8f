"""The ladders and repeated gradings of one GPU as Markdown, from the device files of `simtlab calibrate`.

    simtlab calibrate --output solutions/devices/h200-first.json --repeat 20
    simtlab calibrate --output solutions/devices/h200-second.json --repeat 20 --repeat-of solutions/devices/h200-first.json
    python3 solutions/ladders_gpu.py solutions/devices/h200-*.json >solutions/ladders-h200.md

Ladders come from the first file that has the lab; gradings of one variant in several files, one allocation of the GPU
each, stand in one row.
"""

import json
import re
import statistics
import sys
from pathlib import Path
from typing import Any

SOLUTIONS = Path(__file__).resolve().parent
NOISE = 0.01  # grading/simtlab/calibrate/ladder.py says why
ROW = re.compile(r"\| ([a-z0-9-]+) \| ([\d.]+) \|")

Document = dict[str, Any]


def emulator_scores(lab: str) -> dict[str, str]:
    """What ladders.md says of the lab's variants."""
    text = (SOLUTIONS / "ladders.md").read_text(encoding="utf-8")
    section = next((part for part in text.split("\n## ")[1:] if part.startswith(lab)), "")
    return dict(ROW.findall(section))


def ladder_table(ladder: Document) -> list[str]:
    """A lab's variants, fastest first."""
    scores = emulator_scores(ladder["lab"])
    names = sorted({name for rung in ladder["rungs"] for name in rung["readings"]})
    lines = [
        f"\n## {ladder['lab']}\n",
        "No time criterion.\n" if not names else f"Reading: {', '.join(names)}.\n",
        "| variant | emulator | GPU | µs | reading (95 %) | slower than the one above |",
        "|---|---|---|---|---|---|",
    ]
    above: Document | None = None
    for rung in ladder["rungs"]:
        readings = ", ".join(
            f"{value:.3f}" + "".join(f" ({low:.3f} to {high:.3f})" for low, high in [rung["reading_intervals"][name]])
            for name, value in rung["readings"].items()
        )
        margin = ""
        if above:
            slower = rung["milliseconds"] / above["milliseconds"] - 1
            apart = slower > NOISE and rung["interval"][0] > above["interval"][1]
            margin = f"{100 * slower:.1f} %" + ("" if apart else " (noise)")
        lines.append(
            f"| {rung['variant']} | {scores.get(rung['variant'], '')} | {rung['score']:.1f} "
            f"| {1000 * rung['milliseconds']:,.0f} | {readings} | {margin} |"
        )
        above = rung
    return lines


def repeats_table(files: list[Document]) -> list[str]:
    """One row for each variant that was graded repeatedly."""
    gradings: dict[tuple[str, str], list[list[Document]]] = {}
    for file in files:
        for one in file["repeats"]:
            gradings.setdefault((one["lab"], one["variant"]), []).append(one["gradings"])
    lines = [
        "\n## Repeated gradings\n",
        "| lab | variant | gradings by allocation | verdicts | reading, lowest to highest (widest 95 %) | scores | spread |",
        "|---|---|---|---|---|---|---|",
    ]
    for (lab, variant), allocations in sorted(gradings.items()):
        every = [one for gradings_there in allocations for one in gradings_there]
        scores = [one["score"] for one in every]
        values = [value for one in every for value in one["readings"].values()]
        width = max((high - low for one in every for low, high in one["intervals"].values()), default=0.0)
        lines.append(
            f"| {lab[:2]} | {variant} | {' + '.join(str(len(one)) for one in allocations)} "
            f"| {', '.join(sorted({one['verdict'] for one in every}))} "
            f"| {min(values):.4f} to {max(values):.4f} ({width:.4f}) "
            f"| {min(scores):.2f} to {max(scores):.2f} | {max(scores) - min(scores):.2f} |"
        )
    return lines


def phases_table(files: list[Document]) -> list[str]:
    """Where the time of those gradings went."""
    names = sorted({name for file in files for one in file["repeats"] for g in one["gradings"] for name in g["phases"]})
    lines = [
        "\n## Where a grading's time goes\n",
        "Medians in milliseconds over the repeated gradings; waiting for the GPU is part of the others. `check` and "
        "`baselines after` go on at the same time.\n",
        f"| lab | {' | '.join(names)} |",
        f"|---|{'---|' * len(names)}",
    ]
    by_lab: dict[str, list[Document]] = {}
    for file in files:
        for one in file["repeats"]:
            by_lab.setdefault(one["lab"], []).extend(one["gradings"])
    for lab, every in sorted(by_lab.items()):
        cells = (f"{statistics.median(one['phases'].get(name, 0) for one in every):.0f}" for name in names)
        lines.append(f"| {lab[:2]} | {' | '.join(cells)} |")
    return lines


def main(paths: list[str]) -> int:
    """Prints the document."""
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    files = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    ceilings = files[0]["ceilings"]
    print(f"# Ladders on an {ceilings['gpu'].removeprefix('NVIDIA ')}\n")
    print(
        "What the correct variants score by counters (emulator) and by time, fastest first. Made by "
        "`solutions/ladders_gpu.py`\nfrom the files in `solutions/devices`; `(noise)`: time does not tell the variant "
        "from the one above it.\n"
    )
    for file in files:
        c = file["ceilings"]
        print(
            f"- {c['gpu']}, CUDA {c['driver']}: copies {c['copy_gigabytes_per_second']:,.0f} GB/s, reads "
            f"{c['read_gigabytes_per_second']:,.0f} GB/s, {c['giga_multiply_adds_per_second']:,.0f} thousand million "
            "multiply-adds a second"
        )
    seen: set[str] = set()
    for file in files:
        for ladder in file["ladders"]:
            if ladder["lab"] not in seen and ladder["rungs"]:
                print("\n".join(ladder_table(ladder)))
                seen.add(ladder["lab"])
    print("\n".join(repeats_table(files)))
    print("\n".join(phases_table(files)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
