"""The course's arithmetic: every adjustment has its reason, and the sum is what stands everywhere."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.grading import grade_class
from simtlab.class_run.plan import Regrade, make_plan
from simtlab.class_run.progress import Quiet
from simtlab.course.arithmetic import counted_specification, days_late, left_out, total, with_policy
from simtlab.course.course import Course, Override, read_course
from simtlab.course.names import course_notes, course_of, with_whole_names
from simtlab.errors import UsageError
from simtlab.intake.class_folder import read_class
from simtlab.labs.catalogue import Catalogue
from simtlab.score.gradebook import Gradebook, read_gradebook
from simtlab.score.points import Grade, grade_from_facts, grade_without_facts, rounded
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.example_facts import facts_of, passed_facts
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.graded_book import specification
from tests.test_cli_after_grading import simtlab

LAB = "07-shared-tiling"
DUE = datetime(2026, 10, 1, 23, 59, tzinfo=UTC)
EXAMPLE = """
take = "best"
drop_lowest = 1

[feedback]
hidden = "verdict"

[late]
percent_per_day = 10
at_most_percent = 50
grace_minutes = 15

[labs.07-shared-tiling]
points = 50
weight = 2
due = 2026-10-01T23:59:00Z

[[extension]]
student = "bob"
days = 3
reason = "ill"

[[override]]
student = "carol"
lab = "07-shared-tiling"
points = 80
comment = "the idea is right"
author = "A. Teacher"

[[group]]
members = ["dave", "erin"]

