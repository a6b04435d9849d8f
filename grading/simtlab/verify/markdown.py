"""As much of Markdown as a handout's checks need: sections, tables, links, and the numbers that a text states."""

import re
from dataclasses import dataclass
from pathlib import Path

_HEADING = re.compile(r"^(#{1,6}) (.+?)\s*$")
_LINK = re.compile(r"(?P<figure>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_NUMBER = re.compile(
    r"(?P<base>\d+)(?P<power>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<over>\d+)/(?P<under>\d+)"
    r"|(?P<plain>\d{1,3}(?:,\d{3})+(?!,?\d)|\d+\.\d+|\d+)(?:[eE](?P<ten>[-+]?\d+))?(?P<percent> ?%)?"
)


@dataclass(frozen=True)
class Section:
    """A heading of the second level and what stands below it."""

    title: str
    line: int
    text: str


@dataclass(frozen=True)
class Link:
    """A link, or a figure."""

    line: int
    text: str
    target: str
    is_figure: bool


def first_heading(text: str) -> str:
    """The title of a document, empty where it does not begin with one."""
    match = _HEADING.match(text.split("\n", 1)[0])
    return match[2] if match and match[1] == "#" else ""


def sections_of(text: str) -> dict[str, Section]:
    """The sections by title; lines inside fences of code begin none."""
    found: dict[str, Section] = {}
    title, begin, lines, fenced = "", 0, list[str](), False
    for number, line in enumerate([*text.split("\n"), "## "], 1):
        fenced ^= line.lstrip().startswith("```")
        if line.startswith("## ") and not fenced:
            found[title] = Section(title, begin, "\n".join(lines))
            title, begin, lines = line[3:].strip().replace("“", '"').replace("”", '"'), number, []
        else:
            lines.append(line)
    return found


def tables_of(text: str) -> list[list[str]]:
    """The rows of all tables, cell by cell, without headings and rules."""
    rows: list[list[str]] = []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        if line.startswith("|") and not set(line) <= set("|-: ") and not re.match(r"^\|[-:| ]+$", following):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return rows


def links_of(text: str) -> list[Link]:
    """Links and figures, in order."""
    return [
        Link(number, match["text"], match["target"], bool(match["figure"]))
        for number, line in enumerate(text.split("\n"), 1)
        for match in _LINK.finditer(line)
    ]


def missing_target(document: Path, target: str) -> str:
    """Why a link of `document` leads nowhere; empty when it does lead somewhere, or out of this checkout."""
    if re.match(r"[a-z]+:", target):
        return ""
    name, _, anchor = target.partition("#")
    path = document.parent / name if name else document
    if not path.exists():
        return f"there is no {name}"
    if anchor and path.suffix == ".md" and anchor not in _anchors(path.read_text(encoding="utf-8")):
        return f"{path.name} has no heading {anchor!r}"
    return ""


def numbers_in(text: str) -> list[float]:
    """The numbers that a text states, in order: `100,000`, `0.80`, `1/16`, `15 %`, `1e-5`, `2⁻²⁴`."""
    found: list[float] = []
    for match in _NUMBER.finditer(text):
        if match["base"]:
            found.append(float(match["base"]) ** int(match["power"].translate(_SUPERSCRIPTS)))
        elif match["over"]:
            found.append(int(match["over"]) / int(match["under"]) if int(match["under"]) else 0.0)
        else:
            number = float(match["plain"].replace(",", "")) * 10.0 ** int(match["ten"] or 0)
            found.append(number / 100 if match["percent"] else number)
    return found


def states(text: str, *wanted: float) -> bool:
    """Whether the text states these numbers one after the other, with no other number in between."""
    numbers = numbers_in(text)
    return any(
        all(_equal(number, want) for number, want in zip(numbers[at:], wanted, strict=False))
        for at in range(len(numbers) - len(wanted) + 1)
    )


def _equal(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-9 * max(abs(one), abs(other))


def _anchors(text: str) -> set[str]:
    headings = (match[2] for line in text.split("\n") if (match := _HEADING.match(line)))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
