"""The compiler's messages about a cell, by line. The first line of a cell is that of `%%simt`, as editors count."""

import re
from dataclasses import dataclass

_MESSAGE = re.compile(
    r"^(?P<file>[^:\s]+):(?P<line>\d+):(?:(?P<column>\d+):)? (?P<kind>fatal error|error|warning): (?P<text>.*)$"
)


@dataclass(frozen=True)
class Message:
    """An error or a warning at a line of the cell."""

    line: int
    column: int
    """Counts from 1; 0 where the compiler does not say."""
    kind: str
    """`error` or `warning`."""
    text: str


def messages_of(said: str, file: str) -> list[Message]:
    """What the compiler says about the cell's own lines, in its order."""
    found = []
    for line in said.splitlines():
        match = _MESSAGE.match(line)
        if match and match["file"].rsplit("/", 1)[-1] == file:
            kind = "warning" if match["kind"] == "warning" else "error"
            found.append(Message(int(match["line"]), int(match["column"] or 0), kind, match["text"]))
    return found
