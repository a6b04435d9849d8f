"""Fixtures that several test files share."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from simtlab.labs.catalogue import Catalogue, read_catalogue
from simtlab.report.site import write_site
from simtlab.store.results import ResultStore
from tests.chromium import CHROMIUM, Watched
from tests.drawn import SEED
from tests.fake_checkout import FakeCheckout
from tests.graded_class import GradedClass, graded_class_in

# nvcc takes longer than all else of a small submission's grading; what it says is test_spaces.py's.
if shutil.which("clang++"):
    os.environ.setdefault("SIMTLAB_FRONT_END", "clang++")


_LONG_FILES = (
    "test_build_tree test_release test_cheats test_attacks test_cli test_executors test_browser test_canary "
    "test_slurm test_new_lab test_laundering test_editors test_spaces test_full_disk test_profile_page test_kills "
    "test_same_points test_facts test_feedback test_own_names test_notebook test_arrivals"
).split()
"""The longest first: several processes share the files, and none is to run a long one alone at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The files in the order in which processes take them (`--no-loadscope-reorder`)."""
    places = {name: place for place, name in enumerate(_LONG_FILES)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


def pytest_report_header() -> str:
    """What draws the same again."""
    return f"drawn by SIMTLAB_DRAWN={SEED}"


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeCheckout:
    """A checkout with two labs and fake tools, which has a build tree of its own."""
    monkeypatch.delenv("SIMTLAB_BUILD", raising=False)
    return FakeCheckout(tmp_path / "checkout")


@pytest.fixture
def catalogue(checkout: FakeCheckout) -> Catalogue:
    """Its labs."""
    return read_catalogue(checkout.root, checkout.build)


@pytest.fixture
def store(tmp_path: Path) -> ResultStore:
    """An empty store."""
    return ResultStore(tmp_path / "store")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where workplaces are made, here and in tasks."""
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


@pytest.fixture(scope="session")
def graded_class(tmp_path_factory: pytest.TempPathFactory) -> GradedClass:
    """A graded class with every kind of end; nobody may change it."""
    return graded_class_in(tmp_path_factory.mktemp("graded"))


@pytest.fixture(scope="session")
def site(graded_class: GradedClass, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its report; tests that change pages copy the folder first."""
    return write_site(graded_class.book, graded_class.store, tmp_path_factory.mktemp("site") / "report").parent


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """One for all tests of a file: a browser takes a third of a second to begin another."""
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.fixture
def watched(tab: Page) -> Iterator[Watched]:
    """The tab, empty and as wide as a screen; it may not complain, nor ask for anything but files."""
    tab.set_viewport_size({"width": 1440, "height": 900})
    tab.emulate_media(color_scheme="light")
    one = Watched(tab)
    yield one
    tab.goto("about:blank")
    one.leave()
    assert one.problems == []
