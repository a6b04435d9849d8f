"""compute-sanitizer's answers: reading what it prints, and that the document says what was measured."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hardware.sanitizer import DOCUMENT, Answer, defects, fill, in_words, read_answers, summary, told
from hardware.sanitizer_measure import TOOLS
from hardware.sanitizer_measure import read_answers as read_output

TEST_OF_BUGS = Path(__file__).resolve().parents[2] / "emulator" / "tests" / "bugs" / "planted_program.cpp"

RACE = """\
========= COMPUTE-SANITIZER
========= Error: Race reported between Write access at rotate(const float *, float *)+0xe0 in bugs.cu:18
=========     and Read access at rotate(const float *, float *)+0xf0 in bugs.cu:19 [512 hazards]
=========
========= RACECHECK SUMMARY: 1 hazard displayed (1 error, 0 warnings)
"""
TWO_THREADS = """\
========= COMPUTE-SANITIZER
========= Invalid __global__ read of size 4 bytes
=========     at copy(const float *, float *)+0xc0 in bugs.cu:179
=========     by thread (112,0,0) in block (0,0,0)
=========     Saved host backtrace up to driver entry point at kernel launch time
=========         Host Frame: main in other.cu:7
=========
========= Invalid __global__ read of size 4 bytes
=========     at copy(const float *, float *)+0xc0 in bugs.cu:179
=========     by thread (113,0,0) in block (0,0,0)
=========
========= Leaked 512 bytes at 0x7f2d1a800000
=========     Saved host backtrace up to driver entry point at allocation time
========= LEAK SUMMARY: 512 bytes leaked in 1 allocations
========= ERROR SUMMARY: 3 errors
"""


def answer(tool: str, message: str, ended: str = "ended") -> Answer:
    """One message of one tool."""
    return Answer("bug", tool, ended, message, ())


def test_a_race_has_both_its_places() -> None:
    assert read_output(RACE) == [("Error: Race reported between Write access", ["bugs.cu:18", "bugs.cu:19"])]


def test_a_message_that_many_threads_give_is_one_and_names_no_host_code() -> None:
    assert read_output(TWO_THREADS) == [
        ("Invalid __global__ read of size … bytes", ["bugs.cu:179"]),
        ("Leaked … bytes", []),
    ]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([answer("memcheck", ""), answer("memcheck --padding --leak-check", "Leaked … bytes")], "missed"),
        ([answer("memcheck", ""), answer("racecheck", "Error: Race")], "racecheck"),
        ([answer("racecheck", "Warning: Race")], "racecheck, as a warning"),
        ([answer("racecheck", "Warning: Race"), answer("racecheck", "Error: Race")], "racecheck"),
        ([answer("memcheck", "Invalid"), answer("memcheck --padding --leak-check", "Invalid")], "memcheck"),
        (
            [answer("memcheck", ""), Answer("leak", "memcheck --padding --leak-check", "ended", "Leaked", ())],
            "memcheck with `--padding 64 --leak-check full`",
        ),
        ([answer("memcheck", ""), answer("synccheck", "")], "missed"),
        ([answer("memcheck", "", "crashed")], "the process crashes"),
        ([], "not asked"),
        ([answer("memcheck", "", "stopped")], "nothing, it never ends"),
    ],
)
def test_one_bug_in_words(said: list[Answer], words: str) -> None:
    assert in_words(said) == words


def test_bugs_of_a_row_that_differ_are_counted() -> None:
    answers = {"a": [answer("memcheck", "Invalid")], "b": [answer("memcheck", "")]}
    assert summary(("a", "b"), answers) == "memcheck (1 of 2); missed (1 of 2)"


def test_every_planted_bug_stands_in_the_document_under_its_rule() -> None:
    rules = dict(re.findall(r'\{(?:plain|ordered), "([\w-]+)", "([\w-]+)"', TEST_OF_BUGS.read_text(encoding="utf-8")))
    rows = defects(DOCUMENT.read_text(encoding="utf-8"))
    assert sorted(bug for row in rows for bug in row.bugs) == sorted(rules)
    for row in rows:
        assert {rules[bug] for bug in row.bugs} <= set(row.rules)
        assert not row.bugs or set(row.rules) <= {rules[bug] for bug in row.bugs}
    answers = read_answers()
    assert set(answers) <= set(rules)
    assert all({one.tool for one in said} == set(TOOLS) for said in answers.values())


def test_the_document_says_what_was_measured() -> None:
    document, answers = DOCUMENT.read_text(encoding="utf-8"), read_answers()
    assert fill(document, answers) == document
    found = sum(bool(told(said)) for said in answers.values())
    assert f"Of the {len(answers)} bugs that it was asked about, compute-sanitizer tells of {found}:" in document
