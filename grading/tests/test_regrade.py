"""A regrade is seen before it counts, counts when somebody says so, and can be taken back."""

import json
from pathlib import Path

import pytest

from simtlab.store.proposals import decisions, held_keys, proposals
from simtlab.store.results import ResultStore
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.test_cli_after_grading import TILING, simtlab


@pytest.fixture
def graded(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    """alice has full marks, bob is wrong; then the lab's judge changes its mind about both."""
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    checkout.submit("alice", TILING, KERNEL + "// fake judge: full\n")
    checkout.submit("bob", TILING, KERNEL + "// fake judge: wrong_answer\n")
    assert simtlab("grade", "class")[0] == 0
    return checkout


def judge_says(checkout: FakeCheckout, old: str, new: str) -> None:
    """The lab's judge takes one wish for another from now on."""
    judge = next(checkout.build.rglob(f"judge-{TILING}"))
    text = judge.read_text(encoding="utf-8")
    judge.write_text(text.replace("kind = word\n", f"kind = {{{old!r}: {new!r}}}.get(word, word)\n"), encoding="utf-8")


def points() -> dict[str, float]:
    document = json.loads(simtlab("status", "--json")[1])
    return {one["student"]: one["labs"][TILING]["points"] for one in document["students"]}


def preview(*words: str) -> dict[str, object]:
    code, text = simtlab("regrade", "--what", "labs/07", "--reason", "a case was wrong", "--json", *words)
    assert code == 0, text
    return dict(json.loads(text))


def test_what_would_change_is_shown_and_nothing_counts(graded: FakeCheckout) -> None:
    before = points()
    judge_says(graded, "wrong_answer", "full")
    document = preview()
    assert points() == before
    changes = {one["student"]: one for one in document["changes"]}  # type: ignore[attr-defined]
    assert (changes["bob"]["before"], changes["bob"]["after"]) == (before["bob"], 100)
    assert changes["bob"]["because"] == "the lab or its judge changed"
    assert (document["won"], document["lost"]) == (100 - before["bob"], 0)
    text = simtlab("regrade", "--what", "07", "--reason", "again")[1]
    assert "Nothing counts yet. Next: simtlab regrade --apply" in text
    assert "lost by 0 grades" in text


def test_an_applied_one_counts_with_its_reason_and_a_reverted_one_does_not(graded: FakeCheckout) -> None:
    before = points()
    judge_says(graded, "wrong_answer", "full")
    name = str(preview()["proposal"])
    assert "--apply needs --by" in simtlab("regrade", "--apply", name)[1]
    code, text = simtlab("regrade", "--apply", name, "--by", "A. Teacher")
    assert (code, "2 results count now" in text) == (0, True)
    assert points() == {"alice": 100, "bob": 100}
    assert "counts already: A. Teacher applied it" in simtlab("regrade", "--apply", name, "--by", "B")[1]
    code, text = simtlab("regrade", "--revert", "latest", "--by", "B. Teacher")
    assert (code, "2 earlier results of 2 count again" in text) == (0, True)
    assert points() == before
    store = ResultStore(Path("results"))
    assert [(one.by, one.applied) for one in decisions(store)] == [("A. Teacher", True), ("B. Teacher", False)]
    assert "reverted by B. Teacher" in simtlab("regrade")[1]
    assert "does not count, so there is nothing to revert" in simtlab("regrade", "--revert", name, "--by", "B")[1]


def test_no_grade_falls_unless_somebody_says_so(graded: FakeCheckout) -> None:
    before = points()
    judge_says(graded, "full", "wrong_answer")
    name = str(preview()["proposal"])
    code, text = simtlab("regrade", "--apply", name, "--by", "A. Teacher")
    assert (code, "1 grade would fall: alice 07 by" in text, "nothing was changed" in text) == (2, True, True)
    assert (points(), decisions(ResultStore(Path("results")))) == (before, [])
    assert simtlab("regrade", "--apply", name, "--by", "A. Teacher", "--allow-lower")[0] == 0
    assert points()["alice"] < before["alice"]


def test_a_further_attempt_of_an_unchanged_lab_counts_for_nobody_before_it_is_applied(graded: FakeCheckout) -> None:
    """An ordinary grading passes over it, whatever the store has."""
    store = ResultStore(Path("results"))
    document = preview("--students", "bob")
    assert [one["student"] for one in document["changes"]] == ["bob"]  # type: ignore[attr-defined]
    held = held_keys(store)
    assert [store.get(key).parts.attempt for key in held] == [2]  # type: ignore[union-attr]
    assert simtlab("grade", "class")[0] == 0
    assert "Graded once more" not in simtlab("explain", "bob", "07")[1]
    assert simtlab("regrade", "--apply", "latest", "--by", "A. Teacher")[0] == 0
    assert "Graded once more: a case was wrong" in simtlab("explain", "bob", "07")[1]
    assert held_keys(store) == set()
    assert simtlab("grade", "class")[0] == 0
    assert "Graded once more: a case was wrong" in simtlab("explain", "bob", "07")[1]


def test_a_reverted_attempt_is_no_best_attempt(graded: FakeCheckout) -> None:
    (graded.root / "course.toml").write_text('take = "best"\n', encoding="utf-8")
    before = points()
    judge_says(graded, "wrong_answer", "full")
    preview()
    assert simtlab("regrade", "--apply", "latest", "--by", "A. Teacher")[0] == 0
    assert points()["bob"] == 100
    assert simtlab("regrade", "--revert", "latest", "--by", "A. Teacher")[0] == 0
    assert points() == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--what", "07"], "a regrade needs --reason"),
        (["--what", "99", "--reason", "x"], "99"),
        (["--students", "zoe", "--reason", "x"], "the students of the latest grading are: alice, bob"),
        (["--what", "07", "--apply", "latest"], "one of --what, --apply and --revert at a time"),
        (["--apply", "latest", "--by", "A"], "has no proposal"),
        (["--what", "07", "--reason", "x", "--store", "absent"], "absent is no store of results"),
    ],
)
def test_what_cannot_be_regraded_is_named(graded: FakeCheckout, words: list[str], said: str) -> None:
    code, text = simtlab("regrade", *words)
    assert (code, said in text) == (2, True), text
    assert proposals(ResultStore(Path("results"))) == {}


