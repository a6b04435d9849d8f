"""The ladders and repeated gradings of one GPU as Markdown, from the device files of `simtlab calibrate`.

    simtlab calibrate --only-times --output solutions/devices/h200-first.json --repeat 20
    simtlab calibrate --only-times --output solutions/devices/h200-second.json --repeat 20 --repeat-of FIRST.json
    python3 solutions/ladders_gpu.py solutions/devices/h200-*.json >solutions/ladders-h200.md

A lab's ladder is the longest that a file has, of those the last one given. Gradings of one variant in several files,
one allocation of the GPU each, stand in one row.
"""

import json
import re
import sys
import tomllib
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


def reading(name: str, step: Document) -> str:
    """A reading with its interval, where that was kept."""
    bounds = step["reading_intervals"].get(name)
    return f"{step['readings'][name]:.3f}" + (f" ({bounds[0]:.3f} to {bounds[1]:.3f})" if bounds else "")


def ladder_table(ladder: Document) -> list[str]:
    """A lab's variants, fastest first."""
    scores = emulator_scores(ladder["lab"])
    names = sorted({name for step in ladder["steps"] for name in step["readings"]})
    lines = [
        f"\n## {ladder['lab']}\n",
        "No time criterion.\n" if not names else f"Reading: {', '.join(names)}.\n",
        "| variant | emulator | GPU | µs | reading (95 %) | slower than the one above |",
        "|---|---|---|---|---|---|",
    ]
    above: Document | None = None
    for step in ladder["steps"]:
        readings = ", ".join(reading(name, step) for name in step["readings"])
        margin = ""
        if above:
            slower = step["milliseconds"] / above["milliseconds"] - 1
            apart = slower > NOISE and step["interval"][0] > above["interval"][1]
            margin = f"{100 * slower:.1f} %" + ("" if apart else " (noise)")
        lines.append(
            f"| {step['variant']} | {scores.get(step['variant'], '')} | {step['score']:.1f} "
            f"| {1000 * step['milliseconds']:,.0f} | {readings} | {margin} |"
        )
        above = step
    return lines


def points_for_fast(lab: str) -> float:
    """How many of a lab's 100 points are for `fast`."""
    document = tomllib.loads((SOLUTIONS.parent / "labs" / lab / "lab.toml").read_text(encoding="utf-8"))
    return float(document["points"]["fast"])


def repeats_table(files: list[Document]) -> list[str]:
    """One row for each variant that was graded repeatedly."""
    gradings: dict[tuple[str, str], list[list[Document]]] = {}
    for file in files:
        for one in file["repeats"]:
            gradings.setdefault((one["lab"], one["variant"]), []).append(one["gradings"])
    lines = [
        "\n## Repeated gradings\n",
        "`spread`: points of 100 for `fast`, and of the lab's 100 points.\n",
        "| lab | variant | gradings by allocation | verdicts | reading (widest 95 %) | scores | spread | of the lab |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (lab, variant), allocations in sorted(gradings.items()):
        every = [one for gradings_there in allocations for one in gradings_there]
        scores = [one["score"] for one in every]
        values = [value for one in every for value in one["readings"].values()]
        width = max((high - low for one in every for low, high in one["intervals"].values()), default=0.0)
        spread = max(scores) - min(scores)
        lines.append(
            f"| {lab[:2]} | {variant} | {' + '.join(str(len(one)) for one in allocations)} "
            f"| {', '.join(sorted({one['verdict'] for one in every}))} "
            f"| {min(values):.4f} to {max(values):.4f} ({width:.4f}) "
            f"| {min(scores):.2f} to {max(scores):.2f} | {spread:.2f} "
            f"| {spread * points_for_fast(lab) / 100:.2f} |"
        )
    return lines


def phases_table(files: list[Document]) -> list[str]:
    """What a grading of a lab's solution took, alone on the machine, in each file."""
    phases = ("cases", "inputs", "submission", "check", "baselines after", "all")
    lines = [
        "\n## A grading's time\n",
        "Milliseconds of the judge for the solution, one grading at a time, the second of a session; `check` and "
        "`baselines after` go on at the same time.\n",
        f"| lab | {' | '.join(phases)} |",
        "|---" * (len(phases) + 1) + "|",
    ]
    for lab in sorted({ladder["lab"] for file in files for ladder in file["ladders"]}):
        seen = [
            step["phases"]
            for file in files
            for ladder in file["ladders"]
            for step in ladder["steps"]
            if ladder["lab"] == lab and step.get("phases")
        ]
        if seen:
            cells = [", ".join(f"{one.get(phase, 0):,.0f}" for one in seen) for phase in phases]
            lines.append(f"| {lab[:2]} | {' | '.join(cells)} |")
    return lines


def limits_table(files: list[Document]) -> list[str]:
    """What each file read of a lab's `variants/limit.cu`."""
    lines = [
        "\n## Near the limit\n",
        "Of each lab's `variants/limit.cu`, one allocation after the other: the judge's reading by the lab's "
        "criterion, and its median time.\n",
        "| lab | reading | seen | µs |",
        "|---|---|---|---|",
    ]
    found: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for file in files:
        for ladder in file["ladders"]:
            for step in ladder["steps"]:
                for name, value in step["readings"].items() if step["variant"] == "limit" else ():
                    found.setdefault((ladder["lab"], name), []).append((value, step["milliseconds"]))
    for (lab, name), seen in sorted(found.items()):
        values = ", ".join(f"{value:.3f}" for value, _ in seen)
        times = ", ".join(f"{1000 * milliseconds:.1f}" for _, milliseconds in seen)
        lines.append(f"| {lab[:2]} | {name} | {values} | {times} |")
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
    ladders = [ladder for file in files for ladder in file["ladders"] if ladder["steps"]]
    for ladder in sorted(reversed(ladders), key=lambda one: (one["lab"], -len(one["steps"]))):
        if ladder["lab"] not in seen:
            print("\n".join(ladder_table(ladder)))
            seen.add(ladder["lab"])
    print("\n".join(repeats_table(files)))
    print("\n".join(limits_table(files)))
    print("\n".join(phases_table(files)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
