"""A kernel's fingerprints: hashes of runs of tokens, of which winnowing keeps a few.

Tokens have no names, comments, spacing or spelling of numbers (`release/tokens.py`). Within a run, names are numbered
in the order of their appearance, so that a consistent renaming changes nothing, while `a + a` and `a + b` differ. Of
every `WINDOW` runs that follow one another the one of the least hash is kept: two texts that share `RUN + WINDOW - 1`
tokens share a fingerprint (Schleimer, Wilkerson, Aiken: Winnowing, 2003).
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simtlab.release.tokens import NAME, Token, code_of, views_of

RUN = 6
"""Tokens of a run: shorter than a declaration, so that another order of declarations breaks few."""
WINDOW = 3


@dataclass(frozen=True)
class Place:
    """Where a fingerprint stands: its first and last line."""

    first: int
    last: int


def fingerprints(text: str) -> dict[int, list[Place]]:
    """The fingerprints of a source file, with their places."""
    runs = _runs(code_of(text))
    kept: dict[int, list[Place]] = {}
    last = -1
    for begin in range(max(len(runs) - WINDOW, 0) + 1 if runs else 0):
        window = range(begin, min(begin + WINDOW, len(runs)))
        least = min(window, key=lambda at: (runs[at][0], -at))
        if least != last:
            kept.setdefault(runs[least][0], []).append(runs[least][1])
            last = least
    return kept


def every_run(texts: Iterable[str]) -> set[int]:
    """All runs of documents, in every way of reading them: whatever of a submission stands here was given out."""
    return {number for text in texts for view in views_of(text) for number, _ in _runs(view)}


def _runs(tokens: Sequence[Token]) -> list[tuple[int, Place]]:
    found = []
    for begin in range(len(tokens) - RUN + 1):
        run = tokens[begin : begin + RUN]
        numbers: dict[str, int] = {}
        words = [f"{NAME}{numbers.setdefault(one.name, len(numbers))}" if one.kind == NAME else one.kind for one in run]
        digest = hashlib.blake2b("\0".join(words).encode(), digest_size=8).digest()
        found.append((int.from_bytes(digest, "big"), Place(run[0].line, run[-1].line)))
    return found
