"""What a student's terminal says of typical mistakes."""

from __future__ import annotations

import pytest

from mistakes.__main__ import complaints, said_of
from mistakes.catalogue import FOLDER, Mistake, all_mistakes, without_marks
from mistakes.terminal import BUILD

QUICK = {"no-copy-back", "one-free-missing", "two-chevrons", "phases-rounded-down", "x-and-y-of-the-block-swapped"}


@pytest.fixture
def built(mistake: Mistake) -> None:
    """Skips where the lab is not built."""
    if not (BUILD / "labs" / mistake.lab / f"judge-{mistake.lab}").exists():
        pytest.skip(f"{mistake.lab} is not built in {BUILD}")


def mistakes(*, quick: bool) -> list[Mistake]:
    """Those of the quick check, or all others; none in a students' copy."""
    found = all_mistakes() if FOLDER.is_dir() else []
    return [one for one in found if (one.name in QUICK) is quick]


def name_of(mistake: Mistake) -> str:
    """For pytest's list."""
    return f"{mistake.lab[:2]}-{mistake.name}"


@pytest.mark.parametrize("mistake", mistakes(quick=True), ids=name_of)
@pytest.mark.usefixtures("built")
def test_the_terminal_says_what_is_wrong(mistake: Mistake) -> None:
    said = said_of(mistake)
    assert complaints(mistake, said) == [], said


@pytest.mark.long
@pytest.mark.parametrize("mistake", mistakes(quick=False), ids=name_of)
@pytest.mark.usefixtures("built")
def test_the_terminal_says_what_is_wrong_of_all_others(mistake: Mistake) -> None:
    said = said_of(mistake)
    assert complaints(mistake, said) == [], said


def test_every_mistake_is_an_edit_of_its_solution() -> None:
    found = all_mistakes()
    assert len(found) >= 50
    assert len({name_of(one) for one in found}) == len(found)
    for one in found:
        assert one.source()
        assert one.says


def test_a_solution_without_marks_and_words_across_lines() -> None:
    assert without_marks("a\n  //@@ begin solution\nb\n  //@@ end solution\n") == "a\nb\n"
    mistake = Mistake("01-x", "x", "x", (), ("one two",), ("three",))
    assert complaints(mistake, "one\n   two") == []
    assert complaints(mistake, "one three") == ['lacks "one two"', 'has "three"']
