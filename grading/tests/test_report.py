"""The report says what the facts say, works without a network, and takes no text for markup."""

import io
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from simtlab.class_run.conditions import Conditions
from simtlab.class_run.grading import grade_class
from simtlab.class_run.plan import make_plan
from simtlab.class_run.progress import Quiet
from simtlab.course.course import Course
from simtlab.errors import UsageError
from simtlab.facts.model import Facts
from simtlab.intake.class_folder import read_class
from simtlab.labs.catalogue import read_catalogue
from simtlab.report.charts import bins_of, histogram
from simtlab.report.class_page import stumbles
from simtlab.report.pages import first_sentence
from simtlab.report.site import write_site
from simtlab.report.source import annotated_source, excerpt
from simtlab.report.submission_page import next_hint
from simtlab.score.gradebook import read_gradebook
from simtlab.score.table import class_document, print_class
from simtlab.store.results import ResultStore
from simtlab.text import number_text
from simtlab.verdict import Verdict
from tests.example_facts import facts_of, passed_facts, unsafe_facts, wrong_facts
from tests.fake_checkout import KERNEL, FakeCheckout
from tests.graded_book import book_of
from tests.graded_class import SOURCE, TILING, GradedClass


class Page(HTMLParser):
    """What a test wants to know of a page."""

    VOID = frozenset({"meta", "link", "input", "br", "rect", "line", "img"})

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.text = path.read_text(encoding="utf-8")
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []
        self.unbalanced: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        for name, value in attrs:
            if name in {"href", "src"} and value:
                self.links.append(value)
            if name == "id" and value:
                self.ids.append(value)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.words.append(data)

    @property
    def visible(self) -> str:
        """What a reader sees, with single spaces."""
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def pages(site: Path) -> list[Page]:
    return [Page(path) for path in sorted(site.rglob("*.html"))]


def page_of(pages: list[Page], name: str) -> Page:
    [page] = [page for page in pages if page.path.name == name]
    return page


def test_there_is_a_page_for_the_class_one_for_each_lab_and_one_for_each_submission(
    pages: list[Page], graded_class: GradedClass
) -> None:
    assert len(pages) == 1 + len(graded_class.book.run.labs) + len(graded_class.book.submissions) == 15


def test_every_page_is_well_formed_and_names_no_id_twice(pages: list[Page]) -> None:
    for page in pages:
        assert (page.unbalanced, page.open) == ([], []), page.path.name
        assert len(page.ids) == len(set(page.ids)), page.path.name


def test_every_link_leads_somewhere_and_none_to_the_network(pages: list[Page]) -> None:
    for page in pages:
        for link in page.links:
            target, _, fragment = link.partition("#")
            ours = link == "data:," or re.fullmatch(r"data:image/png;base64,[A-Za-z0-9+/=]+", link)
            assert ours or not re.match(r"[a-z]+:|//", target), link
            if target and not ours:
                assert (page.path.parent / target).is_file(), link
            elif fragment.startswith("find="):
                assert "class-table" in page.ids
            elif fragment:
                assert fragment in page.ids, link


def test_a_page_tells_the_bytes_that_parameters_of_kernels_carried(pages: list[Page]) -> None:
    assert re.search(r"parameter bytes\s*24\b", page_of(pages, f"alice.{TILING}.html").visible)


def test_no_text_from_outside_becomes_markup(pages: list[Page]) -> None:
    for page in pages:
        assert page.tags.count("script") == 1
        assert page.tags.count("img") in (0, 3), "three pictures of a wrong matrix, or none"
        assert not [name for name, _ in page.attributes if name.startswith("on")]
        assert "\x1b" not in page.text


def test_a_hostile_name_is_shown_as_it_is_written(pages: list[Page]) -> None:
    assert "<img src=x onerror=alert(1)>\\x1b[31m" in page_of(pages, "index.html").visible


def test_a_hostile_comment_is_shown_as_source(pages: list[Page]) -> None:
    assert "// </td></table><script>alert(2)</script>" in page_of(pages, f"alice.{TILING}.html").visible


