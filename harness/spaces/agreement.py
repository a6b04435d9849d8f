"""How far simtcc agrees with nvcc's recorded answers, alone and with the CUDA front end that its build found.

A front end only adds refusals, so that it is asked about what simtcc alone accepts.
`PYTHONPATH=harness python3 -m spaces agreement SIMTCC` prints both.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spaces.compilers import verdicts
from spaces.programs import programs, read_answers

_WORDS = ["-c"]


@dataclass(frozen=True)
class Agreement:
    """Programs that a compiler answers otherwise than nvcc."""

    total: int
    wrongly_refused: list[str]
    wrongly_accepted: list[str]

    @property
    def fraction(self) -> float:
        return 1 - (len(self.wrongly_refused) + len(self.wrongly_accepted)) / self.total


def answers_of(simtcc: Path, *options: str, among: set[str] | None = None) -> dict[str, bool]:
    """By program: whether simtcc accepts it; `among`: the programs to ask about."""
    answers = read_answers()
    said: dict[str, bool] = {}
    for legal in (True, False):  # apart: names are told apart by their plain spelling
        several = [one for one in programs() if answers[one.key] is legal and (among is None or one.key in among)]
        said |= verdicts([str(simtcc), *options, *_WORDS], several)
    return said


def agreement(said: dict[str, bool]) -> Agreement:
    """What was said beside what nvcc says."""
    answers = read_answers()
    wrong = sorted(key for key, legal in said.items() if legal != answers[key])
    return Agreement(len(said), [key for key in wrong if answers[key]], [key for key in wrong if not answers[key]])


def with_front_end(simtcc: Path, alone: dict[str, bool]) -> dict[str, bool]:
    """The answers of simtcc and the front end together."""
    return alone | answers_of(simtcc, "--front-end", among={key for key, legal in alone.items() if legal})
