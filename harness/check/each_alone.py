"""Sources that a user's tree compiles in batches, read alone: a source that leans on what the one before it
includes builds there, and not in a developer's tree (`make setup`, `make wheel`, `make deb`).

A check reads those that the last commits touched, at most so many, and a share of the others, which the commit draws;
of tests, which no user builds, that share alone. A full check builds a developer's tree and needs none of it.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from check.command import CORES, ROOT
from check.outcome import Outcome, Status

COMMITS = 25
"""So many of the last ones: a landing's, as a rule."""
MOST_TOUCHED = 8
"""A source takes a second; after a day of many small changes a hundred are touched."""
ONE_IN = 64
_INCLUDED = re.compile(r'^#include "(.+)"$', re.MULTILINE)
_MOST_LINES = 6  # of a compiler's complaint


@dataclass(frozen=True)
class Alone:
    """A source of a batch, with the compiler's words that read it and write nothing."""

    source: Path
    words: tuple[str, ...]


def read_batches(commands: Path) -> list[Alone]:
    """The sources of every batch in a compile_commands.json, each once."""
    found: dict[Path, Alone] = {}
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        batch = Path(entry["file"])
        if batch.parent.name != "Unity":
            continue
        words = shlex.split(entry["command"])
        options = words[: words.index("-o")]
        for name in _INCLUDED.findall(batch.read_text(encoding="utf-8")):
            source = Path(name)
            found.setdefault(source, Alone(source, (*options, "-fsyntax-only", name)))
    return list(found.values())


def _git(*words: str) -> list[str]:
    said = subprocess.run(["git", "-C", str(ROOT), *words], check=False, capture_output=True, text=True)
    return said.stdout.splitlines() if said.returncode == 0 else []


def chosen(sources: list[Alone], touched: set[Path], commit: str) -> list[Alone]:
    """Those that were touched, or whose header of the same name was, and a share of the others and of tests."""
    stems = {path.with_suffix("") for path in touched if "tests" not in path.parts}

    def place(one: Alone) -> bytes:
        return hashlib.sha256(f"{commit}/{one.source.name}".encode()).digest()

    of_touched = sorted((one for one in sources if one.source.with_suffix("") in stems), key=place)[:MOST_TOUCHED]
    return [one for one in sources if one in of_touched or place(one)[0] % ONE_IN == 0]


def read_alone(sources: list[Alone], folder: Path) -> list[str]:
    """What the compiler has to say of each, by source."""

    def complaint(one: Alone) -> str:
        ended = subprocess.run(one.words, check=False, capture_output=True, text=True, cwd=folder)
        if ended.returncode == 0:
            return ""
        said = "\n".join(ended.stderr.splitlines()[:_MOST_LINES])
        return f"{one.source.name} does not compile alone; include what it uses:\n{said}"

    with ThreadPoolExecutor(CORES) as pool:
        return [said for said in pool.map(complaint, sources) if said]


def check_each_alone(tree: Path) -> Outcome:
    """One outcome for all that are read."""
    commands = tree / "compile_commands.json"
    if not commands.exists():
        return Outcome("each alone", Status.FAILED, f"{commands} is missing: the step `build` configures the tree")
    touched = {ROOT / name for name in _git("log", f"-{COMMITS}", "--name-only", "--format=")}
    touched |= {ROOT / line[3:] for line in _git("status", "--porcelain")}
    commit = "".join(_git("rev-parse", "HEAD"))
    found = read_alone(chosen(read_batches(commands), touched, commit), tree)
    return Outcome("each alone", Status.FAILED if found else Status.PASSED, "\n".join(found))
