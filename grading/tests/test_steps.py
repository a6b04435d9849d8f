"""A lab's textbook steps: neighbours that no backend tells apart fail unless somebody argues, and the table of them."""

import subprocess
import sys
from pathlib import Path

import pytest

from simtlab.calibrate.device_file import DeviceFile
from simtlab.calibrate.ladder import Ceilings, Ladder
from simtlab.labs.catalogue import Lab, find_root, read_catalogue
from simtlab.verify.ladder import device_scores, ladder_check
from tests.fake_checkout import FakeCheckout
from tests.test_calibrate import step

LAB = "07-shared-tiling"
EMULATOR = {"naive": 10.0, "tiled": 90.0, "padded": 100.0, "solution": 100.0}
CEILINGS = Ceilings(
    gpu="a GPU",
    driver="13.0",
    copy_gigabytes_per_second=4000,
    read_gigabytes_per_second=4000,
    giga_multiply_adds_per_second=30000,
)


def lab_with(root: Path, steps: str, arguments: str = "") -> Lab:
    """A lab of these steps."""
    checkout = FakeCheckout(root)
    folder = checkout.root / "solutions" / LAB
    (folder / "ladder.toml").write_text(f'[[ladder]]\nof = "it"\nsteps = {steps}\n{arguments}', encoding="utf-8")
    return read_catalogue(checkout.root, checkout.build).labs[LAB]


def problems(root: Path, steps: str, arguments: str = "", emulator: dict[str, float] | None = None) -> list[str]:
    """What is wrong with a lab of these steps."""
    return ladder_check(lab_with(root, steps, arguments), emulator or EMULATOR).problems


def timed(root: Path, file: str, **scores: float) -> None:
    """A device file with these scores."""
    steps = [step(name, 1.0).model_copy(update={"score": score}) for name, score in scores.items()]
    devices = root / "solutions" / "devices"
    devices.mkdir(parents=True, exist_ok=True)
    document = DeviceFile(ceilings=CEILINGS, ladders=[Ladder(lab=LAB, steps=steps)])
    (devices / file).write_text(document.model_dump_json(), encoding="utf-8")


def argued(one: str, other: str) -> str:
    return f'[[indistinguishable]]\nsteps = ["{one}", "{other}"]\nreason = "both are right in all that is taught"\n'


def test_ten_points_on_the_emulator_are_apart(tmp_path: Path) -> None:
    assert problems(tmp_path, '["naive", "tiled", "solution"]') == []


def test_less_than_ten_points_on_every_backend_fails(tmp_path: Path) -> None:
    scores = EMULATOR | {"tiled": 90.1}
    [complaint] = problems(tmp_path, '["naive", "tiled", "solution"]', emulator=scores)
    assert complaint.startswith(
        "no backend tells 'tiled' from 'solution': 90.1 and 100.0 points on the emulator, not both timed on a GPU"
    )


@pytest.mark.parametrize(("padded", "fails"), [(90.0, False), (90.1, True)])
def test_a_gpu_tells_apart_what_counters_cannot(tmp_path: Path, padded: float, fails: bool) -> None:
    lab = lab_with(tmp_path, '["tiled", "padded", "solution"]')
    timed(tmp_path, "gpu.json", padded=padded, solution=100)
    found = ladder_check(lab, EMULATOR).problems
    assert any("90.1 and 100.0 on a GPU" in one for one in found) == fails
    assert len(found) == fails


def test_of_several_device_files_the_longest_ladder_counts_and_of_equal_ones_the_last(tmp_path: Path) -> None:
    timed(tmp_path, "first.json", padded=1, naive=2)
    timed(tmp_path, "second.json", padded=3)
    timed(tmp_path, "third.json", padded=4, naive=5)
    assert device_scores(tmp_path / "solutions" / "devices", LAB) == {"padded": 4, "naive": 5}


def test_what_nobody_tells_apart_may_be_argued(tmp_path: Path) -> None:
    assert problems(tmp_path, '["tiled", "padded", "solution"]', argued("padded", "solution")) == []


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (argued("tiled", "padded"), "argues that 'tiled' and 'padded' may earn the same, and the emulator tells them"),
        (argued("naive", "padded"), "speaks of 'naive' and 'padded', which are no neighbours"),
        (
            '[[indistinguishable]]\nsteps = ["tiled"]\nreason = "too few of them"\n',
            "ladder.toml: indistinguishable.0.steps",
        ),
    ],
)
def test_an_argument_that_says_nothing_fails(tmp_path: Path, arguments: str, complaint: str) -> None:
    assert complaint in problems(tmp_path, '["naive", "tiled", "padded"]', arguments)[0]


def test_a_step_is_a_right_variant(tmp_path: Path) -> None:
    assert problems(tmp_path, '["wrong", "solution"]') == [
        "'wrong' is no right variant of this lab: a ladder's steps are correct, safe and measured"
    ]


def test_a_lab_without_steps_fails(tmp_path: Path) -> None:
    checkout = FakeCheckout(tmp_path)
    lab = read_catalogue(checkout.root, checkout.build).labs[LAB]
    assert "ladder.toml: cannot be read" in ladder_check(lab, EMULATOR).problems[0]


def test_the_table_of_steps_is_made_from_the_ladders() -> None:
    solutions = find_root() / "solutions"
    made = subprocess.run([sys.executable, str(solutions / "steps.py")], capture_output=True, text=True, check=True)
    assert made.stdout == (solutions / "steps.md").read_text(encoding="utf-8")
