"""What a check tries of a long list: a share of it, drawn by the commit, so that every commit tries others; of labs
also those that the last commits touched. A full check tries all: what is not drawn is `long`. `$SIMTLAB_DRAWN` draws as
another commit did."""

import hashlib
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

One = TypeVar("One")


_COMMITS = 25  # of the last ones: a landing's, as a rule


def _git(*words: str) -> str:
    said = subprocess.run(["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return said.stdout.strip()


SEED = os.environ.get("SIMTLAB_DRAWN") or _git("rev-parse", "--short=8", "HEAD") or "0"


_READ_ALONE = {"README.md", "figures", "predict.cu", "predict.toml"}  # no grading depends on them


def touched_labs() -> set[str]:
    """The labs of which the last commits changed what a grading depends on."""
    paths = [name.split("/") for name in _git("log", f"-{_COMMITS}", "--name-only", "--format=").splitlines()]
    ours = [parts for parts in paths if parts[0] in ("labs", "solutions") and len(parts) > 2]
    return {parts[1] for parts in ours if parts[2] not in _READ_ALONE}


def _place(name: str) -> bytes:
    return hashlib.sha256(f"{SEED}/{name}".encode()).digest()


def share_of(names: Iterable[str], one_in: int) -> set[str]:
    """One in so many of the names, rounded up; `is_drawn` decides of each name alone, and takes now more, now fewer."""
    ordered = sorted(names, key=_place)
    return set(ordered[: -(-len(ordered) // one_in)])


def is_drawn(name: str, one_in: int) -> bool:
    """Whether a check tries `name`, of many of which it tries one in so many."""
    return int.from_bytes(_place(name)[:4]) % one_in == 0


def drawn(all_of: Iterable[tuple[str, One]], one_in: int) -> list[ParameterSet]:
    """Parameters of a test by their names."""
    return [
        pytest.param(one, id=name, marks=[] if is_drawn(name, one_in) else pytest.mark.long) for name, one in all_of
    ]
