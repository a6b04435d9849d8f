"""The leaderboard: for the labs that the policy names, of those who asked for it."""

import json

import pytest

from simtlab.course.course import Course
from simtlab.course.names import course_of_one_lab, with_whole_names
from simtlab.errors import UsageError
from simtlab.export.autograders import gradescope_result
from simtlab.labs.catalogue import Catalogue
from simtlab.report.leaderboard import leaderboard_page
from tests.example_facts import passed_facts
from tests.fake_checkout import FakeCheckout
from tests.graded_book import book_of

TILING, BANKS = "07-shared-tiling", "08-bank-conflicts"


def board(**members: object) -> Course:
    return Course.model_validate({"leaderboard": members})


def page(course: Course) -> str:
    return leaderboard_page(book_of({("alice", lab): passed_facts() for lab in (TILING, BANKS)}, course), "index.html")


def test_without_labs_named_all_have_one_as_soon_as_somebody_asked() -> None:
    assert page(board()) == ""
    both = page(board(pseudonyms={"alice": "Heron"}))
    assert f'id="board-{TILING}"' in both
    assert f'id="board-{BANKS}"' in both


def test_the_labs_named_have_one_before_anybody_asked_and_the_others_none() -> None:
    empty = page(board(labs=[BANKS]))
    assert "Nobody yet." in empty
    assert TILING not in empty
    assert "alice" not in empty
    asked = page(board(labs=[BANKS], pseudonyms={"alice": "Heron"}))
    assert "Heron" in asked
    assert TILING not in asked


def test_gradescope_gets_a_rank_in_the_labs_that_have_one() -> None:
    course = board(labs=[BANKS], pseudonyms={"alice": "Heron"})
    book = book_of({("alice", lab): passed_facts() for lab in (TILING, BANKS)}, course)
    ranked = {one.lab: "leaderboard" in gradescope_result(one, book) for one in book.submissions.values()}
    assert ranked == {TILING: False, BANKS: True}


def test_labs_go_by_number_and_an_unknown_one_is_refused(checkout: FakeCheckout, catalogue: Catalogue) -> None:
    assert with_whole_names(board(labs=["08"]), catalogue).leaderboard.labs == [BANKS]
    with pytest.raises(UsageError, match=r"\[leaderboard\]: there is no lab '99'"):
        with_whole_names(board(labs=["99"]), catalogue)


def test_where_no_lab_of_the_list_is_at_hand_there_is_no_leaderboard(
    checkout: FakeCheckout, catalogue: Catalogue
) -> None:
    """An autograder of one lab: an empty list would mean all labs."""
    policy = checkout.root / "policy.toml"
    policy.write_text(f"[leaderboard]\nlabs = {json.dumps(['99'])}\npseudonyms = {{ alice = 'Heron' }}\n")
    assert not course_of_one_lab(catalogue, policy).leaderboard.is_on(TILING)
    policy.write_text(f"[leaderboard]\nlabs = {json.dumps(['99', '08'])}\npseudonyms = {{ alice = 'Heron' }}\n")
    one = course_of_one_lab(catalogue, policy).leaderboard
    assert (one.is_on(TILING), one.is_on(BANKS)) == (False, True)
