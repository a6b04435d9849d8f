"""C++ source as tokens with line numbers: as little of the language as it takes to tell code from comments and strings.

It splits as the compilers do: a backslash at a line's end joins lines except in raw strings, a raw string ends at its
own delimiter, and a quote that is never closed takes the rest of its line.
"""

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import NamedTuple


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    STRING = auto()
    NUMBER = auto()
    OTHER = auto()
    DIRECTIVE = auto()
    """A whole line of the preprocessor, without comments."""


class Token(NamedTuple):
    """One token. `line` counts from the first line of the text that was given, whose piece [begin, end) it is."""

    kind: Kind
    text: str
    line: int
    begin: int
    end: int


_SPLICE = r"\\[ \t\f\v]*\r?\n"  # the compilers forgive blanks behind the backslash
_ESCAPE = rf"(?:{_SPLICE}|\\.)"
_JOINED = re.compile(_SPLICE)
_BEGIN_OF_RAW_STRING = r'(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\('
_NEXT = re.compile(
    rf"(?P<blank>(?:[ \t\f\v\r]|{_SPLICE})+)"
    rf"|(?P<line_comment>/(?:{_SPLICE})*/(?:[^\\\n]|{_SPLICE}|\\)*)"
    rf"|(?P<comment>/(?:{_SPLICE})*\*)"
    rf"|(?P<raw>{_BEGIN_OF_RAW_STRING})"
    rf"""|(?P<string>(?:u8|[uUL])?(?:"(?:[^"\\\n]|{_ESCAPE})*"|'(?:[^'\\\n]|{_ESCAPE})*'))"""
    r"""|(?P<open_quote>(?:u8|[uUL])?["'][^\n]*)"""
    rf"|(?P<word>(?:[^\W\d]|[$]|\\u[0-9a-fA-F]{{4}})(?:(?:{_SPLICE})*(?:\w|[$]|\\u[0-9a-fA-F]{{4}}))*)"
    r"|(?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)"
    r"|(?P<other>%:|(?s:.))"
)
"""One pattern for whatever comes next, the alternatives in the compilers' order: a match a token keeps a file of any
size linear and fast."""
_COMMENT_END = re.compile(rf"\*(?:{_SPLICE})*/")
_KINDS = {"string": Kind.STRING, "open_quote": Kind.OTHER, "word": Kind.WORD, "number": Kind.NUMBER}


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, comments left out. Whatever the text is, it ends."""
    at = 0
    line = 1
    fresh = True  # nothing but blanks and comments yet on this line
    while at < len(text):
        if text[at] == "\n":
            at, line, fresh = at + 1, line + 1, True
            continue
        end, kind = _next(text, at)
        piece = text[at:end]
        if kind is Kind.OTHER and fresh and piece in {"#", "%:"}:
            end = _directive_end(text, end)
            piece, kind = text[at:end], Kind.DIRECTIVE
        if kind is not None:
            fresh = False
            shown = _without_comments(piece) if kind is Kind.DIRECTIVE else _joined(piece, kind)
            yield Token(kind, shown, line, at, end)
        line += piece.count("\n")
        at = end


def _next(text: str, at: int) -> tuple[int, Kind | None]:
    """Where the next token ends and what it is; None for blanks and comments."""
    found = _NEXT.match(text, at)
    if found is None:
        return at + 1, Kind.OTHER
    match found.lastgroup:
        case "blank" | "line_comment":
            return found.end(), None
        case "comment":
            end = _COMMENT_END.search(text, found.end())
            return (end.end() if end else len(text)), None
        case "raw":
            close = text.find(f'){found["mark"]}"', found.end())
            return (len(text) if close < 0 else close + len(found["mark"]) + 2), Kind.STRING
        case group:
            return found.end(), _KINDS.get(group or "", Kind.OTHER)


def _directive_end(text: str, at: int) -> int:
    while at < len(text) and text[at] != "\n":
        at, _ = _next(text, at)
    return at


def _joined(piece: str, kind: Kind) -> str:
    return piece if kind is Kind.STRING or "\\" not in piece else _JOINED.sub("", piece)


def _without_comments(directive: str) -> str:
    """The directive in one line, comments and splices gone."""
    parts: list[str] = []
    at = 0
    while at < len(directive):
        end, kind = _next(directive, at)
        parts.append(_joined(directive[at:end], kind) if kind else " ")
        at = end
    return re.sub(r"\s+", " ", "".join(parts)).strip()
