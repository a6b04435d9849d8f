"""Which progress a grading shows: a live display on a terminal, lines in a log, nothing beside a JSON document."""

import contextlib

from rich.console import Console

from simtlab.class_run.pool import PoolListener
from simtlab.class_run.progress import LiveProgress, PlainProgress, Quiet
from simtlab.terminal import escape_terminal


def progress_for(
    people: Console, stack: contextlib.ExitStack, total: int, workers: int, *, quiet: bool = False
) -> PoolListener:
    """The listener of a pool that has so many submissions to grade."""
    if people.is_terminal:
        return stack.enter_context(LiveProgress(people, total, workers))
    return Quiet() if quiet else PlainProgress(total, lambda line: people.print(escape_terminal(line)))
