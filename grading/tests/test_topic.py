"""A correct kernel that leaves a lab's topic aside earns at most 70 of 100 points, with every prediction right.

Variants that are such kernels say so and name their points. Their bands bound the points, and `simtlab verify` holds
the bands against what is measured."""

import re

import pytest

from simtlab.labs.catalogue import find_root
from simtlab.labs.specification import read_specification
from simtlab.labs.variants import variants_of
from simtlab.verify.expectation import parse_expectation

MOST = 70
SAYS_SO = re.compile(r"^// Without the topic: (\d+) of 100 points\.$", re.MULTILINE)
ROOT = find_root()


LABS = sorted(path.parent.name for path in ROOT.glob("solutions/[0-9][0-9]-*/hidden.toml"))


@pytest.mark.parametrize("lab", LABS)
def test_without_the_topic_a_correct_kernel_earns_at_most_70_points(lab: str) -> None:
    points = read_specification(ROOT / "labs" / lab / "lab.toml").points
    said: dict[str, int] = {}
    for variant in variants_of(ROOT / "solutions" / lab):
        if line := SAYS_SO.search(variant.text):
            band = parse_expectation(variant.text, variant.name).fast
            assert isinstance(band, tuple), f"{variant.name} is not a correct kernel"
            rest = points.correct + points.safe + points.predict
            least, most = (rest + points.fast * score / 100 for score in band)
            assert most <= MOST, f"{variant.name}: its band allows {most:g} points"
            said[variant.name] = int(line[1])
            assert least <= said[variant.name] <= most, f"{variant.name}: its band stands for {least:g} to {most:g}"
    assert said, f"no variant of {lab} says what it earns without the topic"
