"""clang-tidy over our own sources, only those that changed since they were last found clean.

A source that was clean leaves a stamp; it is examined again when it, a header of ours that it includes (ninja knows
them) or .clang-tidy is newer. A fresh checkout has no stamps, so continuous integration examines everything.
"""

from __future__ import annotations

import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from check.command import CORES, LOGS, ROOT, run
from check.outcome import Outcome, Status
from check.sources import linted_sources

_NOT_FOR_CLANG = ("-fno-gnu-unique", "-Wno-restrict", "-Werror")  # its own warnings are not what is asked for here
_OBJECT = re.compile(r"^\S.*: #deps \d+,")


def examine_sources(program: str, tree: Path, full: bool) -> Outcome:
    """One outcome for all sources that the build tree compiles; its text holds every complaint once.

    Only a full check includes the tests, and the static analyzer, which takes more than half of the time."""
    sources = [path for path in linted_sources(tree) if full or "tests" not in path.parts]
    depth = "full" if full else "quick"
    checks = [] if full else ["--checks=-clang-analyzer-*"]
    if not sources:
        return Outcome("clang-tidy", Status.FAILED, f"no source of ours in {tree}/compile_commands.json")
    listing = subprocess.run(["ninja", "-C", tree, "-t", "deps"], check=False, capture_output=True, text=True).stdout
    headers = read_dependencies(listing, ROOT)
    (LOGS / "tidy").mkdir(parents=True, exist_ok=True)
    rules = ROOT / ".clang-tidy"
    commands = commands_for_clang(tree)

    def examine(source: Path) -> str:
        name = "tidy/" + "-".join(source.relative_to(ROOT).parts)
        stamp = LOGS / f"{name}.{depth}.clean"
        if is_clean(stamp, {source, rules} | headers.get(source, set())):
            return ""
        stamp.unlink(missing_ok=True)
        begin = time.time_ns()  # an edit made while clang-tidy runs is newer than the stamp
        finished = run(name, [program, "--quiet", *checks, "-p", commands, source], limit_seconds=300)
        if not finished.ended_well:
            return finished.output
        stamp.touch()
        os.utime(stamp, ns=(begin, begin))
        return ""

    with ThreadPoolExecutor(CORES) as pool:
        complaints = "\n".join(text for text in pool.map(examine, sources) if text)
    return Outcome("clang-tidy", Status.FAILED if complaints else Status.PASSED, complaints)


def commands_for_clang(tree: Path) -> Path:
    """A folder with the tree's compile commands, less the options that are g++'s alone."""
    folder = LOGS / "tidy"
    text = (tree / "compile_commands.json").read_text(encoding="utf-8")
    for option in _NOT_FOR_CLANG:
        text = text.replace(f" {option}", "")
    (folder / "compile_commands.json").write_text(text, encoding="utf-8")
    return folder


def is_clean(stamp: Path, inputs: set[Path]) -> bool:
    """True if the stamp is there and newer than every input. An input that is gone makes it stale."""
    try:
        since = stamp.stat().st_mtime_ns
        return all(path.stat().st_mtime_ns < since for path in inputs)
    except OSError:
        return False


def read_dependencies(listing: str, root: Path) -> dict[Path, set[Path]]:
    """`ninja -t deps`: for every source, the files below `root` that any of its objects was made from."""
    found: dict[Path, set[Path]] = {}
    current: set[Path] | None = None
    for line in listing.splitlines():
        if _OBJECT.match(line):
            current = None
        elif line.startswith("    "):
            path = Path(line.strip())
            if current is None:  # the first file of an object is its source
                current = found.setdefault(path, set())
            if path.is_relative_to(root):
                current.add(path)
    return found
