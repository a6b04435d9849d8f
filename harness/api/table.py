"""Which functions of the CUDA Toolkit the emulator has, and which headers of its libraries: the pages
docs/internals/api.md and api-libraries.md, and the table behind them.

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

from api.toolkit import LIBRARY_HEADERS, is_header, names_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/internals/api.md"
LIBRARY_PAGE = ROOT / "docs/internals/api-libraries.md"
DATA = ROOT / "harness/api/api.csv"
PARTLY = tomllib.loads((Path(__file__).parent / "partly.toml").read_text())
ASKED_HEADERS = ["cuda_runtime.h", "cuda_profiler_api.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h"]
CLASSES = ["supported", "partly", "refused", "absent"]


@dataclass(frozen=True)
class Row:
    """One function: `why` is empty where it is supported, and where it is absent."""

    part: str
    name: str
    standing: str
    why: str


def declared(names: list[str]) -> set[str]:
    """Those that the emulator has: headers as files, others as functions or macros that its headers declare."""
    include = ROOT / "harness/emulator/include"
    headers = {n for n in names if is_header(n) and (include / n).exists()}
    names = [n for n in names if not is_header(n)]
    head = [f"#include <{h}>" for h in ASKED_HEADERS if (include / h).exists()] + ["namespace simtlab_asks {"]
    lines = head + [line for n in names for line in (f"#ifndef {n}", f"using ::{n};", "#endif")] + ["}"]
    words = ["g++", "-std=c++20", "-x", "c++", "-fsyntax-only", "-w", "-fmax-errors=0", "-I", str(include), "-"]
    asked = subprocess.run(words, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    errors = [line for line in asked.stderr.splitlines() if " error: " in line]
    missing = {m[1] for line in errors if (m := re.search(r"[‘'](\w+)[’'] has not been declared in", line))}
    if len(missing) != len(errors):
        raise SystemExit("g++ does not take the emulator's headers:\n" + asked.stderr[:2000])
    return headers | (set(names) - missing)


def refusals(names: list[str], simtcc: Path) -> dict[str, str]:
    """What simtcc says to use instead, by name; without those of which it knows nothing."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "all.cu"
        uses = (f"#include <{n}>\n" if is_header(n) else f"auto p{i} = {n};\n" for i, n in enumerate(names))
        file.write_text("".join(uses))
        said = subprocess.run([simtcc, "--check-support", folder], capture_output=True, text=True, check=False).stdout
    told = re.sub(r"\n {6,}", " ", said)  # sentences go on in lines of their own
    return {m[1]: m[2].strip() for m in re.finditer(r"line \d+: (?:#include <)?([\w/.]+?)>?\. (.*)", told)}


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


def page_of(all_rows: list[Row]) -> str:
    """docs/internals/api.md."""
    rows = [r for r in all_rows if r.part not in LIBRARY_HEADERS]
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
        "Headers of Thrust, CUB and tensor cores: [api-libraries.md](api-libraries.md).",
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
    absent = {part: [r.name for r in rows if r.part == part and r.standing == "absent"] for part in parts}
    out += ["", "## Absent"]
    for part, names in absent.items():
        if names:
            out += ["", f"{part}:", wrapped(names)]
    if not any(absent.values()):
        out += ["", "No function."]
    return "\n".join(out) + "\n"


def library_page_of(rows: list[Row]) -> str:
    """docs/internals/api-libraries.md."""
    out = [
        "# The headers of the toolkit's libraries on the emulator",
        "",
        "For whoever asks whether a program that includes Thrust, CUB or `mma.h` runs under `simtcc`. The toolkit's",
        "folders give the names (version 13.0). What algorithms do and cost:",
        "[emulator.md](../emulator.md#cudas-libraries-for-device-code). `api.table` makes this page with",
        "[api.md](api.md). A header that is refused comes with why and what to do.",
        "Names leave out `.h` and `.cuh`.",
    ]
    for part in LIBRARY_HEADERS:
        out += ["", f"## {part}"]
        for standing in ("supported", "partly", "refused"):
            for why in dict.fromkeys(r.why for r in rows if r.part == part and r.standing == standing):
                names = [r.name for r in rows if r.part == part and r.standing == standing and r.why == why]
                out += ["", *folded(f"{standing.capitalize()}: {why}" if why else "Supported")]
                for folder in dict.fromkeys(n.rpartition("/")[0] for n in names):
                    files = [Path(n).stem for n in names if n.rpartition("/")[0] == folder]
                    out += ["", *([f"{folder}/:"] if folder else []), wrapped(files)]
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
    LIBRARY_PAGE.write_text(library_page_of(rows))
    counts = {c: sum(r.standing == c for r in rows) for c in CLASSES}
    print(", ".join(f"{n} {c}" for c, n in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
