"""What a variant may declare, and when it kept its word."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.errors import LabError
from simtlab.facts.model import Status
from simtlab.verdict import Verdict
from simtlab.verify.criteria import criteria_check, scores_check
from simtlab.verify.expectation import Expectation, differences, parse_expectation
from simtlab.verify.markdown import Section
from tests.example_facts import facts_of, passed_facts, wrong_facts


def test_a_band_is_read() -> None:
    found = parse_expectation("// expect: correct=pass safe=fail fast=45..60\n#include <x>\n", "v.cu")
    assert found == Expectation(correct=Status.PASS, safe=Status.FAIL, fast=(45, 60))
    assert str(found) == "correct=pass safe=fail fast=45..60"


def test_not_measured_and_a_verdict_are_read() -> None:
    found = parse_expectation("// expect: correct=fail fast=not_measured verdict=crash", "v.cu")
    assert found == Expectation(verdict=Verdict.CRASH, correct=Status.FAIL, fast=Status.NOT_MEASURED)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("#include <cuda_runtime.h>", "the first line must declare how it ends"),
        ("", "the first line must declare how it ends"),
        ("// expect: correct=pass fast=40..61", "is 21 wide; at most 20 says something"),
        ("// expect: correct=pass fast=60..45", "must rise and lie within 0..100"),
        ("// expect: correct=pass fast=90..110", "must rise and lie within 0..100"),
        ("// expect: correct=maybe", "'maybe' is not a valid Status"),
        ("// expect: correct=pass correct=fail fast=1..2", "cannot be declared"),
        ("// expect: speed=9", "cannot be declared"),
        ("// expect: safe=pass", "declares neither correct= nor verdict="),
        ("// expect: correct=pass safe=pass", "without fast="),
    ],
)
def test_anything_else_is_the_authors_fault(line: str, complaint: str) -> None:
    with pytest.raises(LabError) as caught:
        parse_expectation(line, "07/variants/v.cu")
    assert str(caught.value).startswith("07/variants/v.cu: ")
    assert complaint in str(caught.value)


@given(st.text())
def test_no_text_makes_the_parser_fail_otherwise(text: str) -> None:
    try:
        parse_expectation(f"// expect: {text}", "v.cu")
    except LabError:
        return


def test_a_kept_word_has_no_differences() -> None:
    expected = Expectation(correct=Status.PASS, safe=Status.PASS, fast=(70, 80))
    assert differences(expected, Verdict.PASS, facts_of(passed_facts())) == []


def test_every_difference_is_told() -> None:
    expected = Expectation(verdict=Verdict.PASS, correct=Status.PASS, safe=Status.FAIL, fast=(0, 20))
    assert differences(expected, Verdict.WRONG_ANSWER, facts_of(wrong_facts())) == [
        "verdict is wrong_answer, declared pass",
        "correct is fail, declared pass",
        "safe is pass, declared fail",
        "fast is not measured (correct fails), declared 0..20",
    ]


def test_a_variant_that_never_ran_kept_no_word() -> None:
    expected = Expectation(correct=Status.FAIL)
    assert differences(expected, Verdict.COMPILE_ERROR, None) == ["never ran: compile error"]
    assert differences(Expectation(verdict=Verdict.COMPILE_ERROR), Verdict.COMPILE_ERROR, None) == []


def test_a_criterion_that_every_right_kernel_meets_is_named() -> None:
    slow, good = facts_of(passed_facts()), facts_of(passed_facts())
    names = {one.metric for one in slow.fast.criteria if one.status == "measured"}
    met = [one.model_copy(update={"fraction": 1.0}) for one in good.fast.criteria]
    good = good.model_copy(update={"fast": good.fast.model_copy(update={"criteria": met})})
    found = criteria_check("07-shared-tiling", [good, good]).problems
    assert len(found) == len(names) > 0
    assert found[0].startswith(f'{good.fast.criteria[0].metric}("a"): every right kernel here earns all of it.')
    missed = [one.model_copy(update={"fraction": 0.5}) for one in good.fast.criteria]
    slow = slow.model_copy(update={"fast": slow.fast.model_copy(update={"criteria": missed})})
    assert criteria_check("07-shared-tiling", [good, slow]).passed


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("one matrix alone gives 50.", []),
        ("passes from 60 of 100 points; the product of lab 07 would get\n20", []),
        ("| `a` | 1 | 0.5 | 1 | which earns 60 % or 61 |", []),
        ("Everything else right, they earn 36.", ["36"]),
        ("One thread gets 14, two get 20", ["14"]),
    ],
)
def test_scores_that_the_handout_names_are_those_of_variants(said: str, wrong: list[str]) -> None:
    scores = {"naive": 19.6, "tiled": 50.0, "solution": 100.0}
    found = scores_check("07-shared-tiling", Section('What "fast" means', 9, said), scores).problems
    assert [one.split(" points")[0].rsplit(" ", 1)[1] for one in found] == wrong
    assert all("no right variant scores that: naive 20, tiled 50, solution 100" in one for one in found)
