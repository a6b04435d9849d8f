"""What the preprocessor left of a submission's own files: tokens, pragmas and inclusions, each at its line.

Everything that is in a header is skipped. The compiler's line markers say where a file begins and ends; that the
submission writes none itself is the audit's rule `directive`, and a marker inside a raw string is not taken for one.
"""

import posixpath
import re
from collections import deque
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

from simtlab.audit.limits import DEFAULT_BOUNDS, AuditBounds
from simtlab.audit.tokens import Kind, tokens

_MARKER = re.compile(r'\n# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)[^\S\n]*(?=\n)')
_TOO_MANY = "after macros it has more than {} words and signs"
_LOOK_FOR = "macros that repeat what they are given, or data that could be computed"
_RAW_BEGIN = re.compile(r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\(')


@dataclass(frozen=True)
class Inclusion:
    """A header that a file of the submission includes itself."""

    header: str
    """The path that was found."""
    file: str
    line: int


class PlacedToken(NamedTuple):
    """A token of the submission's own, macros replaced."""

    kind: Kind
    text: str
    file: str
    line: int


@dataclass
class PreprocessedSource:
    """The submission's own part of the preprocessed text."""

    tokens: list[PlacedToken] = field(default_factory=list)
    pragmas: list[PlacedToken] = field(default_factory=list)
    inclusions: list[Inclusion] = field(default_factory=list)

    def first_line_of(self, names: list[str]) -> tuple[str, int] | None:
        """Where the first of `names` that occurs as a word stands."""
        return next((self._first_places[name] for name in names if name in self._first_places), None)

    @cached_property
    def _first_places(self) -> dict[str, tuple[str, int]]:
        places: dict[str, tuple[str, int]] = {}
        for token in self.tokens:
            if token.kind is Kind.WORD:
                places.setdefault(token.text, (token.file, token.line))
        return places


def read_preprocessed(text: str, files: list[str], bounds: AuditBounds = DEFAULT_BOUNDS) -> PreprocessedSource:
    """Reads what `-E` wrote for one of `files`, which may include the others. Raises `AuditLimit`."""
    source = PreprocessedSource()
    own = {posixpath.normpath(name) for name in files}
    file, line, at = "", 1, 1
    text = f"\n{text}\n"  # a marker is looked for with the end of the line before it
    while at < len(text):
        marker = _marker_in_own_text(text, at) if file in own else _MARKER.search(text, at - 1)
        end = marker.start() + 1 if marker else len(text)
        if file in own:
            _add(source, text[at:end], file, line, bounds)
            line += text.count("\n", at, end)
        if marker is None:
            break
        path = _path(marker[2])
        if "1" in marker[3] and file in own and path not in own:
            source.inclusions.append(Inclusion(path, file, line))
        file, line, at = path, int(marker[1]), marker.end() + 1
    return source


@cache
def _path(written: str) -> str:
    """The path that a marker names; each of some hundred headers is named often."""
    return posixpath.normpath(re.sub(r"\\(.)", r"\1", written))


def _add(source: PreprocessedSource, text: str, file: str, line: int, bounds: AuditBounds) -> None:
    for token in tokens(text):
        if len(source.tokens) >= bounds.tokens:
            bounds.check(_TOO_MANY, bounds.tokens + 1, bounds.tokens, _LOOK_FOR)
        placed = PlacedToken(token.kind, token.text, file, line + token.line - 1)
        if token.kind is not Kind.DIRECTIVE:
            source.tokens.append(placed)
        elif token.text.startswith("#pragma"):
            source.pragmas.append(placed)


def _marker_in_own_text(text: str, at: int) -> re.Match[str] | None:
    """The first marker from `at` on that stands in no raw string. A header has none in such a string; what students
    write is read line by line."""
    until = ""  # what closes the raw string that is open
    while at < len(text):
        marker = _MARKER.match(text, at - 1) if not until else None
        if marker:
            return marker
        end = text.index("\n", at) + 1
        until = _open_raw_string(text[at:end], until)
        at = end
    return None


def _open_raw_string(row: str, until: str) -> str:
    """What closes the raw string that is open at the end of the row; empty when none is."""
    if until:
        close = row.find(until)
        if close < 0:
            return until
        row = row[close + len(until) :]
    if 'R"' not in row:
        return ""
    last = next(iter(deque(tokens(row), maxlen=1)), None)
    if last is None or last.kind is not Kind.STRING:
        return ""
    begin = _RAW_BEGIN.match(last.text)
    if not begin:
        return ""
    closing = f'){begin[1]}"'
    return "" if last.text.endswith(closing) and len(last.text) >= begin.end() + len(closing) else closing
