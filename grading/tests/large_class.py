"""A class of any size in a store of its own, from synthetic facts that are as large as real ones."""

import copy
import random
from pathlib import Path
from typing import Any

from simtlab.score.gradebook import Gradebook
from simtlab.store.results import ResultStore
from simtlab.verdict import Verdict
from tests.graded_book import book_of, random_facts

_CASES, _ACCESSES, _LINES = 14, 12, 90


def large_class(
    folder: Path, students: int, labs: int, draw: random.Random, lines: int = _LINES
) -> tuple[Gradebook, ResultStore]:
    """The gradebook and the store with the submitted file."""
    store = ResultStore(folder)
    source = "".join(
        f"    total += tile[{line}][threadIdx.x] * other[{line}];  // line {line}\n" for line in range(lines)
    )
    digest = store.keep_file(source.encode())
    documents = {
        (f"student-{number:03}", f"{lab:02}-lab"): _grown(random_facts(draw), draw)
        for number in range(students)
        for lab in range(1, labs + 1)
    }
    return book_of(documents, digest=digest), store


def _grown(what: dict[str, Any] | Verdict, draw: random.Random) -> dict[str, Any] | Verdict:
    """The facts with as many cases and accesses as a real lab has, and the samples of a GPU."""
    if isinstance(what, Verdict):
        return what
    what["cases"] += [copy.deepcopy(what["cases"][0]) | {"name": f"case {number}"} for number in range(_CASES)]
    for launch in what["launches"]:
        first = launch["accesses"][0]
        launch["accesses"] += [
            {**first, "line": draw.randint(1, _LINES), "variable": f"v{n}"} for n in range(_ACCESSES)
        ]
    centre = draw.uniform(0.1, 0.4)
    what["timing"] |= {
        "samples": [centre * draw.gauss(1, 0.003) for _ in range(15)],
        "copy_gigabytes_per_second": draw.gauss(4000, 8),
    }
    return what
