"""compute-sanitizer's answers about the planted bugs, and the table of docs/emulator.md that sets them beside the
emulator's rules: `python -m hardware.sanitizer` fills the table's last column again.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from hardware.figures import TABLES

MEASURED = TABLES / "sanitizer.csv"
"""Columns: those of Answer, places separated by blanks."""
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "emulator.md"

PROGRAMS = ("planted_bugs", "planted_order")
COLUMNS = ("bug", "tool", "ended", "message", "places")
LEAK = "leak"
"""The bug that a message about a leak is an answer to; other programs stop before they give their memory back."""
TABLE_HEAD = "| defect | planted as | emulator's rule | compute-sanitizer |"

_SHOWN = {"memcheck --padding --leak-check": "memcheck with `--padding 64 --leak-check full`"}


@dataclass(frozen=True)
class Answer:
    """One kind of message of one tool about one bug."""

    bug: str
    tool: str
    ended: str
    """`ended`, `crashed`, or `stopped` when its time was up."""
    message: str
    """Empty when the tool said nothing."""
    places: tuple[str, ...]
    """`FILE:LINE` of device code that the message named."""


@dataclass(frozen=True)
class Defect:
    """A row of the document's table."""

    bugs: tuple[str, ...]
    rules: tuple[str, ...]


def read_answers(file: Path = MEASURED) -> dict[str, list[Answer]]:
    """The answers by bug; the line that begins with # says where they were measured."""
    found: dict[str, list[Answer]] = {}
    with file.open(encoding="utf-8") as text:
        for row in csv.DictReader(line for line in text if not line.startswith("#")):
            one = Answer(row["bug"], row["tool"], row["ended"], row["message"], tuple(row["places"].split()))
            found.setdefault(one.bug, []).append(one)
    return found


def told(answers: list[Answer]) -> list[Answer]:
    """Those that say something about the bug."""
    return [one for one in answers if one.message and (one.bug == LEAK or not one.message.startswith("Leaked"))]


def in_words(answers: list[Answer]) -> str:
    """What compute-sanitizer makes of one bug, over all its tools."""
    if not answers:
        return "not asked"
    found: dict[str, bool] = {}
    for one in told(answers):
        if not (one.tool in _SHOWN and "memcheck" in found):
            found[one.tool] = one.message.startswith("Warning") and found.get(one.tool, True)
    if found:
        warned = {tool: ", as a warning" if only_warned else "" for tool, only_warned in found.items()}
        return " and ".join(f"{_SHOWN.get(tool, tool)}{warning}" for tool, warning in warned.items())
    if any(one.ended == "stopped" for one in answers):
        return "nothing, it never ends"
    return "the process crashes" if any(one.ended == "crashed" for one in answers) else "missed"


def summary(bugs: tuple[str, ...], answers: dict[str, list[Answer]]) -> str:
    """The table's cell for a row of bugs."""
    said = Counter(in_words(answers.get(bug, [])) for bug in bugs)
    if len(said) == 1:
        return next(iter(said))
    return "; ".join(f"{words} ({count} of {len(bugs)})" for words, count in said.items())


def defects(document: str) -> list[Defect]:
    """The rows of the document's table."""
    return [Defect(tuple(_quoted(cells[1])), tuple(_quoted(cells[2]))) for cells in map(_cells, _rows(document))]


def fill(document: str, answers: dict[str, list[Answer]]) -> str:
    """The document with the last column made anew; rows without a planted bug keep a dash."""
    for row in _rows(document):
        cells = _cells(row)
        bugs = tuple(_quoted(cells[1]))
        cells[3] = summary(bugs, answers) if bugs else "–"
        document = document.replace(row, f"| {' | '.join(cells)} |")
    return document


def _rows(document: str) -> list[str]:
    if TABLE_HEAD not in document:
        message = f"the document has no table that begins with {TABLE_HEAD}"
        raise ValueError(message)
    table = document.split(TABLE_HEAD, 1)[1].split("\n\n", 1)[0]
    return table.strip().splitlines()[1:]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def _quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


if __name__ == "__main__":
    DOCUMENT.write_text(fill(DOCUMENT.read_text(encoding="utf-8"), read_answers()), encoding="utf-8")
