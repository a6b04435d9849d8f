"""What `simtlab similarity` finds among all labs' variants with 40 copies planted: run with `-s` for the figures."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from simtlab.labs.catalogue import find_root
from simtlab.labs.variants import Variant, read_variants
from simtlab.similarity.documents import given_documents, known_steps
from simtlab.similarity.fingerprints import every_run, fingerprints
from simtlab.similarity.likeness import LEAST, Pair, Work, pairs_of
from tests.planted_copies import disguised

ROOT = find_root(Path(__file__))
COPIES = 40
OWN = 2 * LEAST
"""A copied kernel has so many fingerprints of its own: one that the handout dictates can be told from no other."""


@dataclass
class Measured:
    """Pairs of all labs, each once."""

    copies: list[Pair] = field(default_factory=list)
    honest: list[Pair] = field(default_factory=list)
    same_step: list[Pair] = field(default_factory=list)
    """Honest pairs of variants that are one textbook step with a change each."""
    works: int = 0


def measured() -> Measured:
    found = Measured()
    for lab in sorted(path for path in (ROOT / "labs").iterdir() if (path / "kernel.cu").is_file()):
        solutions = ROOT / "solutions" / lab.name
        variants = {one.name: one for one in read_variants(solutions).found}
        steps = known_steps(solutions)
        given = given_documents(lab)
        roots = {name: _root(one, variants) for name, one in variants.items()}
        honest = [one for one in variants.values() if one.base is None or roots[one.name] in steps]
        released, stepped = every_run(given), every_run(steps.values())
        own = [
            one for one in honest
            if one.base is None and one.name not in steps
            and len(fingerprints(one.text).keys() - released - stepped) >= OWN
        ]  # fmt: skip
        own = own[: COPIES - len(found.copies)]
        works = [Work(one.name, one.text) for one in honest] + [Work("solution", steps["solution"])]
        works += [Work(f"copy of {one.name}", disguised(one.text, _entry(lab), len(one.name))) for one in own]
        found.works += len(works)
        pairs = pairs_of(works, given, steps)
        wanted = {frozenset((one.name, f"copy of {one.name}")) for one in own}
        by_names = {frozenset((pair.one, pair.other)): pair for pair in pairs}
        found.copies += [by_names[names] for names in wanted]
        for names, pair in by_names.items():
            if any(name.startswith("copy of ") for name in names):
                continue
            one, other = (roots.get(name, "solution") for name in names)
            (found.same_step if one == other else found.honest).append(pair)
    return found


def _root(one: Variant, variants: dict[str, Variant]) -> str:
    while one.base in variants:
        one = variants[one.base]
    return one.base or one.name


def _entry(lab: Path) -> set[str]:
    """Every word of the stub stays: the entry and its parameters are the lab's."""
    return set((lab / "kernel.cu").read_text(encoding="utf-8").replace("(", " ").replace("*", " ").split())


def test_planted_copies_rank_above_every_honest_pair() -> None:
    found = measured()
    highest = max(pair.evidence for pair in [*found.honest, *found.same_step])
    above = [pair for pair in found.copies if pair.evidence > highest]
    looks = [pair for pair in [*found.honest, *found.same_step] if pair.what == "look"]
    words = Counter(pair.what.partition(":")[0] or "nothing" for pair in found.same_step)
    told = [
        f"{found.works} kernels, {len(found.copies)} of them planted copies",
        f"planted copies above every honest pair: {len(above)} of {len(found.copies)}",
        f"planted copies to look at: {sum(pair.what == 'look' for pair in found.copies)} of {len(found.copies)}",
        f"honest pairs to look at: {len(looks)} of {len(found.honest) + len(found.same_step)}",
        f"highest share of an honest pair: {highest:.2f}",
        f"honest pairs of one step: {len(found.same_step)}, listed as {dict(words)}",
    ]
    print("\n".join(told))  # noqa: T201 - the figures of docs/ta.md
    assert len(found.copies) == COPIES
    assert len(above) >= 35, told
    assert len(looks) <= 6, told
    assert words["look"] == 0, told
