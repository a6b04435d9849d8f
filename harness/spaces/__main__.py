"""Records what nvcc says of every program: `PYTHONPATH=harness python3 -m spaces [NVCC]`. Needs no GPU."""

from __future__ import annotations

import csv
import subprocess
import sys

from spaces.compilers import verdicts
from spaces.programs import ANSWERS, programs

NVCC_OPTIONS = ["-std=c++17", "-arch=sm_90", "-Xcudafe", "--error_limit=100000", "-c"]


def main() -> None:
    nvcc = sys.argv[1] if len(sys.argv) > 1 else "nvcc"
    said = subprocess.run([nvcc, "--version"], capture_output=True, text=True, check=True).stdout
    answers = verdicts([nvcc, *NVCC_OPTIONS], programs())
    with ANSWERS.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["program", "nvcc"])
        table.writerows([key, "legal" if legal else "refused"] for key, legal in sorted(answers.items()))
    print(f"{said.splitlines()[-2]}: {sum(answers.values())} legal, {len(answers) - sum(answers.values())} refused")


main()