[leaderboard]
labs = ["07"]
pseudonyms = { alice = "Heron", bob = "Otter" }
"""


@pytest.fixture
def course(tmp_path: Path) -> Course:
    (tmp_path / "course.toml").write_text(EXAMPLE, encoding="utf-8")
    return read_course(tmp_path)


def grade() -> Grade:
    """92.5 of 100 points."""
    return grade_from_facts(facts_of(passed_facts()), specification().points)


def test_a_course_is_read_from_its_file(course: Course) -> None:
    assert (course.take, course.drop_lowest, course.late.percent_per_day) == ("best", 1, 10)
    assert course.due("alice", LAB) == DUE
    assert course.due("bob", LAB) == DUE + timedelta(days=3)
    assert course.due("alice", "01-vector-add") is None
    assert course.partners("dave", LAB) == ["erin"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("late = 5", "late"),
        ("[late]\npercent_per_day = 101", "percent_per_day"),
        ("take = 'first'", "take"),
        ("[labs.07]\ndue = 2026-10-01T23:59:00", "due"),
        ("[[override]]\nstudent='a'\nlab='l'\npoints=1\nauthor='x'", "comment"),
        ("[leaderboard]\npseudonyms = {a = 'X', b = 'X'}", "two students"),
        ("[[override]]\nstudent='a'\nlab='l'\npoints=1\nauthor='x'\ncomment='c'\n" * 2, "set twice"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=told):
        read_course(tmp_path)


@pytest.mark.parametrize(
    ("minutes", "grace", "days"),
    [(-5, 0, 0), (0, 0, 0), (1, 0, 1), (15, 15, 0), (16, 15, 1), (1440, 0, 1), (1441, 0, 2)],
)
def test_a_begun_day_counts_and_grace_is_no_gift(minutes: float, grace: float, days: int) -> None:
    assert days_late(DUE + timedelta(minutes=minutes), DUE, grace) == days


def test_being_late_costs_a_share_of_what_was_earned(course: Course) -> None:
    late = with_policy(grade(), course, "alice", LAB, DUE + timedelta(days=1, hours=1))
    assert late.points == 74
    assert late.adjustments[0].reason == "2 days late, 10 % a day: 20 % of 92.5"
    longest = with_policy(grade(), course, "alice", LAB, DUE + timedelta(days=30))
    assert longest.points == 46.25
    assert "at most 50 %" in longest.adjustments[0].reason
    assert with_policy(grade(), course, "bob", LAB, DUE + timedelta(days=2)).points == 92.5
    assert with_policy(grade(), course, "alice", LAB, None).points == 92.5


def test_points_set_by_hand_carry_comment_and_author(course: Course) -> None:
    by_hand = with_policy(grade(), course, "carol", LAB, DUE + timedelta(days=2))
    assert by_hand.points == 80
    assert by_hand.adjustments[-1].reason == "set to 80 by A. Teacher: the idea is right"
    ours = grade_without_facts(Verdict.INTERNAL_ERROR, "the disk is full", specification().points)
    assert with_policy(ours, course, "carol", LAB, None).points == 80
    assert with_policy(ours, course, "alice", LAB, DUE + timedelta(days=9)).points is None


@given(
    points=st.floats(0, 200).map(rounded),
    percent=st.floats(0, 100),
    cap=st.floats(0, 100),
    minutes=st.integers(-10_000, 100_000),
)
def test_no_policy_makes_points_negative_or_more(points: float, percent: float, cap: float, minutes: int) -> None:
    course = Course.model_validate(
        {"late": {"percent_per_day": percent, "at_most_percent": cap}, "labs": {LAB: {"due": DUE}}}
    )
    late = with_policy(grade(), course, "alice", LAB, DUE + timedelta(minutes=minutes)).points
    assert late is not None
    assert 0 <= late <= 92.5
    override = Override(student="alice", lab=LAB, points=points, comment="c", author="a")
    by_hand = course.model_copy(update={"override": [override]})
    assert with_policy(grade(), by_hand, "alice", LAB, DUE + timedelta(minutes=minutes)).points == points


def test_points_and_weight_scale_every_part(course: Course) -> None:
    scaled = counted_specification(specification(), course, LAB).points
    assert (scaled.correct, scaled.safe, scaled.fast) == (50, 20, 30)
    only_points = Course.model_validate({"labs": {LAB: {"points": 10.0}}})
    assert counted_specification(specification(), only_points, LAB).points.fast == 3
    practice = Course.model_validate({"labs": {LAB: {"weight": 0.0}}})
    assert (
        grade_from_facts(facts_of(passed_facts()), counted_specification(specification(), practice, LAB).points).points
        == 0
    )


def scored(points: float) -> Grade:
    lab = grade_without_facts(Verdict.PASS, "", specification().points)
    return with_policy(
        lab, Course(override=[Override(student="s", lab="l", points=points, comment="c", author="a")]), "s", "l", None
    )


def test_the_lowest_are_left_out_and_the_rest_is_stretched() -> None:
    waits = grade_without_facts(Verdict.INTERNAL_ERROR, "", specification().points)
    grades = [("01", scored(90)), ("02", scored(10)), ("03", scored(50)), ("04", waits), ("05", None)]
    assert left_out(grades, 0) == []
    assert left_out(grades, 2) == ["02", "03"]
    assert left_out(grades, 9) == ["02", "03"], "one lab that is known always counts"
    assert total(grades[:3], ["02"], 300) == 210
    assert total(grades[:3], [], 300) == 150
    assert left_out([("01", scored(10)), ("02", scored(10))], 1) == ["02"]


class Class:
    """A class on the fake checkout."""

    def __init__(self, checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore) -> None:
        self.checkout, self.catalogue, self.store = checkout, catalogue, store

    def grade(self, regrade: Regrade | None = None) -> Gradebook:
        intake = read_class(self.checkout.class_folder, self.catalogue, self.store.keep_file)
        plan = make_plan("c", intake, self.catalogue, Conditions(), self.store, regrade)
        self.graded = [(one.submission.student, one.parts.attempt) for one in plan.to_grade]
        self.run = plan.run
        grade_class(plan, Conditions(), self.store, Quiet(), workers=1)
        return read_gradebook(plan.run, self.store, self.catalogue, course_of(self.catalogue, None))


def test_the_best_or_the_last_of_several_counts(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore
) -> None:
    course = Class(checkout, catalogue, store)
    checkout.submit("alice", LAB, KERNEL + "// fake judge: full\n")
    assert course.grade().total("alice") == 100
    checkout.submit("alice", LAB, KERNEL + "// fake judge: wrong_answer\n")
    assert course.grade().total("alice") == 25
    (checkout.root / "course.toml").write_text('take = "best"\n', encoding="utf-8")
    assert course.grade().total("alice") == 100
    (checkout.root / "course.toml").write_text('[[group]]\nmembers = ["alice", "bob"]\n', encoding="utf-8")
    checkout.submit("bob", LAB, KERNEL + "// fake judge: full\n")
    book = course.grade()
    assert (book.total("alice"), book.submissions["alice", LAB].by) == (100, "bob")


def test_a_regrade_is_a_new_attempt_and_stays_the_one_that_counts(
    checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore
) -> None:
    course = Class(checkout, catalogue, store)
    checkout.submit("alice", LAB)
    checkout.submit("bob", LAB)
    course.grade()
    course.grade(Regrade(frozenset({("bob", LAB)}), "the machine was busy"))
    assert (course.graded, course.run.regrade) == ([("bob", 2)], "the machine was busy")
    course.grade()
    assert course.graded == []
    [key] = [entry.key for entry in course.run.entries if entry.student == "bob"]
    assert key is not None
    kept = store.get(key)
    assert kept is not None
    assert kept.parts.attempt == 2


def test_a_lab_goes_by_its_number_and_an_unknown_one_is_refused(catalogue: Catalogue) -> None:
    """`lab = "08"` did nothing at all, in silence."""
    short = Course.model_validate(
        {
            "labs": {"07": {"weight": 2}},
            "override": [{"student": "a", "lab": "08", "points": 1, "comment": "c", "author": "d"}],
            "extension": [{"student": "a", "lab": "shared-tiling", "days": 1}, {"student": "a", "days": 1}],
            "group": [{"members": ["a", "b"], "labs": ["7"]}],
        }
    )
    whole = with_whole_names(short, catalogue)
    assert whole.lab(LAB).weight == 2
    assert whole.override_of("a", "08-bank-conflicts")
    assert [one.lab for one in whole.extension] == [LAB, ""]
    assert whole.partners("a", LAB) == ["b"]
    wrong = Course.model_validate({"extension": [{"student": "a", "lab": "99", "days": 1}]})
    with pytest.raises(UsageError, match=r"course.toml: \[\[extension\]\]: there is no lab '99'"):
        with_whole_names(wrong, catalogue)
    twice = Course.model_validate({"labs": {"07": {}, LAB: {}}})
    with pytest.raises(UsageError, match="mean the same lab"):
        with_whole_names(twice, catalogue)


def test_students_whom_nobody_knows_are_told_of() -> None:
    course = Course.model_validate(
        {
            "override": [{"student": "carole", "lab": LAB, "points": 1, "comment": "c", "author": "d"}],
            "group": [{"members": ["dave", "erin"]}],
            "leaderboard": {"pseudonyms": {"\x1bfrank": "Heron"}},
        }
    )
    assert course_notes(course, ["dave", "carol"]) == [
        "course.toml: [[override]] names carole, whom this class does not have",
        "course.toml: [[group]] names erin, whom this class does not have",
        "course.toml: [leaderboard] names \\x1bfrank, whom this class does not have. The class has: dave, carol",
    ]


def test_a_course_says_what_its_labs_are_graded_on(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(checkout.root)
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    monkeypatch.setattr("simtlab.class_run.conditions.gpu_name", lambda: None)
    checkout.submit("alice", LAB)
    (checkout.root / "course.toml").write_text('backend = "cuda"\n', encoding="utf-8")
    code, text = simtlab("grade", "class", "--allow-weak")
    assert code == 2
    assert "no usable GPU here" in text
    assert simtlab("grade", "class", "--allow-weak", "--backend", "emulator")[0] == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[lat]\n", "lat: nothing of this name belongs here"),
        ("[labs.07]\ndue = 2026-10-01T23:59:00\n", "a time needs its zone, as in 2026-10-01T23:59:00"),
        ('backend = "gpu"\n', "backend: Input should be 'emulator' or 'cuda'"),
    ],
)
def test_a_slip_in_the_file_is_named_with_what_to_write(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "course.toml").write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(words)):
        read_course(tmp_path)
