"""Grades are held back and released per lab and section, at a time, with who and why; released ones never fall."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from simtlab.export.formats import FORMATS
from simtlab.store.holds import HoldStep, Journal, add_hold, holds
from simtlab.store.results import ResultStore
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.test_cli_after_grading import TILING, simtlab
from tests.test_regrade import judge_says

BANKS = "08-bank-conflicts"
NOW = datetime(2026, 10, 5, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
WHO = ("--by", "A. Teacher", "--reason", "a case is doubtful")


@pytest.fixture
def course(checkout: FakeCheckout, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    """alice is in a section, and both students are on the leaderboard; the store is empty."""
    monkeypatch.chdir(checkout.root)
    monkeypatch.setenv("SIMTLAB_ALLOW_WEAK", "1")
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    text = '[sections]\ntuesday = ["alice"]\n[leaderboard.pseudonyms]\nalice = "Heron"\nbob = "Kite"\n'
    (checkout.root / "course.toml").write_text(text, encoding="utf-8")
    ResultStore(Path("results"))
    return checkout


@pytest.fixture
def graded(course: FakeCheckout) -> FakeCheckout:
    """Full marks for alice and bob in both labs."""
    for student in ("alice", "bob"):
        for lab in (TILING, BANKS):
            course.submit(student, lab, KERNEL + "// fake judge: full\n")
    assert simtlab("grade", "class")[0] == 0
    return course


def step(released: bool, hours: float, when: float | None = None, section: str = "", lab: str = TILING) -> HoldStep:
    """A step at so many hours after NOW, about a time of so many."""
    moment = None if when is None else NOW + when * HOUR
    return HoldStep(lab=lab, section=section, released=released, when=moment, by="A", reason="r", at=NOW + hours * HOUR)


def exported(kind: str) -> str:
    """All that an export has, as one text."""
    assert simtlab("export", kind, f"out-{kind}")[0] == 0
    return "".join(path.read_text(encoding="utf-8") for path in sorted(Path(f"out-{kind}").rglob("*.*")))


def students_page(student: str, page: str = "index") -> str:
    assert simtlab("report", "--for-students", "pages")[0] == 0
    return (Path("pages") / student / f"{page}.html").read_text(encoding="utf-8")


def points(student: str, lab: str = TILING) -> float:
    document = json.loads(simtlab("status", "--json")[1])
    return float(next(one for one in document["students"] if one["student"] == student)["labs"][lab]["points"])


@pytest.mark.parametrize(
    ("steps", "held", "released"),
    [
        ([], False, False),
        ([step(False, -2)], True, False),
        ([step(False, -2, 1)], True, False),
        ([step(False, -2, -1)], False, True),  # its time has come
        ([step(False, -2), step(True, -1)], False, True),
        ([step(False, -2), step(True, -1, 1)], True, False),  # released at a time to come
        ([step(False, -3), step(True, -2, -1)], False, True),
        ([step(False, -3), step(True, -2, 1), step(True, -1, 2)], True, False),  # postponed
        ([step(False, -3), step(True, -2, 1), step(True, -1)], False, True),  # at once after all
        ([step(False, -3), step(True, -2, 1), step(False, -1)], True, False),  # held again before it came
        ([step(False, -3), step(True, -2), step(False, -1)], True, True),  # students have seen it
        ([step(False, -3, -2), step(False, -1)], True, True),
        ([step(True, -1)], False, True),
        ([step(True, -1, 1)], False, False),
        ([step(False, 1), step(True, 2)], False, True),  # the clock was set back since
        ([step(False, -1, lab=BANKS)], False, False),
        ([step(False, -1, section="friday")], False, False),
        ([step(False, -1, section="tuesday")], True, False),
        ([step(False, -2), step(True, -1, section="tuesday")], False, True),
        ([step(False, -2, section="tuesday"), step(True, -1)], False, True),
        ([step(False, -2), step(True, -1, section="friday")], True, False),
    ],
)
def test_the_newest_step_about_a_student_decides(steps: list[HoldStep], held: bool, released: bool) -> None:
    journal = Journal(steps, NOW)
    assert (journal.held(TILING, ["tuesday"]) is not None, journal.ever_released(TILING, ["tuesday"])) == (
        held,
        released,
    )


def test_a_held_grade_says_since_when_until_when_by_whom_and_why() -> None:
    held = Journal([step(False, -2), step(True, -1, 3)], NOW).held(TILING)
    assert held is not None
    assert (held.since, held.until) == (NOW - 2 * HOUR, NOW + 3 * HOUR)
    assert held.sentence == "held until 2026-10-05 15:00 UTC, since 2026-10-05 10:00 UTC by A: r"
    assert held.student_words == "held back until 2026-10-05 15:00 UTC"


def test_what_is_held_is_in_no_export(graded: FakeCheckout) -> None:
    open_ones = {kind: exported(kind) for kind in FORMATS}
    assert simtlab("hold", "07", *WHO)[0] == 0
    for kind in FORMATS:
        text = exported(kind)
        assert text != open_ones[kind], kind
        assert "100" in text, kind
    assert "07-shared-tiling,held back,,,," in exported("csv")
    alice = json.loads(exported("json"))["students"][0]
    assert (alice["labs"][TILING]["points"], alice["labs"][TILING]["verdict"], alice["total"]) == (None, None, 100)
    for kind, name in (
        ("gradescope", "alice/{}/results.json"),
        ("autolab", "alice/{}.txt"),
        ("classroom", "bob/{}.txt"),
    ):
        assert not (Path(f"out-{kind}") / name.format(TILING)).exists()
        assert (Path(f"out-{kind}") / name.format(BANKS)).exists()
    code, text = simtlab("export", "csv", "out", "--json")
    assert (code, json.loads(text)["held"]) == (0, 2)
    assert "2 grades held back, and left out" in simtlab("export", "csv", "out")[1]
    assert simtlab("release-grades", "07", *WHO)[0] == 0
    assert {kind: exported(kind) for kind in ("csv", "canvas", "moodle")} == {
        kind: open_ones[kind] for kind in ("csv", "canvas", "moodle")
    }


def test_what_is_held_is_on_no_students_page_and_no_leaderboard(graded: FakeCheckout) -> None:
    assert "200 of 200 points" in students_page("alice")
    assert simtlab("hold", "07", "--section", "tuesday", "--until", "2999-10-05T12:00+00:00", *WHO)[0] == 0
    alice = students_page("alice")
    assert "held back until 2999-10-05 12:00 UTC" in alice
    assert "100 of 200 points so far: 1 grade waits" in alice
    page = students_page("alice", TILING)
    assert "Held back until 2999-10-05 12:00 UTC." in page
    assert not [word for word in ("100", "doubtful", "A. Teacher", "pass") if word in page.split("<main")[-1]]
    assert "held" not in students_page("bob")
    assert "200 of 200 points" in students_page("bob")
    for place in (Path("pages") / "bob" / "leaderboard.html", Path("report") / "leaderboard.html"):
        assert simtlab("report")[0] == 0
        text = place.read_text(encoding="utf-8")
        assert (text.count("Heron"), text.count("Kite")) == (1, 2), place


def test_the_instructor_sees_the_grade_and_that_it_is_held(graded: FakeCheckout) -> None:
    assert simtlab("hold", "07", *WHO)[0] == 0
    text = simtlab("status")[1]
    assert "100 pass, held" in text
    assert "note: 07-shared-tiling: 2 grades held, since " in text
    assert "by A. Teacher: a case is doubtful" in " ".join(text.split())
    document = json.loads(simtlab("status", "--json")[1])["students"][0]["labs"]
    assert (document[TILING]["points"], document[TILING]["held"]["by"]) == (100, "A. Teacher")
    assert document[BANKS]["held"] is None
    assert "held, since" in simtlab("explain", "alice", "07")[1]
    assert simtlab("report")[0] == 0
    assert "held, since" in Path("report/index.html").read_text(encoding="utf-8")


def test_a_time_takes_effect_without_anything_running(graded: FakeCheckout) -> None:
    store = ResultStore(Path("results"))
    now = datetime.now(UTC)

    def add(released: bool, when: timedelta, at: timedelta) -> None:
        told = HoldStep(lab=TILING, released=released, when=now + when, by="A. Teacher", reason="r", at=now + at)
        add_hold(store, told)

    add(False, HOUR, -HOUR)
    assert "held back" in exported("csv")
    add(True, -timedelta(seconds=1), -timedelta(minutes=1))
    assert "held back" not in exported("csv")
    assert "held" not in students_page("alice")


def test_a_release_to_come_of_what_is_not_held_says_that_it_is_shown(graded: FakeCheckout) -> None:
    release = ["release-grades", "07", "--at", "2999-01-01T12:00Z", "--by", "A. Teacher", "--reason", "after the exam"]
    code, text = simtlab(*release)
    assert (code, f"Nothing holds them until then, so they are shown: simtlab hold {TILING} holds them" in text) == (
        0,
        True,
    )
    assert simtlab("hold", "07", "--by", "A. Teacher", "--reason", "exam")[0] == 0
    assert "Nothing holds them" not in simtlab(*release)[1]


def test_the_journal_keeps_each_step_and_the_list_says_what_is_held(course: FakeCheckout) -> None:
    assert json.loads(simtlab("hold", "--json")[1]) == {
        "format": "simtlab-holds",
        "version": 1,
        "held": [],
        "journal": [],
    }
    assert "nothing is held" in simtlab("hold")[1]
    assert simtlab("hold", "07,08", *WHO)[0] == 0
    code, text = simtlab(
        "release-grades", "07", "--section", "tuesday", "--by", "B. Teacher", "--reason", "checked", "--json"
    )
    assert (code, len(json.loads(text)["steps"])) == (0, 1)
    assert simtlab("hold", "08", "--section", "tuesday", "--until", "2999-01-01T00:00+00:00", *WHO)[0] == 0
    document = json.loads(simtlab("hold", "--json")[1])
    rows = [(one["lab"], one["section"], one["until"]) for one in document["held"]]
    assert rows == [(TILING, "", None), (BANKS, "", None), (BANKS, "tuesday", "2999-01-01T00:00:00+00:00")]
    assert all(one["since"] and one["by"] == "A. Teacher" and one["reason"] for one in document["held"])
    assert [(one["lab"], one["released"], one["by"]) for one in document["journal"]] == [
        (TILING, False, "A. Teacher"),
        (BANKS, False, "A. Teacher"),
        (TILING, True, "B. Teacher"),
        (BANKS, False, "A. Teacher"),
    ]
    code, text = simtlab("hold")
    assert (code, "everybody" in text, "grades of section tuesday are released (B. Teacher: checked)" in text) == (
        0,
        True,
        True,
    )
    assert "4 in holds/" in simtlab("store", "verify")[1]
    assert simtlab("store", "export", "term.tar.zst")[0] == 0
    assert simtlab("store", "import", "term.tar.zst", "--store", "there")[0] == 0
    assert len(holds(ResultStore(Path("there")))) == 4


def test_a_damaged_step_shows_nobody_a_held_grade(graded: FakeCheckout) -> None:
    assert simtlab("hold", "07", *WHO)[0] == 0
    [path] = Path("results/holds").iterdir()
    path.write_text("{", encoding="utf-8")
    code, text = simtlab("export", "csv", "out")
    assert (code, "is damaged" in text, "restore it from a backup" in text) == (2, True, True)
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hold", "07"], 'hold needs --by "A. Teacher" and --reason'),
        (["release-grades", "07", "--by", "A"], 'release-grades needs --by "A. Teacher" and --reason'),
        (["hold", "99", *WHO], "99"),
        (["hold", *WHO], "expected the labs"),
        (["hold", "07", "--section", "friday", *WHO], "has no such section; its [sections] are: tuesday"),
        (["hold", "07", "--until", "soon", *WHO], "--until: expected a time, such as"),
        (["hold", "07", "--until", "2999-01-01T10:00", *WHO], "--until: expected a time with its zone"),
        (["release-grades", "07", "--at", "2001-01-01T10:00Z", *WHO], "expected a time to come; it is"),
        (["hold", "07", "--store", "absent", *WHO], "absent is no store of results"),
    ],
)
def test_what_cannot_be_held_is_named(course: FakeCheckout, words: list[str], said: str) -> None:
    code, text = simtlab(*words)
    assert (code, said in text) == (2, True), text
    assert holds(ResultStore(Path("results"))) == []


def test_an_ordinary_grading_lets_no_released_grade_fall(graded: FakeCheckout) -> None:
    assert simtlab("release-grades", "07", "--section", "tuesday", *WHO)[0] == 0
    for lab in (TILING, BANKS):
        judge = next(graded.build.rglob(f"judge-{lab}"))
        text = judge.read_text(encoding="utf-8")
        judge.write_text(text.replace("kind = word\n", "kind = 'wrong_answer'\n"), encoding="utf-8")
    for _ in range(2):  # the same again changes nothing
        code, text = simtlab("grade", "class", "--json")
        assert code == 0
        assert points("alice") == 100
        assert max(points("bob"), points("alice", BANKS)) < 100  # not released
        [note] = [one for one in json.loads(text)["problems"] if "released" in one]
        assert "alice 07 (now " in note
        assert "instead of 100 points: the lab or its judge changed)" in note
        assert "regrade --what LAB" in note
    assert "released grades would fall" in simtlab("status")[1]
    assert simtlab("regrade", "--what", "07", "--students", "alice", "--reason", "it was wrong")[0] == 0
    assert simtlab("regrade", "--apply", "latest", "--by", "A. Teacher", "--allow-lower")[0] == 0
    assert points("alice") < 100
    assert simtlab("grade", "class")[0] == 0
    assert points("alice") < 100


def test_a_released_grade_rises_and_its_student_may_hand_in_anew(graded: FakeCheckout) -> None:
    graded.submit("bob", TILING, KERNEL + "// fake judge: wrong_answer\n")
    assert simtlab("grade", "class")[0] == 0
    low = points("bob")
    assert simtlab("release-grades", "07", *WHO)[0] == 0
    judge_says(graded, "wrong_answer", "full")
    assert simtlab("grade", "class")[0] == 0
    assert (low < 100, points("bob"), points("alice")) == (True, 100, 100)
    graded.submit("alice", TILING, KERNEL + "// fake judge: slow\n")
    assert simtlab("grade", "class")[0] == 0
    assert points("alice") < 100


def test_a_released_submission_that_is_missing_now_counts_on(graded: FakeCheckout) -> None:
    assert simtlab("release-grades", "07", *WHO)[0] == 0
    (graded.class_folder / "alice" / TILING / "kernel.cu").unlink()
    assert simtlab("grade", "class")[0] == 0
    assert points("alice") == 100


def test_while_a_grading_runs_and_where_it_waits_for_us_the_released_grade_stands(graded: FakeCheckout) -> None:
    assert simtlab("release-grades", "07", *WHO)[0] == 0
    judge_says(graded, "full", "internal")
    simtlab("grade", "class")
    assert points("alice") == 100
    assert "released grades would fall" not in simtlab("status")[1]


def test_reverting_a_regrade_lets_no_released_grade_fall(graded: FakeCheckout) -> None:
    graded.submit("bob", TILING, KERNEL + "// fake judge: wrong_answer\n")
    assert simtlab("grade", "class")[0] == 0
    judge_says(graded, "wrong_answer", "full")
    assert simtlab("regrade", "--what", "07", "--reason", "a case was wrong")[0] == 0
    assert simtlab("regrade", "--apply", "latest", "--by", "A. Teacher")[0] == 0
    assert simtlab("release-grades", "07", *WHO)[0] == 0
    code, text = simtlab("regrade", "--revert", "latest", "--by", "A. Teacher")
    assert (code, "1 released grade would fall: bob 07 by" in text, "--allow-lower" in text) == (2, True, True)
    assert points("bob") == 100
    assert simtlab("regrade", "--revert", "latest", "--by", "A. Teacher", "--allow-lower")[0] == 0
    assert points("bob") < 100


def test_sections_have_students_of_the_class(graded: FakeCheckout) -> None:
    text = '[sections]\ntuesday = ["alice", "zoe"]\n'
    (graded.root / "course.toml").write_text(text, encoding="utf-8")
    assert "course.toml: [sections] names zoe, whom this class does not have" in simtlab("status")[1]
