"""A lab's stub is its model solution without the marked regions.

    python3 solutions/stubs.py           checks every labs/NN-name/kernel.cu; exit code 1 when one differs
    python3 solutions/stubs.py --write   writes the stubs anew

In solutions/NN-name/kernel.cu a region stands between two lines `//@@ begin solution` and `//@@ end solution`; in the
stub one line `//@@ your code here`, indented alike, stands in its place. All other lines are the same in both.
"""

import sys
from pathlib import Path

BEGIN, END, BLANK = "//@@ begin solution", "//@@ end solution", "//@@ your code here"
ROOT = Path(__file__).resolve().parent.parent


class MarkerError(Exception):
    """A model solution whose regions are not well formed."""


def regions_of(solution: str) -> list[tuple[int, int]]:
    """The lines of the markers of each region, begin and end; raises `MarkerError` naming the line when they do not
    pair, or nothing is marked."""
    regions: list[tuple[int, int]] = []
    opened = 0
    for number, line in enumerate(solution.splitlines(), start=1):
        word = line.strip()
        if word == BEGIN:
            if opened:
                raise MarkerError(f"line {number}: the region begun in line {opened} is still open")
            opened = number
        elif word == END:
            if not opened:
                raise MarkerError(f"line {number}: no region is open")
            regions.append((opened, number))
            opened = 0
    if opened:
        raise MarkerError(f"line {opened}: this region is never closed")
    if not regions:
        raise MarkerError(f"there is no line {BEGIN}: the stub would be the solution")
    return regions


def stub_of(solution: str) -> str:
    """The stub's text; raises `MarkerError` as `regions_of` does."""
    lines: list[str | None] = list(solution.splitlines())
    for begin, end in regions_of(solution):
        lines[begin - 1 : end] = [str(lines[begin - 1]).replace(BEGIN, BLANK), *[None] * (end - begin)]
    return "\n".join(line for line in lines if line is not None) + "\n"


def main(words: list[str]) -> int:
    """Checks or writes the stub of every lab that has a model solution; prints one sentence for each that differs."""
    if words not in ([], ["--write"]):
        print(__doc__, file=sys.stderr)
        return 2
    wrong = 0
    for solution in sorted(ROOT.glob("solutions/[0-9][0-9]-*/kernel.cu")):
        stub = ROOT / "labs" / solution.parent.name / "kernel.cu"
        try:
            text = stub_of(solution.read_text(encoding="utf-8"))
        except MarkerError as error:
            print(f"{solution.relative_to(ROOT)}: {error}")
            wrong += 1
            continue
        if words:
            stub.write_text(text, encoding="utf-8")
        elif not stub.is_file() or stub.read_text(encoding="utf-8") != text:
            print(f"{stub.relative_to(ROOT)} is not {solution.relative_to(ROOT)} without its regions: run with --write")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
