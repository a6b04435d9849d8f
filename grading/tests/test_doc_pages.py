"""The pages of docs/: short, narrow, found from README, and true about which files there are."""

import re
from pathlib import Path

import pytest

from simtlab.labs.catalogue import find_root
from simtlab.verify.markdown import links_of, missing_target
from tests.cheat import read_cheats

ROOT = find_root(Path(__file__))
README = ROOT / "README.md"
PAGES = sorted((ROOT / "docs").rglob("*.md"))
NOTES = ROOT / "docs" / "notes"
HANDOUTS = sorted((ROOT / "labs").glob("*/README.md"))
ALL = [README, ROOT / "solutions" / "README.md", *PAGES]
MOST_LINES, MOST_COLUMNS = 200, 120

SHORT_FROM = [
    ROOT,
    *(ROOT / name for name in ("harness", "harness/emulator", "harness/tests", "harness/emulator/tests")),
]
"""A page may leave out these beginnings: `judge/options.h`, `observers/observer.h`, `tests/findings`."""
SOURCE_FOLDERS = [*SHORT_FROM, ROOT / "grading" / "simtlab", ROOT / "grading"]
MADE = {"build", "report", "results", ".git"}
"""Folders that commands write; git's own holds no hook in a fresh clone."""
FILE_NAMES = {path.name for part in ("harness", "grading", "solutions", "labs") for path in (ROOT / part).rglob("*.*")}
ROOTED = [
    ROOT / "docs" / name
    for name in ("architecture.md", "glossary.md", "internals/where-changes-go.md", "internals/who-decides-what.md")
]
"""Their tables lead to a file: each path in them begins at the root."""
_QUOTED = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w.-]+(/[\w.*-]+)+/?")
_NAMED_IN = re.compile(r"`([\w./-]+)` \(`(\w+)`")
_SOURCE = re.compile(r"[\w-]+\.(h|cpp|py|sh|def)")


def lines_of(page: Path) -> list[str]:
    return page.read_text(encoding="utf-8").splitlines()


def is_unbreakable(line: str) -> bool:
    """A row of a table, or one link or picture, has no place where it could go on in the next line."""
    return line.startswith("|") or re.fullmatch(r"\s*!?\[[^\]]*\]\([^)]*\)[.:,;]?", line) is not None


def wide_lines(page: Path) -> list[int]:
    """The numbers of the lines that do not fit a screen."""
    return [n for n, line in enumerate(lines_of(page), 1) if len(line) > MOST_COLUMNS and not is_unbreakable(line)]


def wrong_paths(text: str) -> list[str]:
    """The words between backticks that look like a path of this repository, and are none."""
    return [word for word in _QUOTED.findall(text) if not _is_there(word)]


def _is_there(word: str) -> bool:
    if _SOURCE.fullmatch(word):
        return word in FILE_NAMES
    if not _PATH.fullmatch(word):
        return True
    first, _, rest = word.replace("NN-name", "[0-9][0-9]-*").rstrip("/").partition("/")
    if first in MADE or rest.startswith("99-"):  # lab 99 is the example of a lab that is not there
        return True
    folders = [folder / first for folder in SOURCE_FOLDERS if (folder / first).is_dir()]
    return not folders or any(list(folder.glob(rest)) for folder in folders)


def unrooted_paths(text: str) -> list[str]:
    """The words between backticks in tables that lead to a file or a folder, and do not begin at the root."""
    rows = "\n".join(line for line in text.splitlines() if line.startswith("|"))
    return [word for word in _QUOTED.findall(rows) if _leads_to_a_file(word) and not _is_at_the_root(word)]


