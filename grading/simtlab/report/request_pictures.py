"""A warp's requests at the dearest lines: which lane asks for which word, in which sector of global memory, or in which
bank and pass of shared memory. `make profile HTML=1` draws the same (harness/judge/render/request_picture.cpp), and a
golden file holds the two drawings together."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from simtlab.facts.model import DrawnRequest, Facts, PictureRow
from simtlab.text import counted, printable

_CELL, _CHARACTER = 18, 8
_LANES = "0123456789abcdefghijklmnopqrstuv"
_COUNTS = "ABCDEFGHIJKLMNOPQRSTUVWXYZwxyz*"
"""2 lanes, 3 lanes, …, 32."""
_LARGEST_LINE = 30_000
"""Bytes of a line's drawings. Pages stay small, for a class has thousands."""


@dataclass(frozen=True)
class RequestFigure:
    """One request on a page."""

    access: str
    words: str
    svg: Markup
    """Empty where a picture would show nothing: constant memory, ranges of bytes."""
    below: str
    """What the drawing leaves out; empty: nothing."""


@dataclass(frozen=True)
class LineFigures:
    """A line of the source with its requests."""

    file: str
    line: int
    source: str
    excess: int
    figures: list[RequestFigure]


def request_figures(facts: Facts, source_of: dict[tuple[str, int], str]) -> list[LineFigures]:
    """The dearest lines first. `source_of` has the text of (file, line) where the page has it."""
    drawn = sorted((line for line in facts.lines if line.pictures), key=lambda line: -line.excess)
    return [
        LineFigures(
            line.file, line.line, source_of.get((line.file, line.line), ""), line.excess, _figures(line.pictures)
        )
        for line in drawn
    ]


def _figures(requests: Sequence[DrawnRequest]) -> list[RequestFigure]:
    """All requests of a line, with as many rows each as the line has room for."""
    for most in (8, 4, 2, 1):
        figures = [_figure(one, most) for one in requests]
        if sum(len(one.svg.encode()) for one in figures) <= _LARGEST_LINE:
            return figures
    return figures[:4]


def _figure(request: DrawnRequest, most_rows: int) -> RequestFigure:
    left_out = request.more_rows + max(len(request.rows) - most_rows, 0)
    below = [f"and {counted(left_out, 'row')} more"] if request.rows and left_out else []
    if not request.agrees:
        below.append("the hardware serves them in other passes than the picture's")
    return RequestFigure(request.access, request.words, request_svg(request, most_rows), "; ".join(below))


def request_svg(request: DrawnRequest, most_rows: int) -> Markup:
    """The first rows as an element `svg`; empty without rows."""
    rows = request.rows[:most_rows]
    if not rows:
        return Markup()
    left = _CHARACTER * (max(len(printable(row.label)) for row in rows) + 1)
    width, height = left + 32 * _CELL + 1, (len(rows) + 1) * _CELL + 1
    parts = [
        f'<svg role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<title>{escape(printable(request.words))}</title>"
    ]
    parts += [f'<text class="n" x="{left + at * _CELL + 2}" y="13">{at}</text>' for at in range(0, 32, 4)]
    for number, row in enumerate(rows, 1):
        parts += _row(row, left, number * _CELL, request)
    return Markup("".join([*parts, "</svg>"]))  # noqa: S704 - numbers, and texts that were escaped


def _row(row: PictureRow, left: int, y: int, request: DrawnRequest) -> list[str]:
    parts = [f'<text x="0" y="{y + 13}">{escape(printable(row.label))}</text>']
    between = request.cells_between_bars
    for at in range(0, 32, between):
        kind = "m" if request.unit == "sector" and row.cells[at] != "." else "f"
        parts.append(
            f'<rect class="{kind}" x="{left + at * _CELL}" y="{y}" width="{between * _CELL}" height="{_CELL}"/>'
        )
    for at, cell in enumerate(row.cells):
        if cell in "-.":
            continue
        lane = _LANES.find(cell)
        kind, text = ("a", str(lane)) if lane >= 0 else ("s", f"×{_COUNTS.index(cell) + 2}")
        x = left + at * _CELL
        parts.append(
            f'<rect class="{kind}" x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}"/>'
            f'<text class="l" x="{x + _CELL // 2}" y="{y + 13}">{text}</text>'
        )
    return parts
