"""Points follow from facts alone; what is our fault lowers nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.labs.specification import PointsTable
from simtlab.predict.model import Predictions
from simtlab.score.points import Grade, PartName, grade_from_facts, grade_without_facts
from simtlab.verdict import Verdict
from tests.example_facts import facts_of, passed_facts, unsafe_facts, wrong_facts

TABLE = PointsTable(correct=50, safe=20, fast=30)


def earned(grade: Grade) -> list[float | None]:
    return [part.earned for part in grade.parts]


def test_fast_earns_in_proportion_to_its_score() -> None:
    grade = grade_from_facts(facts_of(passed_facts()), TABLE)
    assert earned(grade) == [50, 20, 22.5]
    assert (grade.points, grade.possible) == (92.5, 100)


def test_correct_earns_by_the_fraction_of_cases_and_the_others_nothing() -> None:
    grade = grade_from_facts(facts_of(wrong_facts()), TABLE)
    assert earned(grade) == [25, 0, 0]
    assert "earned only when every case passes" in grade.parts[1].reason


def test_an_unsafe_program_keeps_its_points_for_speed() -> None:
    grade = grade_from_facts(facts_of(unsafe_facts()), TABLE)
    assert earned(grade) == [50, 0, 22.5]
    assert grade.parts[1].reason == "1 finding of severity error"


def test_what_is_our_fault_waits_and_earns_neither_points_nor_zero() -> None:
    for grade in (
        grade_from_facts(facts_of(passed_facts(verdict="internal_error")), TABLE),
        grade_without_facts(Verdict.INTERNAL_ERROR, "the disk is full", TABLE),
    ):
        assert grade.waiting
        assert grade.points is None
        assert earned(grade) == [None, None, None]


@pytest.mark.parametrize("verdict", [Verdict.NOT_SUBMITTED, Verdict.COMPILE_ERROR, Verdict.FORBIDDEN])
def test_what_never_ran_earns_nothing(verdict: Verdict) -> None:
    grade = grade_without_facts(verdict, "", TABLE)
    assert (grade.points, grade.possible) == (0, 100)


def test_a_part_the_backend_cannot_measure_gives_its_points_to_the_others() -> None:
    document = passed_facts()
    document["safe"] = {"status": "not_measured", "reason": "the GPU checks nothing", "findings": []}
    grade = grade_from_facts(facts_of(document), TABLE)
    assert [part.possible for part in grade.parts] == [62.5, 0, 37.5]
    assert earned(grade) == [62.5, 0, 28.13]
    assert "holds the points of safe, not measured on this backend" in grade.parts[0].reason
    assert grade.parts[1].reason == "not measured: the GPU checks nothing"


def test_a_criterion_that_was_not_measured_is_named() -> None:
    document = passed_facts()
    document["fast"]["criteria"][1] |= {"status": "not_measured", "value": None, "weight": 0.0, "reason": "needs a GPU"}
    grade = grade_from_facts(facts_of(document), TABLE)
    assert "not measured here, weight given to the others: wavefronts over minimum" in grade.parts[2].reason


def test_no_cases_earn_nothing() -> None:
    document = wrong_facts(correct={"status": "fail", "passed": 0, "total": 0})
    assert grade_from_facts(facts_of(document), TABLE).points == 0


POINTS = st.integers(0, 100).map(float)


@given(POINTS, POINTS, POINTS.filter(bool), st.floats(0, 100), st.sampled_from(["pass", "fail", "not_measured"]))
def test_points_lie_between_nothing_and_full_marks(
    correct: float, safe: float, fast: float, score: float, status: str
) -> None:
    table = PointsTable(correct=correct, safe=safe, fast=fast)
    document = passed_facts()
    document["fast"] |= {"score": score, "status": status}
    grade = grade_from_facts(facts_of(document), table)
    assert grade.points is not None
    assert 0 <= grade.points <= grade.possible + 0.011
    assert abs(grade.possible - table.total) <= 0.011


def test_predictions_earn_by_the_fraction_of_right_answers_whatever_the_code_does() -> None:
    table = TABLE.model_copy(update={"predict": 8.0})
    some = Predictions(student="ada", right=3, answered=4, total=4)
    whole = grade_from_facts(facts_of(passed_facts()), table, some)
    without = grade_from_facts(facts_of(passed_facts()), table)
    assert whole.parts[-1].name is PartName.PREDICT
    assert whole.parts[-1].reason == "3 of 4 predictions are right, with the numbers of ada"
    assert (whole.points or 0) - (without.points or 0) == 6
    assert whole.possible == without.possible == TABLE.total + 8
    assert without.parts[-1].reason == "predict.toml was not handed in"
    assert grade_without_facts(Verdict.COMPILE_ERROR, "", table, some).points == 6
    waiting = grade_without_facts(Verdict.INTERNAL_ERROR, "", table, some)
    assert waiting.points is None
    assert [part.name for part in grade_from_facts(facts_of(passed_facts()), TABLE, some).parts] == list(PartName)[:3]


def test_predictions_that_cannot_be_read_say_why() -> None:
    broken = Predictions(student="", right=0, answered=0, total=0, message="predict.toml:3: expected a number")
    assert broken.reason == "the answers cannot be read: predict.toml:3: expected a number"
    assert "none of the 4 questions" in Predictions(student="", right=0, answered=0, total=4).reason


def test_a_leak_alone_costs_a_third_of_safe() -> None:
    document = unsafe_facts()
    document["verdict"] = "leak"
    for finding in document["safe"]["findings"]:
        finding["rule"] = "leak"
    grade = grade_from_facts(facts_of(document), TABLE)
    assert grade.verdict is Verdict.LEAK
    assert [part.earned for part in grade.parts[:2]] == [50, 13.33]
    assert "memory was not given back" in grade.parts[1].reason
    document["safe"]["findings"].append(unsafe_facts()["safe"]["findings"][0])
    assert grade_from_facts(facts_of(document), TABLE).parts[1].earned == 0


def test_pass_is_said_only_where_all_three_tests_of_the_student_pass() -> None:
    document = passed_facts()
    assert grade_from_facts(facts_of(document), TABLE).verdict is Verdict.PASS
    document["fast"] |= {"status": "fail", "score": 37.5}
    slow = grade_from_facts(facts_of(document), TABLE)
    assert slow.verdict is Verdict.SLOW
    assert slow.message == "Every answer is right; fast has 37.5 of 100, and passes from 60 on."
    document["fast"] |= {"status": "not_measured", "reason": "no GPU"}
    assert grade_from_facts(facts_of(document), TABLE).verdict is Verdict.PASS
