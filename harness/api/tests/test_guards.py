"""Headers of other projects look for the guards of the toolkit's headers: the emulator's have the same."""

import re
from pathlib import Path

import pytest

from api.table import ROOT
from api.tests.test_table import VERSION, toolkit

OURS = ROOT / "harness/emulator/include"
WITHOUT = {
    "cuda.h": "its guard says that the driver API is there",
    "builtin_types.h": "the toolkit's has none",
    "texture_fetch_functions.h": "the toolkit's has none",
}
GUARD = re.compile(r"#\s*if(?:ndef\s+|\s*!defined\s*\()(\w+)\)?\s*(?:/\*.*?\*/|//[^\n]*\n|\s)*#\s*define\s+\1\b", re.S)


def guard_of(header: Path) -> str:
    found = GUARD.search(header.read_text(errors="replace"))
    return found[1] if found else ""


def test_a_guard_is_found_behind_comments_too() -> None:
    assert GUARD.search("/* a */\n#if !defined(__A_H__)\n\n/* b */\n// c\n#define __A_H__\n")[1] == "__A_H__"  # type: ignore[index]


def test_our_headers_define_the_guards_of_the_toolkits() -> None:
    include = toolkit()
    if include is None:
        pytest.skip(f"no headers of CUDA {VERSION}: their guards are compared where they are")
    wrong = {}
    for ours in sorted(OURS.glob("*.h")):
        theirs = next((p for p in (include / "crt" / ours.name, include / ours.name) if p.exists()), None)
        if theirs is None or ours.name in WITHOUT:
            continue
        if f"#define {guard_of(theirs)} " not in ours.read_text():
            wrong[ours.name] = guard_of(theirs)
    assert wrong == {}
