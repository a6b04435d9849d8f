"""Pairs of variants under other names, and whether their comparison pairs what belongs together and names what was
planted. `tests/data/compared-variants.toml` has the pairs."""

import re
import tomllib
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from simtlab.compare.criteria import CriterionPair
from simtlab.compare.explanation import Hosts, largest_difference
from simtlab.compare.roles import Array, Kernel, Pair, kernels_of, pair_by_role
from simtlab.facts.model import Facts
from simtlab.labs.section import SOLUTION
from simtlab.labs.variants import plain_solution, variant_of
from tests.renaming import Renamed, renamed

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class PlantedPair:
    """Two variants of a lab that differ in one thing."""

    lab: str
    a: str
    b: str
    seed: int
    """Of B's renaming."""
    names: str
    """Side, verb and arrays of the sentence's beginning."""
    words: tuple[str, ...]

    @property
    def title(self) -> str:
        """For test reports."""
        return f"{self.lab.partition('-')[0]} {self.a} and {self.b}"


@dataclass
class Outcome:
    """What became of a pair."""

    sentence: str
    sentence_is_right: bool
    wrong: list[str] = field(default_factory=list)
    """Pairs that were sure and are none, each in words."""
    doubted: list[str] = field(default_factory=list)
    """Pairs that are none and were unsure of themselves, and what was left alone on both sides."""


def planted_pairs() -> list[PlantedPair]:
    """All pairs. A variant has one renaming, whoever it is compared with."""
    found: list[PlantedPair] = []
    table = tomllib.loads((DATA / "compared-variants.toml").read_text(encoding="utf-8"))
    for lab, known in table.items():
        seeds = {b: seed for seed, b in enumerate(dict.fromkeys(pair[1] for pair in known["pairs"]))}
        found += [PlantedPair(lab, a, b, seeds[b], names, tuple(words)) for a, b, names, *words in known["pairs"]]
    return found


def source_of(solution_folder: Path, name: str) -> str:
    """A variant's text, or the solution's without its comments."""
    if name == SOLUTION:
        return "\n".join(plain_solution(solution_folder).lines) + "\n"
    return variant_of(solution_folder, name).text


def outcome_of(pair: PlantedPair, a: Facts, b: Facts, b_source: str) -> Outcome:
    """Compares facts of A with facts of B renamed, whose source under its own names is `b_source`."""
    known = renamed(b_source, pair.seed)
    found = pair_by_role(a.launches, b.launches)
    of_a = {(one.metric, one.argument): one for one in a.fast.criteria}
    of_b = {(one.metric, one.argument): one for one in b.fast.criteria}
    criteria = [CriterionPair(*key, of_a.get(key), of_b.get(key)) for key in of_a]
    sentence = largest_difference(found, Hosts(a.host, b.host), criteria)
    outcome = Outcome(sentence, _names_the_planted(pair, known, sentence))
    own_names = _OwnNames(a, b, known)
    for halves in (found.kernels, found.arrays):
        _judge([own_names.of(one) for one in halves], [one.sure for one in halves], outcome)
    return outcome


class _OwnNames:
    """Both halves by the names that they have in their variants; shared memory with its kernel."""

    def __init__(self, a: Facts, b: Facts, known: Renamed) -> None:
        self._kernels_a = [one.name for one in kernels_of(a.launches)]
        self._kernels_b = [known.kernels[one.name] for one in kernels_of(b.launches)]
        self._known = known

    def of(self, pair: Pair[Kernel] | Pair[Array]) -> tuple[Hashable | None, Hashable | None]:
        a = None if pair.a is None else self._of_half(pair.a, self._kernels_a, {}, {})
        b = None if pair.b is None else self._of_half(pair.b, self._kernels_b, self._known.kernels, self._known.arrays)
        return a, b

    @staticmethod
    def _of_half(
        half: Kernel | Array, kernels: list[str], of_kernel: dict[str, str], of_array: dict[str, str]
    ) -> Hashable:
        if isinstance(half, Kernel):
            return of_kernel.get(half.name, half.name)
        if half.given:
            return half.name
        name = of_array.get(half.name, half.name)
        return name if half.memory == "device" else (kernels[half.accesses[0][0]], name)


def _judge(pairs: list[tuple[Hashable | None, Hashable | None]], sure: list[bool], outcome: Outcome) -> None:
    """Variants of one lab call alike what has one role; what one of them alone has may stand with anything of its kind
    that the other alone has."""
    of_a, of_b = {a for a, _ in pairs if a}, {b for _, b in pairs if b}
    for (a, b), is_sure in zip(pairs, sure, strict=True):
        if a is None or b is None:
            if (a or b) in of_a & of_b:
                outcome.doubted.append(f"{a or b} alone")
        elif a != b and (a in of_b or b in of_a):
            (outcome.wrong if is_sure else outcome.doubted).append(f"{a} with {b}")


def _names_the_planted(pair: PlantedPair, known: Renamed, sentence: str) -> bool:
    side, verb, arrays = pair.names.split(" ")
    names = {new for array in arrays.split("|") for new in _called(array, known)}
    beginning = f"{'[AB]' if side == '*' else side} {'[a-z]+' if verb == '*' else verb} `({'|'.join(sorted(names))})`"
    return bool(re.match(beginning, sentence)) and all(re.search(word, sentence) for word in pair.words)


def _called(array: str, known: Renamed) -> Iterator[str]:
    yield array
    yield from (new for new, old in known.arrays.items() if old == array)
