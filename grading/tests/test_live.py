"""A grading is watched by who did not start it: on a terminal, and on a page that follows it and changes nothing."""

import io
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from rich.console import Console

from simtlab.live.follow import follow_run
from simtlab.live.server import LivePage
from simtlab.live.watch import Watch
from simtlab.store.claims import Claims
from simtlab.store.class_run import ClassRun, RunEntry
from simtlab.store.progress import RunProgress, write_progress
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.test_store import PARTS, result_of

STUDENTS = ["alice", "bob", "<b>eve</b>"]
RESULTS = [result_of(PARTS.model_copy(update={"student": student})) for student in STUDENTS]
FAULT = RESULTS[2].model_copy(
    update={"verdict": Verdict.INTERNAL_ERROR, "facts": None, "message": "the disk\nwas full"}
)


@pytest.fixture
def run(store: ResultStore) -> ClassRun:
    """Three submissions of a grading that says that it runs."""
    now = datetime.now(UTC)
    entries = [RunEntry(student=one.parts.student, lab=one.parts.lab, key=one.key) for one in RESULTS]
    absent = RunEntry(student="carol", lab=PARTS.lab, key=None, verdict=Verdict.NOT_SUBMITTED)
    write_progress(store, RunProgress(started_at=now, written_at=now, total=3, done=0, running=[], seconds_left=200))
    return ClassRun(
        class_name="class", started_at=now, backend="emulator", backend_reason="", seed=1,
        students=[*STUDENTS, "carol"], labs=[PARTS.lab], entries=[*entries, absent], problems=[],
    )  # fmt: skip


def ended(store: ResultStore) -> None:
    for path in store.folder.glob("progress-*.json"):
        path.unlink()


def test_a_watch_counts_what_is_there_names_what_runs_and_where(store: ResultStore, run: ClassRun) -> None:
    watch = Watch(store, run)
    assert watch.look().sentence == "0 of 3 graded, 0 run, 3 wait, about 3 min left"
    store.add(RESULTS[0])
    with Claims(store, "node2 task 7").of(RESULTS[1].key, "bob", PARTS.lab):
        seen = watch.look()
        assert seen.sentence == "1 of 3 graded, 1 runs, 1 waits, about 3 min left"
        assert [(one.student, one.where.endswith("node2 task 7")) for one in seen.running] == [("bob", True)]
    store.add(RESULTS[1])
    store.add(FAULT)
    seen = watch.look()
    assert seen.verdicts == {Verdict.PASS.words: 2, Verdict.INTERNAL_ERROR.words: 1}
    assert seen.our_faults == [f"<b>eve</b> {PARTS.lab}: was full"]
    assert seen.ended


def test_a_grading_that_was_killed_has_ended_and_the_next_step_is_named(store: ResultStore, run: ClassRun) -> None:
    watch = Watch(store, run)
    assert not watch.look().ended
    ended(store)
    assert watch.look().ended
    assert watch.look().sentence.endswith("nobody grades: `simtlab grade` goes on")


def test_without_a_terminal_a_line_is_written_where_something_has_changed(store: ResultStore, run: ClassRun) -> None:
    def sleep(_: float) -> None:
        if not store.has(RESULTS[0].key):
            store.add(RESULTS[0])
        elif again:
            ended(store)
        else:
            again.append(1)  # nothing has changed

    again: list[int] = []
    out = io.StringIO()
    follow_run(Watch(store, run), Console(file=out, width=200), sleep)
    assert [line.partition(",")[0] for line in out.getvalue().splitlines()] == ["0 of 3 graded", "1 of 3 graded"]


@pytest.fixture
def page(store: ResultStore, run: ClassRun, tmp_path: Path) -> Iterator[LivePage]:
    def report() -> Path:
        (tmp_path / "report" / "labs").mkdir(parents=True)
        (tmp_path / "report" / "index.html").write_text("<h1>the report</h1>", encoding="utf-8")
        (tmp_path / "report" / "labs" / "07.html").write_text("lab 07", encoding="utf-8")
        (tmp_path / "secret").write_text("secret", encoding="utf-8")
        return tmp_path / "report"

    made = LivePage(Watch(store, run).look, report)
    thread = threading.Thread(target=made.serve)
    thread.start()
    yield made
    made.close()
    thread.join(10)
    assert not thread.is_alive()


def opened(request: str | urllib.request.Request) -> Any:
    return urllib.request.urlopen(request, timeout=20)  # noqa: S310 - our own server


def fetched(url: str) -> tuple[int, str]:
    try:
        with opened(url) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def test_without_the_token_there_is_nothing(page: LivePage) -> None:
    assert page.url.startswith("http://127.0.0.1:")
    base = page.url.removesuffix(f"{page.token}/")
    for wrong in ("", "x/", f"{page.token[:-1]}/", f"{page.token}x/events", "../", f"%2e%2e/{page.token}/"):
        assert fetched(base + wrong) == (404, "nothing here\n")
    request = urllib.request.Request(page.url, data=b"x", method="POST")  # noqa: S310 - our own server
    with pytest.raises(urllib.error.HTTPError, match="501"):
        opened(request)


def test_events_tell_each_change_and_the_end(page: LivePage, store: ResultStore) -> None:
    seen = []
    with opened(page.url + "events") as stream:
        for line in stream:
            if line.startswith(b'data: {"'):
                seen.append(json.loads(line[6:]))
                if seen[-1]["done"] < 3:
                    store.add([*RESULTS[:2], FAULT][seen[-1]["done"]])
                else:
                    ended(store)
            elif line.startswith(b"event: end"):
                break
    assert [one["done"] for one in seen][:3] == [0, 1, 2]
    assert seen[-1]["ended"]


def test_the_report_is_served_when_the_grading_has_ended_and_nothing_else_is(
    page: LivePage, store: ResultStore
) -> None:
    assert fetched(page.url + "report/")[0] == 404
    for result in RESULTS:
        store.add(result)
    with opened(page.url + "events") as stream:
        assert b"event: end" in stream.read()
    assert fetched(page.url + "report/") == (200, "<h1>the report</h1>")
    assert fetched(page.url + "report/labs/07.html") == (200, "lab 07")
    for outside in ("../secret", "%2e%2e/secret", "labs/../../secret", "//etc/passwd", "labs"):
        assert fetched(f"{page.url}report/{outside}")[0] == 404


def test_the_page_follows_the_grading_in_a_browser(browser: Browser, page: LivePage, store: ResultStore) -> None:
    tab = browser.new_page()
    problems: list[str] = []
    tab.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    tab.goto(page.url)
    assert tab.locator("#sentence").inner_text().startswith("0 of 3 graded")
    assert Axe().run(tab).response["violations"] == []
    store.add(RESULTS[0])
    store.add(FAULT)
    tab.get_by_text("2 of 3 graded").wait_for(timeout=20_000)
    assert tab.locator("#our-faults li").inner_text() == f"<b>eve</b> {PARTS.lab}: was full"
    assert not tab.locator("#finished").is_visible()
    store.add(RESULTS[1])
    ended(store)
    link = tab.get_by_role("link", name="The report")
    link.wait_for(timeout=20_000)
    assert problems == []
    link.click()
    tab.get_by_text("the report").wait_for(timeout=20_000)
    tab.close()
