"""Names that the project has given up stay out of its code, its file names and its pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from check.command import ROOT
from check.outcome import Outcome, Status
from check.sources import tracked_files

LIST = Path(__file__).with_name("retired-names.txt")
_SUFFIXES = {".h", ".def", ".cpp", ".cu", ".cuh", ".py", ".cmake", ".md", ".txt", ".toml"}
_HISTORY = ("CHANGELOG.md", "docs/notes/", "harness/check/retired-names.txt", "harness/check/tests/test_retired_names")


def retired_names() -> dict[str, str]:
    """Each name with the one that took its place."""
    lines = [line.split() for line in LIST.read_text(encoding="utf-8").splitlines()]
    return {words[0]: words[1] for words in lines if words and not words[0].startswith("#")}


def uses(files: Iterable[Path], root: Path = ROOT) -> list[str]:
    """Where retired names are used, a line each that says what to write instead."""
    names = retired_names()
    word = re.compile(r"\b(" + "|".join(names) + r")(?=\b|_test\b)")
    found: list[str] = []
    for path in files:
        place = path.relative_to(root).as_posix()
        if path.suffix not in _SUFFIXES or place.startswith(_HISTORY):
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for number, line in enumerate([place, *text.splitlines()]):
            for match in word.finditer(line):
                where = f"{place}:{number}" if number else f"{place} (its name)"
                found.append(f"{where}: `{match[1]}` is a retired name, write `{names[match[1]]}`")
    return found


def check_retired_names() -> Outcome:
    """The list is retired-names.txt; who gives up a name adds it there."""
    found = uses(tracked_files())
    return Outcome("retired-names", Status.FAILED if found else Status.PASSED, "\n".join(found))
