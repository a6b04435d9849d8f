"""Copies of a kernel that somebody wants to hide: other names, other order, other comments, spacing and numbers, and
the same program. Deterministic by seed."""

import random
import re

from simtlab.audit.tokens import Kind, tokens
from simtlab.release.tokens import NAME, tokens_of
from tests.renaming import renamed

_DECLARATION = re.compile(
    r"\s*(?:const\s+)?(?:int|unsigned(?: int)?|float|double|size_t)\s+(?P<name>\w+)\s*=\s*(?P<value>[^;{}]*);\s*(?://.*)?"
)
_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_WORDS = ("place", "total", "part", "here", "near", "left", "mark", "side", "edge", "many", "kept", "down", "over")


def disguised(text: str, entry: set[str], seed: int) -> str:
    """The kernel as somebody hands it in who copied it. `entry` are names that have to stay."""
    draw = random.Random(seed)
    moved = renamed(_COMMENT.sub("", text), 2 * seed).text
    return _respaced(_respelled(_other_names(_reordered(moved, draw), entry, draw), draw), draw)


def _reordered(text: str, draw: random.Random) -> str:
    """Neighbouring declarations exchanged where neither uses the other."""
    lines = text.split("\n")
    at = 0
    while at + 1 < len(lines):
        one, other = _DECLARATION.fullmatch(lines[at]), _DECLARATION.fullmatch(lines[at + 1])
        free = one and other and not (
            re.search(rf"\b{one['name']}\b", other["value"]) or re.search(rf"\b{other['name']}\b", one["value"])
        )  # fmt: skip
        if free and draw.random() < 0.7:
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
            at += 1
        at += 1
    return "\n".join(lines)


def _other_names(text: str, kept: set[str], draw: random.Random) -> str:
    names = sorted({one.name for one in tokens_of(text) if one.kind == NAME} - kept)
    included = {
        word for line in text.splitlines() if line.lstrip().startswith("#include") for word in re.findall(r"\w+", line)
    }
    new = {name: f"{draw.choice(_WORDS)}_{at}" for at, name in enumerate(names) if name not in included}
    pieces, at = [], 0
    for token in tokens(text):
        shown = token.text
        if token.kind is Kind.WORD:
            shown = new.get(shown, shown)
        elif token.kind is Kind.DIRECTIVE and not token.text.lstrip("# ").startswith("include"):
            shown = re.sub(r"\b\w+\b", lambda word: new.get(word[0], word[0]), token.text)
        pieces += [text[at : token.begin], shown]
        at = token.end
    return "".join([*pieces, text[at:]])


def _respelled(text: str, draw: random.Random) -> str:
    def number(found: re.Match[str]) -> str:
        value = int(found[0])
        return hex(value) if value > 9 and draw.random() < 0.5 else found[0]

    text = re.sub(r"(?<![\w.<])\d+(?![\w.])", number, text)
    return text.replace("0.0f", "0.f").replace("const int ", "int ")


def _respaced(text: str, draw: random.Random) -> str:
    lines = []
    for line in text.split("\n"):
        if not line.strip() and draw.random() < 0.5:
            continue
        lines.append(line.replace("  ", draw.choice(["  ", "\t", "    "])))
        if line.rstrip().endswith(";") and draw.random() < 0.2:
            lines.append("    // my own idea")
    return "\n".join(lines)
