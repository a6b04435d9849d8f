"""simtcc alone, with g++, agrees with nvcc's recorded answers, and refuses nothing that nvcc accepts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from spaces.agreement import agreement, answers_of, with_front_end
from spaces.programs import programs, read_answers

ROOT = Path(__file__).resolve().parents[3]
BUILD = Path(os.environ.get("SIMTLAB_BUILD") or ROOT / "build" / "default")
SIMTCC = BUILD / "bin" / "simtcc"
WANTED = 0.98
WANTED_WITH_FRONT_END = 0.995


def test_every_program_has_an_answer_and_there_are_enough_of_each_kind() -> None:
    answers = read_answers()
    assert set(answers) == {program.key for program in programs()}
    refused = [program for program in programs() if not answers[program.key]]
    assert len(refused) >= 250
    assert len({program.kind for program in refused}) >= 40
    assert sum(answers.values()) >= 250


@pytest.mark.skipif(not SIMTCC.exists(), reason=f"there is no simtcc in {BUILD}")
def test_simtcc_agrees_with_nvcc_and_refuses_no_legal_program() -> None:
    said = answers_of(SIMTCC)
    alone = agreement(said)
    assert alone.wrongly_refused == []
    assert alone.fraction >= WANTED, alone.wrongly_accepted
    configured = (BUILD / "emulator" / "simtcc.conf").read_text(encoding="utf-8")
    assert "\nfront-end " in configured, "no CUDA front end here: apt-get install clang, then make check"
    together = agreement(with_front_end(SIMTCC, said))
    assert together.wrongly_refused == []
    assert together.fraction >= WANTED_WITH_FRONT_END, together.wrongly_accepted
