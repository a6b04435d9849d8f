"""A section of variants.diff: one variant as what it differs in from its base. `labs/variants.py` has an example."""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass

from simtlab.errors import LabError
from simtlab.labs.difference import COMES, GOES, STAYS, Hunk
from simtlab.text import shortened

SOLUTION = "solution"
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
EXPECT = "// expect:"
COMMENT = "//"
_SECTION = re.compile(r"=== (?P<name>\S+) of (?P<base>\S+)")
_HUNK, _REMARK = "@@", "#"


@dataclass(frozen=True)
class Section:
    """A variant as variants.diff has it."""

    name: str
    base: str
    place: int
    """The line of its heading."""
    head: list[str]
    hunks: list[Hunk]
    fault: LabError | None = None
    """Why it cannot be used."""


def split_head(lines: list[str]) -> tuple[list[str], list[str]]:
    """The comment that a kernel begins with, and its code."""
    head = list(itertools.takewhile(lambda line: line.startswith(COMMENT), lines))
    return head, lines[len(head) :]


def lines_of(text: str) -> list[str]:
    """The lines of a text in which each line ends, on whatever system it was written."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\n").split("\n")


def joined(lines: Iterable[str]) -> str:
    """The text of lines."""
    return "".join(f"{line}\n" for line in lines)


def section_lines(section: Section) -> list[str]:
    """A section as variants.diff has it."""
    lines = [f"=== {section.name} of {section.base}", *section.head]
    for hunk in section.hunks:
        marked = [mark + text if mark != STAYS or text else "" for mark, text in hunk.lines]
        lines += [_HUNK, *marked]
    if lines[-1] == "":
        lines[-1] = STAYS  # a blank line at a section's end is no part of it
    return lines


def sections_of(text: str, file: str) -> list[Section]:
    """The sections of a variants.diff, in its order. Raises `LabError`, which names `file`, for a line in front of the
    first section that is no remark, and for a heading that cannot be read."""
    sections: list[list[tuple[int, str]]] = []
    for number, line in enumerate(lines_of(text), 1):
        if line.startswith("==="):
            if not _SECTION.fullmatch(line.rstrip()):
                raise LabError(f"{file}:{number}: expected `=== NAME of BASE`, found {shortened(line, 80)!r}")
            sections.append([])
        if sections:
            sections[-1].append((number, line))
        elif line.strip() and not line.startswith(_REMARK):
            raise LabError(
                f"{file}:{number}: expected `=== NAME of BASE` or, before the first one, a remark behind `#`; "
                f"found {shortened(line, 80)!r}"
            )
    return [_section(lines, file) for lines in sections]


def _section(lines: list[tuple[int, str]], file: str) -> Section:
    place, heading = lines[0]
    match = _SECTION.fullmatch(heading.rstrip())
    assert match is not None  # noqa: S101  # sections_of has looked
    name, base = match["name"], match["base"]
    rest = lines[1:]
    while rest and rest[-1][1] == "":
        rest.pop()
    head = list(itertools.takewhile(lambda one: one[1].startswith(COMMENT), rest))
    where = f"{file}:{place}: {name}"
    fault: LabError | None = None
    hunks: list[Hunk] = []
    try:
        hunks = _hunks(rest[len(head) :], f"{file}:", name)
        _check_section(where, name, [line for _, line in head], hunks)
    except LabError as error:
        fault = error
    return Section(name, base, place, [line for _, line in head], hunks, fault)


def _check_section(where: str, name: str, head: list[str], hunks: list[Hunk]) -> None:
    if not NAME.fullmatch(name) or name == SOLUTION:
        raise LabError(f"{where}: is no name of a variant: expected lower-case words such as missing-barrier")
    if not head or not head[0].startswith(EXPECT):
        found = shortened(head[0], 80) if head else "none"
        raise LabError(f"{where}: expected `{EXPECT} correct=… safe=… fast=…` under its heading, found {found}")
    if not hunks:
        raise LabError(f"{where}: has no hunk and so the code of its base: write `{_HUNK}` and the lines that differ")


def _hunks(lines: list[tuple[int, str]], file: str, name: str) -> list[Hunk]:
    hunks: list[tuple[int, list[tuple[str, str]]]] = []
    for number, line in lines:
        if line.startswith(_HUNK):
            if line.rstrip() != _HUNK:
                raise LabError(
                    f"{file}{number}: {name}: a hunk begins with `{_HUNK}` alone, for its place is found by its text; "
                    f"found {shortened(line, 80)!r}"
                )
            hunks.append((number, []))
        elif not hunks:
            if line.strip():
                raise LabError(
                    f"{file}{number}: {name}: expected `{_HUNK}` behind the comment, found {shortened(line, 80)!r}"
                )
        elif line == "":
            hunks[-1][1].append((STAYS, ""))
        elif line[0] in (STAYS, GOES, COMES):
            hunks[-1][1].append((line[0], line[1:]))
        else:
            raise LabError(
                f"{file}{number}: {name}: a line of a hunk begins with a blank (stays), - (goes) or + (comes); found "
                f"{shortened(line, 80)!r}"
            )
    for number, marked in hunks:
        if all(mark == STAYS for mark, _ in marked):
            raise LabError(f"{file}{number}: {name}: a hunk without a line that goes (-) or comes (+) changes nothing")
    return [Hunk(number, tuple(marked)) for number, marked in hunks]
