"""clang-tidy over our own sources in batches, only those that changed since they were last found clean.

A batch that was clean leaves a stamp; it is examined again when one of its sources, a header of ours that they include
(ninja knows them) or .clang-tidy is newer. A fresh checkout has no stamps, so CI examines everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from check.command import CORES, LOGS, ROOT, run
from check.outcome import Outcome, Status
from check.sources import linted_sources

_NOT_FOR_CLANG = ("-fno-gnu-unique", "-Wno-restrict", "-Werror", "-fpch-preprocess", "-Winvalid-pch")
"""What clang does not know, and its own warnings, which are not what is asked for here."""
_PRECOMPILED = re.compile(r" -include \S+/cmake_pch\.hxx")  # g++'s: clang reads the headers themselves
_BATCH = 8  # sources; two processors are then busy to the end
_TARGET = re.compile(r" -o (\S+)\.dir/")
_OBJECT = re.compile(r"^\S.*: #deps \d+,")


def examine_sources(program: str, tree: Path, full: bool) -> Outcome:
    """One outcome for all sources that the build tree compiles; its text holds every complaint once.

    Only a full check includes the tests, and the static analyzer, which takes more than half of the time."""
    sources = [path for path in linted_sources(tree) if full or "tests" not in path.parts]
    if not sources:
        return Outcome("clang-tidy", Status.FAILED, f"no source of ours in {tree}/compile_commands.json")
    depth = "full" if full else "quick"
    checks = "--checks=-bugprone-suspicious-include" + ("" if full else ",-clang-analyzer-*")
    listing = subprocess.run(["ninja", "-C", tree, "-t", "deps"], check=False, capture_output=True, text=True).stdout
    headers = read_dependencies(listing, ROOT)
    rules = ROOT / ".clang-tidy"
    folder = LOGS / "tidy"
    entries = json.loads((tree / "compile_commands.json").read_text(encoding="utf-8"))
    batches = batches_of(entries, sources)
    write_batches(batches, folder)

    def complaints_of(source: Path) -> str:
        name = f"tidy/{source.stem}-{depth}"
        finished = run(name, [program, "--quiet", checks, "-p", folder, source], limit_seconds=600)
        return "" if finished.ended_well else finished.output

    def examine(batch: Batch) -> str:
        stamp = folder / f"{batch.name}-{depth}.clean"
        if is_clean(stamp, {rules, *batch.sources}.union(*(headers.get(source, set()) for source in batch.sources))):
            return ""
        stamp.unlink(missing_ok=True)
        begin = time.time_ns()  # an edit made while clang-tidy runs is newer than the stamp
        complaints = complaints_of(batch.path(folder))
        if "clang-diagnostic-error" in complaints:  # names that meet in a batch alone
            complaints = "\n".join(text for source in batch.sources if (text := complaints_of(source)))
        if not complaints:
            stamp.touch()
            os.utime(stamp, ns=(begin, begin))
        return complaints

    with ThreadPoolExecutor(CORES) as pool:
        complaints = "\n".join(text for text in pool.map(examine, batches) if text)
    return Outcome("clang-tidy", Status.FAILED if complaints else Status.PASSED, complaints)


@dataclass(frozen=True)
class Batch:
    """Sources of one target, examined as one: the libraries' headers, most of the work, are then read once."""

    sources: tuple[Path, ...]
    command: str
    """How the first of them is compiled, without what only g++ knows."""
    directory: Path

    @property
    def name(self) -> str:
        paths = "\n".join(map(str, self.sources))
        return f"{self.sources[0].stem}-{hashlib.sha256((paths + self.command).encode()).hexdigest()[:12]}"

    def path(self, folder: Path) -> Path:
        return folder / f"{self.name}.cpp"


def batches_of(entries: list[dict[str, str]], sources: list[Path]) -> list[Batch]:
    """The sources, each once, in batches of the targets that the entries of a compile_commands.json belong to."""
    wanted = {path.resolve() for path in sources}
    targets: dict[str, list[tuple[Path, dict[str, str]]]] = {}
    for entry in entries:
        source = (Path(entry["directory"]) / entry["file"]).resolve()
        if source in wanted:
            wanted.remove(source)
            target = _TARGET.search(entry["command"])
            targets.setdefault(target[1] if target else source.name, []).append((source, entry))
    batches = []
    for members in targets.values():
        for begin in range(0, len(members), _BATCH):
            part = members[begin : begin + _BATCH]
            command = part[0][1]["command"]
            command = _PRECOMPILED.sub("", command)
            for option in _NOT_FOR_CLANG:
                command = command.replace(f" {option}", "")
            batches.append(Batch(tuple(source for source, _ in part), command, Path(part[0][1]["directory"])))
    return sorted(batches, key=lambda batch: len(batch.sources), reverse=True)  # the long ones first


def write_batches(batches: list[Batch], folder: Path) -> None:
    """A source that includes each batch's, and compile commands for these and for each source alone."""
    folder.mkdir(parents=True, exist_ok=True)
    commands = []
    for batch in batches:
        lines = "".join(f'#include "{source}"\n' for source in batch.sources)
        batch.path(folder).write_text(lines, encoding="utf-8")
        for file in (batch.path(folder), *batch.sources):
            command = batch.command.replace(str(batch.sources[0]), str(file))
            commands.append({"directory": str(batch.directory), "file": str(file), "command": command})
    (folder / "compile_commands.json").write_text(json.dumps(commands, indent=0), encoding="utf-8")


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
