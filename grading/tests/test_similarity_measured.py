"""What `simtlab similarity` finds among all labs' variants with 40 copies planted: run with `-s` for the figures.
Copies, their originals and every honest pair whose text is much alike are run on the emulator, as in a class.
"""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from simtlab.class_run.build import build_files
from simtlab.class_run.conditions import Conditions
from simtlab.compare.strategies import Fingerprint, fingerprint
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.catalogue import Lab, find_root, read_catalogue
from simtlab.labs.variants import Variant, read_variants
from simtlab.similarity.documents import given_documents, known_steps
from simtlab.similarity.fingerprints import every_run, fingerprints
from simtlab.similarity.likeness import LEAST, Pair, Work, pairs_of
from tests.planted_copies import disguised
from tests.test_build_tree import BUILD, pytestmark  # noqa: F401 - needs what that needs

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


MUCH = 0.2
"""Of the share of two honest texts: where it is more, counters have a say."""


def counted(lab: Lab, text: str, place: Path) -> Fingerprint | None:
    """What a kernel asks of the memory system; None where it does not come to that."""
    place.mkdir(parents=True)
    built = build_files({lab.specification.files[0]: text.encode()}, lab, place, Conditions(without=("audit",)), None)
    if built.verdict is not None:
        return None
    (place / "judgement").mkdir()
    facts = judge_submission(
        lab, place / "runner", place / "judgement", submission="one", source=place / "submission" / "kernel.cu",
        backend="emulator", seed=1, limits=CaseLimits(), wall_seconds=600, only_times=True,
    )  # fmt: skip
    return fingerprint(facts.launches) if facts.launches else None


def with_counters(works: list[Work], pairs: list[Pair], lab: Lab, place: Path) -> list[Work]:
    """The works, those counted that a pair of copies or of much text in common has."""
    wanted = {
        name
        for pair in pairs
        if pair.evidence > MUCH or pair.other == f"copy of {pair.one}" or pair.one == f"copy of {pair.other}"
        for name in (pair.one, pair.other)
    }

    def of(number: int, one: Work) -> Work:
        return replace(one, counters=counted(lab, one.text, place / str(number))) if one.student in wanted else one

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(of, range(len(works)), works))


def measured(place: Path) -> Measured:
    found = Measured()
    built = read_catalogue(ROOT, BUILD).labs
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
        text_alone = pairs_of(works, given, steps)
        works = with_counters(works, text_alone, replace(built[lab.name], hidden=None), place / lab.name)
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


@pytest.mark.long
def test_planted_copies_rank_above_every_honest_pair(tmp_path: Path) -> None:
    found = measured(tmp_path)
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
    assert len(above) >= 38, told
    assert len(looks) == 0, told
    assert words["look"] == 0, told
