"""A student's source with what each line asked of the memory system, and which lines a finding speaks of."""

from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from markupsafe import Markup

from simtlab.facts.model import Facts, Finding, Line, Place
from simtlab.report.highlight import highlighted
from simtlab.text import counted, shortened

_CONTEXT_LINES = 2
_MOST_LINES = 110
_LONGEST_LINE = 160


@dataclass
class AnnotatedLine:
    """One line of the source. `heat` is its share of all excess traffic, 0..1."""

    number: int
    text: str
    counters: Line | None = None
    heat: float = 0
    severities: set[str] = field(default_factory=set)
    coloured: Markup | None = None
    """The text as HTML, where its syntax is coloured."""


def annotated_source(name: str, text: str, facts: Facts | None) -> list[AnnotatedLine]:
    """The lines of the file `name`, with counters and findings where the facts place them."""
    coloured = highlighted(text)
    lines = [
        AnnotatedLine(number, line, coloured=coloured[number - 1]) for number, line in enumerate(text.splitlines(), 1)
    ]
    if facts is None:
        return lines
    by_number = {one.line: one for one in facts.lines if same_file(one.file, name)}
    for line in lines:
        line.counters = by_number.get(line.number)
        if line.counters:
            line.heat = line.counters.share
    for finding in all_findings(facts):
        for place in (finding.first, finding.second):
            if place and same_file(place.file, name) and 1 <= place.line <= len(lines):
                lines[place.line - 1].severities.add(finding.severity)
    return lines


def for_page(lines: list[AnnotatedLine], most: int = _MOST_LINES) -> list[AnnotatedLine]:
    """The lines that a page shows, so that it stays small whatever was handed in: all of an ordinary file; of a long
    one those around accesses and findings. A line numbered 0 tells how many are left out."""
    if len(lines) <= most:
        return [_cut(line) for line in lines]
    told = [line.number for line in lines if line.counters or line.severities]
    near = {number for one in told for number in range(one - _CONTEXT_LINES, one + _CONTEXT_LINES + 1)}
    chosen = sorted(near & set(range(1, len(lines) + 1)))[:most] or list(range(1, most + 1))
    shown: list[AnnotatedLine] = []
    before = 0
    for number in [*chosen, len(lines) + 1]:
        if gap := number - before - 1:
            shown.append(AnnotatedLine(0, f"… {counted(gap, 'line')} left out"))
        if number <= len(lines):
            shown.append(_cut(lines[number - 1]))
        before = number
    return shown


def _cut(line: AnnotatedLine) -> AnnotatedLine:
    if len(line.text) <= _LONGEST_LINE:
        return line
    return replace(line, text=shortened(line.text, _LONGEST_LINE), coloured=None)


def without_colours(lines: list[AnnotatedLine]) -> list[AnnotatedLine]:
    """The same lines, for a page that would be too large with colours."""
    return [replace(line, coloured=None) for line in lines]


def all_findings(facts: Facts) -> list[Finding]:
    """Every finding once: those of all cases together, worst first as the judge has them."""
    return facts.safe.findings


def excerpt(sources: dict[str, str], place: Place) -> list[AnnotatedLine]:
    """The lines around a place, empty when the place is not in a file of the submission."""
    for name, text in sources.items():
        if same_file(place.file, name):
            lines = text.splitlines()
            if not 1 <= place.line <= len(lines):
                return []
            first = max(place.line - _CONTEXT_LINES, 1)
            last = min(place.line + _CONTEXT_LINES, len(lines))
            coloured = highlighted(text)
            return [
                _cut(AnnotatedLine(number, lines[number - 1], coloured=coloured[number - 1]))
                for number in range(first, last + 1)
            ]
    return []


def same_file(recorded: str, name: str) -> bool:
    """Whether a path in the facts means the submitted file."""
    return PurePosixPath(recorded).name == name
