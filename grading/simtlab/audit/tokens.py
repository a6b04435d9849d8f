"""C++ source as tokens with line numbers: as little of the language as it takes to tell code from comments and strings.

It splits as the compilers do: a backslash at a line's end joins lines except in raw strings, a raw string ends at its
own delimiter, and a quote that is never closed takes the rest of its line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto


class Kind(Enum):
    """What a token is."""

    WORD = auto()
    STRING = auto()
    NUMBER = auto()
    OTHER = auto()
    DIRECTIVE = auto()
    """A whole line of the preprocessor, without comments."""


@dataclass(frozen=True)
class Token:
    """One token. `line` counts from the first line of the text that was given, whose piece [begin, end) it is."""

    kind: Kind
    text: str
    line: int
    begin: int
    end: int


_SPLICE = r"\\[ \t\f\v]*\r?\n"  # the compilers forgive blanks behind the backslash
_ESCAPE = rf"(?:{_SPLICE}|\\.)"
_JOINED = re.compile(_SPLICE)
_BLANK = re.compile(rf"(?:[ \t\f\v\r]|{_SPLICE})+")
_LINE_COMMENT = re.compile(rf"/(?:{_SPLICE})*/(?:[^\\\n]|{_SPLICE}|\\)*")
_COMMENT_BEGIN = re.compile(rf"/(?:{_SPLICE})*\*")
_COMMENT_END = re.compile(rf"\*(?:{_SPLICE})*/")
_RAW_STRING = re.compile(r'(?:u8|[uUL])?R"([^()\\\s]{0,16})\(')
_STRING = re.compile(rf"""(?:u8|[uUL])?(?:"(?:[^"\\\n]|{_ESCAPE})*"|'(?:[^'\\\n]|{_ESCAPE})*')""")
_OPEN_QUOTE = re.compile(r"""(?:u8|[uUL])?["'][^\n]*""")
_WORD = re.compile(rf"(?:[^\W\d]|[$]|\\u[0-9a-fA-F]{{4}})(?:(?:{_SPLICE})*(?:\w|[$]|\\u[0-9a-fA-F]{{4}}))*")
_NUMBER = re.compile(r"\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*")


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, comments left out. Whatever the text is, it ends."""
    at = 0
    line = 1
    fresh = True  # nothing but blanks and comments yet on this line
    while at < len(text):
        char = text[at]
        if char == "\n":
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
    if blank := _BLANK.match(text, at):
        return blank.end(), None
    if comment := _LINE_COMMENT.match(text, at):
        return comment.end(), None
    if begin := _COMMENT_BEGIN.match(text, at):
        end = _COMMENT_END.search(text, begin.end())
        return (end.end() if end else len(text)), None
    if raw := _RAW_STRING.match(text, at):
        close = text.find(f'){raw[1]}"', raw.end())
        return (len(text) if close < 0 else close + len(raw[1]) + 2), Kind.STRING
    for pattern, kind in (
        (_STRING, Kind.STRING),
        (_OPEN_QUOTE, Kind.OTHER),
        (_WORD, Kind.WORD),
        (_NUMBER, Kind.NUMBER),
    ):
        if found := pattern.match(text, at):
            return found.end(), kind
    return at + (2 if text.startswith("%:", at) else 1), Kind.OTHER


def _directive_end(text: str, at: int) -> int:
    while at < len(text) and text[at] != "\n":
        at, _ = _next(text, at)
    return at


def _joined(piece: str, kind: Kind) -> str:
    return piece if kind is Kind.STRING else _JOINED.sub("", piece)


def _without_comments(directive: str) -> str:
    """The directive in one line, comments and splices gone."""
    parts: list[str] = []
    at = 0
    while at < len(directive):
        end, kind = _next(directive, at)
        parts.append(_joined(directive[at:end], kind) if kind else " ")
        at = end
    return re.sub(r"\s+", " ", "".join(parts)).strip()
