"""The documentation's pictures are there, are told in words, and can be made again with the example site."""

import os
import re
import struct
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from simtlab.labs.catalogue import default_build, find_root
from tests.chromium import CHROMIUM

ROOT = find_root(Path(__file__))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PICTURES = ROOT / "docs" / "pictures"
_SHOWN = re.compile(r"!\[(?P<words>[^\]]*)\]\((?P<path>[^)]+)\)")
UNBUILT = not (default_build(ROOT) / "labs" / "08-bank-conflicts" / "judge-08-bank-conflicts").exists()


def shown() -> list[tuple[Path, str, Path]]:
    """(page, words for those who do not see it, picture) of every picture in the documentation."""
    return [
        (page, found["words"], (page.parent / found["path"]).resolve())
        for page in PAGES
        for found in _SHOWN.finditer(page.read_text(encoding="utf-8"))
    ]


def test_every_picture_is_there_small_and_told_in_words() -> None:
    assert len(shown()) >= 12
    for page, words, picture in shown():
        assert picture.is_file(), f"{page.name}: {picture}"
        assert len(words) > 10, f"{page.name}: {picture.name} needs words"
        width, height = struct.unpack(">II", picture.read_bytes()[16:24])
        assert (width <= 1200, height <= 1200) == (True, True), picture.name
        assert picture.stat().st_size < 250_000, picture.name


def test_no_picture_lies_there_unseen() -> None:
    assert {path.name for path in PICTURES.glob("*.png")} == {picture.name for _, _, picture in shown()}


@pytest.mark.parametrize("reader", ["student", "instructor", "ta", "lab-author"])
def test_each_reader_has_a_page_with_a_picture(reader: str) -> None:
    assert [picture for page, _, picture in shown() if page.name == f"{reader}.md"]


class Links(HTMLParser):
    """The addresses that a page names."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name in ("href", "src") and value]


@pytest.mark.long
@pytest.mark.build_tree
@pytest.mark.skipif(UNBUILT, reason=f"no lab is built in {default_build(ROOT)}")
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium found in PATH")
def test_make_docs_makes_every_kind_of_page_and_every_picture(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "gallery", "--out", str(tmp_path), "--build", str(default_build(ROOT))]
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'harness'}:{ROOT / 'grading'}"}
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        for link in Links(page).found:
            target = link.partition("#")[0]
            assert not target or target.startswith("data:") or (page.parent / target).is_file(), f"{page.name}: {link}"
    made = {path.name for path in (tmp_path / "pictures").glob("*.png")}
    assert made | {"terminal.png"} == {path.name for path in PICTURES.glob("*.png")}
    folders = {path.name for path in (tmp_path / "students").iterdir() if path.is_dir()}
    assert folders == {"lindqvist-elin"}, "a student's build holds that student alone"
