"""Code as a sequence of tokens that does not depend on names, spacing, comments or the document around it.

A token that nobody can rename (keywords, signs, the names of CUDA) stands for itself, a number for its value, any other
word for "a name": which names are the same is compared per shingle (shingles.py). What formatting adds or drops is left
out: braces, quotes, `const`. A document is read in several ways, each a *view*: without comments, without the
marks that quotes, lists, diffs and comments put before each line, with the text of comments kept, HTML's tags and
entities undone, the escapes of JSON and notebooks undone. A solution that shows in one view has been found.
"""

import html
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

NAME = "n"
"""Stands for any word that can be renamed."""

_TOKEN = re.compile(
    r"""(?:0[xX][0-9a-fA-F']+|0[bB][01']+|(?:\d[\d']*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)[a-zA-Z]*
      | \n
      | \.\s*[xyzw]\b
      | [^\W\d]\w*
      | <<<|>>>|<<=|>>=|->|\+\+|--|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|::|[-+*/%&|^<>=!~?:;,.()\[\]]""",
    re.VERBOSE,
)
_KEPT = frozenset(
    """threadIdx blockIdx blockDim gridDim warpSize dim3 nullptr NULL sizeof static_cast reinterpret_cast min max std
    cuda if else for while do switch case default break continue return goto struct class template typename
    using namespace public private void bool char float double true false new delete this operator atomicAdd
    atomicCAS atomicMax atomicMin atomicExch half float2 float3 float4 int2 int3 int4 uint2 uint4 malloc free
    printf memcpy memset""".split()
)
_RESERVED = re.compile(r"__|cuda[A-Z]")  # `stdev` and `cudas` are anybody's names
_INTEGERS = frozenset("int unsigned signed long short auto size_t int32_t uint32_t int64_t uint64_t ptrdiff_t".split())
_DROPPED = frozenset("const constexpr static inline extern __restrict__ __restrict volatile".split())

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n\v]*", re.DOTALL)
_LINE_MARKS = re.compile(r"(?m:^|(?<=\v))[ \t]*+(?://+|[>|+*%#-]|\d{1,5}[:.|)]?(?=[ \t]))")  # one: `+` may be code
_COMMENT_MARKS = re.compile(r"/\*+|\*+/|//+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_END_OF_STRING = re.compile(r"[\"'],?(?=[ \t]*(?:[\n\v]|$))|\\$", re.MULTILINE)


class Token(NamedTuple):
    """One token of a document: what it is, the name if it is one, and the line it stands in."""

    kind: str
    name: str
    line: int


def tokens_of(text: str) -> list[Token]:
    """The tokens of one view."""
    tokens: list[Token] = []
    line, last = 1, ""
    for word in _TOKEN.findall(text):
        if word == "\n":
            line += 1
            continue
        kind = _kind_of(word)
        if kind and not (kind == last == "int"):  # `unsigned long` is one type
            tokens.append(Token(kind, word if kind == NAME else "", line))
            last = kind
        if "\n" in word:  # a member on another line than its dot
            line += word.count("\n")
    return tokens


@lru_cache(1 << 16)
def _kind_of(spelling: str) -> str:
    """What a spelling of a token stands for; nothing if it is left out."""
    first = spelling[0]
    if first.isdecimal() or (first == "." and spelling[1:2].isdecimal()):
        return _value_of(spelling)
    if first == "." and len(spelling) > 1:
        return f".{spelling[-1]}"
    if spelling in _DROPPED:
        return ""
    if not (first == "_" or first.isalnum()) or spelling in _KEPT or _RESERVED.match(spelling):
        return spelling
    return "int" if spelling in _INTEGERS else NAME


def _value_of(number: str) -> str:
    """`16`, `16u`, `0x10`, `1'6` and `16.0f` are one number."""
    digits = number.replace("'", "").lower()
    try:
        if digits.startswith(("0x", "0b")):
            return f"{float(int(digits.rstrip('ul'), 0)):g}"
        return f"{float(re.sub(r'[a-z_]*$', '', digits)):.12g}"
    except (ValueError, OverflowError):
        return digits


def code_of(text: str) -> list[Token]:
    """The tokens of a source file, without its comments."""
    return tokens_of(_COMMENT.sub(_newlines_alone, unicodedata.normalize("NFKC", text)))


def views_of(text: str) -> list[list[Token]]:
    """The document read in every way that could show a solution; a line keeps its number in all of them."""
    texts = [text]
    if "<" in text and ("&" in text or "</" in text):
        texts.append(html.unescape(_TAG.sub(_newlines_alone, text)))
    if "\\n" in text or '\\"' in text or "\\t" in text or "\\u" in text:
        texts.append(_END_OF_STRING.sub(" ", _ESCAPE.sub(_unescaped, text)))
    if len(texts) == 3:  # HTML inside JSON: the rendered output of a notebook
        texts.append(html.unescape(_TAG.sub(_newlines_alone, texts[2])))
    views: list[list[Token]] = []
    for one in texts:
        plain = unicodedata.normalize("NFKC", one)
        unmarked = _LINE_MARKS.sub(" ", plain)
        readings = {_COMMENT.sub(_newlines_alone, plain), _COMMENT.sub(_newlines_alone, unmarked)}
        views += [tokens_of(reading) for reading in sorted(readings | {_COMMENT_MARKS.sub(" ", unmarked)})]
    return views


def _newlines_alone(match: re.Match[str]) -> str:
    return " " + "\n" * match[0].count("\n")


def _unescaped(match: re.Match[str]) -> str:
    """What an escape in a string stands for; a line's end becomes one that does not count as a line of the file."""
    escape = match[1]
    if escape.startswith("u") and len(escape) == 5:
        return chr(int(escape[1:], 16))
    return {"n": "\v", "r": " ", "t": " ", "\n": "\n"}.get(escape, escape)
