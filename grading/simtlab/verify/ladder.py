"""A lab's textbook steps, in `solutions/NN-name/ladder.toml`, and whether a backend tells each from the next one.

    [[ladder]]
    of = "the product"                        # what the steps lead to; a lab in two parts has two ladders
    steps = ["naive", "tiled", "solution"]    # variants in the textbook's order; "solution" is the model solution

    [[indistinguishable]]
    steps = ["tiled", "solution"]
    reason = "why it is no fault that they earn the same"

The emulator's scores are those that `simtlab verify` measures, a GPU's those of the files in `solutions/devices`.
"""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path

from pydantic import Field, ValidationError

from simtlab.calibrate.device_file import DeviceFile
from simtlab.calibrate.ladder import Ladder
from simtlab.errors import LabError
from simtlab.facts.read import first_problem
from simtlab.labs.catalogue import Lab
from simtlab.record import Record
from simtlab.toml_file import read_toml_as
from simtlab.verify.check import LEAST_APART, Check, Subject

SOLUTION = "solution"
Scores = Mapping[str, float]
"""Points of `fast`, 0 to 100, by step."""


class Steps(Record):
    """Variants in the textbook's order."""

    of: str = Field(min_length=1)
    steps: list[str] = Field(min_length=2)


class Indistinguishable(Record):
    """An argument that two neighbours may earn the same."""

    steps: list[str] = Field(min_length=2, max_length=2)
    reason: str = Field(min_length=10)


class Ladders(Record):
    """The file `ladder.toml`."""

    ladder: list[Steps] = Field(min_length=1)
    indistinguishable: list[Indistinguishable] = []

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All neighbours."""
        return [pair for ladder in self.ladder for pair in pairwise(ladder.steps)]

    def argument(self, one: str, other: str) -> str:
        """Why the two may earn the same; empty where nobody argues so."""
        return next((argument.reason for argument in self.indistinguishable if argument.steps == [one, other]), "")


def read_ladders(solution_folder: Path) -> Ladders:
    """The textbook steps of a lab. Raises `LabError`, naming the file."""
    return read_toml_as(solution_folder / "ladder.toml", Ladders, LabError)


def device_scores(devices: Path, lab: str) -> dict[str, float]:
    """What a GPU's times earned the lab's variants, by the files in `devices`: of several that timed a variant, the one
    that timed most of this lab, of equal ones the last by name."""
    ladders: list[Ladder] = []
    for path in sorted(devices.glob("*.json")):
        try:
            file = DeviceFile.model_validate_json(path.read_bytes())
        except ValidationError as error:
            raise LabError(f"{path}: {first_problem(error)}; `simtlab calibrate --output` writes it") from error
        ladders += [ladder for ladder in file.ladders if ladder.lab == lab]
    ladders.sort(key=lambda ladder: len(ladder.steps))
    return {step.variant: step.score for ladder in ladders for step in ladder.steps}


def are_apart(one: str, other: str, scores: Scores) -> bool:
    """Whether a backend tells two steps apart; no where it has not measured both."""
    return one in scores and other in scores and round(abs(scores[one] - scores[other]), 2) >= LEAST_APART


def ladder_check(lab: Lab, emulator: Scores) -> Check:
    """The check of a lab's ladders. `emulator` are the scores of all right variants and of the solution."""
    try:
        problems = list(_problems(lab, read_ladders(lab.solution_folder), emulator))
    except LabError as fault:
        problems = [str(fault)]
    return Check(lab.name, "ladder.toml", problems=problems, subject=Subject.HANDOUT)


def _problems(lab: Lab, ladders: Ladders, emulator: Scores) -> Iterator[str]:
    gpu = device_scores(lab.solution_folder.parent / "devices", lab.name)
    for name in dict.fromkeys(name for ladder in ladders.ladder for name in ladder.steps):
        if name not in emulator:
            yield f"{name!r} is no right variant of this lab: a ladder's steps are correct, safe and measured"
    for one, other in ladders.pairs:
        if one not in emulator or other not in emulator or are_apart(one, other, emulator):
            continue
        if not are_apart(one, other, gpu) and not ladders.argument(one, other):
            timed = f"{gpu[one]:.1f} and {gpu[other]:.1f}" if one in gpu and other in gpu else "not both timed"
            yield (
                f"no backend tells {one!r} from {other!r}: {emulator[one]:.1f} and {emulator[other]:.1f} points on the "
                f"emulator, {timed} on a GPU, expected {LEAST_APART} between neighbours. Move a threshold, weigh the "
                "criterion that tells them more, or argue in [[indistinguishable]] why they may earn the same"
            )
    for argument in ladders.indistinguishable:
        one, other = argument.steps
        if (one, other) not in ladders.pairs:
            yield (
                f"[[indistinguishable]] speaks of {one!r} and {other!r}, which are no neighbours of a ladder: "
                "take it out"
            )
        elif are_apart(one, other, emulator):
            yield (
                f"[[indistinguishable]] argues that {one!r} and {other!r} may earn the same, "
                "and the emulator tells them apart"
            )
