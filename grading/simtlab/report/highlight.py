"""A source's lines with their syntax coloured, by Pygments. The classes are those of the profile's page
(harness/judge/render/source_highlight.cpp)."""

from functools import cache, lru_cache

from markupsafe import Markup, escape
from pygments.lexer import include
from pygments.lexers.c_like import CudaLexer
from pygments.token import Comment, Keyword, Name, Number, Punctuation, String, Whitespace, _TokenType

from simtlab.text import printable

_LARGEST = 32_000
"""Characters. A longer text stays as it is: a page shows a part of it, and its colours are worth no second."""
_CLASSES = {
    Comment: "hc",
    Comment.Preproc: "hp",
    Comment.PreprocFile: "hs",
    String: "hs",
    Number: "hn",
    Keyword: "hk",
    Name.Builtin: "hu",
    Name.Function: "hu",
    Keyword.Reserved: "hu",
}
"""The most special kind decides: CUDA's own words are reserved, built in, or functions; the rest has no colour."""


class _KernelLexer(CudaLexer):
    """Pygments' lexer without its look-out for whole functions, which costs most of its time, and on a text that
    somebody made for it, any time."""

    tokens = {
        "root": [(r"[^\S\n]+", Whitespace), include("whitespace"), include("statements"), (r"[{};]", Punctuation)]
    }


@cache
def _lexer() -> CudaLexer:
    return _KernelLexer(stripnl=False, ensurenl=False)


@lru_cache(maxsize=64)
def highlighted(text: str) -> tuple[Markup, ...]:
    """The text's lines as HTML, numbered as `str.splitlines` does."""
    lines = text.splitlines()
    joined = "\n".join(lines)
    if not lines:
        return ()
    tokens = list(_lexer().get_tokens(joined)) if len(joined) <= _LARGEST else []
    if "".join(value for _, value in tokens) != joined:  # too long, or begins with a mark that the lexer skips
        return tuple(escape(_visible(line)) for line in lines)
    made: list[list[str]] = [[]]
    for kind, value in tokens:
        for number, part in enumerate(value.split("\n")):
            if number:
                made.append([])
            if part:
                made[-1].append(_span(_class_of(kind), part))
    return tuple(Markup("".join(parts)) for parts in made)  # noqa: S704 - each part is escaped


def _visible(text: str) -> str:
    return printable(text, keep_lines=True)


def _span(css: str, part: str) -> str:
    safe = escape(_visible(part))
    return f'<span class="{css}">{safe}</span>' if css and not part.isspace() else safe


@cache
def _class_of(kind: _TokenType) -> str:
    for one in reversed(kind.split()):
        if one in _CLASSES:
            return _CLASSES[one]
    return ""
