"""A source that compiles in its batch alone is found."""

import json
from pathlib import Path

import pytest

from check.each_alone import MOST_TOUCHED, Alone, chosen, read_alone, read_batches

LEANS = '#include "first.h"\nint second() { return first(); }\n'
FORGETS = "int third() { return first(); }\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A batch of two sources, of which the second forgot its include, and a source without a batch."""
    (tmp_path / "first.h").write_text("int first();\n", encoding="utf-8")
    (tmp_path / "second.cpp").write_text(LEANS, encoding="utf-8")
    (tmp_path / "third.cpp").write_text(FORGETS, encoding="utf-8")
    (tmp_path / "fourth.cpp").write_text(FORGETS, encoding="utf-8")
    batch = tmp_path / "Unity" / "unity_0_cxx.cxx"
    batch.parent.mkdir()
    lines = [f'/* generated */\n#include "{tmp_path / name}"\n' for name in ("second.cpp", "third.cpp")]
    batch.write_text("\n".join(lines), encoding="utf-8")
    entries = [
        {"file": str(path), "directory": str(tmp_path), "command": f"c++ -Wall -Werror -o x.o -c '{path}'"}
        for path in (batch, batch, tmp_path / "fourth.cpp")
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return tmp_path


def test_each_source_of_a_batch_is_read_once_with_its_options(tree: Path) -> None:
    assert read_batches(tree / "compile_commands.json") == [
        Alone(tree / name, ("c++", "-Wall", "-Werror", "-fsyntax-only", str(tree / name)))
        for name in ("second.cpp", "third.cpp")
    ]


def test_a_source_that_forgot_an_include_is_named_and_one_that_did_not_is_not(tree: Path) -> None:
    complaints = read_alone(read_batches(tree / "compile_commands.json"), tree)
    assert len(complaints) == 1
    assert complaints[0].startswith("third.cpp does not compile alone; include what it uses:\n")
    assert "first" in complaints[0]


def test_what_was_touched_is_read_and_of_the_rest_a_share_that_the_commit_draws() -> None:
    sources = [Alone(Path(f"/room/source{number}.cpp"), ()) for number in range(600)]
    touched = {Path("/room/source3.h"), Path("/room/source4.cpp"), Path("/other/source5.cpp")}
    first, second = chosen(sources, touched, "one"), chosen(sources, touched, "another")
    assert {"source3.cpp", "source4.cpp"} <= {one.source.name for one in first}
    tests = [Alone(Path(f"/tests/{number}_test.cpp"), ()) for number in range(600)]
    assert 2 < len(chosen(tests, {one.source for one in tests}, "one")) < 30
    assert 4 < len(first) < 30
    assert first == chosen(sources, touched, "one")
    assert first != second


def test_after_many_changes_some_of_what_was_touched_is_read() -> None:
    sources = [Alone(Path(f"/room/source{number}.cpp"), ()) for number in range(600)]
    everything = {one.source for one in sources}
    first, second = chosen(sources, everything, "one"), chosen(sources, everything, "another")
    assert MOST_TOUCHED <= len(first) < MOST_TOUCHED + 50
    assert first != second