def test_our_script_alone_may_run(pages: list[Page]) -> None:
    for page in pages:
        assert "default-src 'none'" in page.text
        assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", page.text)


def test_the_class_page_shows_points_and_verdicts(pages: list[Page]) -> None:
    text = page_of(pages, "index.html").visible
    for row in ("alice 72.5 ▲ unsafe", "bob 25 ✕ wrong answer", "carol 100 ✓ pass", "dave 0 ✕ compile error"):
        assert row in text
    assert "erin – ◷ internal error" in text


def test_a_submission_page_shows_finding_lines_and_next_step(pages: list[Page]) -> None:
    text = page_of(pages, f"alice.{TILING}.html").visible
    assert "72.5 of 100 points" in text
    assert "shared-race tile" in text
    assert "kernel.cu:4, block (0, 0, 0), thread (0, 1, 0), write" in text
    assert "kernel.cu:6, block (0, 0, 0), thread (3, 0, 0), read" in text
    assert "Next step. There are two moments at which all threads must have arrived." in text
    assert "full at ≥ 1, none at 0.125" in text


def test_a_wrong_answer_shows_the_first_wrong_elements(pages: list[Page]) -> None:
    text = page_of(pages, f"bob.{TILING}.html").visible
    assert "c : 65 of 2,145 wrong" in text
    assert "[32][0] 1.5 nan" in text
    assert "[32][2] inf never written" in text
    assert "33 rows, 65 columns: wrong in 17 of 187 cells, within rows 30 to 32 and columns 0 to 64" in text


def test_a_compile_error_shows_the_compilers_words(pages: list[Page]) -> None:
    assert "kernel.cu:3:5: error: expected ';' before 'int'" in page_of(pages, f"dave.{TILING}.html").visible


def test_a_waiting_grade_says_whose_fault_it_is(pages: list[Page]) -> None:
    text = page_of(pages, f"erin.{TILING}.html").visible
    assert "the grade waits: this is the grader's fault, not the student's" in text


def test_submission_pages_stay_small(pages: list[Page]) -> None:
    assert max(len(page.text.encode()) for page in pages) < 60_000


def test_pages_of_students_who_left_are_removed(graded_class: GradedClass, tmp_path: Path) -> None:
    write_site(graded_class.book, graded_class.store, tmp_path)
    (tmp_path / "mine.txt").write_text("kept", encoding="utf-8")
    assert list(tmp_path.rglob("bob*"))
    book = graded_class.book
    without_bob = replace(
        book,
        run=book.run.model_copy(update={"students": [one for one in book.run.students if one != "bob"]}),
        submissions={key: one for key, one in book.submissions.items() if key[0] != "bob"},
    )
    write_site(without_bob, graded_class.store, tmp_path)
    assert not list(tmp_path.rglob("bob*"))
    assert (tmp_path / "mine.txt").exists()


def test_the_pages_of_a_draft_say_what_is_not_proven(graded_class: GradedClass, tmp_path: Path) -> None:
    book, lab = graded_class.book, graded_class.book.run.labs[0]
    draft = book.specifications[lab].model_copy(update={"draft": True, "unproven": ["variants: 3 variants <of 8>"]})
    write_site(replace(book, specifications=book.specifications | {lab: draft}), graded_class.store, tmp_path)
    texts = {
        path.parent.name: path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html") if lab in path.name
    }
    assert "<li>variants: 3 variants &lt;of 8&gt;</li>" in texts["labs"]
    assert "Your course has not proven this lab yet" in texts["submissions"]
    assert "variants: 3" not in texts["submissions"], "what is not proven would tell students of solutions"


def test_a_page_of_somebody_elses_is_not_replaced(graded_class: GradedClass, tmp_path: Path) -> None:
    index = tmp_path / "index.html"
    index.write_text("<html>my homepage</html>", encoding="utf-8")
    with pytest.raises(UsageError, match=r"index.html is no page of a report: choose another folder"):
        write_site(graded_class.book, graded_class.store, tmp_path)
    assert index.read_text(encoding="utf-8") == "<html>my homepage</html>"
    assert list(tmp_path.iterdir()) == [index]


