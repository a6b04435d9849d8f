"""A source's lines with their syntax coloured, by Pygments. The classes are those of the profile's page
(harness/judge/render/source_highlight.cpp)."""

import re
from functools import cache, lru_cache

from markupsafe import Markup, escape
from pygments.lexer import RegexLexer, words
from pygments.lexers.c_cpp import CFamilyLexer, CppLexer
from pygments.lexers.c_like import CudaLexer
from pygments.token import Comment, Keyword, Name, Number, String, Text, _TokenType

from simtlab.text import printable

_LARGEST = 32_000
"""Characters. A longer text stays as it is: a page shows a part of it, and its colours are worth no second."""
_CLASSES = {Comment: "hc", Comment.Preproc: "hp", String: "hs", Number: "hn", Keyword: "hk", Name.Builtin: "hu"}
"""The most special kind decides; a name that means nothing by itself has no colour."""


def _vocabulary() -> dict[str, _TokenType]:
    """What each word is, by the lists of Pygments' own lexers for C, C++ and CUDA."""
    known = dict.fromkeys(("case", "class", "enum", "namespace", "struct", "typename", "union"), Keyword)
    for lexer in (CFamilyLexer, CppLexer):
        for state in ("keywords", "types"):
            for rule in lexer.tokens.get(state, []):
                if isinstance(rule, tuple) and isinstance(rule[0], words):
                    known |= dict.fromkeys((rule[0].prefix.lstrip("\\b") + word for word in rule[0].words), Keyword)
    known |= dict.fromkeys(("true", "false", "NULL", "nullptr"), Keyword)
    for cuda in ("function_qualifiers", "variable_qualifiers", "variables", "functions"):
        known |= dict.fromkeys(getattr(CudaLexer, cuda), Name.Builtin)
    return known | dict.fromkeys(CudaLexer.vector_types, Keyword)


class _KernelLexer(RegexLexer):  # type: ignore[misc]  # pygments has no types
    """A few rules, the most frequent first: a class has thousands of pages, and Pygments' own lexer takes as long for
    a source as all else of its page. No rule looks back or ahead, so that no text takes longer than its length."""

    flags = re.MULTILINE
    tokens = {
        "root": [
            (r"[\s(){}\[\];,.+\-*=<>&|!~^%?:]+", Text),
            (r"[^\W\d]\w*", Name),
            (r"\d[\w.']*", Number),
            (r"//(?:[^\n\\]|\\[\s\S])*", Comment.Single),
            (r"/\*(?:[^*]|\*(?!/))*(?:\*/)?", Comment.Multiline),
            (r'"(?:[^"\\\n]|\\[\s\S])*"?', String),
            (r"'(?:[^'\\\n]|\\[\s\S])*'?", String),
            (r"#[^\S\n]*\w*", Comment.Preproc),
            (r".", Text),
        ]
    }


@cache
def _lexer() -> tuple[_KernelLexer, dict[str, str]]:
    """The lexer, and the class of each word that has one."""
    return _KernelLexer(stripnl=False, ensurenl=False), {word: _class_of(of) for word, of in _vocabulary().items()}


@lru_cache(maxsize=64)
def highlighted(text: str) -> tuple[Markup, ...]:
    """The text's lines as HTML, numbered as `str.splitlines` does."""
    lines = text.splitlines()
    joined = "\n".join(lines)
    if not lines:
        return ()
    lexer, vocabulary = _lexer()
    tokens = list(lexer.get_tokens(joined)) if len(joined) <= _LARGEST else []
    if "".join(value for _, value in tokens) != joined:  # too long, or begins with a mark that the lexer skips
        return tuple(escape(_visible(line)) for line in lines)
    made: list[list[str]] = [[]]
    for kind, value in tokens:
        css = vocabulary.get(value, "") if kind is Name else _class_of(kind)
        for number, part in enumerate(value.split("\n")):
            if number:
                made.append([])
            if part:
                made[-1].append(_span(css, part))
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
