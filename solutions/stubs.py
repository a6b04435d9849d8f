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


def stub_of(solution: str) -> str:
    """The stub's text; raises `MarkerError` naming the line when begin and end do not pair, or nothing is marked."""
    lines: list[str] = []
    opened = 0
    regions = 0
    for number, line in enumerate(solution.splitlines(), start=1):
        word = line.strip()
        if word == BEGIN:
            if opened:
                raise MarkerError(f"line {number}: the region begun in line {opened} is still open")
            opened = number
            regions += 1
            lines.append(line.replace(BEGIN, BLANK))
        elif word == END:
            if not opened:
                raise MarkerError(f"line {number}: no region is open")
            opened = 0
        elif not opened:
            lines.append(line)
    if opened:
        raise MarkerError(f"line {opened}: this region is never closed")
    if not regions:
        raise MarkerError(f"there is no line {BEGIN}: the stub would be the solution")
    return "\n".join(lines) + "\n"


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
