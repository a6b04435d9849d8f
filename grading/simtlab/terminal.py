"""The terminal: aligned at 80 columns, coloured only where a person looks, every text from outside made harmless."""

import os
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from simtlab.text import printable
from simtlab.verdict import Verdict

STYLES: dict[Verdict, str] = {
    verdict: {
        Verdict.PASS: "green",
        Verdict.NOT_SUBMITTED: "dim",
        Verdict.UNSOLVED: "dim",
        Verdict.SLOW: "yellow",
        Verdict.LEAK: "yellow",
        Verdict.UNSAFE: "yellow",
        Verdict.INTERNAL_ERROR: "bold magenta",
    }.get(verdict, "red")
    for verdict in Verdict
}

_PLAIN_WIDTH = 80


def console(*, stderr: bool = False) -> Console:
    """A console for stdout or stderr: colour on a terminal alone and never with NO_COLOR, 80 columns elsewhere."""
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    return Console(
        stderr=stderr,
        no_color=bool(os.environ.get("NO_COLOR")) or not terminal,
        width=None if terminal or os.environ.get("COLUMNS") else _PLAIN_WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
    )


def plain_table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    """A table without frame: names to the left, the columns named in `right` to the right, nothing cut off."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def verdict_text(verdict: Verdict) -> Text:
    """A verdict in its colour."""
    return Text(verdict.words, style=STYLES[verdict])


def escape_terminal(text: str) -> Text:
    """Text from outside, without markup and with control characters written out."""
    return Text(printable(text, keep_lines=True))
