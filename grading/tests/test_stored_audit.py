"""Today's audit over what was graded before finds what the grading did not know and changes nothing; a person withdraws
a result, with name and reason, and may give it back."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from simtlab.cli import app
from simtlab.errors import GraderError
from simtlab.store.results import ResultStore
from simtlab.store.withdrawals import journal, withdrawn_results
from tests.fake_checkout import KERNEL, FakeCheckout

TILING = "07-shared-tiling"
FORBIDDEN_TODAY = 'asm("nop");\n'


def simtlab(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, [*words], env={"COLUMNS": "200"})
    said = f"{done.exception}" if done.exception and not isinstance(done.exception, SystemExit) else ""
    return done.exit_code, done.output + said


def points_of(student: str) -> tuple[float, str]:
    graded = json.loads(simtlab("status", "--json")[1])
    [one] = [one for one in graded["students"] if one["student"] == student]
    return one["labs"][TILING]["points"], one["labs"][TILING]["message"]


@pytest.fixture
def graded(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    """alice is honest; bob's file holds what yesterday's audit did not know."""
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    for student, text in (("alice", KERNEL), ("bob", KERNEL + FORBIDDEN_TODAY), ("carol", KERNEL + FORBIDDEN_TODAY)):
        checkout.submit(student, TILING, text)
    with monkeypatch.context() as yesterday:
        yesterday.setattr("simtlab.audit.source_rules._ASSEMBLY", set())
        yesterday.setattr("simtlab.class_run.build.audit_of", lambda *_: None)
        assert simtlab("grade", "class")[0] == 0
    return checkout


def test_the_audit_lists_what_is_new_and_changes_nothing(graded: FakeCheckout) -> None:
    before = points_of("bob")
    kept = {path: path.read_bytes() for path in (graded.root / "results").rglob("*.json")}
    code, told = simtlab("audit", "--stored", "--json")
    assert code == 1, told
    document = json.loads(told)
    assert document["audited"] == 3
    assert [(one["student"], one["findings"][0]["rule"]) for one in document["found"]] == [
        ("bob", "assembly"), ("carol", "assembly")
    ]  # fmt: skip
    assert points_of("bob") == before
    assert {path: path.read_bytes() for path in (graded.root / "results").rglob("*.json")} == kept
    code, told = simtlab("audit", "--stored")
    assert code == 1
    assert "found: bob 07-shared-tiling (pass): assembly" in told
    assert "alice" not in told
    assert "No grade was changed" in told


def test_a_person_withdraws_a_result_and_gives_it_back(graded: FakeCheckout) -> None:
    before = points_of("bob")
    assert before[0] > 0
    words = ("bob", "07", "--by", "A. Teacher", "--reason", "assembly hides loads")
    assert simtlab("withdraw", *words)[0] == 0
    points, message = points_of("bob")
    assert points == 0
    assert message.startswith("withdrawn by A. Teacher on 2")
    assert message.endswith("assembly hides loads")
    assert "withdrawn by A. Teacher" in simtlab("explain", "bob", "07")[1]
    assert simtlab("report", "--for-students", "pages")[0] == 0
    pages = [path.read_text(encoding="utf-8") for path in (graded.root / "pages").rglob("*.html")]
    assert sum("withdrawn by A. Teacher" in page for page in pages) == 1, "bob's own page says why"
    assert points_of("carol")[0] == before[0]
    assert "withdrawn already" in simtlab("withdraw", *words)[1]
    assert simtlab("withdraw", "bob", "07", "--by", "B. Dean", "--reason", "explained", "--undo")[0] == 0
    assert points_of("bob") == before
    assert [(one.by, one.withdrawn) for one in journal(ResultStore(graded.root / "results"))] == [
        ("A. Teacher", True), ("B. Dean", False)
    ]  # fmt: skip
    assert "is not withdrawn" in simtlab("withdraw", *words, "--undo")[1]


def test_a_withdrawal_needs_a_name_a_reason_and_a_result(graded: FakeCheckout) -> None:
    assert simtlab("withdraw", "bob", "07", "--by", " ", "--reason", "x")[0] != 0
    assert simtlab("withdraw", "bob", "07", "--reason", "x")[0] == 2
    assert "no result of dave" in simtlab("withdraw", "dave", "07", "--by", "A", "--reason", "x")[1]


def test_who_hands_in_anew_is_graded_anew(graded: FakeCheckout) -> None:
    assert simtlab("withdraw", "bob", "07", "--by", "A. Teacher", "--reason", "assembly")[0] == 0
    graded.submit("bob", TILING, KERNEL + "// mended\n")
    assert simtlab("grade", "class")[0] == 0
    assert points_of("bob")[0] > 0


def test_a_damaged_journal_is_told_and_never_skipped(graded: FakeCheckout) -> None:
    assert simtlab("withdraw", "bob", "07", "--by", "A. Teacher", "--reason", "assembly")[0] == 0
    store = ResultStore(graded.root / "results")
    [path] = (store.folder / "withdrawals").glob("*.json")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(GraderError, match="is damaged"):
        withdrawn_results(store)


def test_there_has_to_be_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "no store of results" in simtlab("audit", "--stored")[1]
    assert "--stored" in simtlab("audit")[1]
