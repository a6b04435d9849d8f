"""What a check tries of a long list: a share of it, drawn by the commit, so that every commit tries others. A full
check tries all: what is not drawn is `long`. `$SIMTLAB_DRAWN` draws as another commit did."""

import hashlib
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

import pytest
from _pytest.mark import ParameterSet

One = TypeVar("One")


def _seed() -> str:
    if given := os.environ.get("SIMTLAB_DRAWN"):
        return given
    words = ["git", "rev-parse", "--short=8", "HEAD"]
    said = subprocess.run(words, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return said.stdout.strip() or "0"


SEED = _seed()


def is_drawn(name: str, one_in: int) -> bool:
    """Whether a check tries `name`, of many of which it tries one in so many."""
    return int.from_bytes(hashlib.sha256(f"{SEED}/{name}".encode()).digest()[:4]) % one_in == 0


def drawn(all_of: Iterable[tuple[str, One]], one_in: int) -> list[ParameterSet]:
    """Parameters of a test by their names."""
    return [
        pytest.param(one, id=name, marks=[] if is_drawn(name, one_in) else pytest.mark.long) for name, one in all_of
    ]
