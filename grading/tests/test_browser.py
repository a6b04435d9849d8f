"""Every kind of page in a real browser: no error on the console, nothing asked of the network, nothing that axe-core
objects to, at three widths and in both themes; sorting, filtering, links and keys do what they say."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from simtlab.compare.comparison import compare
from simtlab.compare.measurement import Measurement, measurement_of
from simtlab.compare.strategies import strategies_of
from simtlab.course.course import Course, Leaderboard
from simtlab.feedback.policy import HiddenFeedback
from simtlab.labs.catalogue import find_root
from simtlab.report.compare_page import write_comparison
from simtlab.report.for_students import write_students_site
from simtlab.report.site import write_site
from simtlab.report.strategies_page import write_strategies
from simtlab.score.gradebook import Gradebook
from simtlab.store.progress import RunningSubmission, RunProgress
from simtlab.store.results import ResultStore
from simtlab.text import points_text
from tests.chromium import CHROMIUM, Watched
from tests.example_facts import facts_of, passed_facts
from tests.example_launches import argument, launch, shared
from tests.graded_class import TILING, GradedClass
from tests.large_class import large_class
from tests.test_policy import adjusted_book

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium found in PATH")

RULES = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
KINDS = ("class", "lab", "submission", "compare", "two submissions", "strategies", "leaderboard", "student", "gallery")
"""Every kind of page; others are second examples, looked at where it is narrowest."""
SECOND = (
    "unsafe submission",
    "wrong submission",
    "hostile class",
    "running class",
    "adjusted class",
    "gallery index",
)
GALLERY = find_root() / "docs" / "gallery"
NOW = datetime(2026, 10, 1, 12, tzinfo=UTC)
PROGRESS = RunProgress(
    started_at=NOW,
    written_at=NOW,
    total=24,
    done=6,
    running=[RunningSubmission(student="student-003", lab="01-lab", since=NOW)],
    seconds_left=240,
)
WIDTHS = (320, 768, 1440)
THEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
READ_BY_AXE = {("light", 320), ("dark", 768), ("light", 1440)}
"""Each width and each theme once: reading a page takes seconds. A full check has axe-core read all six."""
BEYOND = """width => document.documentElement.scrollWidth <= width ? [] : [...document.querySelectorAll("body *")]
  .filter(one => one.getBoundingClientRect().right > width && !one.closest(".scroll, pre, .skip, .hidden"))
  .map(one => one.outerHTML.slice(0, 160))"""
"""What reaches beyond the page where the page itself scrolls sideways."""


@dataclass
class Showcase:
    """A site with every kind of page."""

    book: Gradebook
    store: ResultStore
    folder: Path
    pages: dict[str, Path] = field(default_factory=dict)


def slower(one: Measurement, factor: float) -> Measurement:
    runs = [run.model_copy(update={"milliseconds": [value * factor for value in run.milliseconds]}) for run in one.runs]
    return one.model_copy(update={"runs": runs, "files": {"kernel.cu": "1" * 64}})


@pytest.fixture(scope="module")
def showcase(tmp_path_factory: pytest.TempPathFactory, graded_class: GradedClass, site: Path) -> Showcase:
    folder = tmp_path_factory.mktemp("showcase")
    book, store = large_class(folder / "store", 8, 3, random.Random(5), lines=20)
    board = Leaderboard(pseudonyms={"student-000": "Heron", "student-001": "<b>Otter</b>"})
    book = replace(book, course=Course(leaderboard=board))
    index = write_site(book, store, folder / "report")
    running = write_site(replace(book, progress=PROGRESS), store, folder / "running")
    write_students_site(graded_class.book, graded_class.store, folder / "students", HiddenFeedback.VERDICT)
    measured = [measurement_of(each.result) for each in book.submissions.values() if each.result]
    found = [compare(one, slower(one, draw)) for one, draw in zip(measured, (0.9, 1.0, 1.1, 1.01), strict=False)]
    changed = write_comparison(
        found, ["bob: only in A"], ("before", "after"), (lambda _: {"k.cu": "a\n"}, lambda _: {"k.cu": "b\n"}),
        folder / "compare.html",
    )  # fmt: skip
    pages = {
        "class": index,
        "lab": index.parent / "labs" / "01-lab.html",
        "submission": index.parent / "submissions" / "student-000.01-lab.html",
        "unsafe submission": site / "submissions" / f"alice.{TILING}.html",
        "wrong submission": site / "submissions" / f"bob.{TILING}.html",
        "hostile class": site / "index.html",
        "running class": running,
        "adjusted class": write_site(adjusted_book(), store, folder / "adjusted"),
        "compare": changed,
        "two submissions": _two_submissions(folder / "two.html"),
        "strategies": write_strategies(strategies_of(measured), "01-lab", folder / "strategies.html"),
        "leaderboard": index.parent / "leaderboard.html",
        "student": folder / "students" / "alice" / "index.html",
        "gallery": GALLERY / "08-bank-conflicts.html",
        "gallery index": GALLERY / "index.html",
    }
    return Showcase(book, store, folder, pages)


def _two_submissions(path: Path) -> Path:
    """A pair with everything that the page can show: two names for one array, a doubt, lines and points."""
    facts = facts_of(passed_facts())
    sums = [shared(name, line=20 + number) for number, name in enumerate(("part", "counts"))]
    a = Measurement(
        student="alice", lab=TILING, files={"kernel.cu": "1"}, verdict=facts.verdict, score=75.0, backend="emulator",
        machine="", sizes={}, runs=[], passed=2, cases=2, criteria=facts.fast.criteria, host=facts.host,
        launches=[launch("multiply", argument("a", sectors=32, line=4), shared("tile", "write", line=4), *sums)],
    )  # fmt: skip
    others = [one.model_copy(update={"variable": f"s_{one.variable}"}) for one in sums]
    b = a.model_copy(
        update={
            "student": "<b>bob with a name that is rather long for the head of a column</b>",
            "files": {"kernel.cu": "2"},
            "launches": [launch("tiles", argument("a", line=9), shared("s", "write", wavefronts=8, line=9), *others)],
        }
    )
    points = [["Points: A 72.5 of 100, B 92.5 of 100.", "A: 1 day late, 10 % a day: 10 % of 82.5."]]
    sources = {"kernel.cu": "a\n"}, {"kernel.cu": "b\n"}
    return write_comparison(
        [compare(a, b)], [], ("alice/07", "bob/07"), (lambda _: sources[0], lambda _: sources[1]), path, points
    )


def looks(page: Page, widths: Sequence[int], beyond: str, *, all_read: bool) -> Iterator[str]:
    """The page in both themes at each width, where it may not scroll sideways; yields at those that axe-core reads."""
    grounds = set()
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        grounds.add(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        for width in widths:
            page.set_viewport_size({"width": width, "height": 900})
            assert page.evaluate(beyond, width) == [], f"{width} px scrolls sideways"
            if all_read or (theme, width) in READ_BY_AXE:
                yield f"{width} px {theme}"
    assert len(grounds) == 2, "the two themes differ"


@pytest.mark.parametrize(
    ("name", "all_read"),
    [
        *(pytest.param(name, False, id=name) for name in KINDS),
        *(pytest.param(name, True, id=f"{name} by all", marks=pytest.mark.long) for name in KINDS),
        *(pytest.param(name, True, id=name) for name in SECOND),
    ],
)
def test_a_page_is_sound_at_every_width_in_both_themes(
    showcase: Showcase, watched: Watched, name: str, all_read: bool
) -> None:
    page, axe = watched.page, Axe()
    page.goto(showcase.pages[name].as_uri())
    checked = 0
    for look in looks(page, WIDTHS if name in KINDS else WIDTHS[:1], BEYOND, all_read=all_read):
        found = axe.run(page, options={**RULES, "resultTypes": ["violations", "passes"]}).response
        told = [
            f"{look}: {one['id']}: {node['html'][:200]}: {node['failureSummary'][:300]}"
            for one in found["violations"]
            for node in one["nodes"][:2]
        ]
        assert told == []
        checked = max(checked, len(found["passes"]) + len(found["incomplete"]))
    assert checked >= 8, "axe-core has rules that apply"
    print(f"{name}: {checked} rules of axe-core applied")  # noqa: T201 - shown by pytest -rP


def rows(page: Page, table: str = "class-table") -> list[str]:
    """The first cell of every row that is shown."""
    names: list[str] = page.eval_on_selector_all(
        f"#{table} tbody tr:not([hidden])", "rows => rows.map(row => row.cells[0].textContent.trim())"
    )
    return names


def test_a_long_hint_makes_no_row_of_a_screen_where_it_is_narrow(showcase: Showcase, watched: Watched) -> None:
    folder = showcase.pages["submission"].parent
    scored = (path for path in sorted(folder.glob("*.html")) if 'aria-label="Criteria"' in path.read_text("utf-8"))
    watched.page.set_viewport_size({"width": 390, "height": 800})
    watched.page.goto(next(scored).as_uri())
    height: float = watched.page.eval_on_selector(
        "[aria-label=Criteria] tbody tr",
        "(row, hint) => { row.lastElementChild.textContent = hint; return row.getBoundingClientRect().height; }",
        "Write down the addresses that the lanes of a warp read in one request. " * 3,
    )
    assert 0 < height < 300


def follow(page: Page, link: Locator) -> None:
    """Goes by the keyboard where the link leads, and is there when it returns: a key alone waits for no page."""
    with page.expect_navigation():
        link.press("Enter")


def test_sorting_by_key_and_pointer_is_announced_and_kept_in_the_address(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["class"].as_uri())
    totals = {student: showcase.book.total(student) for student in showcase.book.run.students}
    ascending = sorted(totals.values())
    button = page.get_by_role("button", name="total")
    button.focus()
    page.keyboard.press("Enter")
    assert [totals[name] for name in rows(page)] == ascending
    assert page.locator("th[aria-sort=ascending]").inner_text().startswith("total")
    button.click()
    assert [totals[name] for name in rows(page)] == ascending[::-1]
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    assert [totals[name] for name in rows(page)] == ascending[::-1]


def test_filtering_is_announced_kept_in_the_address_and_undone_by_escape(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["class"].as_uri())
    page.get_by_label("Find").fill("student-003")
    assert rows(page) == ["student-003"]
    assert page.get_by_role("status").inner_text() == "1 of 8 students"
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    assert rows(page) == ["student-003"]
    page.get_by_label("Find").press("Escape")
    assert len(rows(page)) == 8


def test_the_points_on_the_page_are_the_gradebooks(showcase: Showcase, watched: Watched) -> None:
    page, book = watched.page, showcase.book
    page.goto(showcase.pages["class"].as_uri())
    for student in book.run.students:
        row = page.locator("#class-table tbody tr").filter(has=page.get_by_role("rowheader", name=student, exact=True))
        so_far = " …" if book.open_grades(student) else ""
        assert row.locator(".total").inner_text() == points_text(book.total(student)) + so_far
        for position, one in enumerate(book.of_student(student)):
            assert one.grade is not None
            shown = "–" if one.grade.points is None else points_text(one.grade.points)
            assert row.locator("td").nth(position).locator(".points").inner_text() == shown


def test_the_way_from_the_class_to_a_submission_and_on_works_by_keyboard(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["class"].as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    follow(page, page.locator("a.cell").first)
    assert page.locator("h1").inner_text() == "student-000"
    follow(page, page.get_by_role("link", name="next →"))
    assert "02-lab" in page.locator(".under").first.inner_text()
    follow(page, page.get_by_role("link", name="02-lab"))
    assert page.locator("h1").inner_text() == "02-lab"


def test_a_comparison_sorts_by_verdict_and_shows_the_change(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["compare"].as_uri())
    verdicts = page.locator("#compare-table tbody td:nth-child(3)")
    assert [one.split()[-1] for one in verdicts.all_inner_texts()] == ["FASTER", "SAME", "SLOWER", "UNDECIDED"]
    page.get_by_role("button", name="B against A").click()
    page.get_by_role("button", name="B against A").click()
    assert verdicts.first.inner_text().split()[-1] == "UNDECIDED"
    page.locator("summary").first.click()
    assert page.locator(".diff .added").first.inner_text().strip() == "+++ B/k.cu"


def test_a_comparison_draws_both_sides_and_is_walked_by_keyboard(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["compare"].as_uri())
    charts = page.locator("svg[aria-label^='Times of']")
    assert charts.count() == 4
    assert charts.first.locator("path.reference").count() == 1, "A, the side before"
    assert charts.first.locator("circle.bar").count() == 1
    label = str(charts.first.get_attribute("aria-label"))
    assert len(re.findall(r"[AB]: student-\d+ [\d.]+ ms", label)) == 2, "the figures are told, too"
    follow(page, page.locator("#compare-table tbody a").nth(2))
    target = page.url.partition("#")[2]
    assert page.locator(f"[id='{target}']").is_visible()
    page.goto("about:blank")
    page.goto(f"{showcase.pages['compare'].as_uri()}#{target}")
    box = page.locator(f"[id='{target}']").bounding_box()
    assert box is not None
    assert -1 < box["y"] < 900, "a deep link shows its pair; browsers scroll by whole pixels"


def test_two_submissions_stand_side_by_side_by_role(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["two submissions"].as_uri())
    assert (
        page.locator(".hint")
        .inner_text()
        .startswith("A reads a with 32 sectors a request at line 4; B with 4 at line 9")
    )
    groups = page.locator("table.roles tbody tr:first-child th").all_inner_texts()
    assert groups[0].split() == "a read A: line 4; B: line 9".split()
    assert any("their order decided" in one for one in groups)
    assert page.locator("table.roles thead th").all_inner_texts()[1] == "A: alice"
    assert "10 % a day" in page.locator("main").inner_text()


def test_strategies_sort_by_score_and_name_their_students(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["strategies"].as_uri())
    page.locator("summary").first.click()
    assert "student-" in page.locator("details").first.inner_text()
    counts = page.locator("#strategies-table tbody td:first-child")
    before = counts.all_inner_texts()
    page.get_by_role("button", name="students").click()
    page.get_by_role("button", name="students").click()
    assert counts.all_inner_texts() == before[::-1]


def test_a_link_to_a_line_of_the_source_shows_that_line(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["unsafe submission"].as_uri() + "#line-6")
    line = page.locator("#line-6")
    box = line.bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 900
    assert line.evaluate("one => one.matches(':target')")


def test_keys_go_to_the_lines_that_cost_and_to_those_of_findings(showcase: Showcase, watched: Watched) -> None:
    page = watched.page

    def here(key: str) -> str:
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.classList.contains('here')")
        return str(page.locator(".source .here").get_attribute("id"))

    page.goto(showcase.pages["unsafe submission"].as_uri())
    found = page.locator(".source tr[data-found]").evaluate_all("rows => rows.map(row => row.id)")
    assert len(found) > 1
    assert page.locator(".source .hk").count() > 0, "words have colours"
    assert [here("n") for _ in found] == found
    assert here("n") == found[0]
    assert here("N") == found[-1]
    page.goto(showcase.pages["submission"].as_uri())
    costly = page.locator(".source tr[data-share]").evaluate_all(
        "rows => rows.sort((a, b) => b.dataset.share - a.dataset.share).map(row => row.id)"
    )
    assert costly
    assert [here("c") for _ in costly] == costly


def test_the_leaderboard_holds_pseudonyms_of_those_who_asked(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["class"].as_uri())
    follow(page, page.get_by_role("link", name="leaderboard"))
    names = set(page.locator("tbody th").all_inner_texts())
    assert names
    assert names <= {"Heron", "<b>Otter</b>"}
    assert "student-0" not in page.locator("main").inner_text()


def test_pictures_of_a_wrong_matrix_are_drawn_and_told(showcase: Showcase, watched: Watched) -> None:
    page = watched.page
    page.goto(showcase.pages["wrong submission"].as_uri())
    drawn = page.locator(".pictures img")
    assert drawn.count() == 3
    sizes = drawn.evaluate_all("all => all.map(one => [one.naturalWidth, one.naturalHeight])")
    assert sizes == [[17, 11]] * 3, "decoded by the browser, a pixel a cell"
    alternatives = drawn.evaluate_all("all => all.map(one => one.alt)")
    assert alternatives[0] == "c, expected"
    assert "wrong in 17 of 187 cells" in alternatives[2]


def test_the_policy_refuses_scripts_that_are_not_ours(showcase: Showcase, watched: Watched) -> None:
    text = showcase.pages["hostile class"].read_text(encoding="utf-8")
    forged = showcase.folder / "forged.html"
    forged.write_text(text.replace("</main>", "<script>document.title = 'forged'</script></main>"), encoding="utf-8")
    page = watched.page
    page.goto(forged.as_uri())
    assert page.title() != "forged"
    assert page.locator("#class-table button").count() > 0, "our own script still runs"
    assert "Content Security Policy" in watched.problems.pop()


@pytest.mark.parametrize("name", ["class", "lab", "submission"])
def test_a_page_prints(showcase: Showcase, watched: Watched, name: str) -> None:
    watched.page.goto(showcase.pages[name].as_uri())
    content = watched.page.pdf()
    assert content.startswith(b"%PDF-")
    assert 1 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 6