def facts(document: object = None) -> Facts:
    return facts_of(passed_facts() if document is None else document)  # type: ignore[arg-type]


def test_counters_stand_at_their_line_with_the_share_of_the_excess() -> None:
    lines = annotated_source("kernel.cu", SOURCE, facts(unsafe_facts()))
    fourth, sixth = lines[3], lines[5]
    assert fourth.counters is not None
    assert (fourth.counters.per_request.sectors, fourth.counters.per_request.ideal_sectors) == (8, 4)
    assert fourth.counters.per_request.lanes == 32
    assert sixth.counters is not None
    assert sixth.counters.per_request.wavefronts == 2
    assert (fourth.heat, sixth.heat) == (400 / 450, 50 / 450)
    assert (fourth.severities, sixth.severities) == ({"error"}, {"error"})
    assert lines[0].counters is None


def test_a_page_shows_the_judges_lines_and_adds_nothing_up_itself() -> None:
    """Accesses of the launches that the judge's lines leave out, as those to local memory, are on no page."""
    document = passed_facts()
    local = document["launches"][0]["accesses"][0] | {"line": 1, "space": "local"}
    document["launches"][0]["accesses"] = [local]
    lines = annotated_source("kernel.cu", SOURCE, facts(document))
    assert [line.number for line in lines if line.counters] == [4, 6]


def test_the_lectures_measures_stand_beside_each_access_of_global_memory(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "store")
    book = book_of({("alice", TILING): passed_facts()}, digest=store.keep_file(SOURCE.encode()))
    index = write_site(book, store, tmp_path / "report")
    text = Page(index.parent / "submissions" / f"alice.{TILING}.html").visible
    assert "128-byte lines per request" in text
    assert "gld_efficiency" in text
    page = (index.parent / "submissions" / f"alice.{TILING}.html").read_text(encoding="utf-8")
    row = page[page.index("global read <code>a</code>") :].split("</tr>")[0]
    cells = re.findall(r'<td class="numeric">(.*?)</td>', row)
    assert cells[3:7] == ["8 (4)", "2", "50 %", "50 %"]


def test_an_excerpt_stays_inside_the_file() -> None:
    place = facts(unsafe_facts()).safe.findings[0].first
    numbers = [line.number for line in excerpt({"kernel.cu": "1\n2\n3\n4\n"}, place)]
    assert numbers == [2, 3, 4]
    assert excerpt({"kernel.cu": "one line\n"}, place) == []
    assert excerpt({"other.cu": SOURCE}, place) == []


def test_what_failed_most_counts_each_submission_once() -> None:
    found = stumbles(
        [
            facts(wrong_facts(verdict="unsolved")),
            facts(unsafe_facts()),
            facts(unsafe_facts()),
            facts(wrong_facts()),
            facts(),
        ]
    )
    assert [(one.kind, one.name, one.count) for one in found] == [
        ("rule", "shared-race", 2),
        ("criterion", "sector efficiency a", 3),
        ("case", "ragged edges", 1),
    ]


def test_the_next_hint_goes_to_the_criterion_that_costs_most(graded_class: GradedClass) -> None:
    book = graded_class.book
    passed = book.submissions["alice", "08-bank-conflicts"]
    assert next_hint(passed, book.specifications[TILING]) == "Which addresses do neighbours read?"
    bare = book.specifications[TILING].model_copy(update={"hints": []})
    assert next_hint(passed, bare) == "Let neighbouring lanes read neighbouring addresses.", "lab.cpp's own"
    assert next_hint(book.submissions["carol", TILING], book.specifications[TILING]) == ""
    assert next_hint(book.submissions["bob", TILING], book.specifications[TILING]) == "Which sizes fail?"


