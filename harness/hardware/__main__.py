"""The command: `python -m hardware`. Runs the programs on the emulator and prints, as Markdown, how many launches have
the GPU's ratios, and every ratio that differs. docs/internals/hardware.md shows its output with the reasons.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from hardware.comparison import Comparison, compare
from hardware.emulation import emulate
from hardware.figures import PROGRAMS, read_measured

TITLES = {"patterns": "patterns", "textbook": "textbook kernels", "control_flow": "control flow", "loops": "loops"}


def compare_all() -> dict[tuple[str, str], Comparison]:
    """Every program against every build that was measured."""
    measured = read_measured()
    with tempfile.TemporaryDirectory() as folder:
        emulated = {program: emulate(program, Path(folder)) for program in PROGRAMS}
    return {key: compare(emulated[key[0]], launches) for key, launches in measured.items() if key[0] in emulated}


def summary(compared: dict[tuple[str, str], Comparison]) -> str:
    """Shares by class and build."""
    lines = [
        "| class | launches | same ratios, `-Xcicc -O1 -Xptxas -O1` | same ratios, default flags |",
        "|---|---|---|---|",
    ]
    for program in PROGRAMS:
        plain, default = compared[program, "O1"], compared[program, "default"]
        shares = (f"{one.launches - len(one.exceptions)} ({one.share:.1%})" for one in (plain, default))
        lines.append(f"| {TITLES[program]} | {plain.launches} | {' | '.join(shares)} |")
    return "\n".join(lines)


def exceptions(compared: dict[tuple[str, str], Comparison], build: str) -> str:
    """Every ratio that differs in one build."""
    lines = ["| launch | ratio | emulator | GPU |", "|---|---|---|---|"]
    for program in PROGRAMS:
        for one in compared[program, build].differences:
            figures = ("–" if value is None else f"{value:.3f}" for value in (one.emulator, one.gpu))
            lines.append(f"| {one.launch} | {one.ratio} | {' | '.join(figures)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    results = compare_all()
    print(summary(results))
    for flags, build in (("-Xcicc -O1 -Xptxas -O1", "O1"), ("default flags", "default")):
        print(f"\nDifferences, {flags}:\n\n{exceptions(results, build)}")
