"""The terminal: aligned at 80 columns, coloured only where a person looks, every text from outside made harmless."""

import os
import shutil
import sys
import time
from types import TracebackType
from typing import TextIO

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


class LineProgress:
    """What a command is at, while it takes long: on a terminal one line that changes and then is gone, elsewhere a
    line every ten seconds. Use as a context."""

    def __init__(self, stream: TextIO, between: float = 10.0) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._between = 0.1 if self._live else between
        self._begin = time.monotonic()
        self._next = 0.0 if self._live else self._begin + between
        self._part, self._part_begin = "", self._begin

    def __enter__(self) -> "LineProgress":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live:
            self._write("\r\033[K")

    def show(self, what: str, done: int, of: int) -> None:
        """Says it if it is time: `of` is 0 where nobody knows how much there is."""
        now = time.monotonic()
        if what != self._part:
            self._part, self._part_begin = what, now
        if now < self._next:
            return
        self._next = now + self._between
        words = f"{what} {done} of {of}, {100 * done // of} %" if of else what
        if done and of:
            words += f", about {(now - self._part_begin) * (of - done) / done:.0f} s left"
        columns = shutil.get_terminal_size().columns - 1
        self._write(f"\r\033[K{words[:columns]}" if self._live else f"{words}\n")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
