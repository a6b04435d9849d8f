"""The ladders of the labs as tables: what every correct variant scores on the emulator, lowest first.

    simtlab verify 02 --json >verify.json
    .venv/bin/python solutions/ladders.py verify.json [MORE.json …] >solutions/ladders.md

A row's points are those of the whole lab, by the `[points]` of its lab.toml and with every prediction right; its text is
the variant's comment.
"""

import json
import sys
import tomllib
from pathlib import Path

from simtlab.labs.variants import variant_of

ROOT = Path(__file__).resolve().parent.parent
HEAD = """# Ladders

Scores of the correct variants as `simtlab verify` measured them on the emulator, and what such a submission earns with every
prediction right. Made by `solutions/ladders.py`; the declared bands stand in the variants, and what counters cannot tell
apart in [README.md](README.md#variants).
"""


def about(lab: str, specimen: str) -> str:
    """What the variant's comment says of it."""
    if not specimen.startswith("variants/"):
        return "The model solution."
    return variant_of(ROOT / "solutions" / lab, Path(specimen).stem).about


def table_of(lab: str, checks: list[dict[str, str]]) -> str:
    """The lab's correct specimens, lowest score first."""
    points = tomllib.loads((ROOT / "labs" / lab / "lab.toml").read_text(encoding="utf-8"))["points"]
    rows = []
    for check in checks:
        if check["correct"] == check["safe"] == "pass" and not check["specimen"].startswith("mutants/"):
            score = float(check["fast"])
            total = points["correct"] + points["safe"] + points.get("predict", 0) + points["fast"] * score / 100
            name = Path(check["specimen"]).stem
            rows.append((score, f"| {name} | {score:.1f} | {total:.1f} | {about(lab, check['specimen'])} |"))
    lines = [f"\n## {lab}\n", "| variant | `fast` | of 100 points | what it is |", "|---|---|---|---|"]
    return "\n".join(lines + [row for _, row in sorted(rows)])


def main(files: list[str]) -> int:
    """Prints one table for each lab in the documents that `simtlab verify --json` wrote."""
    if not files:
        print(__doc__, file=sys.stderr)
        return 2
    checks = [check for file in files for check in json.loads(Path(file).read_text(encoding="utf-8"))["checks"]]
    print(HEAD.rstrip("\n"))
    for lab in sorted({check["lab"] for check in checks}):
        print(table_of(lab, [check for check in checks if check["lab"] == lab]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
