"""CSV that a spreadsheet may open: no text becomes a formula, no quote breaks a row."""

import csv
import io
from collections.abc import Iterable, Sequence

from simtlab.text import points_text, printable

Cell = str | float | int | None
_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_WIDE = str.maketrans({"＝": "=", "＋": "+", "－": "-", "＠": "@"})
"""Full-width signs that some spreadsheets read as the plain ones."""


def csv_text(rows: Iterable[Sequence[Cell]]) -> str:
    """Rows as CSV (RFC 4180). Numbers are written as numbers; a text that would be a formula gets an apostrophe."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\r\n").writerows([_cell(one) for one in row] for row in rows)
    return stream.getvalue()


def harmless_cell(text: str) -> str:
    """The text with controls written out, and an apostrophe before what a spreadsheet would take for a formula."""
    shown = printable(text)
    bare = shown.lstrip(" \u00a0").translate(_WIDE)
    return f"'{shown}" if bare.startswith(_STARTS_A_FORMULA) else shown


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return harmless_cell(value) if isinstance(value, str) else points_text(float(value))
