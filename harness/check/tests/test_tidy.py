"""A source is examined again exactly when something it is made of is newer than its stamp."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from check.tidy import is_clean, read_dependencies

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
