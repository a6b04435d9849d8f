"""How far a running grading is, as the store, `status`, `--json` and the class page tell."""

import io
import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.grading import grade_class
from simtlab.class_run.plan import PlannedGrade, make_plan
from simtlab.class_run.progress import LiveProgress, Quiet
from simtlab.course.course import Course
from simtlab.intake.class_folder import read_class
from simtlab.labs.catalogue import Catalogue, read_catalogue
from simtlab.report.site import write_site
from simtlab.score.gradebook import Gradebook, read_gradebook
from simtlab.score.table import class_document
from simtlab.store.progress import (
    RunningSubmission,
    RunProgress,
    duration,
    end_progress,
    read_progress,
    write_progress,
)
from simtlab.store.results import ResultStore, this_host
from tests.example_facts import passed_facts
from tests.fake_checkout import FakeCheckout
from tests.graded_book import book_of

NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
HOSTILE = "<b>eve</b>\x1b[31m"


def progress(**changes: object) -> RunProgress:
    running = [RunningSubmission(student=HOSTILE, lab="07-lab", since=NOW - timedelta(seconds=12))]
    said = RunProgress(started_at=NOW, written_at=NOW, total=20, done=5, running=running, seconds_left=200)
    return said.model_copy(update=changes)


class Looking(Quiet):
    """Looks at the gradebook whenever something starts, as another terminal would."""

    def __init__(self, look: object) -> None:
        self.look = look
        self.seen: list[Gradebook] = []

    def finished(self, planned: PlannedGrade, result: object) -> None:
        self.seen.append(self.look())  # type: ignore[operator]


def test_a_grading_tells_while_it_runs_and_nothing_afterwards(checkout: FakeCheckout, store: ResultStore) -> None:
    for student in ("alice", "bob"):
        checkout.submit(student, "07-shared-tiling")
    catalogue = read_catalogue(checkout.root, checkout.build)
    intake = read_class(checkout.class_folder, catalogue, store.keep_file)
    plan = make_plan("class", intake, catalogue, Conditions(), store)
    listener = Looking(lambda: read_gradebook(plan.run, store, catalogue, Course()))
    grade_class(plan, Conditions(), store, listener, workers=1)
    during = listener.seen[0].progress
    assert during is not None
    assert (during.total, during.done, [one.student for one in during.running]) == (2, 0, ["alice"])
    assert during.waiting == 1
    assert read_gradebook(plan.run, store, catalogue, Course()).progress is None


def test_another_runs_words_and_those_of_a_killed_one_are_not_taken(store: ResultStore) -> None:
    now = datetime.now(UTC)
    write_progress(store, progress(started_at=now, written_at=now))
    assert read_progress(store, now) is not None
    assert read_progress(store, NOW) is None
    write_progress(store, progress(started_at=now, written_at=now - timedelta(minutes=3)))
    assert read_progress(store, now) is None
    write_progress(store, progress(started_at=now, written_at=now, host=this_host(), process=os.getpid()))
    assert read_progress(store, now) is not None
    write_progress(store, progress(started_at=now, written_at=now, host=this_host(), process=4194999))
    assert read_progress(store, now) is None
    [file] = store.folder.glob("progress-*.json")
    file.write_text("{", encoding="utf-8")
    assert read_progress(store, now) is None


def test_two_gradings_of_one_store_tell_each_for_itself(store: ResultStore) -> None:
    now = datetime.now(UTC)
    later = now + timedelta(seconds=1)
    for started_at, done in ((now, 1), (later, 2)):
        write_progress(store, progress(started_at=started_at, written_at=now, done=done))
    assert [found.done for found in (read_progress(store, now), read_progress(store, later)) if found] == [1, 2]
    end_progress(store, now)
    assert read_progress(store, now) is None
    assert read_progress(store, later) is not None


def test_people_read_what_runs_what_waits_and_how_long() -> None:
    assert progress().sentences == [
        "5 of 20 graded now, 14 wait, about 3 min left",
        "running: <b>eve</b>\\x1b[31m 07-lab, 12 s",
    ]
    assert [duration(one) for one in (12.4, 300, 9000)] == ["12 s", "5 min", "2.5 h"]


def test_the_class_page_and_the_document_tell_the_same(tmp_path: Path) -> None:
    book = replace(book_of({("alice", "01-lab"): passed_facts()}), progress=progress())
    page = write_site(book, ResultStore(tmp_path / "store"), tmp_path / "report").read_text(encoding="utf-8")
    assert "Grading is running" in page
    assert "5 of 20 graded now, 14 wait, about 3 min left" in page
    assert "running: &lt;b&gt;eve&lt;/b&gt;\\x1b[31m 07-lab, 12 s" in page
    told = class_document(book)["progress"]
    assert (told["done"], told["waiting"], told["seconds_left"]) == (5, 14, 200)
    assert json.dumps(told)
    ended = write_site(replace(book, progress=None), ResultStore(tmp_path / "store"), tmp_path / "report")
    assert "Grading is running" not in ended.read_text(encoding="utf-8")


def test_the_live_display_fits_80_columns(checkout: FakeCheckout, catalogue: Catalogue, store: ResultStore) -> None:
    name = "a-student-whose-name-is-much-longer-than-any-terminal-is-wide-and-then-some-more\x1b[2J"
    checkout.submit(name, "07-shared-tiling")
    intake = read_class(checkout.class_folder, catalogue, store.keep_file)
    plan = make_plan("class", intake, catalogue, Conditions(), store)
    console = Console(file=io.StringIO(), width=80, force_terminal=False, color_system=None)
    live = LiveProgress(console, 3, 1)
    live.started(plan.to_grade[0])
    with console.capture() as captured:
        console.print(live._render())
    assert all(len(line) <= 80 for line in captured.get().splitlines())
    assert "0 of 3 graded, 2 wait" in captured.get()
    assert "\x1b" not in captured.get()
