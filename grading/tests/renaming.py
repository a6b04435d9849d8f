"""A kernel with other names and another order of its declarations: the same program, which nobody can tell by names.

Two ways to rename: every kernel and array gets a name that the file does not have, or they exchange their names among
each other, so that whoever goes by names goes wrong.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from simtlab.audit.tokens import Kind, Token, tokens

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_KEPT_IN_MEMORY = ("__shared__", "__device__", "__constant__")


@dataclass(frozen=True)
class Renamed:
    """The new text, and by new name the old one."""

    text: str
    kernels: dict[str, str]
    arrays: dict[str, str]


def renamed(text: str, seed: int) -> Renamed:
    """The kernel renamed, its kernels in reverse order behind the rest, its shared arrays declared in reverse order.
    Even seeds draw new names, odd ones exchange those that are there."""
    read = list(tokens(text))
    kernels, arrays = sorted(set(_kernels(read))), sorted(set(_arrays(read)))
    draw = random.Random(seed)
    taken = {token.text for token in read}
    free = [one for one in (f"{first}{second}" for first in "pqrvwz" for second in "aeiou") if one not in taken]
    new = _drawn(kernels, free, draw, seed)
    new |= _drawn(arrays, [one for one in free if one not in new.values()], draw, seed)
    changed = _with_names(text, read, new)
    changed = _kernels_reversed(_shared_reversed(changed))
    back = {name: old for old, name in new.items()}
    return Renamed(
        changed,
        {name: old for name, old in back.items() if old in kernels},
        {name: old for name, old in back.items() if old in arrays},
    )


def _kernels(read: list[Token]) -> Iterator[str]:
    for at, token in enumerate(read):
        if token.text == "__global__":
            yield read[_name_of_function(read, at)].text


def _name_of_function(read: list[Token], at: int) -> int:
    """The place of the name behind `__global__`, whatever attributes stand between."""
    while not (read[at].kind is Kind.WORD and read[at + 1].text == "("):
        at += 1
    return at if read[at].text != "__launch_bounds__" else _name_of_function(read, _closing(read, at + 1) + 1)


def _closing(read: list[Token], at: int) -> int:
    depth = 0
    while True:
        depth += _BRACKETS.get(read[at].text, 0)
        if depth == 0:
            return at
        at += 1


def _arrays(read: list[Token]) -> Iterator[str]:
    for at, token in enumerate(read):
        if token.text in _KEPT_IN_MEMORY:
            yield from _declared(read, at + 1)
        if token.text == "__global__":
            yield from _pointers(read, _name_of_function(read, at) + 1)


def _declared(read: list[Token], at: int) -> Iterator[str]:
    """The names of `float a[8], b;`; none of a function."""
    found, depth = [], 0
    while read[at].text != ";" or depth:
        if read[at].text == "(" and not depth:
            return
        if not depth and read[at].kind is Kind.WORD and read[at + 1].text in {"[", ",", ";", "="}:
            found.append(read[at].text)
        depth += _BRACKETS.get(read[at].text, 0)
        at += 1
    yield from found


def _pointers(read: list[Token], opening: int) -> Iterator[str]:
    pointer = False
    for at in range(opening + 1, _closing(read, opening) + 1):
        if read[at].text in {",", ")"}:
            if pointer:
                yield read[at - 1].text
            pointer = False
        pointer = pointer or read[at].text == "*"


def _drawn(names: list[str], free: list[str], draw: random.Random, seed: int) -> dict[str, str]:
    if seed % 2 and len(names) > 1:
        turn = draw.randrange(1, len(names))
        return dict(zip(names, names[turn:] + names[:turn], strict=True))
    return dict(zip(names, draw.sample(free, len(names)), strict=True))


def _with_names(text: str, read: list[Token], new: dict[str, str]) -> str:
    pieces, at = [], 0
    for before, token in zip([None, *read], read, strict=False):
        is_member = before is not None and before.text in {".", "->"}
        if token.kind is Kind.WORD and token.text in new and not is_member:
            pieces += [text[at : token.begin], new[token.text]]
            at = token.end
    return "".join(pieces) + text[at:]


def _shared_reversed(text: str) -> str:
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end].strip().startswith("__shared__") and lines[end].rstrip().endswith(";"):
            end += 1
        lines[at:end] = lines[at:end][::-1]
        at = end + 1
    return "\n".join(lines)


def _kernels_reversed(text: str) -> str:
    pieces, bodies, at = [], [], 0
    for begin, opening, end in _definitions(text):
        pieces += [text[at:begin], text[begin:opening].rstrip(), ";"]
        bodies.append(text[begin:end])
        at = end
    return "".join([*pieces, text[at:].rstrip("\n"), "\n", *(f"\n{body}\n" for body in reversed(bodies))])


def _definitions(text: str) -> Iterator[tuple[int, int, int]]:
    """Where each kernel begins, its body opens and it ends."""
    read = [token for token in tokens(text) if token.kind is not Kind.DIRECTIVE]
    at = begin = 0
    while at < len(read):
        word = read[at].text
        if word == "{":
            close = _closing(read, at)
            if any(token.text == "__global__" for token in read[begin:at]):
                yield read[begin].begin, read[at].begin, read[close].end
            at = begin = close + 1
            continue
        at += 1
        if word == ";":
            begin = at
