"""The line that says what a long command is at."""

import io

from simtlab.terminal import LineProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_has_one_line_that_is_gone_at_the_end() -> None:
    out = Terminal()
    with LineProgress(out, between=0) as progress:
        progress.show("reading", 0, 0)
    assert out.getvalue() == "\r\033[Kreading\r\033[K"


def test_elsewhere_lines_are_whole_and_say_percent_and_seconds_left() -> None:
    out = io.StringIO()
    with LineProgress(out, between=0) as progress:
        progress.show("reading", 0, 0)
        progress.show("text", 0, 8)
        progress.show("text", 2, 8)
    lines = out.getvalue().splitlines()
    assert lines[:2] == ["reading", "text 0 of 8, 0 %"]
    assert lines[2].startswith("text 2 of 8, 25 %, about 0 s left")


def test_what_is_done_at_once_says_nothing() -> None:
    out = io.StringIO()
    with LineProgress(out) as progress:
        progress.show("reading", 0, 0)
    assert out.getvalue() == ""
