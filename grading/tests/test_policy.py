"""The course's policy on every command that makes points, and what it did visible wherever the points are."""

import io
import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from simtlab import cli
from simtlab.course.course import Course
from simtlab.course.undated import undated_notes
from simtlab.score.gradebook import Gradebook
from simtlab.score.table import class_document, print_class
from simtlab.verdict import Verdict
from tests.example_facts import passed_facts
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.graded_book import book_of
from tests.test_cli_after_grading import simtlab

TILING, BANKS = "07-shared-tiling", "08-bank-conflicts"
DUE = datetime(2026, 10, 1, 23, 59, tzinfo=UTC)
ELEVEN = """
[[override]]
student = "alice"
lab = "07"
points = 11
comment = "another policy"
author = "A. Teacher"
"""


@pytest.fixture
def graded(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    checkout.submit("alice", TILING, KERNEL + "// fake judge: full\n")
    (checkout.root / "course.toml").write_text("[labs.07]\ndue = 2026-10-01T23:59:00Z\n", encoding="utf-8")
    (checkout.root / "eleven.toml").write_text(ELEVEN, encoding="utf-8")
    assert simtlab("grade", "class")[0] == 0
    return checkout


def told(folder: Path) -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*")) if path.is_file())


def test_each_command_that_makes_points_takes_another_policy(graded: FakeCheckout) -> None:
    option = ("--policy", "eleven.toml")
    total = re.compile(r"set to 11 by A\. Teacher")
    assert total.search(simtlab("grade", "class", *option)[1])
    assert total.search(simtlab("status", *option)[1])
    assert total.search(simtlab("explain", "alice", "07", *option)[1])
    for words in (
        ("report", "out"),
        ("report", "--for-students", "out"),
        *((("export", kind, "out")) for kind in FORMATS),
    ):
        folder = graded.root / "-".join(words)
        named = [str(folder) if word == "out" else word for word in words]
        assert simtlab(*named, *option)[0] == 0
        assert "11" in told(folder), words


FORMATS = ("csv", "json", "canvas", "gradescope", "autolab", "junit")


def test_a_policy_that_is_not_there_or_wrong_is_named_before_anything_runs(graded: FakeCheckout) -> None:
    (graded.root / "wrong.toml").write_text("[labs.99]\nweight = 2\n", encoding="utf-8")
    for words in (("grade", "class"), ("status",), ("explain", "alice", "07"), ("report",), ("export", "csv")):
        code, text = simtlab(*words, "--policy", "absent.toml")
        assert (code, "absent.toml" in text) == (2, True), words
        code, text = simtlab(*words, "--policy", "wrong.toml")
        assert (code, "wrong.toml: [labs.99]: there is no lab '99'" in text) == (2, True), words


def test_points_by_another_policy_than_the_gradings_say_so(graded: FakeCheckout) -> None:
    assert "the points are by" not in simtlab("status")[1]
    assert "the points are by eleven.toml, while the grading had the policy course.toml" in " ".join(
        simtlab("status", "--policy", "eleven.toml")[1].split()
    )
    text = simtlab("grade", "class", "--policy", "eleven.toml")[1]
    assert "note: the points are by the policy eleven.toml" in text
    assert "the points are by course.toml, while the grading had the policy eleven.toml" in " ".join(
        simtlab("status", "--policy", "course.toml")[1].split()
    )


def test_without_another_policy_points_are_by_that_of_the_grading(graded: FakeCheckout) -> None:
    simtlab("grade", "class", "--policy", "eleven.toml")
    for words in (("status",), ("explain", "alice", "07"), ("export", "csv", "out"), ("report", "pages")):
        code, text = simtlab(*words)
        assert (code, "while the grading had" in text) == (0, False), words
    assert "11" in told(graded.root / "out")
    assert "set to 11 by A. Teacher" in told(graded.root / "pages")
    (graded.root / "eleven.toml").rename(graded.root / "moved.toml")
    code, text = simtlab("export", "csv", "out")
    assert code == 2
    assert "made its points by the policy eleven.toml, which is not here" in " ".join(text.split())


LATE = Course.model_validate(
    {
        "late": {"percent_per_day": 10.0},
        "labs": {TILING: {"due": DUE}},
        "extension": [{"student": "bob", "lab": TILING, "days": 3.0, "reason": "ill"}],
        "override": [{"student": "carol", "lab": TILING, "points": 80.0, "comment": "c", "author": "A. Teacher"}],
    }
)


def adjusted_book() -> Gradebook:
    """Handed in two days and an hour late: alice loses, bob had more time, carol's points were set."""
    names = ("alice", "bob", "carol")
    return book_of({(name, TILING): passed_facts() for name in names}, LATE, DUE + timedelta(days=1, hours=1))


def printed(book: Gradebook, width: int = 100) -> str:
    console = Console(record=True, width=width, file=io.StringIO())
    print_class(book, console)
    return console.export_text()


def test_lateness_extension_and_override_stand_in_the_class_table() -> None:
    text = printed(adjusted_book())
    rows = {line.split()[0]: line for line in text.splitlines() if line.startswith(("alice ", "bob ", "carol "))}
    assert re.search(r"74 pass, 2 d late\b", rows["alice"])
    assert re.search(r"92\.5 pass, \+3 d\b", rows["bob"])
    assert re.search(r"80 pass, 2 d late, set\b", rows["carol"])
    assert f"late: alice {TILING}: 2 days late, 10 % a day: 20 % of 92.5" in text
    assert f"extension: bob {TILING}: 3 days more, until 2026-10-04 23:59 UTC: ill" in text
    assert f"override: carol {TILING}: set to 80 by A. Teacher: c" in text


def test_the_document_of_the_class_has_times_dates_and_kinds() -> None:
    students = {one["student"]: one["labs"][TILING] for one in class_document(adjusted_book())["students"]}
    assert [each["kind"] for each in students["carol"]["adjustments"]] == ["late", "override"]
    assert students["alice"]["adjustments"][0]["days"] == 2
    assert students["alice"]["handed_in"] == "2026-10-03T00:59:00+00:00"
    assert (students["alice"]["due"], students["bob"]["due"]) == (DUE.isoformat(), "2026-10-04T23:59:00+00:00")


def test_explain_tells_the_times_or_that_they_are_not_known(graded: FakeCheckout) -> None:
    text = simtlab("explain", "alice", "07")[1]
    assert "Due 2026-10-01 23:59 UTC; when it was handed in is not known" in " ".join(text.split())
    document = json.loads(simtlab("explain", "alice", "07", "--json")[1])
    assert (document["handed_in"], document["due"]) == (None, "2026-10-01T23:59:00+00:00")


def test_a_date_that_cannot_be_applied_is_told_on_terminal_page_and_json(graded: FakeCheckout) -> None:
    sentence = f"{TILING} was due 2026-10-01 23:59 UTC, but the class says of nobody when it was handed in"
    text = simtlab("status")[1]
    assert sentence in " ".join(text.split())
    assert sentence in (graded.root / "report" / "index.html").read_text(encoding="utf-8")
    assert any(sentence in one for one in json.loads(simtlab("status", "--json")[1])["problems"])


def test_only_what_was_handed_in_needs_a_time() -> None:
    book = book_of({("alice", TILING): Verdict.NOT_SUBMITTED, ("bob", BANKS): passed_facts()}, LATE)
    assert not any("was due" in note for note in book.notes)


@given(st.lists(st.tuples(st.sampled_from([TILING, BANKS]), st.booleans()), max_size=9))
def test_who_has_no_time_is_counted_and_the_others_are_not_named(given_times: list[tuple[str, bool]]) -> None:
    handed_in = [(f"s{n}", lab, DUE if known else None) for n, (lab, known) in enumerate(given_times)]
    notes = undated_notes(LATE, handed_in)
    here = [(name, when) for name, lab, when in handed_in if lab == TILING]
    unknown = [name for name, when in here if when is None]
    assert len(notes) == bool(unknown), "no note about a lab without a date, none where all times are known"
    for note in notes:
        known = {name for name, when in here if when}
        assert not known & set(re.findall(r"s\d", note))
        assert ("of nobody" in note) == (len(unknown) == len(here))
        if known:
            assert f"{len(unknown)} of {len(here)} submission" in note


def test_being_late_is_shown_where_it_costs_nothing_too() -> None:
    free = LATE.model_copy(update={"late": Course().late, "override": []})
    book = book_of({("alice", TILING): passed_facts()}, free, DUE + timedelta(hours=1))
    assert "92.5 pass, 1 d late" in printed(book)
    assert book.total("alice") == 92.5


def test_an_extension_of_a_lab_without_a_date_is_told() -> None:
    course = LATE.model_copy(update={"labs": {}})
    notes = book_of({("bob", TILING): passed_facts()}, course).notes
    assert f"course.toml: [[extension]] gives bob more time for {TILING}, which has no `due`" in notes


def test_compare_takes_build_tree_and_policy_and_shows_the_points_of_both(graded: FakeCheckout) -> None:
    graded.submit("bob", TILING, KERNEL + "// fake judge: full\n")
    assert simtlab("grade", "class")[0] == 0
    build = graded.build.rename(graded.root / "elsewhere")
    words = ("compare", "alice/07", "bob/07", "--build", str(build))
    text = " ".join(simtlab(*words)[1].split())
    assert "Points: A 100 of 100, B 100 of 100." in text
    code, text = simtlab(*words, "--policy", "eleven.toml")
    assert (code, "Points: A 11 of 100, B 100 of 100." in text) == (0, True)
    assert "A: set to 11 by A. Teacher: another policy." in text
    [pair] = json.loads(simtlab(*words, "--policy", "eleven.toml", "--json")[1])["pairs"]
    assert (pair["points_a"], pair["points_b"]) == (11, 100)
    text = simtlab("compare", "results", "results", "--build", str(build))[1]
    assert re.search(r"^alice .* 100 *$", text, re.MULTILINE)
    assert simtlab("compare", "results", "results", "--build", "nowhere", "--policy", "absent.toml")[0] == 2


def test_no_command_reads_grades_without_the_option() -> None:
    """A new command that makes points has to take --policy, too."""
    folder = Path(cli.__file__).parent
    texts = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.py")}
    makes_points = re.compile(r"\b(latest_|read_|_)gradebook\(|grades_of|\bgrade_one\(")
    uses = {name for name, text in texts.items() if makes_points.search(text)}
    reading = uses - {"latest", "one_submission"}  # what commands ask
    assert {"grade", "report", "export", "explain", "compare", "listing", "gradescope"} <= reading
    assert [name for name in sorted(reading) if "PolicyOption" not in texts[name]] == []
