"""All programs of the oracle, what compiles them together, and what a compiler said of each."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from spaces.generated import ALONE, generated

HERE = Path(__file__).resolve().parent
ANSWERS = HERE / "answers.csv"
_HEADERS = (
    "algorithm array cassert cfloat climits cmath cstdio cstdlib cstring ctime iostream limits new string typeinfo "
    "utility vector"
)


@dataclass(frozen=True)
class Program:
    """One program: its class, what tells it from others of the class, and its text."""

    kind: str
    name: str
    text: str
    alone: bool = False
    """It cannot share a file with others: its compiler stops there, or only a later tool refuses it."""

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.name}"


def programs() -> list[Program]:
    """Hand-written and generated ones, in the order of the answers."""
    found: list[Program] = []
    for part in re.split(r"^//// ", (HERE / "hand_written.cu").read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        title, text = part.split("\n", 1)
        alone = title.endswith(" alone")
        kind, name = title.removesuffix(" alone").split("/", 1)
        found.append(Program(kind, name, text, alone))
    for index, (title, text) in enumerate(generated()):
        kind, name = title.split("/", 1)
        found.append(Program(kind, f"{name}, {('as refused', 'legal')[index % 2]}", text, title in ALONE))
    return found


def joined(several: Iterable[Program]) -> tuple[str, list[range]]:
    """One source of several programs, each in a namespace of its own, and their lines."""
    lines = [f"#include <{name}>" for name in _HEADERS.split()]
    places: list[range] = []
    for number, program in enumerate(several):
        own = program.text.rstrip("\n").split("\n")
        lines.append(f"namespace p{number} {{")
        places.append(range(len(lines) + 1, len(lines) + 1 + len(own)))
        lines += own
        lines.append("}")
    return "\n".join(lines) + "\n", places


_ERROR = re.compile(r"^(?:\S*/)?(?P<file>[^/\s:(]+)(?:\(|:)(?P<line>\d+)\)?(?::\d+)?: error")


_NAMESPACE = re.compile(r"\bp(\d+)::|_ZN\d+p(\d+)")


def refused(messages: str, file: str, places: list[range]) -> set[int]:
    """Which of the programs that `joined` put into `file` are refused: those that a message names by their namespace,
    else the one at its line. nvcc gives what compilers write themselves, as a constructor, a line of its own choice."""
    found: set[int] = set()
    for line in messages.splitlines():
        match = _ERROR.match(line)
        if match is None or match["file"] != file:
            continue
        named = _NAMESPACE.search(line[match.end() :])
        at = int(match["line"])
        number = int(named[1] or named[2]) if named else None
        found |= {number} if number is not None else {n for n, place in enumerate(places) if at in place}
    return found


def read_answers(path: Path = ANSWERS) -> dict[str, bool]:
    """By program: whether nvcc accepts it."""
    with path.open(encoding="utf-8", newline="") as file:
        return {row["program"]: row["nvcc"] == "legal" for row in csv.DictReader(file)}
