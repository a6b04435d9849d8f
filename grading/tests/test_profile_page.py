"""The page of `make profile HTML=1` in a real browser. Its script counts what the emulator's own functions count; it is
sound at every width in both themes; keys and fields do what they say. The page and the settings are golden files, which
the judge's tests hold up to date (`harness/tests/judge/profile_page_test.cpp`, `what_if_test.cpp`)."""

import json
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

from tests.chromium import CHROMIUM, Watched
from tests.test_browser import RULES, WIDTHS, looks

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium found in PATH")

GOLDEN = Path(__file__).resolve().parents[2] / "harness" / "tests" / "judge" / "golden"
FIELDS = ("width", "offset", "row", "step", "pitch", "padding")
BEYOND = """width => document.documentElement.scrollWidth <= width ? [] : [...document.querySelectorAll("body *")]
  .filter(one => one.getBoundingClientRect().right > width && !one.closest(".wide"))
  .map(one => one.outerHTML.slice(0, 160))"""


@pytest.fixture
def page(watched: Watched) -> Page:
    """The page, which may neither complain nor ask for anything."""
    watched.page.goto((GOLDEN / "profile_page.html").as_uri())
    return watched.page


def settings() -> list[dict[str, Any]]:
    names = ("space", "access", *FIELDS, "active", "count", "ideal")
    return [dict(zip(names, one, strict=True)) for one in json.loads((GOLDEN / "what_if.json").read_text("utf-8"))]


def control(page: Page, line: int, position: int = 0) -> Locator:
    """A control of the line's requests, opened."""
    page.evaluate("line => document.querySelectorAll(`#L${line} + tr details`).forEach(one => one.open = true)", line)
    return page.locator(f"#L{line} + tr .what-if").nth(position)


def fill(at: Locator, **values: int) -> None:
    for name, value in values.items():
        field = at.locator(f"[name={name}]")
        if name in {"width", "row"}:
            field.select_option(str(value))
        else:
            field.fill(str(value))


def test_the_script_counts_what_the_emulator_counts(page: Page) -> None:
    asked = settings()
    assert len(asked) >= 500
    found = page.evaluate("all => all.map(simtlab.counts)", asked)
    wrong = [
        (one, two) for one, two in zip(asked, found, strict=True) if {k: one[k] for k in ("count", "ideal")} != two
    ]
    assert wrong == []
    assert {one["space"] for one in asked} == {"global", "shared"}
    assert len({one["count"] for one in asked}) > 20, "settings of many costs"


def test_the_fields_redraw_and_recount(page: Page) -> None:
    """Each setting through the fields themselves; the picture has as many passes or sectors as the words say."""
    for space, line, position in (("global", 5, 0), ("shared", 6, 0)):
        at = control(page, line, position)
        access = at.get_attribute("data-access")
        full = [one for one in settings() if one["space"] == space and one["access"] == access]
        for one in [each for each in full if each["active"] == 0xFFFFFFFF][:12]:
            fill(at, **{name: one[name] for name in FIELDS})
            words = at.locator(".counted").inner_text()
            assert words.split()[0] == str(one["count"]), one
            assert ("would do" in words) == (one["count"] > one["ideal"])
            drawn = at.locator("svg rect.m" if space == "global" else "svg rect.f").count()
            left_out = "rows more" in at.locator(".redrawn").inner_text()
            assert drawn == one["count"] or left_out, one


def test_padding_a_tile_takes_its_conflicts_away(page: Page) -> None:
    tile = control(page, 6)
    words = tile.locator(".counted").inner_text()
    assert words == "32 wavefronts, where 1 would do; your program's request takes 32."
    fill(tile, row=1, pitch=32, padding=1)
    assert tile.locator(".counted").inner_text() == "1 wavefront; your program's request takes 32."
    assert tile.locator("svg rect.a").count() == 32


def test_a_field_without_a_number_says_what_it_takes(page: Page) -> None:
    tile = control(page, 6)
    fill(tile, width=4)
    for text in ("", "5000", "1.5"):
        tile.locator("[name=pitch]").fill(text)
        assert "takes a whole number from -4096 to 4096" in tile.locator(".counted").inner_text()
        assert tile.locator("svg").count() == 0
    tile.locator("[name=pitch]").fill("33")
    assert tile.locator("svg").count() == 1


def test_what_follows_data_says_so(page: Page) -> None:
    assert "no fixed distance" in control(page, 7).inner_text()
    assert page.locator("#L7 + tr").get_by_text("Rows of cells would show nothing here").count() == 1


def test_keys_go_to_the_dearest_lines_and_to_findings(page: Page) -> None:
    def here(key: str) -> str:
        page.keyboard.press(key)
        return str(page.locator("tr.here").get_attribute("id"))

    dearest = page.locator("ol a").all_inner_texts()
    assert [here("c") for _ in range(3)] == ["L6", "L7", "L6"]
    assert dearest[0] == "line 6"
    assert here("C") == "L7"
    assert sorted({here("n"), here("n")}) == ["L5", "L6"]
    assert page.evaluate("document.activeElement.closest('tr').id") == page.locator("tr.here").get_attribute("id")
    tile = control(page, 6)
    tile.locator("[name=pitch]").press("c")
    assert page.locator("tr.here").get_attribute("id") in {"L5", "L6"}, "a key in a field is the field's"