def test_a_store_with_proposals_is_verified_and_moved_with_them(graded: FakeCheckout) -> None:
    preview()
    assert simtlab("regrade", "--apply", "latest", "--by", "A. Teacher")[0] == 0
    code, text = simtlab("store", "verify")
    assert (code, "1 in proposals/, 1 in decisions/, 0 in holds/, 0 in canaries/; 0 problems" in text) == (0, True)
    assert simtlab("store", "export", "term.tar.zst")[0] == 0
    assert simtlab("store", "import", "term.tar.zst", "--store", "there")[0] == 0
    assert len(proposals(ResultStore(Path("there")))) == 1


def test_decisions_and_the_list_are_told_as_json_too(graded: FakeCheckout) -> None:
    def told(*words: str) -> dict[str, object]:
        code, text = simtlab("regrade", *words, "--json")
        assert code == 0, text
        return dict(json.loads(text))

    assert told()["proposals"] == []
    judge_says(graded, "wrong_answer", "full")
    name = str(preview()["proposal"])
    row = {"proposal": name, "results": 2, "reason": "a case was wrong"}
    assert told()["proposals"] == [{**row, "applied": None, "by": None}]
    both = [{"student": student, "lab": TILING} for student in ("alice", "bob")]
    applied = told("--apply", name, "--by", "A. Teacher")
    assert (applied["applied"], applied["lost"]) == (both, 0)
    assert told()["proposals"] == [{**row, "applied": True, "by": "A. Teacher"}]
    assert told("--revert", name, "--by", "B. Teacher")["reverted"] == both
    assert told()["proposals"] == [{**row, "applied": False, "by": "B. Teacher"}]
