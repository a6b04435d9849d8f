"""The table of a GPU's ladders is what its command makes of the device files, and those are whole."""

import subprocess
import sys

from simtlab.calibrate.device_file import DeviceFile
from simtlab.calibrate.ladder import Step, ladder_of
from simtlab.calibrate.repeats import Repeat, Repeats, variant_to_repeat
from simtlab.labs.catalogue import find_root
from simtlab.labs.variants import variants_of
from simtlab.verdict import Verdict
from tests.test_calibrate import step

SOLUTIONS = find_root() / "solutions"
DEVICES = sorted((SOLUTIONS / "devices").glob("h200-*.json"))


def test_the_table_is_made_from_the_device_files() -> None:
    assert DEVICES
    command = [sys.executable, str(SOLUTIONS / "ladders_gpu.py"), *map(str, DEVICES)]
    made = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert made == (SOLUTIONS / "ladders-h200.md").read_text(encoding="utf-8")


def test_points_carry_over_from_gpu_to_gpu_and_their_table_is_made_from_the_device_files() -> None:
    others = sorted((SOLUTIONS / "devices").glob("h100-*.json"))
    assert others
    command = [sys.executable, str(SOLUTIONS / "carry_over.py"), *map(str, others), "--", *map(str, DEVICES)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-300:]
    assert done.stdout == (SOLUTIONS / "carry-over.md").read_text(encoding="utf-8")


def test_every_step_is_a_correct_variant_that_there_is() -> None:
    for path in DEVICES:
        for ladder in DeviceFile.model_validate_json(path.read_bytes()).ladders:
            for one in ladder.steps:
                known = {"solution", *(variant.name for variant in variants_of(SOLUTIONS / ladder.lab))}
                assert one.variant in known, f"{path.name}: {ladder.lab} {one.variant}"


def test_the_variant_in_the_middle_is_repeated_and_the_spread_is_its_scores() -> None:
    def scored(variant: str, score: float) -> Step:
        return step(variant, 1.0).model_copy(update={"score": score, "readings": {"copy_bandwidth_fraction": 0.5}})

    ladder = ladder_of("08", [scored("best", 100), scored("middle", 55), scored("worst", 0)])
    assert variant_to_repeat(ladder) == "middle"
    assert variant_to_repeat(ladder_of("13", [step("untimed", 1.0)])) is None
    gradings = [
        Repeat(verdict=Verdict.PASS, score=score, milliseconds=1, readings={}, intervals={}, attempts=1, phases={})
        for score in (54.5, 55.25, 55.0)
    ]
    assert Repeats(lab="08", variant="middle", gradings=gradings).spread == 0.75
