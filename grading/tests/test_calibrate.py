"""Ladders from plain numbers: no GPU."""

import pytest

from simtlab.calibrate.device_file import DeviceFile
from simtlab.calibrate.ladder import Step, ceilings_of, ladder_of, step_of
from simtlab.class_run.conditions import DEFAULT_SEED, Conditions
from simtlab.cli.calibrate import _Bench
from simtlab.labs.catalogue import Catalogue
from simtlab.store.results import ResultStore
from simtlab.verify.specimen import specimens_of
from tests.example_facts import TIMING, facts_of, passed_facts

GPU = {
    "name": "NVIDIA H200",
    "driver": "13.0",
    "runtime": "13.0",
    "compute_capability": "9.0",
    "multiprocessors": 132,
    "memory_bytes": 150_000_000_000,
}


def step(variant: str, milliseconds: float, half_width: float = 0.001) -> Step:
    interval = (milliseconds * (1 - half_width), milliseconds * (1 + half_width))
    return Step(variant=variant, milliseconds=milliseconds, interval=interval, readings={}, score=0)


def test_steps_stand_by_time_with_the_margin_to_the_next_faster_one() -> None:
    ladder = ladder_of("08", [step("naive", 1.0), step("padded", 0.1), step("unpadded", 0.25)])
    assert [one.variant for one in ladder.steps] == ["padded", "unpadded", "naive"]
    assert ladder.margin_above(0) is None
    assert ladder.margin_above(1) == pytest.approx(1.5)
    assert all(ladder.is_told_apart(place) for place in range(3))


def test_neighbours_closer_than_runs_differ_are_noise() -> None:
    ladder = ladder_of("08", [step("a", 1.0), step("b", 1.009), step("c", 1.03, half_width=0.02)])
    assert not ladder.is_told_apart(1)  # 0.9 %
    assert not ladder.is_told_apart(2)  # 2 %, but the intervals overlap


def test_a_timed_judgement_is_a_step_and_holds_the_ceilings() -> None:
    facts = facts_of(passed_facts(timing=TIMING))
    made = step_of("solution", facts)
    assert made is not None
    assert made.milliseconds == 0.166
    assert step_of("solution", facts_of(passed_facts())) is None
    assert ceilings_of(facts) is None  # no GPU among the conditions
    environment = passed_facts()["environment"] | {"gpu": GPU}
    ceilings = ceilings_of(facts_of(passed_facts(timing=TIMING, environment=environment)))
    assert ceilings is not None
    assert ceilings.copy_gigabytes_per_second == 4100.0
    document = DeviceFile(ceilings=ceilings, ladders=[ladder_of("08", [made])])
    assert DeviceFile.model_validate_json(document.model_dump_json()) == document


def test_every_repeat_is_a_result_of_its_own_in_the_store(catalogue: Catalogue, store: ResultStore) -> None:
    lab = catalogue.labs["07-shared-tiling"]
    specimens = specimens_of(lab, None, all_mutants=False).to_grade
    solution = next(one for one in specimens if one.name == "solution")
    bench = _Bench(Conditions(), store, 2, only_times=False)
    assert len(bench.repeats(lab.name, "solution", solution, 3).gradings) == 3
    kept = [one for key in store.keys() if (one := store.get(key))]  # noqa: SIM118 - a method of the store
    assert sorted(one.parts.seed for one in kept) == [DEFAULT_SEED + number for number in (1, 2, 3)]
    assert all(one.facts for one in kept)
