"""Each module has its test: of its name, by including it, or as harness/check/tested-elsewhere.toml says."""

import subprocess
from pathlib import Path

import pytest

from check.command import ROOT
from check.tested_elsewhere import Covered, CoverListError, complaints, modules_among, named_by_tests, read_cover_list


def test_each_module_has_a_test_or_a_reason() -> None:
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "harness"]
    sources = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    in_tests = [path for path in sources if "/tests/" in path and path.endswith((".cpp", ".cu", ".h", ".py", ".txt"))]
    tests = {path: (ROOT / path).read_text(encoding="utf-8", errors="replace") for path in in_tests}
    modules = modules_among(path for path in sources if (ROOT / path).is_file())
    assert len(modules) > 300
    untested = modules - named_by_tests(modules, tests)
    listed = read_cover_list(ROOT / "harness" / "check" / "tested-elsewhere.toml")
    found = complaints(untested, listed, ROOT)
    assert not found, "\n".join(found)


def test_a_module_is_its_sources_without_what_only_tests_use() -> None:
    sources = [
        "harness/a/one.cpp",
        "harness/a/one.h",
        "harness/a/tests/one_test.cpp",
        "harness/include/x.h",
        "labs/y.cpp",
    ]
    assert modules_among(sources) == {"a/one"}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("harness/tests/a/one_test.cpp", ""),
        ("harness/x/tests/test_one.py", ""),
        ("harness/tests/a/all_test.cpp", '#include "one.h"'),
        ("harness/tests/a/all_test.cpp", 'int x;\n#include "a/one.h"'),
    ],
)
def test_a_name_or_an_include_makes_a_test(path: str, text: str) -> None:
    assert named_by_tests({"a/one", "a/someone"}, {path: text}) == {"a/one"}


def test_what_stands_nowhere_is_named_with_the_next_step(tmp_path: Path) -> None:
    (tmp_path / "all_test.cpp").touch()
    (said,) = complaints({"a/one", "b/two"}, [Covered(["a/*"], ["all_test.cpp"], "parts of one")], tmp_path)
    assert said.startswith("harness/b/two: no test includes it or has its name")
    assert "two_test" in said


def test_a_star_does_not_reach_into_folders_below(tmp_path: Path) -> None:
    said = complaints({"a/b/one"}, [Covered(["a/*"], [], "parts of one")], tmp_path)
    assert [text.split(":")[0] for text in said] == ["harness/a/b/one", "tested-elsewhere.toml"]


def test_entries_that_nothing_needs_and_tests_that_are_gone_are_named(tmp_path: Path) -> None:
    said = complaints(set(), [Covered(["a/*"], ["gone_test.cpp"], "parts of one")], tmp_path)
    assert said == [
        "tested-elsewhere.toml: no module needs 'a/*' any more; take it out",
        "tested-elsewhere.toml: gone_test.cpp does not exist",
    ]


@pytest.mark.parametrize("text", ["[[covered]]\nmodules = ['a']", "[[covered]]\nmodules=[]\ntests=['t']\nwhy='x'", "["])
def test_a_list_that_is_wrong_says_where(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CoverListError, match=r"list\.toml"):
        read_cover_list(path)