STEP, LABEL = 20, 68
ROW = """([number, label, step]) => {
  const use = document.querySelectorAll("svg.life:not(.race) > use, svg.life:not(.race) > g")[number];
  const row = use.tagName === "use" ? document.querySelector(use.getAttribute("href")) : use;
  const columns = path => [...path.getAttribute("d").matchAll(/M([0-9]+) /g)].map(one => one[1] - label)
    .map(x => Math.floor(x / step));
  const found = [];
  for (const path of row.querySelectorAll("path:not([class^=h])"))
    for (const column of columns(path)) found.push([column, path.getAttribute("class")]);
  const texts = of => [...row.querySelectorAll(of)].map(
    one => [Math.floor((one.getAttribute("x") - label) / step), Number(one.textContent)]);
  const shades = [...row.querySelectorAll("path[class^=h]")].map(path => {
    const [, x, wide] = /^M([0-9]+) 0h([0-9]+)v/.exec(path.getAttribute("d"));
    return [Math.floor((Number(x) + 1 - label) / step), wide / step];
  });
  return {found, costs: texts("text[class^=k]"), lanes: texts("text.n"), shades};
}"""


def cost_class(cost: int, fewest: int) -> str:
    if cost <= fewest:
        return "k0"
    return "k1" if cost <= 2 * fewest else "k2" if cost <= 8 * fewest else "k3"


def test_what_is_drawn_of_a_block_is_what_was_recorded(page: Page) -> None:
    """Columns, costs, active lanes and barriers of the drawing, worked out again from the records."""
    trace = json.loads((GOLDEN / "block_trace.json").read_text("utf-8"))
    begins, barriers, at = [], [], 0
    for epoch in range(trace["barriers_in_all"] + 1):
        begins.append(at)
        at += max(sum(event[1] == epoch for event in warp["events"]) for warp in trace["warps"])
        if epoch < trace["barriers_in_all"]:
            barriers.append(at)
            at += 1
    for number, warp in enumerate(trace["warps"]):
        drawn = page.evaluate(ROW, [number, LABEL, STEP])
        found, costs, lanes = [], [], {}
        for nth, (place, epoch, active, cost, fewest) in enumerate(warp["events"]):
            before = sum(event[1] < epoch for event in warp["events"])
            column = begins[epoch] + nth - before
            what = trace["places"][place]["what"]
            kind = {"request": cost_class(cost, fewest), "branch": "br"}.get(what, "wp")
            found.append([column, kind])
            if kind in {"k1", "k2", "k3"}:
                costs.append([column, cost])
            lanes[column] = active.bit_count()
        assert sorted(drawn["found"]) == sorted(found)
        assert sorted(drawn["costs"]) == sorted(costs)
        shaded = {column + i for column, wide in drawn["shades"] for i in range(int(wide))}
        assert shaded == {column for column, count in lanes.items() if count < warp["lanes"]}
        assert all(lanes[column] == count for column, count in drawn["lanes"])
        assert {column for column, _ in drawn["lanes"]} == {column for column, _ in drawn["shades"]}
    assert page.locator("svg.life:not(.race) > g, svg.life:not(.race) > use").count() == len(trace["warps"])
    lines = page.locator("svg.life:not(.race) > path.b").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    assert [(int(one[1:].split()[0]) - LABEL) // STEP for one in lines] == barriers
    assert (
        page.locator("svg.life:not(.race) title").text_content()
        == "What the warps of block (1,0,0) did; the table below says the same"
    )


def test_a_race_has_both_threads_steps_and_one_missing_edge(page: Page) -> None:
    assert page.locator("svg.race").count() == 2, "at the first of each finding's two places"
    inside, between = page.locator("#L5 + tr"), page.locator("#L6 + tr")
    before = ["line 5 reads input", "line 5 writes tile", "line 5 is a barrier of the block", "line 6 reads tile"]
    rest = [*before, "line 6 writes output", "line 7 is a branch", "line 7 writes output"]
    expected = (
        (inside, "no barrier", [["line 5 reads input", "line 5 writes tile"]], "thread (0,1,0)"),
        (between, "no order", [[*before, "line 6 writes output"], rest], "thread (3,0,0) of block (1,0,0)"),
    )
    for place, missing, paths, first in expected:
        race = place.locator("svg.race")
        assert race.count() == 1
        assert race.locator("rect.rx").count() == 2
        assert race.locator("path.re").count() == 1
        assert race.locator("text.rt").text_content() == missing
        said = place.locator("details:has(svg.race) li").all_text_contents()
        assert len(said) == 2
        assert said[0].startswith(f"{first}: ")
        for one, path in zip(said, paths, strict=False):
            assert one.split(": ", 1)[1].split("; ") == path
        drawn = race.locator("rect + text").all_text_contents()
        assert drawn == [words for one in said for words in one.split(": ", 1)[1].split("; ")]


@pytest.mark.parametrize("all_read", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_page_is_sound_at_every_width_in_both_themes(page: Page, all_read: bool) -> None:
    axe = Axe()
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    for look in looks(page, WIDTHS, BEYOND, all_read=all_read):
        found = axe.run(page, options={**RULES, "resultTypes": ["violations"]}).response["violations"]
        assert [f"{look} {one['id']}: {one['nodes'][0]['html'][:200]}" for one in found] == []
