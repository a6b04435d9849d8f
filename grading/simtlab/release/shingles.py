"""Finds the text of solutions in any document by comparing shingles: runs of tokens, with names numbered in the order
of their appearance, so that a consistent renaming changes nothing."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simtlab.release.tokens import NAME, Token

Shingle = tuple[str, tuple[int, ...]]


@dataclass(frozen=True)
class Origin:
    """Where a shingle stands among the solutions."""

    file: str
    line: int
    last_line: int


@dataclass(frozen=True)
class Hit:
    """Lines of a document that equal lines of a solution."""

    first_line: int
    last_line: int
    tokens: int
    origin: Origin


class Alphabet:
    """Gives each kind of token one character, so that runs of kinds are strings, which compare fast."""

    def __init__(self) -> None:
        self._letters: dict[str, str] = {}
        self._last: tuple[Sequence[Token], str] = (), ""

    def spell(self, tokens: Sequence[Token]) -> str:
        """The kinds of the tokens as a string of equal length. A view is spelt once for all sets that search it."""
        if self._last[0] is not tokens:
            letters = self._letters
            for kind in {token.kind for token in tokens} - letters.keys():
                letters[kind] = chr(0x4E00 + len(letters))
            self._last = tokens, "".join([letters[token.kind] for token in tokens])
        return self._last[1]


class ShingleSet:
    """Shingles of one length."""

    def __init__(self, length: int, alphabet: Alphabet) -> None:
        self.length = length
        self._alphabet = alphabet
        self._origins: dict[Shingle, Origin] = {}
        self._known_spellings: set[str] | None = None

    def __len__(self) -> int:
        return len(self._origins)

    def add(self, tokens: Sequence[Token], file: str, starts: Iterable[int]) -> None:
        """Adds the shingles of a solution that begin at `starts`."""
        spelling = self._alphabet.spell(tokens)
        for start in starts:
            end = start + self.length
            if end <= len(tokens):
                shingle = spelling[start:end], _numbered(tokens[start:end])
                self._origins.setdefault(shingle, Origin(file, tokens[start].line, tokens[end - 1].line))
        self._known_spellings = None

    def drop(self, tokens: Sequence[Token]) -> None:
        """Forgets every shingle of a text that students are meant to see."""
        for _, shingle in self._found(tokens):
            self._origins.pop(shingle, None)

    def search(self, tokens: Sequence[Token]) -> list[Hit]:
        """Where the tokens hold shingles of the set; those that overlap are one hit."""
        hits: list[Hit] = []
        covered = -1
        for start, shingle in self._found(tokens):
            origin = self._origins[shingle]
            end = start + self.length
            if start <= covered and hits and hits[-1].origin.file == origin.file:
                last, more = hits[-1], end - 1 - covered
                merged = Origin(
                    origin.file, min(last.origin.line, origin.line), max(last.origin.last_line, origin.last_line)
                )
                hits[-1] = Hit(last.first_line, tokens[end - 1].line, last.tokens + more, merged)
            else:
                hits.append(Hit(tokens[start].line, tokens[end - 1].line, self.length, origin))
            covered = end - 1
        return hits

    def _spellings(self) -> set[str]:
        """Of all shingles, and of some that were dropped: what is not among them need not be looked at."""
        if self._known_spellings is None:
            self._known_spellings = {spelled for spelled, _ in self._origins}
        return self._known_spellings

    def _found(self, tokens: Sequence[Token]) -> list[tuple[int, Shingle]]:
        spelling, n, spellings = self._alphabet.spell(tokens), self.length, self._spellings()
        likely = [start for start in range(len(tokens) - n + 1) if spelling[start : start + n] in spellings]
        shingles = ((start, (spelling[start : start + n], _numbered(tokens[start : start + n]))) for start in likely)
        return [(start, shingle) for start, shingle in shingles if shingle in self._origins]


def _numbered(tokens: Sequence[Token]) -> tuple[int, ...]:
    """The names of the tokens as numbers in the order of their first appearance."""
    numbers: dict[str, int] = {}
    return tuple(numbers.setdefault(token.name, len(numbers)) for token in tokens if token.kind == NAME)