def missing_names(text: str) -> list[str]:
    """Of "`file` (`name`" in tables the names that the file, or none of the folder's, has."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    named = [pair for row in rows for pair in _NAMED_IN.findall(row)]
    return [f"{path}: {name}" for path, name in named if "NN-name" not in path and not _has(ROOT / path, name)]


def _has(path: Path, name: str) -> bool:
    files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
    return any(re.search(rf"\b{name}\b", one.read_text(encoding="utf-8")) for one in files)


def _leads_to_a_file(word: str) -> bool:
    return word in FILE_NAMES or _SOURCE.fullmatch(word) is not None or _PATH.fullmatch(word) is not None


def _is_at_the_root(word: str) -> bool:
    return any(True for _ in ROOT.glob(word.replace("NN-name", "[0-9][0-9]-*").rstrip("/")))


def reached_from(start: Path) -> set[Path]:
    """The pages that somebody finds who follows links from `start`."""
    found, waiting = {start}, [start]
    while waiting:
        page = waiting.pop()
        for link in links_of(page.read_text(encoding="utf-8")):
            target = (page.parent / link.target.partition("#")[0]).resolve()
            if target.suffix == ".md" and target.is_file() and target not in found:
                found.add(target)
                waiting.append(target)
    return found


@pytest.mark.parametrize("page", ALL, ids=lambda page: str(page.relative_to(ROOT)))
class TestPage:
    """What each page keeps to."""

    def test_it_is_short_enough_to_be_read(self, page: Path) -> None:
        assert len(lines_of(page)) <= MOST_LINES, "split it by the questions that readers ask"

    def test_its_lines_fit_a_screen(self, page: Path) -> None:
        assert wide_lines(page) == [], f"lines of more than {MOST_COLUMNS} columns"

    def test_its_links_lead_somewhere(self, page: Path) -> None:
        text = "\n".join("" if line.startswith("    ") else line for line in _without_code(page))
        assert not re.search(r"\[[^\]`\n]*\n[^\]`\n]*\]\(", text), "a link over two lines escapes this test"
        missing = {link.target: missing_target(page, link.target) for link in links_of(text)}
        assert not [f"{target}: {why}" for target, why in missing.items() if why]

    def test_the_files_that_it_names_are_there(self, page: Path) -> None:
        if page.parent == NOTES:
            return  # a note tells of its month
        assert wrong_paths("\n".join(_without_code(page))) == []

    def test_a_reader_of_the_readme_finds_it(self, page: Path) -> None:
        assert page in reached_from(README)


@pytest.mark.parametrize("page", HANDOUTS, ids=lambda page: page.parent.name)
def test_a_handouts_lines_fit_a_screen(page: Path) -> None:
    assert wide_lines(page) == [], f"lines of more than {MOST_COLUMNS} columns"


def test_a_note_has_its_month_in_its_name() -> None:
    assert all(re.fullmatch(r"20\d\d-\d\d-[\w-]+\.md", path.name) for path in NOTES.iterdir())


@pytest.mark.parametrize("page", ROOTED, ids=lambda page: page.name)
def test_the_paths_in_its_tables_begin_at_the_root(page: Path) -> None:
    assert unrooted_paths("\n".join(_without_code(page))) == []


@pytest.mark.parametrize("page", ROOTED, ids=lambda page: page.name)
def test_a_file_has_what_its_tables_name_in_it(page: Path) -> None:
    assert missing_names("\n".join(_without_code(page))) == []


def test_a_name_that_a_file_does_not_have_is_told() -> None:
    assert missing_names("| `harness/judge/options.h` (`seed`), `harness/judge` (`judge_options`) |") == []
    assert missing_names("| `harness/judge/options.h` (`told`), `harness/judge` (`nobody_says_this`) |") == [
        "harness/judge/options.h: told",
        "harness/judge: nobody_says_this",
    ]


def test_a_path_that_does_not_begin_at_the_root_is_told() -> None:
    whole = "| `harness/judge/options.h`, `labs/NN-name/lab.cpp`, `harness/emulator/sass/handlers/*.cpp`, `README.md` |"
    assert unrooted_paths(f"{whole}\n| `severity_of`, `simtlab verify NN`, `[executor]`, `--json` |") == []
    assert unrooted_paths("In a text `judge/options.h` may be short.") == []
    assert unrooted_paths("| `judge/options.h`, `options.h`, `lab.cpp`, `harness/judge/told.cpp`, `told.py` |") == [
        "judge/options.h",
        "options.h",
        "lab.cpp",
        "harness/judge/told.cpp",
        "told.py",
    ]


def test_a_path_that_is_none_is_told() -> None:
    said = "`labs/NN-name/kernel.cu`, `harness/judge`, `judge/options.h`, `labs/*/README.md`, `1/16`, `options.h`"
    assert wrong_paths(said) == []
    assert wrong_paths("`.git/hooks/pre-commit`") == []
    assert wrong_paths("`harness/judge/told.cpp`, `observers/nothing.h`, `nothing.py`") == [
        "harness/judge/told.cpp",
        "observers/nothing.h",
        "nothing.py",
    ]


def test_a_long_line_of_words_is_told_and_a_row_is_not() -> None:
    assert is_unbreakable("| " + "word " * 40 + "|")
    assert is_unbreakable("![" + "words " * 40 + "](pictures/help.png)")
    assert not is_unbreakable("word " * 40)
    assert not is_unbreakable("See [this](page.md) " + "word " * 40)


def test_every_cheat_stands_in_the_catalogue_with_its_verdict() -> None:
    rows = [line.split(" | ") for line in lines_of(ROOT / "docs" / "internals" / "cheats.md") if line.startswith("| ")]
    told = {row[2]: (row[0].lstrip("| "), row[3]) for row in rows[1:]}
    cheats = read_cheats(ROOT / "solutions" / "cheats")
    assert sorted(told) == sorted(cheat.name for cheat in cheats)
    for cheat in cheats:
        row, verdict = told[cheat.name]
        assert row == str(cheat.row), cheat.name
        assert f"`{cheat.expect}`" in verdict, cheat.name


def _without_code(page: Path) -> list[str]:
    """The lines outside of fences."""
    kept, fenced = list[str](), False
    for line in lines_of(page):
        fenced ^= line.lstrip().startswith("```")
        kept.append("" if fenced else line)
    return kept
