"""A running grading on a terminal: a few lines that are written anew; elsewhere a line when something has changed."""

import time
from collections.abc import Callable

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from simtlab.live.watch import Snapshot, Watch
from simtlab.store.progress import duration
from simtlab.terminal import escape_terminal
from simtlab.text import printable

_SECONDS_BETWEEN = 1.0
_SECONDS_BETWEEN_LINES = 10.0
_MOST_NAMED = 12


def follow_run(watch: Watch, people: Console, sleep: Callable[[float], None] = time.sleep) -> None:
    """Returns when nobody grades any more."""
    if people.is_terminal:
        with Live(console=people, auto_refresh=False, transient=True) as live:
            while not (snapshot := watch.look()).ended:
                live.update(_lines(snapshot), refresh=True)
                sleep(_SECONDS_BETWEEN)
        return
    before = ""
    while not (snapshot := watch.look()).ended:
        if snapshot.sentence != before:
            people.print(escape_terminal(snapshot.sentence), soft_wrap=True)
            before = snapshot.sentence
        sleep(_SECONDS_BETWEEN_LINES)


def _lines(snapshot: Snapshot) -> Group:
    lines = [Text(snapshot.sentence, style="bold")]
    lines += [
        Text(f"running: {printable(one.student)} {one.lab}, {one.where}, {duration(one.seconds)}")
        for one in snapshot.running[:_MOST_NAMED]
    ]
    if len(snapshot.running) > _MOST_NAMED:
        lines.append(Text(f"and {len(snapshot.running) - _MOST_NAMED} more"))
    lines += [Text(f"waiting: {line}", style="red") for line in snapshot.our_faults[-_MOST_NAMED:]]
    return Group(*lines)