def test_every_score_falls_into_one_bin() -> None:
    shares = [0, 0.1, 0.0999, 0.3, 0.999, 1.0]
    assert [one.count for one in bins_of(shares)] == [2, 1, 0, 1, 0, 0, 0, 0, 0, 2]
    assert 'aria-label="Scores: 0 to 10 %: 1"' in histogram([0.05], "Scores")


def test_a_first_sentence_ends_where_a_sentence_ends() -> None:
    text = "kernel.cu:10: 1 thread of 1024 came, 0.1 %; 1023 had returned. A GPU does not wait for them."
    assert first_sentence(text) == "kernel.cu:10: 1 thread of 1024 came, 0.1 %"
    assert first_sentence("no end") == "no end"


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "–"), (12288, "12,288"), (0.5, "0.5"), (1 / 3, "0.3333"), ("nan", "nan"), (2.0, "2")],
)
def test_numbers_are_written_for_people(value: float | str | None, text: str) -> None:
    assert number_text(value) == text


def test_what_the_audit_tells_stands_in_table_document_and_page(checkout: FakeCheckout, tmp_path: Path) -> None:
    checkout.submit("frank", TILING, KERNEL + 'void f() { asm("nop"); }\n')
    checkout.submit("grace", TILING)
    catalogue, store = read_catalogue(checkout.root, checkout.build), ResultStore(tmp_path / "store")
    plan = make_plan("c", read_class(checkout.class_folder, catalogue, store.keep_file), catalogue, Conditions(), store)
    grade_class(plan, Conditions(), store, Quiet(), workers=1)
    book = read_gradebook(plan.run, store, catalogue, Course())
    console = Console(record=True, width=200, file=io.StringIO())
    print_class(book, console)
    assert "forbidden: frank 07-shared-tiling: assembly: `asm` (kernel.cu:4) is assembly" in console.export_text()
    [graded] = [one["labs"][TILING] for one in class_document(book)["students"] if one["student"] == "frank"]
    assert (graded["verdict"], graded["points"], graded["audit"][0]["line"]) == ("forbidden", 0, 4)
    site = write_site(book, store, tmp_path / "report").parent
    pages = {path.name: path.read_text(encoding="utf-8") for path in (site / "submissions").glob("*.html")}
    told = [text for text in pages.values() if "What the lab does without" in text]
    assert len(told) == 1
    assert "kernel.cu:4" in told[0]
    assert ">assembly<" in told[0]


def test_a_page_stays_small_whatever_was_handed_in(tmp_path: Path) -> None:
    """Thousands of lines, endless lines, much output, many findings: the page shows a beginning and says so."""
    document = unsafe_facts()
    wrong = wrong_facts()["cases"][1] | {"printed": "<&>" * 2000}
    document["cases"] = [wrong | {"name": f"case {number}"} for number in range(14)]
    document["safe"]["findings"] *= 40
    [access] = document["launches"][0]["accesses"][:1]
    document["launches"][0]["accesses"] = [access | {"line": 20 * number + 1} for number in range(150)]
    store = ResultStore(tmp_path / "store")
    source = "".join(
        f"x[{number}] = '<' + '&';{' ' * 10}// {'<' * (number % 300) if number > 200 else ''}\n"
        for number in range(4000)
    )
    talking = wrong_facts()
    talking["cases"][1]["printed"] = "<&>" * 2000
    both: dict[tuple[str, str], dict[str, Any] | Verdict] = {("alice", TILING): document, ("bob", TILING): talking}
    book = book_of(both, digest=store.keep_file(source.encode()))
    index = write_site(book, store, tmp_path / "report")
    page = index.parent / "submissions" / f"alice.{TILING}.html"
    assert page.stat().st_size < 60_000
    text = Page(page).visible
    assert "lines left out" in text
    assert "34 more; simtlab explain --json has them all" in text
    assert "There is more than a page holds" in text
    ordinary = Page(index.parent / "submissions" / f"bob.{TILING}.html").visible
    assert "There is more than a page holds" not in ordinary
    assert "5,500 more characters" in ordinary
    assert (Page(page).unbalanced, Page(page).open) == ([], [])
