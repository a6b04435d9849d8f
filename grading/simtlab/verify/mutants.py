"""The mutants of a lab's solution: every operator at every site in the marked regions, which are what students write.

A lab may argue in writing that a mutant is no mistake, in `solutions/NN-name/equivalent.toml`:

    [[equivalent]]
    operator = "bound-dropped"
    line = "if (lane < 32) {"       # the line of the solution, blanks around it aside
    becomes = "if (true) {"         # what the mutant makes of it
    reason = "the block has 32 threads"

The argument is read by people; that the mutant exists, and does survive, is checked.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from simtlab.errors import LabError
from simtlab.record import Record
from simtlab.toml_file import read_toml_as
from simtlab.verify.code import Code
from simtlab.verify.operators import OPERATORS, Edit, Operator

FEWEST = 8
"""So many mutants a lab must have killed, and so many are run when not all are."""


@dataclass(frozen=True)
class Mutant:
    """A solution with one mistake."""

    operator: Operator
    number: int
    """Counts a lab's mutants of this operator from 1."""
    line: int
    was: str
    """The line of the solution without the blanks around it."""
    becomes: str
    text: str

    @property
    def name(self) -> str:
        """Unique in the lab."""
        return f"mutants/{self.operator.name}-{self.number}"

    @property
    def place(self) -> str:
        """What was done where, for people."""
        return f"line {self.line}: {self.was}  →  {self.becomes or '(nothing)'}"


class Equivalent(Record):
    """An argument that a mutant is no mistake."""

    operator: str
    line: str
    becomes: str
    reason: str = Field(min_length=10, description="why the mutant does what the solution does")

    def fits(self, mutant: Mutant) -> bool:
        """Whether it speaks of this mutant."""
        return (self.operator, self.line, self.becomes) == (mutant.operator.name, mutant.was, mutant.becomes)


class _Equivalents(Record):
    equivalent: list[Equivalent] = []


def mutants_of(solution: str, regions: Sequence[tuple[int, int]]) -> list[Mutant]:
    """All mutants of a solution, by operator and then by place; two that read alike are one. `regions` are the lines of
    the markers."""
    code = Code(solution)
    inside = {line for begin, end in regions for line in range(begin + 1, end)}
    lines = solution.split("\n")
    found: list[Mutant] = []
    seen = {solution}
    for operator in OPERATORS:
        number = 0
        for edit in operator.sites(code):
            text = _edited(code, edit)
            line = code.pieces[edit.first].line
            if line not in inside or text in seen:
                continue
            seen.add(text)
            number += 1
            was, becomes = lines[line - 1].strip(), text.split("\n")[line - 1].strip()
            found.append(Mutant(operator, number, line, was, becomes, text))
    return found


def sample_of(mutants: Sequence[Mutant], lab: str, fewest: int = FEWEST) -> list[Mutant]:
    """At least `fewest` of them where there are so many, the same every time: one of each operator, then a second of
    each, and so on; which one of an operator follows from the lab's name and the mutant's lines."""

    def lot(mutant: Mutant) -> str:
        return hashlib.sha256(f"{lab}\0{mutant.name}\0{mutant.was}\0{mutant.becomes}".encode()).hexdigest()

    queues = [
        sorted((one for one in mutants if one.operator is operator), key=lot, reverse=True) for operator in OPERATORS
    ]
    chosen: list[Mutant] = []
    while len(chosen) < fewest and any(queues):
        chosen += [queue.pop() for queue in queues if queue]
    return [mutant for mutant in mutants if mutant in chosen]


def read_equivalents(path: Path) -> list[Equivalent]:
    """The arguments of a lab; none where it has no such file."""
    return read_toml_as(path, _Equivalents, LabError).equivalent if path.exists() else []


def _edited(code: Code, edit: Edit) -> str:
    """The source with the edit made and all line numbers kept."""
    begin, end = code.pieces[edit.first].begin, code.pieces[edit.last].end
    text = edit.text.replace("\n", " ")
    return code.text[:begin] + text + "\n" * code.text.count("\n", begin, end) + code.text[end:]
