"""Comparing by role on the labs' own variants, one of each pair under other names and in another order: what belongs
together is paired, nothing wrong is sure, and the sentence names what was planted."""

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from simtlab.compiler.compile import compile_submission
from simtlab.facts.model import Facts
from simtlab.judge.run import CaseLimits, judge_submission
from simtlab.labs.catalogue import Lab, default_build, find_root, read_catalogue
from tests.compared_variants import DATA, Outcome, PlantedPair, outcome_of, planted_pairs, source_of
from tests.renaming import renamed

ROOT = find_root(Path(__file__))
STORED = DATA / "compared-variants"
"""Facts of a few of the pairs: `LAB.NAME.json`, and `LAB.NAME.renamed.json` of B. To write them anew, run the long test
with SIMTLAB_KEEP_FACTS=1."""
PAIRS = planted_pairs()
OF_EACH_LAB = {
    "08-bank-conflicts": ("solution", "unpadded"),
    "07-shared-tiling": ("solution", "uncoalesced-tiles"),
    "02-global-coalescing": ("solution", "x-along-columns-twice"),
    "11-atomics": ("coarsened-interleaved", "runs-in-a-register"),
    "12-warp-shuffle": ("scan-then-add", "kogge-stone"),
}
SHORT = [
    one
    for one in PAIRS
    if OF_EACH_LAB[one.lab] == (one.a, one.b)
    or (one.lab, one.a, one.b)
    in {
        ("08-bank-conflicts", "solution", "naive-strided-writes"),
        ("08-bank-conflicts", "solution", "conflicts-on-the-store"),
        ("12-warp-shuffle", "scan-then-add", "no-grid-stride"),
    }
]


def stored(lab: str, name: str, suffix: str = "") -> Path:
    return STORED / f"{lab}.{name}{suffix}.json"


def read(path: Path) -> Facts:
    return Facts.model_validate_json(path.read_text(encoding="utf-8"))


def test_renaming_keeps_the_program_and_no_name() -> None:
    source = source_of(ROOT / "solutions" / "12-warp-shuffle", "scan-then-add")
    for seed in (0, 1):
        other = renamed(source, seed)
        assert other.kernels.keys() != {} != other.arrays.keys()
        assert all(new != old for new, old in (other.kernels | other.arrays).items())
        assert other.text.count("__shared__") == source.count("__shared__")
        assert other.text.count("<<<") == source.count("<<<")


@pytest.mark.parametrize("pair", SHORT, ids=[one.title for one in SHORT])
def test_a_variant_under_other_names_is_compared_by_role(pair: PlantedPair) -> None:
    a, b = read(stored(pair.lab, pair.a)), read(stored(pair.lab, pair.b, ".renamed"))
    found = outcome_of(pair, a, b, source_of(ROOT / "solutions" / pair.lab, pair.b))
    assert (found.wrong, found.doubted) == ([], [])
    assert found.sentence_is_right, found.sentence


class Workshop:
    """Builds and judges variants on the emulator, each once."""

    def __init__(self, folder: Path, labs: dict[str, Lab]) -> None:
        self._folder = folder
        self._labs = labs

    def facts_of(self, lab: str, name: str, seed: int | None) -> Facts:
        """Facts of a variant, renamed by a seed or as it is."""
        text = source_of(ROOT / "solutions" / lab, name)
        place = self._folder / f"{lab}.{name}.{seed}"
        (place / "submission").mkdir(parents=True)
        source = place / "submission" / "kernel.cu"
        source.write_text(text if seed is None else renamed(text, seed).text, encoding="utf-8")
        whole = replace(self._labs[lab], hidden=None)
        built = compile_submission(
            whole.build.backends["emulator"], ["kernel.cu"], place / "submission", place / "runner", audit=None
        )
        assert built.verdict is None, f"{place.name}: {built.stderr}"
        (place / "judgement").mkdir()
        return judge_submission(
            whole,
            place / "runner",
            place / "judgement",
            submission=name,
            source=source,
            backend="emulator",
            seed=7,
            limits=CaseLimits(),
            wall_seconds=300,
        )


@pytest.mark.long
def test_fifty_pairs_of_variants_under_other_names(tmp_path: Path) -> None:
    labs = read_catalogue(ROOT, default_build(ROOT)).labs
    missing = {one.lab for one in PAIRS} - labs.keys()
    if missing:
        pytest.skip(f"not built: {', '.join(sorted(missing))}")
    workshop = Workshop(tmp_path, labs)
    wanted = dict.fromkeys(
        key for one in PAIRS for key in ((one.lab, one.a, None), (one.lab, one.b, None), (one.lab, one.b, one.seed))
    )
    with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        facts = dict(zip(wanted, pool.map(lambda key: workshop.facts_of(*key), wanted), strict=True))
    scores = {
        f"{one.lab} {one.b}": (facts[one.lab, one.b, None].fast.score, facts[one.lab, one.b, one.seed].fast.score)
        for one in PAIRS
    }
    assert {name: both for name, both in scores.items() if both[0] != both[1]} == {}, "names decide no points"
    outcomes: list[tuple[PlantedPair, Outcome]] = []
    for one in PAIRS:
        a, b = facts[one.lab, one.a, None], facts[one.lab, one.b, one.seed]
        outcomes.append((one, outcome_of(one, a, b, source_of(ROOT / "solutions" / one.lab, one.b))))
        if one in SHORT and os.environ.get("SIMTLAB_KEEP_FACTS"):
            _keep(a, stored(one.lab, one.a))
            _keep(b, stored(one.lab, one.b, ".renamed"))
    right = [one for _, one in outcomes if not one.wrong and not one.doubted]
    sentences = [one for _, one in outcomes if one.sentence_is_right]
    told = "\n".join(f"{one.title}: {found}" for one, found in outcomes if found not in right or found not in sentences)
    print(f"{len(outcomes)} pairs: {len(right)} paired right, {len(sentences)} sentences right")  # noqa: T201 - for -rP
    assert len(outcomes) >= 50
    assert [one for _, one in outcomes if one.wrong] == [], told
    assert len(right) >= 48, told
    assert len(sentences) >= 45, told


def _keep(facts: Facts, path: Path) -> None:
    """Without the cases and times, which no comparison reads."""
    whole = facts.model_copy(update={"cases": [], "skipped": [], "lines": []})
    path.parent.mkdir(exist_ok=True)
    path.write_text(whole.model_dump_json() + "\n", encoding="utf-8")
