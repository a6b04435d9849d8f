"""CUDA source as the mutation operators see it: the audit's tokens, single characters joined to operators, with the
brackets that belong together and the few declarations that an operator has to know.

It relies on what `make check` enforces for every solution: clang-format's layout (a comparison has blanks around it,
the brackets of a template have none) and the marked regions.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from simtlab.audit.tokens import Kind, tokens

_JOINED = "<<< >>> <<= >>= && || <= >= == != += -= *= /= %= |= &= ^= ++ -- << >> -> ::".split()
_OPENS = {"(": ")", "[": "]", "{": "}"}
_POINTER_WORDS = {"*", "const", "volatile", "__restrict__", "__restrict", "&"}


@dataclass(frozen=True)
class Piece:
    """A token: the text [begin, end) of the source, in this line."""

    text: str
    kind: Kind
    line: int
    begin: int
    end: int


@dataclass(frozen=True)
class Function:
    """A function's parameters and body, as positions in `Code.pieces`: of the opening brackets."""

    name: str
    on_device: bool
    parameters: int
    body: int


class Code:
    """A source file and what its tokens say. Positions are indices into `pieces`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces = list(_joined(text))

    def __getitem__(self, at: int) -> str:
        """The text of a token; empty beyond the ends."""
        return self.pieces[at].text if 0 <= at < len(self.pieces) else ""

    def span(self, first: int, last: int) -> str:
        """The source from the token `first` to the token `last`, both included."""
        return self.text[self.pieces[first].begin : self.pieces[last].end]

    @cached_property
    def partner(self) -> dict[int, int]:
        """For each bracket the one that belongs to it, both ways; brackets without a partner are absent."""
        pairs: dict[int, int] = {}
        open_: list[int] = []
        for at, piece in enumerate(self.pieces):
            if piece.kind is not Kind.OTHER:
                continue
            if piece.text in _OPENS:
                open_.append(at)
            elif open_ and piece.text == _OPENS[self[open_[-1]]]:
                begin = open_.pop()
                pairs[begin], pairs[at] = at, begin
        return pairs

    def find(self, *texts: str) -> Iterator[int]:
        """Where a token with one of these texts stands."""
        return (at for at, piece in enumerate(self.pieces) if piece.text in texts and piece.kind is not Kind.STRING)

    def enclosing(self, at: int, bracket: str) -> int | None:
        """The nearest `bracket` that is open at `at`."""
        while at > 0:
            at -= 1
            if self[at] in _OPENS.values() and at in self.partner:
                at = self.partner[at]
            elif self[at] in _OPENS:
                if self[at] == bracket:
                    return at
                if self[at] == "{":
                    return None
        return None

    def is_spaced(self, at: int) -> bool:
        """Whether a blank or a line's end stands on both sides of the token."""
        piece = self.pieces[at]
        return self.text[piece.begin - 1 : piece.begin].isspace() and self.text[piece.end : piece.end + 1].isspace()

    def arguments(self, bracket: int) -> list[tuple[int, int]]:
        """First and last token of each argument between `bracket` and its partner."""
        found: list[tuple[int, int]] = []
        at = first = bracket + 1
        while at < self.partner[bracket]:
            if self[at] == ",":
                found.append((first, at - 1))
                first = at + 1
            at = self.partner[at] + 1 if self[at] in _OPENS and at in self.partner else at + 1
        return [*found, (first, at - 1)] if at > first else found

    def statement_end(self, at: int) -> int | None:
        """The `;` that ends the statement of `at`; None inside brackets, such as those of `for`."""
        while at < len(self.pieces):
            if self[at] == ";":
                return at
            if self[at] in _OPENS.values():
                return None
            at = self.partner.get(at, at) + 1 if self[at] in _OPENS else at + 1
        return None

    def target(self, assignment: int) -> int:
        """The first token of what the assignment at `assignment` stores to: `sum`, `tile[y][x]`, `*place`."""
        at = assignment - 1
        while self[at] == "]" and at in self.partner:
            at = self.partner[at] - 1
        return at

    @cached_property
    def float_names(self) -> set[str]:
        """Everything declared with the type `float`: variables, arrays, pointers."""
        names: set[str] = set()
        for at in self.find("float"):
            after = at + 1
            while self[after] in _POINTER_WORDS:
                after += 1
            if after < len(self.pieces) and self.pieces[after].kind is Kind.WORD:
                names.add(self[after])
        return names

    @cached_property
    def functions(self) -> list[Function]:
        """The functions that are defined here."""
        found: list[Function] = []
        for at in self.find("{"):
            close = at - 1
            if self[close] != ")" or close not in self.partner or at not in self.partner:
                continue
            begin = self.partner[close]
            if self[begin - 1] in {"if", "for", "while", "switch", "", "]"} or self.enclosing(at, "(") is not None:
                continue
            start = begin
            while start > 0 and not self._ends_a_declaration(start - 1):
                start -= 1
            words = {self[one] for one in range(start, begin)}
            found.append(Function(self[begin - 1], bool(words & {"__global__", "__device__"}), begin, at))
        return found

    def _ends_a_declaration(self, at: int) -> bool:
        return self[at] in {";", "}", "{"} or self.pieces[at].kind is Kind.DIRECTIVE

    def function_at(self, at: int) -> Function | None:
        """The function whose body holds the token."""
        return next((one for one in self.functions if one.body < at < self.partner[one.body]), None)

    def pointers(self, function: Function, *, constant: bool) -> list[str]:
        """The function's pointer parameters to constant data, or to data that it may write."""
        names: list[str] = []
        for first, last in self.arguments(function.parameters):
            words = [self[at] for at in range(first, last + 1)]
            if "*" in words and ("const" in words[: words.index("*")]) == constant:
                names.append(words[-1])
        return names


def _joined(text: str) -> Iterator[Piece]:
    """The audit's tokens, neighbouring characters joined to the operators of C++."""
    singles = list(tokens(text))
    at = 0
    while at < len(singles):
        one = singles[at]
        for operator in _JOINED if one.kind is Kind.OTHER else ():
            run = singles[at : at + len(operator)]
            if text.startswith(operator, one.begin) and [token.text for token in run] == list(operator):
                yield Piece(operator, one.kind, one.line, one.begin, run[-1].end)
                at += len(operator)
                break
        else:
            yield Piece(one.text, one.kind, one.line, one.begin, one.end)
            at += 1
