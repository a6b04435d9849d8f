"""The table of ladders holds every correct variant of its labs, each with a score inside its band."""

import re

from simtlab.facts.model import Status
from simtlab.labs.catalogue import find_root
from simtlab.labs.variants import variants_of
from simtlab.verify.expectation import parse_expectation

SOLUTIONS = find_root() / "solutions"
ROW = re.compile(r"\| ([a-z0-9-]+) \| ([\d.]+) \|")


def test_the_ladders_hold_every_correct_variant_with_a_score_inside_its_band() -> None:
    sections = (SOLUTIONS / "ladders.md").read_text(encoding="utf-8").split("\n## ")[1:]
    assert sections
    for section in sections:
        lab, _, table = section.partition("\n")
        scores = {name: float(score) for name, score in ROW.findall(table)}
        assert scores.pop("solution") == 100
        bands = {}
        for variant in variants_of(SOLUTIONS / lab):
            declared = parse_expectation(variant.text, variant.name)
            if isinstance(declared.fast, tuple) and declared.safe is Status.PASS:
                bands[variant.name] = declared.fast
        assert scores.keys() == bands.keys(), lab
        for name, (low, high) in bands.items():
            assert low <= scores[name] <= high, f"{lab}: {name} stands with {scores[name]}, its band is {low}..{high}"
