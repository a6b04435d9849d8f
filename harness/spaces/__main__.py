"""Records what nvcc says of every program: `PYTHONPATH=harness python3 -m spaces [NVCC]`. Needs no GPU.

`PYTHONPATH=harness python3 -m spaces agreement SIMTCC` measures how far simtcc agrees, alone and with its front end.
"""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

from spaces.agreement import Agreement, agreement, answers_of, with_front_end
from spaces.compilers import verdicts
from spaces.programs import ANSWERS, programs

NVCC_OPTIONS = ["-std=c++17", "-arch=sm_90", "-Xcudafe", "--error_limit=100000", "-c"]


def _told(who: str, found: Agreement) -> str:
    lines = [f"{who}: {found.fraction:.2%} of {found.total} programs as nvcc"]
    lines += [f"  refused, legal: {key}" for key in found.wrongly_refused]
    return "\n".join(lines + [f"  accepted, illegal: {key}" for key in found.wrongly_accepted])


def _measure(simtcc: Path) -> None:
    alone = answers_of(simtcc)
    print(_told("simtcc alone", agreement(alone)))
    print(_told("with the front end", agreement(with_front_end(simtcc, alone))))


def main() -> None:
    if sys.argv[1:2] == ["agreement"]:
        _measure(Path(sys.argv[2]).resolve())
        return
    nvcc = sys.argv[1] if len(sys.argv) > 1 else "nvcc"
    said = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    answers = verdicts([nvcc, *NVCC_OPTIONS], programs())
    # A message may name a line of another program: what nvcc takes otherwise than it is meant, it is asked about alone.
    for program in programs():
        if program.name.endswith((", legal", ", as refused")) and answers[program.key] != program.name.endswith(
            "legal"
        ):
            answers |= verdicts([nvcc, *NVCC_OPTIONS], [program])
    with ANSWERS.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["program", "nvcc"])
        table.writerows([key, "legal" if legal else "refused"] for key, legal in sorted(answers.items()))
    print(f"{said.splitlines()[-2]}: {sum(answers.values())} legal, {len(answers) - sum(answers.values())} refused")


main()
