"""simtcc alone, with g++, agrees with nvcc's recorded answers, and refuses nothing that nvcc accepts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from spaces.compilers import verdicts
from spaces.programs import programs, read_answers

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("SIMTLAB_BUILD") or ROOT / "build" / "default")
SIMTCC = BUILD / "bin" / "simtcc"
WANTED = 0.98


def test_every_program_has_an_answer_and_there_are_enough_of_each_kind() -> None:
    answers = read_answers()
    assert set(answers) == {program.key for program in programs()}
    refused = [program for program in programs() if not answers[program.key]]
    assert len(refused) >= 250
    assert len({program.kind for program in refused}) >= 40
    assert sum(answers.values()) >= 250


@pytest.mark.skipif(not SIMTCC.exists(), reason=f"there is no simtcc in {BUILD}")
def test_simtcc_agrees_with_nvcc_and_refuses_no_legal_program() -> None:
    answers = read_answers()
    said: dict[str, bool] = {}
    for legal in (True, False):  # apart: names are told apart by their plain spelling
        several = [program for program in programs() if answers[program.key] is legal]
        said |= verdicts([str(SIMTCC), "-std=c++17", "-w", "-c"], several)
    wrong = sorted(key for key, legal in said.items() if legal != answers[key])
    assert [key for key in wrong if answers[key]] == []
    assert len(wrong) <= (1 - WANTED) * len(said), wrong
