"""A source is examined again exactly when something it is made of is newer than its stamp."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from check.tidy import batches_of, is_clean, read_dependencies, write_batches

LISTING = """lib/a.o: #deps 3, deps mtime 1795205277391002785 (VALID)
    /home/me/simtlab/harness/a.cpp
    /usr/include/stdc-predef.h
    /home/me/simtlab/harness/a.h

test/a.o: #deps 2, deps mtime 1795205277391002785 (VALID)
    /home/me/simtlab/harness/a.cpp
    /home/me/simtlab/harness/b.h

"""


def test_a_source_depends_on_our_headers_of_all_its_objects() -> None:
    root = Path("/home/me/simtlab")
    source = root / "harness/a.cpp"
    assert read_dependencies(LISTING, root) == {source: {source, root / "harness/a.h", root / "harness/b.h"}}


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A stamp and one input that is a second older."""
    stamp, source = tmp_path / "a.clean", tmp_path / "a.cpp"
    for path, seconds in ((stamp, 1001), (source, 1000)):
        path.touch()
        os.utime(path, (seconds, seconds))
    return stamp, source


def test_an_older_source_is_clean(files: tuple[Path, Path]) -> None:
    stamp, source = files
    assert is_clean(stamp, {source})


@pytest.mark.parametrize("seconds", [1001, 1002])
def test_a_source_as_new_as_its_stamp_is_examined(files: tuple[Path, Path], seconds: int) -> None:
    stamp, source = files
    os.utime(source, (seconds, seconds))
    assert not is_clean(stamp, {source})


def test_without_stamp_or_with_a_vanished_header_it_is_examined(files: tuple[Path, Path], tmp_path: Path) -> None:
    stamp, source = files
    assert not is_clean(tmp_path / "none.clean", {source})
    assert not is_clean(stamp, {source, tmp_path / "gone.h"})


def entry(target: str, source: str) -> dict[str, str]:
    command = f"g++ -Werror -Ifolder -o {target}.dir/{source}.o -c /tree/{source}"
    return {"directory": "/build", "file": f"/tree/{source}", "command": command}


def test_batches_hold_every_source_once_with_those_of_its_target() -> None:
    entries = [entry("first", f"a{i}.cpp") for i in range(9)] + [entry("second", "b.cpp"), entry("second", "a0.cpp")]
    sources = [Path(f"/tree/a{i}.cpp") for i in range(9)] + [Path("/tree/b.cpp")]
    batches = batches_of([*entries, entry("first", "not-ours.cpp")], sources)
    assert [[path.stem for path in batch.sources] for batch in batches] == [[f"a{i}" for i in range(8)], ["a8"], ["b"]]
    assert "-Werror" not in batches[0].command


def test_a_batch_is_compiled_like_its_first_source_and_so_is_each_of_its_sources(tmp_path: Path) -> None:
    batches = batches_of([entry("first", "a.cpp"), entry("first", "b.cpp")], [Path("/tree/a.cpp"), Path("/tree/b.cpp")])
    write_batches(batches, tmp_path)
    assert batches[0].path(tmp_path).read_text() == '#include "/tree/a.cpp"\n#include "/tree/b.cpp"\n'
    commands = {
        entry["file"]: entry["command"] for entry in json.loads((tmp_path / "compile_commands.json").read_text())
    }
    assert set(commands) == {str(batches[0].path(tmp_path)), "/tree/a.cpp", "/tree/b.cpp"}
    assert all(command.endswith(f"-c {file}") for file, command in commands.items())
