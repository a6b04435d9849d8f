"""Retired names are found as whole words, in code, pages and file names, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from check.retired_names import retired_names, uses
from check.sources import tracked_files


@pytest.mark.parametrize(
    ("name", "text", "places"),
    [
        ("a.h", "class sync_order {};\n", ["a.h:1"]),
        ("b.cpp", "int x;\nsync_clock c; thread_cell d;\n", ["b.cpp:2", "b.cpp:2"]),
        ("c.md", "An `access_set` and two access_sets.\n", ["c.md:1", "c.md:1"]),
        ("sync_order_test.cpp", "\n", ["sync_order_test.cpp (its name)"]),
        ("d.h", "my_sync_order sync_orders resync_order\n", []),
        ("e.csv", "sync_order\n", []),
        ("CHANGELOG.md", "sync_order became happens_before\n", []),
    ],
)
def test_whole_words_are_found(tmp_path: Path, name: str, text: str, places: list[str]) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert [found.split(": `")[0] for found in uses([tmp_path / name], tmp_path)] == places


def test_a_use_says_what_to_write_instead(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text("sync_order\n", encoding="utf-8")
    assert uses([tmp_path / "a.h"], tmp_path) == ["a.h:1: `sync_order` is a retired name, write `happens_before`"]


def test_no_name_is_retired_and_in_use() -> None:
    names = retired_names()
    assert not set(names) & set(names.values())
    assert uses(tracked_files()) == []
