"""Which functions of the CUDA Toolkit the emulator has: the page docs/internals/api.md and the table behind it.

    PYTHONPATH=harness python3 -m api.table /usr/local/cuda/include

The toolkit's headers say which functions there are (api.toolkit), the emulator's own which of them it has: g++ is
asked. Why one is not there, `simtcc --check-support` says.
"""

import csv
import io
import re
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from api.toolkit import names_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/internals/api.md"
DATA = ROOT / "harness/api/api.csv"
PARTLY = tomllib.loads((Path(__file__).parent / "partly.toml").read_text())
ASKED_HEADERS = ["cuda_runtime.h", "cuda_profiler_api.h", "cuda_fp16.h", "cuda_bf16.h"]
CLASSES = ["supported", "partly", "refused", "absent"]


@dataclass(frozen=True)
class Row:
    """One function: `why` is empty where it is supported, and where it is absent."""

    part: str
    name: str
    standing: str
    why: str


def declared(names: list[str]) -> set[str]:
    """Those that the emulator's headers declare, as functions or macros."""
    include = ROOT / "harness/emulator/include"
    head = [f"#include <{h}>" for h in ASKED_HEADERS if (include / h).exists()] + ["namespace simtlab_asks {"]
    lines = head + [line for n in names for line in (f"#ifndef {n}", f"using ::{n};", "#endif")] + ["}"]
    words = ["g++", "-std=c++20", "-x", "c++", "-fsyntax-only", "-w", "-fmax-errors=0", "-I", str(include), "-"]
    asked = subprocess.run(words, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    errors = [line for line in asked.stderr.splitlines() if " error: " in line]
    missing = {m[1] for line in errors if (m := re.search(r"[‘'](\w+)[’'] has not been declared in", line))}
    if len(missing) != len(errors):
        raise SystemExit("g++ does not take the emulator's headers:\n" + asked.stderr[:2000])
    return set(names) - missing


def refusals(names: list[str], simtcc: Path) -> dict[str, str]:
    """What simtcc says to use instead, by name; without those of which it knows nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.cu"
        file.write_text("".join(f"auto p{i} = {n};\n" for i, n in enumerate(names)))
        said = subprocess.run([simtcc, "--check-support", folder], capture_output=True, text=True, check=False).stdout
    told = re.sub(r"\n {6,}", " ", said)  # sentences go on in lines of their own
    return {m[1]: m[2].strip() for m in re.finditer(r"line \d+: (\w+)\. (.*)", told)}


def rows_of(include: Path, simtcc: Path) -> list[Row]:
    """The whole table, in the order of the page."""
    rows = []
    for part, names in names_of(include).items():
        ordered = sorted(names)
        known = declared(ordered)
        why_not = refusals([n for n in ordered if n not in known], simtcc)
        for name in ordered:
            partly = next((why for pattern, why in PARTLY.items() if fnmatch(name, pattern)), "")
            if name in known:
                rows.append(Row(part, name, "partly" if partly else "supported", partly))
            else:
                rows.append(Row(part, name, "refused" if name in why_not else "absent", why_not.get(name, "")))
    return rows


def csv_of(rows: list[Row]) -> str:
    """The data that the page is made of."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["part", "name", "standing", "why"])
    writer.writerows([r.part, r.name, r.standing, r.why] for r in rows)
    return text.getvalue()


def wrapped(names: list[str], width: int = 120) -> str:
    """Names in code, between commas, in lines that fit."""
    lines, line = [], ""
    for name in names:
        word = f"`{name}`" + ("," if name != names[-1] else "")
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def page_of(rows: list[Row]) -> str:
    """docs/internals/api.md."""
    out = [
        "# The toolkit's functions on the emulator",
        "",
        "For whoever asks whether `simtcc` has a function of the CUDA Toolkit. The toolkit's headers give the names",
        "(version 13.0), so that none is missed; [api.csv](../../harness/api/api.csv) has each name with its standing:",
        "",
        "- **supported**: declared, and it does what the toolkit's does;",
        "- **partly**: declared, with the limit that its row states;",
        "- **refused**: a program that uses it does not compile, and is told why and what to use instead;",
        "- **absent**: a program that uses it does not compile.",
        "",
        "`PYTHONPATH=harness python3 -m api.table /usr/local/cuda/include` makes page and table anew.",
        "",
        "| part | " + " | ".join(CLASSES) + " |",
        "|---|" + "---|" * len(CLASSES),
    ]
    parts = list(dict.fromkeys(r.part for r in rows))
    for part in parts:
        counts = [sum(r.part == part and r.standing == c for r in rows) for c in CLASSES]
        out.append(f"| {part} | " + " | ".join(str(c) for c in counts) + " |")
    for standing, title in (("partly", "Partly"), ("refused", "Refused")):
        out += ["", f"## {title}"]
        for why in dict.fromkeys(r.why for r in rows if r.standing == standing):
            names = [r.name for r in rows if r.standing == standing and r.why == why]
            out += ["", *folded(why), "", wrapped(names)]
    out += ["", "## Absent"]
    for part in parts:
        names = [r.name for r in rows if r.part == part and r.standing == "absent"]
        if names:
            out += ["", f"{part}:", wrapped(names)]
    return "\n".join(out) + "\n"


def folded(sentence: str, width: int = 120) -> list[str]:
    """The sentence in lines that fit."""
    lines, line = [], ""
    for word in sentence.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line + ("" if line.endswith(".") else ".")]


def main(arguments: list[str]) -> int:
    """Writes page and table."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    rows = rows_of(Path(arguments[0]), ROOT / "build/default/bin/simtcc")
    DATA.write_text(csv_of(rows))
    PAGE.write_text(page_of(rows))
    counts = {c: sum(r.standing == c for r in rows) for c in CLASSES}
    print(", ".join(f"{n} {c}" for c, n in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
